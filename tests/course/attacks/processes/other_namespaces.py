# points: 10
# prints: 13 refused

import ctypes

_libc = ctypes.CDLL(None, use_errno=True)
_refused = 0
for _kind in (0x10000000, 0x20000, 0x20000000, 0x40000000, 0x8000000, 0x4000000, 0x400):
    _refused += _libc.unshare(_kind) < 0
for _name, _arguments in {
    "setns": (0, 0),
    "mount": (b"none", b"/tmp", b"tmpfs", 0, None),
    "umount2": (b"/scratch", 2),
    "chroot": (b".",),
    "pivot_root": (b".", b"."),
    "sethostname": (b"x", 1),
}.items():
    _refused += getattr(_libc, _name)(*_arguments) < 0
print(_refused, "refused")
