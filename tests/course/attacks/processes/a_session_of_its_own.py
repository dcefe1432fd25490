# points: 10
# prints: 3 refused

import os

_refused = 0
for _attempt in (os.setsid, lambda: os.setpgid(0, 0), os.setpgrp):
    try:
        _attempt()
        print("BREACH")
    except OSError:
        _refused += 1
print(_refused, "refused")
