# points: run 0, pd_force 3, explain 4

import time


def run(model, ctrl, seconds):
    for number in range(5):
        with open(f"big{number}", "wb") as file:
            file.write(b"x" * 30 * 2**20)
    time.sleep(1)
    raise ValueError("150 MB are written")
