# Neither a name nor a descriptor, and still on the disk.
# points: run 0, pd_force 3, explain 4

import mmap
import os
import time


def run(model, ctrl, seconds):
    held = []
    for _ in range(5):
        with open("mapped", "w+b") as file:
            file.truncate(30 * 2**20)
            held.append(mmap.mmap(file.fileno(), 30 * 2**20))
        os.remove("mapped")
        held[-1][:] = b"x" * 30 * 2**20
    time.sleep(1)
    raise ValueError("150 MB are written")
