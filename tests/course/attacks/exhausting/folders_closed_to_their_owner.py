# What cannot be looked into cannot be counted, or removed, by an ordinary user.
# points: run 0, pd_force 3, explain 4

import os
import time


def run(model, ctrl, seconds):
    os.mkdir("closed", 0o300)
    os.chdir("closed")
    os.makedirs("within/it")
    for number in range(5):
        with open(f"big{number}", "wb") as file:
            file.write(b"x" * 30 * 2**20)
    time.sleep(1)
    raise ValueError("150 MB are written")
