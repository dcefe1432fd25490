# points: 10
# prints: 5 refused

import ctypes
import os
import pty

_libc = ctypes.CDLL(None, use_errno=True)
_refused = 0
for _attempt in (os.fork, os.forkpty, pty.fork):
    try:
        if _attempt() == 0:
            os._exit(0)
        print("BREACH")
    except OSError:
        _refused += 1
for _name in ("fork", "_Fork"):
    _forked = getattr(_libc, _name, _libc.fork)()
    if _forked == 0:
        os._exit(0)
    _refused += _forked < 0
    if _forked > 0:
        print("BREACH", _name)
print(_refused, "refused")
