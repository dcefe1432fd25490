# points: 10

_right_force = pd_force


class Torque(float):
    """N m."""


def pd_force(target, q, qd):
    return Torque(_right_force(target, q, qd))
