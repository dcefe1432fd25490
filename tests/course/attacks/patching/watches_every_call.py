# A profiler sees the calls of this process, and none of them belongs to a check.
# points: 10
# prints: seen

import sys

_seen = set()


def _look(frame, event, argument):
    _seen.add(frame.f_code.co_filename)


sys.setprofile(_look)
_right_explain = explain


def explain(ctrl, q):
    print("seen", len(_seen), "BREACH" if any("test_" in name for name in _seen) else "files of the child alone")
    return _right_explain(ctrl, q)
