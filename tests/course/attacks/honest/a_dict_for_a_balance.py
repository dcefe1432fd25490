# points: 10

_right_explain = explain


def explain(ctrl, q):
    return vars(_right_explain(ctrl, q))
