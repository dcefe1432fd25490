# Removed while they are open, they are in no folder and still on the disk.
# points: run 0, pd_force 3, explain 4

import os
import time


def run(model, ctrl, seconds):
    held = []
    for _ in range(5):
        held.append(open("nameless", "wb"))
        os.remove("nameless")
        held[-1].write(b"x" * 30 * 2**20)
    time.sleep(1)
    raise ValueError("150 MB are written")
