# The course's folder is easily found; what matters in it is not there, or closed.
# points: 10
# prints: 9 closed

from pathlib import Path

import bench

_root = Path(bench.__file__).resolve().parents[1]
_closed = 0
for _name in (
    "tests/test_actuator_modes.py",
    "tests/mutants/actuator_modes.py",
    "solutions/actuator_modes.py",
    "solutions/gain_bias.py",
    "lessons/syllabus.toml",
    "lessons/01_actuator_modes.ipynb",
    "course/testing.py",
    ".git/HEAD",
    "code/actuator_modes.py",
):
    try:
        print("BREACH", (_root / _name).read_bytes()[:20])
    except OSError:
        _closed += 1
print(_closed, "closed")
