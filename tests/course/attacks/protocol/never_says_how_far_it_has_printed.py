# What marks the end of a check's output is swallowed, or comes too early.
# points: 10
# prints: here I am

import gc

from course.child.server import Server

_server = next(thing for thing in gc.get_objects() if isinstance(thing, Server))
_right_answer = Server._answer


def _answer(self, head, buffers):
    if head["op"] == "mark":
        print("here I am, and not", head["mark"].replace("-", "+"))
        return
    _right_answer(self, head, buffers)


Server._answer = _answer
