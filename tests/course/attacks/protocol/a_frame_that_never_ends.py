# It announces a megabyte and sends a byte now and then.
# points: run 0, pd_force 3, explain 4
# within: 30 s

import os
import struct
import time


def run(model, ctrl, seconds):
    drop = struct.pack("<II", 1_000_000, 900_000)
    while True:
        for descriptor in range(3, 9):
            try:
                os.write(descriptor, drop)
            except OSError:
                pass
        drop = b" "
        time.sleep(0.02)
