# points: run 0, pd_force 3, explain 4

import threading
import time


def run(model, ctrl, seconds):
    threading.stack_size(32768)
    for _ in range(3_000):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    time.sleep(1)
    raise ValueError("three thousand threads wait")
