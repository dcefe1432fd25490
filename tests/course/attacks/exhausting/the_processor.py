# A crowd of threads that compute for a while, while others are being graded.
# points: run 0, pd_force 3, explain 4
# within: 40 s

import hashlib
import threading
import time

_block = bytes(2**22)


def _burn():
    until = time.monotonic() + 0.4
    while time.monotonic() < until:
        hashlib.sha256(_block)  # which does without Python's lock


def run(model, ctrl, seconds):
    crowd = [threading.Thread(target=_burn) for _ in range(50)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    raise ValueError("warm now")
