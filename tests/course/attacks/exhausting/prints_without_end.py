# points: run 3, pd_force 0, explain 4
# prints: and on
# within: 30 s

import sys
import time

_right_force = pd_force


def pd_force(target, q, qd):
    while True:
        sys.stdout.write("and on " * 10_000)
        time.sleep(0.005)


def explain(ctrl, q):
    gravity = MASS * GRAVITY * LENGTH * np.sin(q)
    return Balance(_right_force(ctrl, q, 0), gravity, _right_force(ctrl, q, 0) - gravity)
