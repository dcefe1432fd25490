# What the file calls itself, dead or late or changed, earns nothing.
# points: 0

from itertools import cycle

from course.child.worker import Worker

_kinds = cycle(["died", "garbled", "late", "changed", "exit", "pass", "missing", "\x1b[31m", None, 10, ["todo"]])


def _describe(self, problem):
    return {"kind": next(_kinds), "text": ["not a text"], "at": ["f", 1, 2], "points": 10}


Worker.describe = _describe


def run(*args):
    raise ValueError


pd_force = explain = run
