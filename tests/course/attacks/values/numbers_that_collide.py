# Whole numbers of one and the same hash make a dict slow, where there are many of them.
# points: run 3, pd_force 0, explain 0


def pd_force(target, q, qd):
    return {(2**61 - 1) * n: 0 for n in range(3_000)}
