# points: 10

import os
import sys
import threading
import time


def _wait():
    while True:
        for descriptor in (1, 2):
            try:
                os.write(descriptor, b"still here\n")
            except OSError:
                pass
        time.sleep(0.01)


for _ in range(5):
    threading.Thread(target=_wait, daemon=False).start()
sys.setswitchinterval(1e-6)
