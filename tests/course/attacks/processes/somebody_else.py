# points: 10
# prints: tried

import ctypes
import os

_libc = ctypes.CDLL(None, use_errno=True)
_own = os.getuid()
for _attempt in (lambda: os.setuid(1), lambda: os.setgid(1), lambda: os.setgroups([0, 1]), lambda: os.seteuid(1)):
    try:
        _attempt()
        print("BREACH")
    except OSError:
        pass
_header, _held = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
if _libc.capget(_header, _held) == 0 and any(_held):
    print("BREACH capabilities", list(_held))
_all = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
if _libc.capset(_header, _all) == 0:
    print("BREACH capset")
print("tried")
