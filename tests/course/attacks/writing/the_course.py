# points: 10
# prints: 7 closed

import os
from pathlib import Path

import bench
import course.child

_root = Path(bench.__file__).resolve().parents[1]
_closed = 0
for _path in (
    Path(bench.__file__).parent / "pendulum.py",
    Path(course.child.__file__).parent / "worker.py",
    _root / "bench" / "pendulum.py",
    _root / "models" / "pendulum.xml",
    _root / "tests" / "test_actuator_modes.py",
    _root / "solutions" / "first_steps.py",
    Path(np.__file__),
):
    try:
        with open(_path, "r+b") as _file:
            print("BREACH", _path)
    except OSError:
        _closed += 1
    for _attempt in (os.remove, lambda path: os.rename(path, f"{path}.old"), lambda path: os.replace("x", path)):
        try:
            _attempt(_path)
            print("BREACH", _path)
        except OSError:
            pass
print(_closed, "closed")
