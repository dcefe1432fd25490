# points: run 3, pd_force 3, explain 0

from dataclasses import astuple

_right_explain = explain


def explain(ctrl, q):
    return astuple(_right_explain(ctrl, q))
