# points: 10
# prints: 5 refused

import multiprocessing
import os
import subprocess
import sys

_refused = 0
for _attempt in (
    lambda: subprocess.run([sys.executable, "-c", "print(1)"]),
    lambda: subprocess.run("true", shell=True),
    lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", "print(1)"], {}),
    lambda: os.execv(sys.executable, [sys.executable, "-c", "print('BREACH')"]),
    lambda: multiprocessing.get_context("fork").Process(target=print).start(),
):
    try:
        _attempt()
        print("BREACH")
    except OSError:
        _refused += 1
if os.system("true") == 0:
    print("BREACH system")
print(_refused, "refused")
