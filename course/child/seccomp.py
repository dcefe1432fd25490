"""System calls that no exercise needs, refused by the kernel (Linux, through libseccomp).

New processes, other processes, sockets, namespaces, devices, keys, shared memory, and what changes a file without
opening it, which Landlock does not see. Threads stay possible. Needs the standard library alone.
"""

import ctypes
import errno
import os
import sys

LIBRARY = "libseccomp.so.2"
REFUSED = """
    fork vfork execve execveat setsid setpgid
    ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp
    pidfd_open pidfd_getfd pidfd_send_signal tkill rt_sigqueueinfo rt_tgsigqueueinfo
    socket socketpair connect bind listen accept accept4
    shmget shmat shmctl semget semop semctl semtimedop msgget msgsnd msgrcv msgctl
    mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr memfd_create memfd_secret
    chmod fchmod fchmodat chown fchown lchown fchownat utime utimes futimesat utimensat truncate
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr mknod mknodat
    unshare setns chroot pivot_root mount umount2 open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
    name_to_handle_at open_by_handle_at fanotify_init inotify_init inotify_init1
    io_setup io_uring_setup io_uring_enter io_uring_register bpf perf_event_open userfaultfd
    add_key request_key keyctl
    setpriority ioprio_set sched_setparam sched_setscheduler sched_setattr
    migrate_pages move_pages mbind set_mempolicy set_mempolicy_home_node
    swapon swapoff reboot sethostname setdomainname iopl ioperm modify_ldt personality vhangup syslog acct
    quotactl quotactl_fd init_module delete_module finit_module kexec_load kexec_file_load lookup_dcookie
    settimeofday adjtimex clock_settime clock_adjtime
"""
NEWEST = range(451, 640)  # calls younger than this list; glibc does without them
# CLONE_FILES too: the files that a thread has open for itself cannot be seen from outside.
CLONE_FILES, CLONE_THREAD, CLOSE_RANGE_UNSHARE = 0x400, 0x10000, 2
PROTECTED = (1, 4)  # PR_SET_PDEATHSIG, which ends it with us; PR_SET_DUMPABLE, without which we see it
# Signals to others, and leases, for which others wait; signals to others, and typing into a terminal.
OWNERS = {"fcntl": (8, 10, 15, 1024), "ioctl": (0x8901, 0x8902, 0x5412, 0x541C)}

_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000  # _REFUSE | errno; _KILL: all threads
_NOT_EQUAL, _MASKED = 1, 7  # libseccomp's SCMP_CMP_*
_INT = 0xFFFFFFFF  # of an argument that is an int the kernel reads this half; a filter sees the other one too
_OTHER_MACHINE, _THREADS_TOO, _OPTIMISE = 2, 4, 8  # SCMP_FLTATR_ACT_BADARCH, _CTL_TSYNC, _CTL_OPTIMIZE


class _Compare(ctypes.Structure):
    _fields_ = (
        ("arg", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("a", ctypes.c_uint64),
        ("b", ctypes.c_uint64),
    )


def library() -> ctypes.CDLL:
    """libseccomp. Raises OSError where it is not installed."""
    found = ctypes.CDLL(LIBRARY, use_errno=True)
    found.seccomp_init.restype = ctypes.c_void_p
    found.seccomp_init.argtypes = [ctypes.c_uint32]
    found.seccomp_attr_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32]
    found.seccomp_load.argtypes = found.seccomp_release.argtypes = [ctypes.c_void_p]
    found.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    found.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.c_void_p,
    ]
    return found


def available() -> bool:
    """Whether this system can refuse calls."""
    try:
        library()
    except (OSError, AttributeError):
        return False
    return sys.platform == "linux"


def restrict() -> None:
    """Refuse these calls from now on, to every thread of this process. Raises OSError if the kernel will not."""
    lib, own = library(), os.getpid()
    rules = lib.seccomp_init(_ALLOW)

    def refuse(call: str | int, *when: tuple[int, int, int, int], error: int = errno.EPERM) -> None:
        number = call if isinstance(call, int) else lib.seccomp_syscall_resolve_name(call.encode())
        if number < 0:
            return  # this processor or this library has no such call
        conditions = (_Compare * len(when))(*(_Compare(*w) for w in when))
        _must(-lib.seccomp_rule_add_array(rules, _REFUSE | error, number, len(when), conditions), call)

    try:
        _must(-lib.seccomp_attr_set(rules, _THREADS_TOO, 1), "TSYNC")
        lib.seccomp_attr_set(rules, _OTHER_MACHINE, _KILL)  # calls in another architecture's numbers
        lib.seccomp_attr_set(rules, _OPTIMISE, 2)  # a tree instead of a list; older libraries cannot
        for call in REFUSED.split():
            refuse(call)
        for call_number in NEWEST:
            refuse(call_number, error=errno.ENOSYS)
        refuse("clone3", error=errno.ENOSYS)  # its flags lie in memory, where a filter cannot look: use clone
        for flag in (CLONE_THREAD, CLONE_FILES):
            refuse("clone", (0, _MASKED, flag, 0))
        refuse("close_range", (2, _MASKED, CLOSE_RANGE_UNSHARE, CLOSE_RANGE_UNSHARE))
        for option in PROTECTED:
            refuse("prctl", (0, _MASKED, _INT, option))
        for call in ("kill", "tgkill"):
            refuse(call, (0, _NOT_EQUAL, own, 0))
        for call in ("prlimit64", "sched_setaffinity"):  # 0 is oneself
            refuse(call, (0, _NOT_EQUAL, 0, 0))
        for call, commands in OWNERS.items():
            for command in commands:
                refuse(call, (1, _MASKED, _INT, command))
        _must(-lib.seccomp_load(rules), "the filter")
    finally:
        lib.seccomp_release(rules)


def _must(error: int, what: str | int) -> None:
    if error > 0:
        raise OSError(error, f"seccomp refused {what}: {os.strerror(error)}")
