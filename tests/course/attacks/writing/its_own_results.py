# points: 10
# prints: 6 closed

import json
import os

_record = json.dumps({"student": "me", "module": "actuator_modes", "status": "pass", "points": 10, "max": 10})
_closed = 0
for _path in ("@CLASS@/results.jsonl", "@CLASS@/grades.csv", "@CLASS@/new.jsonl", "@CLASS@/../results.jsonl"):
    for _how in ("a", "r+") if _closed < 4 else ("w",):
        try:
            with open(_path, _how) as _file:
                _file.write(_record)
                print("BREACH", _path)
        except OSError:
            _closed += 1
try:
    os.replace("results.jsonl", "@CLASS@/results.jsonl")
except OSError:
    print(_closed, "closed")
