# Where the class lies is no secret, what is in it is.
# points: 10
# prints: 3 closed

import os
from pathlib import Path

_closed = 0
for _path in (Path("@SECRET@"), Path("@CLASS@/results.jsonl"), Path(os.pardir, os.pardir, "@CLASS@/grading.json")):
    try:
        print("BREACH", _path.read_bytes()[:20])
    except OSError:
        _closed += 1
try:
    print("BREACH", os.listdir("@CLASS@"))
except OSError:
    print(_closed, "closed")
