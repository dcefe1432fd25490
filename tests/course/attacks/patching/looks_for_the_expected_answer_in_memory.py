# Neither the checks nor what they expect is in this process.
# points: 10
# prints: looked at everything

import gc
import sys

_right_force = pd_force


def pd_force(target, q, qd):
    for name in ("course.testing", "course.session", "course.grading", "pytest", "test_actuator_modes"):
        if name in sys.modules:
            print("BREACH", name)
    for thing in gc.get_objects():
        if type(thing) is dict and ({"expected", "slips", "check_hash"} & {k for k in thing if type(k) is str}):
            print("BREACH", sorted(map(str, thing))[:20])
    print("looked at everything")
    return _right_force(target, q, qd)
