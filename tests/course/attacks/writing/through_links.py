# Neither a link to a file nor one to a folder leads out, and a hard link cannot be had at all.
# points: 10
# prints: 5 closed

import os
from pathlib import Path

import bench

_closed = 0
os.symlink("@CLASS@", "class")
os.symlink("@TARGET@", "target")
os.symlink("/", "root")
for _path in ("class/course-attack", "target", "root/tmp/course-attack"):
    try:
        open(_path, "a").write("changed")
        print("BREACH", _path)
    except OSError:
        _closed += 1
for _path in ("@TARGET@", Path(bench.__file__).resolve()):
    try:
        os.link(_path, "hard")
        print("BREACH", _path)
    except OSError:
        _closed += 1
print(_closed, "closed")
