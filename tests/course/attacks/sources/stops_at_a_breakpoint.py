# points: 10

_right_force = pd_force


def pd_force(target, q, qd):
    breakpoint()
    return _right_force(target, q, qd)
