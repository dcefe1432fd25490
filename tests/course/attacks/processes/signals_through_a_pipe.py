# A pipe can tell a process that something has come, if it may be made that process's. The kernel reads half of an
# argument that is an int, so a filter must not look at the other half.
# points: 10
# prints: 8 refused

import ctypes
import os

F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, OTHER_HALF = 8, 10, 15, 1024, 1 << 32
_libc = ctypes.CDLL(None, use_errno=True)
_refused = 0
_read, _write = os.pipe()
for _command in (F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE):
    for _half in (0, OTHER_HALF):
        _done = _libc.syscall(
            72 if os.uname().machine == "x86_64" else 25,
            ctypes.c_long(_read),
            ctypes.c_long(_command | _half),
            ctypes.c_long(os.getppid() or 1),
        )
        _refused += _done < 0 and ctypes.get_errno() == 1
        if _done >= 0:
            print("BREACH", _command, bool(_half))
print(_refused, "refused")
