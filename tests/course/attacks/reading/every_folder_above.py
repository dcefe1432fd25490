# From each place that it knows, up to the root.
# points: 10
# prints: looked

import os
import sys
from pathlib import Path

_known = {Path.cwd(), Path(__file__).absolute(), *map(Path, sys.path), *map(Path, os.environ.values())}
for _folder in {parent for path in _known if path.is_absolute() for parent in path.parents}:
    try:
        if set(os.listdir(_folder)) & {"test_actuator_modes.py", "results.jsonl", "roster.csv", "etc", "home", "root"}:
            print("BREACH", _folder)
    except OSError:
        pass
print("looked")
