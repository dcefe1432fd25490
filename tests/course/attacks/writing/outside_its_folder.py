# points: 10
# prints: 10 closed

import os

_closed = 0
for _folder in ("/", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/usr/lib", "/root", "/home", "@CLASS@", ".."):
    try:
        with open(os.path.join(_folder, "course-attack"), "w") as _file:
            print("BREACH", _folder)
    except OSError:
        _closed += 1
    for _attempt in (os.mkdir, lambda path: os.symlink("x", path), os.mkfifo):
        try:
            _attempt(os.path.join(_folder, "course-attack-too"))
            print("BREACH", _folder)
        except OSError:
            pass
print(_closed, "closed")
