# In its own folder it may plant what it likes. The process that follows does not take anything from there.
# points: run 0, pd_force 3, explain 4

import os
from pathlib import Path


def run(model, ctrl, seconds):
    home = Path.home()
    site = home / ".local" / "lib" / "python3.11" / "site-packages"
    for folder in (home, Path.cwd(), site, home / "solutions", home / "course"):
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("sitecustomize.py", "usercustomize.py", "numpy.py", "conftest.py", "__init__.py", "a.pth"):
            (folder / name).write_text("import os; os.write(2, b'BREACH planted code runs')\n")
    (home / "matplotlibrc").write_text("backend: module://BREACH\n")
    os._exit(0)
