"""Landlock: the kernel lets this process open only the files that it was given (Linux 5.13 and newer).

https://docs.kernel.org/userspace-api/landlock.html. Needs the standard library alone.
"""

import ctypes
import os
import stat

_CREATE, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on every processor
_VERSION, _PATH_BENEATH = 1, 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE, _IOCTL_DEV = (1 << n for n in (0, 1, 2, 3, 14, 15))
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV  # rights that a rule on a plain file may hold
READ = _EXECUTE | _READ_FILE | _READ_DIR
# REMOVE_DIR REMOVE_FILE MAKE_DIR MAKE_REG MAKE_SYM: a scratch folder needs no devices, sockets, pipes.
WRITE = READ | _WRITE_FILE | _TRUNCATE | sum(1 << n for n in (4, 5, 7, 8, 12))
_HANDLED = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}  # version -> rights on files
_NETWORK, _SCOPES = 0b11, 0b11  # no TCP (from version 4); no signals and abstract sockets to outside (from 6)


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (
        ("allowed", ctypes.c_uint64),
        ("parent", ctypes.c_int32),
    )


def version() -> int:
    """The kernel's version of Landlock; 0 where there is none."""
    try:
        return max(0, _call(_CREATE, None, 0, _VERSION))
    except (OSError, AttributeError):
        return 0


def restrict(read: list[str], write: list[str]) -> None:
    """From now on, this thread and those that it starts open nothing but what lies beneath these paths.

    Call it before any other thread exists: theirs would be a way out. Raises OSError if the kernel will not.
    """
    known = version()
    files = next((rights for v, rights in sorted(_HANDLED.items(), reverse=True) if known >= v), 0)
    ruleset = _Ruleset(files, _NETWORK if known >= 4 else 0, _SCOPES if known >= 6 else 0)
    size = 8 if known < 4 else 16 if known < 6 else 24
    handle = _call(_CREATE, ctypes.byref(ruleset), size, 0)
    try:
        for paths, rights in ((read, READ), (write, WRITE)):
            for path in paths:
                _allow(handle, path, rights & files)
        _call(_RESTRICT_SELF, handle, 0)
    finally:
        os.close(handle)


def _allow(handle: int, path: str, rights: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _OF_FILES
        _call(_ADD_RULE, handle, _PATH_BENEATH, ctypes.byref(_Beneath(rights, place)), 0)
    finally:
        os.close(place)


def _call(number: int, *arguments: object) -> int:
    result = ctypes.CDLL(None, use_errno=True).syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return result
