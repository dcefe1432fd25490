# points: run 3, pd_force 0, explain 0
# prints: 4 refused

import importlib
import sys

_refused = 0
for _name in ("solutions.actuator_modes", "solutions.gain_bias", "course.session", "tests.test_actuator_modes"):
    try:
        importlib.import_module(_name)
        print("BREACH", _name)
    except ImportError:
        _refused += 1
print(_refused, "refused")

sys.meta_path[:] = [finder for finder in sys.meta_path if "course.child" not in type(finder).__module__]


def pd_force(target, q, qd):
    from solutions.actuator_modes import pd_force as answer

    return answer(target, q, qd)
