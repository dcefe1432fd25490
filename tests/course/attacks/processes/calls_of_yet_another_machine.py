# x32: the same processor, numbers with one bit more.
# points: 0

import ctypes
import os

if ctypes.CDLL(None, use_errno=True).syscall(0x40000000 + 57) >= 0:  # fork
    print("BREACH")
os._exit(1)
