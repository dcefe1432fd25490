# points: 10
# within: 30 s

import time

_right_explain = explain


def explain(ctrl, q):
    time.sleep(0.4)
    return _right_explain(ctrl, q)
