# A segmentation fault.
# points: run 0, pd_force 3, explain 4

import ctypes


def run(model, ctrl, seconds):
    return ctypes.string_at(8)
