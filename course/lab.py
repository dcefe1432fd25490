"""The lessons in JupyterLab: working copies in lab/, which git ignores, so that what a reader does stays theirs.

.course/base/lab keeps each lesson as it was copied. Comparing with it tells a reader's changes from the course's.
"""

import json
import os
import subprocess
import sys
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from course.files import back_up, is_elsewhere, one_line, read, replace_unchanged, write_atomically
from course.syllabus import ROOT, Module, UserError


def prepare(module: Module | None = None, root: Path = ROOT) -> Path:
    """Make or renew the working copy of a lesson (None: of all), and return it (None: the folder of all).

    Prints a line if the lesson and the copy have both changed. Raises UserError if there is no lesson.
    """
    lessons = sorted((root / "lessons").glob("[0-9][0-9]_*.ipynb"))
    if module is not None:
        lessons = [lesson for lesson in lessons if lesson.name == f"{module.number:02d}_{module.slug}.ipynb"]
    if not lessons:
        raise UserError(f"There is no lesson for {module.name if module else 'any module'} in lessons/ yet")
    for lesson in lessons:
        copy = root / "lab" / lesson.name
        with one_line(copy, root):
            for line in renew(copy, root, keep_mine=True):
                print(line)
    return root / "lab" if module is None else root / "lab" / lessons[0].name


def renew_copies(root: Path) -> list[str]:
    """Renew the working copies in which the reader has changed nothing; the others wait for the next `course lab`."""
    lines = []
    for copy in sorted((root / "lab").glob("*.ipynb")):
        try:
            with one_line(copy, root):
                lines += renew(copy, root, keep_mine=False)
        except UserError as problem:
            lines.append(str(problem))  # no reason to stop: `course lab` tries again
    return lines


def renew(copy: Path, root: Path, keep_mine: bool) -> list[str]:
    """Make a working copy if there is none, and renew it if the lesson has changed since.

    Where the reader has changed it too, either nothing is done or, with keep_mine, theirs stays under a dated name.
    """
    name = copy.relative_to(root).as_posix()
    base = root / ".course" / "base" / "lab" / copy.name
    lesson, old, copied = read(root / "lessons" / copy.name), read(copy), read(base)
    if lesson is None or (old is not None and lesson == copied):
        return []
    if is_elsewhere(copy, root):
        raise UserError(f"{name} is a link or in a linked folder; put a plain file in its place")
    lines = []
    if old is not None and old != lesson:
        if copied is not None and cells(old) == cells(copied):
            if old != copied:  # results of cells, which the reader may still want to look at
                back_up(copy, root, content=old)
            lines = [f"{name}: renewed, the lesson has changed"]
        elif keep_mine:
            aside = copy.with_name(f"{copy.stem}.{datetime.now():%Y-%m-%d_%H%M%S}.ipynb")
            write_atomically(aside, old)
            lines = [f"{name}: new, the lesson has changed; yours is now {aside.relative_to(root).as_posix()}"]
        else:
            return []
    replace_unchanged(copy, old, lesson)
    write_atomically(base, lesson)
    return lines


def cells(notebook: bytes) -> Any:
    """What a reader can change in a notebook: kind and text of each cell. The bytes themselves if it is none."""
    try:
        return [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(notebook)["cells"]]
    except (ValueError, KeyError, TypeError):
        return notebook


def open_lab(path: Path, root: Path = ROOT, allow_root: bool = False) -> None:
    """Open a working copy, or the folder of all, in JupyterLab, and wait until that ends. Ctrl-C ends it."""
    if find_spec("jupyterlab") is None:
        raise UserError(
            f"JupyterLab is not installed for this Python; type: {sys.executable} -m pip install jupyterlab"
        )
    place = path.relative_to(root).as_posix()
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={root}"]
    # Ctrl-C would otherwise ask a question that the terminal may not show.
    command += [f"--LabApp.default_url=/lab/tree/{place}", "--ServerApp.answer_yes=True"]
    command += ["--log-level=WARN"]  # so that the address can be found on the screen
    if allow_root:
        command += ["--allow-root"]
    print(f"Opening {place} in JupyterLab. Ctrl-C here ends it.", flush=True)
    server = subprocess.Popen(command, cwd=root, env=environment(root))
    try:
        code = server.wait()
    except KeyboardInterrupt:
        code = 0
        stop(server)
    if code:
        raise UserError(f"JupyterLab ended with code {code}; its last lines above say why")


def environment(root: Path = ROOT) -> dict[str, str]:
    """The environment for a program that imports the course: this copy of it, whichever one was installed.

    Where the home folder cannot be written to, Jupyter and Matplotlib keep their own files in .course.
    """
    found = dict(os.environ)
    found["PYTHONPATH"] = os.pathsep.join([str(root), *filter(None, [os.environ.get("PYTHONPATH")])])
    if not os.access(os.path.expanduser("~"), os.W_OK):
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "MPLCONFIGDIR"):
            found.setdefault(name, str(root / ".course" / "home" / name.lower()))
    return found


def is_root() -> bool:
    """Whether JupyterLab would refuse to start for this user."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def stop(server: subprocess.Popen) -> None:
    """Let JupyterLab end its kernels, and end it if that takes too long."""
    if os.name != "nt":
        server.terminate()  # Windows has sent it the Ctrl-C already, and would kill it here
    try:
        server.wait(10)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        server.kill()
        server.wait()
