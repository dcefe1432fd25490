# Exact, and of a type that does not cross.
# points: run 3, pd_force 0, explain 4

from fractions import Fraction

_right_force = pd_force


def pd_force(target, q, qd):
    return Fraction(_right_force(target, q, qd))


def explain(ctrl, q):
    gravity = MASS * GRAVITY * LENGTH * np.sin(q)
    return Balance(_right_force(ctrl, q, 0), gravity, _right_force(ctrl, q, 0) - gravity)
