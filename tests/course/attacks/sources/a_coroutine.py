# points: run 3, pd_force 0, explain 4

_right_force = pd_force


async def pd_force(target, q, qd):
    return _right_force(target, q, qd)


def explain(ctrl, q):
    gravity = MASS * GRAVITY * LENGTH * np.sin(q)
    return Balance(_right_force(ctrl, q, 0), gravity, _right_force(ctrl, q, 0) - gravity)
