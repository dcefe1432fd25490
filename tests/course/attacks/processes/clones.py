# The calls beneath fork: a process, a process in namespaces, a thread with files of its own, a new descriptor table.
# points: 10
# prints: tried

import ctypes
import os
import platform

_libc = ctypes.CDLL(None, use_errno=True)
SIGCHLD, CLONE_VM, CLONE_VFORK, CLONE_SIGHAND, CLONE_THREAD = 17, 0x100, 0x4000, 0x800, 0x10000
CLONE_NEWUSER, CLONE_PARENT, CLONE_FS, CLOSE_RANGE_UNSHARE = 0x10000000, 0x8000, 0x200, 2
if platform.machine() == "x86_64":
    for _flags in (SIGCHLD, SIGCHLD | CLONE_NEWUSER, SIGCHLD | CLONE_PARENT):
        _process = _libc.syscall(56, _flags, 0, 0, 0, 0)
        if _process == 0:
            os._exit(0)
        print("BREACH" if _process > 0 else "refused", "clone", hex(_flags))
    if _libc.syscall(56, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_FS, 0, 0, 0, 0) >= 0:
        print("BREACH a thread with a descriptor table of its own")
    _arguments = (ctypes.c_uint64 * 11)(0, 0, 0, 0, SIGCHLD)
    if (_process := _libc.syscall(435, _arguments, ctypes.sizeof(_arguments))) >= 0:
        if _process == 0:
            os._exit(0)
        print("BREACH clone3")
    if _libc.syscall(436, 200, 255, CLOSE_RANGE_UNSHARE) == 0:
        print("BREACH a descriptor table of its own")
print("tried")
