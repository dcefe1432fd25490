# Landlock does not look at these calls, so they are refused as calls.
# points: 10
# prints: 10 refused

import os
from pathlib import Path

import bench

_refused = 0
for _path in (Path(bench.__file__).resolve(), "@TARGET@"):
    for _attempt in (
        lambda path: os.chmod(path, 0o777),
        lambda path: os.utime(path, (0, 0)),
        lambda path: os.chown(path, -1, -1),
        lambda path: os.truncate(path, 0),
        lambda path: os.setxattr(path, "user.attack", b"x"),
    ):
        try:
            _attempt(_path)
            print("BREACH", _path)
        except OSError:
            _refused += 1
print(_refused, "refused")
