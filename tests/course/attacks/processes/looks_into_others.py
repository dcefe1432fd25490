# points: 10
# prints: tried

import ctypes
import os

_libc = ctypes.CDLL(None, use_errno=True)
_other = os.getppid() or 1
_buffer = ctypes.create_string_buffer(8)


class Vector(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("size", ctypes.c_size_t))


_here = Vector(ctypes.addressof(_buffer), 8)
for _name, _arguments in {
    "ptrace": (16, _other, 0, 0),  # PTRACE_ATTACH
    "process_vm_readv": (_other, ctypes.byref(_here), 1, ctypes.byref(_here), 1, 0),
    "process_vm_writev": (_other, ctypes.byref(_here), 1, ctypes.byref(_here), 1, 0),
}.items():
    if getattr(_libc, _name)(*_arguments) >= 0:
        print("BREACH", _name)
if _libc.ptrace(0, 0, 0, 0) >= 0:  # PTRACE_TRACEME
    print("BREACH traceme")
print("tried")
