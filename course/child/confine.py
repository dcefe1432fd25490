"""What a sandboxed child does to itself before it reads a byte of a student's: the way back is closed by the kernel.

Needs the standard library alone, and must run before anything starts a thread.
"""

import ctypes
import os
import signal
import struct
from typing import Any

from course.child import landlock, seccomp

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_CAPABILITY_VERSION = 0x20080522
NOBODY = 65534


def confine(wanted: dict[str, Any]) -> list[str]:
    """Apply the layers that are named in wanted["layers"], in a safe order, and return their names.

    wanted: layers (of: limits, account, landlock, seccomp); memory and files in bytes, cpu in s; read and write: paths;
    parent: the process whose end is ours, 0 if that is seen to. Raises OSError: a layer that fails leaves no child.
    """
    layers = wanted["layers"]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs is refused")
    if "limits" in layers:
        _limit(wanted["memory"], wanted["files"], wanted["cpu"])
    if "account" in layers:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    _drop_capabilities(libc)
    if wanted["parent"]:  # after the change of account, which would undo it
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != wanted["parent"]:
            os._exit(1)  # it was gone before we asked
    if "landlock" in layers:
        landlock.restrict(wanted["read"], wanted["write"])
    if "seccomp" in layers:
        seccomp.restrict()
    return layers


def _limit(memory: int, files: int, cpu: int) -> None:
    import resource

    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, files),
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def _drop_capabilities(libc: Any) -> None:
    """Be nobody special: root without capabilities cannot undo a limit, mount, trace or look past permissions."""
    header, none = struct.pack("Ii", _CAPABILITY_VERSION, 0), struct.pack("6I", *[0] * 6)
    if libc.capset(header, none) != 0:
        raise OSError(ctypes.get_errno(), "capabilities cannot be dropped")
