# points: 0

import os
import struct

_frames = iter([b"\xff" * 64, struct.pack("<II", 5, 1) + b"[" * 99, struct.pack("<II", 8, 4) + b"null", b"\0" * 64])


def run(*args):
    for descriptor in range(3, 9):
        try:
            os.write(descriptor, next(_frames))
        except OSError:
            pass


pd_force = explain = run
