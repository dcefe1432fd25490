# points: 0
# put: alone


def pd_force(target, q, qd:
    return 0.0
