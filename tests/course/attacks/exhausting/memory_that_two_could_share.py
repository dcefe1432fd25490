# points: run 0, pd_force 3, explain 4

import mmap


def run(model, ctrl, seconds):
    held = []
    while True:
        held.append(mmap.mmap(-1, 2**30))
        held[-1][:1] = b"x"
