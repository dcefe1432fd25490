# A thread takes a number of which the whole computer has 32768, and a few kB that are not the process's.
# points: run 0, pd_force 3, explain 4

import ctypes
import time

_libc = ctypes.CDLL(None)


def run(model, ctrl, seconds):
    attributes, thread = ctypes.create_string_buffer(256), ctypes.c_ulong()
    _libc.pthread_attr_init(attributes)
    _libc.pthread_attr_setstacksize(attributes, ctypes.c_size_t(16384))
    for _ in range(3_000):
        _libc.pthread_create(ctypes.byref(thread), attributes, _libc.pause, None)
    time.sleep(1)
    raise ValueError("three thousand threads wait")
