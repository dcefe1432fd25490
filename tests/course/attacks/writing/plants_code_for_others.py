# conftest.py, plugins and site files, wherever Python or pytest would take them from.
# points: 10
# prints: planted nothing

import sys
from pathlib import Path

import bench

PLANT = "import builtins; print('BREACH planted code runs')\n"
_root = Path(bench.__file__).resolve().parents[1]
_folders = {*map(Path, sys.path), _root, _root / "tests", _root / "bench", _root / "bench" / "__pycache__"}
_folders |= {
    Path(sys.prefix),
    Path(sys.base_prefix),
    Path("@CLASS@"),
    Path("/tmp"),
    Path("/usr/lib"),
    Path.cwd().parent,
}
_names = "conftest.py sitecustomize.py usercustomize.py planted.pth pytest.ini numpy.py json.py __init__.py".split()
for _folder in _folders:
    for _name in _names:
        try:
            (_folder / _name).write_text(PLANT)
            print("BREACH", _folder / _name)
        except OSError:
            pass
print("planted nothing")
