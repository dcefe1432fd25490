# It holds what was put there for it, and nothing of the one who grades.
# points: 10
# prints: looked

import os

OURS = ("PYTHONPATH HOME TMPDIR PATH LANG PYTHONDONTWRITEBYTECODE MUJOCO_GL MPLBACKEND OPENBLAS_NUM_THREADS").split()
OURS += "OMP_NUM_THREADS MKL_NUM_THREADS MALLOC_ARENA_MAX PWD".split()
for _name, _value in os.environ.items():
    if _name not in OURS or "BAIT" in _value:
        print("BREACH", _name, _value)
print("looked at", len(os.environ))
