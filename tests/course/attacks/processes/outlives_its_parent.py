# It asks the kernel not to end it with the one who started it, and to hide it from that one's eyes.
# points: 10
# prints: 4 refused

import ctypes
import os

PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
_libc = ctypes.CDLL(None, use_errno=True)
_refused = 0
for _option in (PR_SET_PDEATHSIG, PR_SET_DUMPABLE):
    for _half in (0, 1 << 32):
        _done = _libc.syscall(
            157 if os.uname().machine == "x86_64" else 167,
            ctypes.c_long(_option | _half),
            *[ctypes.c_long(0)] * 4,
        )
        _refused += _done < 0
        if _done >= 0:
            print("BREACH", _option, bool(_half))
print(_refused, "refused")
