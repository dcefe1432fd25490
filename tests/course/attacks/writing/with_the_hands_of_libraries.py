# C code opens files without asking Python.
# points: 10
# prints: wrote nothing

import ctypes

import mujoco
import numpy as np

from bench.pendulum import build

_libc = ctypes.CDLL(None)
_libc.fopen.restype = ctypes.c_void_p
for _path in ("@TARGET@", "@CLASS@/course-attack", "/tmp/course-attack"):
    if _libc.fopen(_path.encode(), b"a"):
        print("BREACH", _path)
    for _attempt in (
        lambda path: mujoco.mj_saveModel(build(MOTOR), path, None),
        lambda path: mujoco.mj_saveLastXML(path, build(MOTOR)),
        lambda path: np.zeros(3).tofile(path),
        lambda path: np.memmap(path, mode="w+", shape=3),
    ):
        try:
            _attempt(_path)
        except Exception as _refused:  # the bait itself says whether anything was written
            print(type(_refused).__name__)
print("wrote nothing")
