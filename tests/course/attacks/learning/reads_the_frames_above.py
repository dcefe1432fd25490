# Above the question stand the child's own frames, and what they know is the question.
# points: 10
# prints: frames above

import sys

_right_force = pd_force


def pd_force(target, q, qd):
    frame, count = sys._getframe(), 0
    while frame := frame.f_back:
        count += 1
        if {"expected", "rng", "slips", "seed", "item"} & set(frame.f_locals) or "test_" in frame.f_code.co_filename:
            print("BREACH", frame)
    print(count, "frames above")
    return _right_force(target, q, qd)
