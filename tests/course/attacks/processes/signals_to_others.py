# Signal 0 asks whether one might.
# points: 10
# prints: 8 refused

import ctypes
import os
import signal

_libc = ctypes.CDLL(None, use_errno=True)
_refused = 0
for _goal in (-1, 0, os.getppid() or 2, 2, -2, -os.getpgrp() or -3):
    try:
        os.kill(_goal, 0)
        print("BREACH", _goal)
    except OSError:
        _refused += 1
try:
    os.killpg(os.getpgrp(), 0)
    print("BREACH group")
except OSError:
    _refused += 1
try:
    signal.pidfd_send_signal(os.pidfd_open(os.getppid() or 1), 0)
    print("BREACH pidfd")
except OSError:
    _refused += 1
for _call in (129, 200, 234, 297):  # rt_sigqueueinfo, tkill, tgkill, rt_tgsigqueueinfo of x86-64
    if os.uname().machine == "x86_64" and _libc.syscall(_call, os.getppid() or 2, os.getppid() or 2, 0, 0) == 0:
        print("BREACH", _call)
print(_refused, "refused")
