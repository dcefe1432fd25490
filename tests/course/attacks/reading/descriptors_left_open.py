# What was open in the process that started this one is not open here: the null device, three pipes.
# points: 10
# prints: looked

import os
import stat

for _descriptor in range(256):
    try:
        _mode = os.fstat(_descriptor).st_mode
    except OSError:
        continue
    if not (stat.S_ISFIFO(_mode) or stat.S_ISCHR(_mode)):
        print("BREACH", _descriptor, oct(_mode))
print("looked")
