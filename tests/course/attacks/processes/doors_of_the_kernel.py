# Calls in which kernels have had their bugs, and that no exercise needs.
# points: 10
# prints: tried

import ctypes
import platform

_libc = ctypes.CDLL(None, use_errno=True)
CALLS = {
    "io_uring_setup": 425,
    "io_setup": 206,
    "bpf": 321,
    "userfaultfd": 323,
    "perf_event_open": 298,
    "add_key": 248,
    "keyctl": 250,
    "shmget": 29,
    "semget": 64,
    "msgget": 68,
    "mq_open": 240,
    "inotify_init1": 294,
    "fanotify_init": 300,
    "name_to_handle_at": 303,
    "open_by_handle_at": 304,
    "kcmp": 312,
    "pidfd_open": 434,
    "open_tree": 428,
    "fsopen": 430,
    "personality": 135,
    "iopl": 172,
    "modify_ldt": 154,
    "acct": 163,
    "syslog": 103,
    "socket": 41,
    "swapon": 167,
    "quotactl": 179,
    "memfd_create": 319,
    "fchmodat2": 452,
    "listmount": 458,
}
if platform.machine() == "x86_64":
    for _name, _number in CALLS.items():
        _done = _libc.syscall(_number, 1, 1, 1, 1, 1, 1)
        if _done >= 0 or ctypes.get_errno() not in (1, 38):  # EPERM, ENOSYS: refused before anybody looked
            print("BREACH", _name, _done, ctypes.get_errno())
print("tried")
