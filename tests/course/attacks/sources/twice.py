# The last one counts, as in Python.
# points: run 3, pd_force 0, explain 2


def pd_force(target, q, qd):
    return KP * (target - q)
