# points: 10

import warnings

_right_force = pd_force


def pd_force(target, q, qd):
    for number in range(3_000):
        warnings.warn(f"number {number}", stacklevel=1)
    return _right_force(target, q, qd)
