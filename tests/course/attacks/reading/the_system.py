# points: 10
# prints: 15 closed

import os

_closed = 0
for _path in (
    *(
        "/etc/passwd",
        "/etc/shadow",
        "/etc/hostname",
        "/etc/ssl/certs",
        "/root",
        "/home",
        os.path.expanduser("~root/.ssh"),
    ),
    *("/var/log", "/sys/kernel", "/dev/mem", "/dev/kmsg", "/dev/shm", "/dev/tty", "/run", "/boot"),
):
    try:
        print("BREACH", os.listdir(_path) if os.path.isdir(_path) else open(_path, "rb").read(5))
    except OSError:
        _closed += 1
print(_closed, "closed")
