# So deep that no path leads there, and there it writes. Recursion is no way to remove them either.
# points: run 0, pd_force 3, explain 4

import os
import time


def run(model, ctrl, seconds):
    for _ in range(2_000):
        os.mkdir("down" * 20)
        os.chdir("down" * 20)
    for number in range(5):
        with open(f"big{number}", "wb") as file:
            file.write(b"x" * 30 * 2**20)
    time.sleep(1)
    raise ValueError("150 MB are written")
