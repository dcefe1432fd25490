# points: 10
# prints: nothing of others

import os

for _process in ("1", "self", str(os.getppid())):
    for _name in ("environ", "cmdline", "maps", "mem", "fd", "task", "status") + ("cwd", "exe") * (_process != "self"):
        _path = f"/proc/{_process}/{_name}"
        try:
            print("BREACH", os.listdir(_path) if os.path.isdir(_path) else open(_path, "rb").read(1))
        except OSError:
            pass
try:
    print("BREACH", os.listdir("/proc"))
except OSError:
    print("nothing of others")
