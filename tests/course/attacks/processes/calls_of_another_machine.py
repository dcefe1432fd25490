# The same calls by the numbers of 32-bit programs, which a filter for this machine alone would not know.
# points: 0

import ctypes
import mmap
import os
import platform

if platform.machine() == "x86_64":
    _code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    _code.write(bytes.fromhex("b802000000cd80c3"))  # mov eax, 2 (fork); int 0x80; ret
    _call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(_code)))
    if _call() >= 0:
        print("BREACH")
os._exit(1)
