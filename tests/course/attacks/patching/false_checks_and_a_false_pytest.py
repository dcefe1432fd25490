# There is no pytest in this process, so one that always passes impresses nobody.
# points: 0
# put: alone

import sys
import types

for name in ("pytest", "_pytest", "course.testing", "course.session", "course.record", "test_actuator_modes"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["course.testing"].check = lambda *args, **kwargs: lambda function: lambda *args: None
sys.modules["course.testing"].agree = sys.modules["course.testing"].wrong = lambda *args, **kwargs: None
