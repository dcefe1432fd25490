# A file that never had a name cannot be made, and so not be run.
# points: 10
# prints: 2 refused

import os

_refused = 0
try:
    os.memfd_create("program")
    print("BREACH memfd_create")
except OSError:
    _refused += 1
with open("program", "wb") as _file:
    _file.write(b"#!/bin/sh\necho BREACH\n")
try:
    _opened = os.open("program", os.O_RDONLY)
    os.execve(_opened, ["program"], {})
except OSError:
    _refused += 1
print(_refused, "refused")
