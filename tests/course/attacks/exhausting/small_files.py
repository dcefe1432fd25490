# An empty file takes no room on a disk, and some in memory.
# points: run 0, pd_force 3, explain 4

import os
import time


def run(model, ctrl, seconds):
    for number in range(30_000):
        os.close(os.open(f"small{number}", os.O_CREAT | os.O_WRONLY))
    time.sleep(1)
    raise ValueError("30,000 files are there")
