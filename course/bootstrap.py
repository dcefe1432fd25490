"""From a fresh clone and a bare Python to a running course: makes `.venv`, installs, continues inside it.

Standard library only, and no syntax newer than Python 3.8, here and in the folder `installing`,
so that a Python which is too old for the course still gets as far as the line that
says what to type instead.

    enter("course")            called first by `python3 -m course`; returns when the requirements are there
    missing(["learn"])         which requirements are absent or of the wrong version
    install(["learn"])         install extras of pyproject.toml into the environment that is running
    install_command("learn")   the same as a line to type
    unavailable("learn")       why an extra cannot be had on this computer, or ""
"""

from __future__ import annotations

import os
import sys

from course.installing.console import WINDOWS, Stop, command, ctrl_c_stops_cleanly, how_called, quoted
from course.installing.environment import (
    COMPLETE,
    ROOT,
    UNFINISHED,
    VENV,
    VENV_BIN,
    VENV_PYTHON,
    in_venv,
    install,
    install_command,
    is_complete,
    made_for_this_python,
    make_venv,
    unavailable,
)

__all__ = ["Stop", "enter", "install", "install_command", "missing", "unavailable"]

OLDEST_PYTHON = (3, 11)
CALLED_AS = "COURSE_CALLED_AS"  # what the user typed, handed from the interpreter that was typed to the one in .venv
CONDA_LINE = "conda env create -f environment.yml && conda activate inside-the-actuator && course"


def enter(module: str) -> None:
    """Return once this interpreter has the requirements, or continue `module` in one that has.

    module: "course" or "bench", the package that was started.
    Sets COURSE_COMMAND to what the user typed to get here, so that messages can name a command that works.
    """
    handed_over = os.environ.pop(CALLED_AS, "")
    os.environ["COURSE_COMMAND"] = handed_over or how_called(module)
    if in_venv() and made_for_this_python() and handed_over:
        return  # the interpreter that was typed has looked at everything
    if is_ready():
        return
    if not is_complete():
        check_python()
        with ctrl_c_stops_cleanly():
            make_venv()
    continue_inside(module)


def is_ready() -> bool:
    """Whether the running interpreter can go on as it is."""
    if sys.version_info < OLDEST_PYTHON:
        return False
    if not os.path.exists(os.path.join(ROOT, "pyproject.toml")):
        return True  # installed without its folder: pip has seen to the requirements
    if in_venv() and (os.path.exists(COMPLETE) or os.path.exists(UNFINISHED)):
        return is_complete()
    return importable("mujoco") and not missing()  # the first is a quick no from a bare Python


def missing(extras: list[str] | tuple[str, ...] = ()) -> list[str]:
    """Requirements of the core and of these extras that are absent or of the wrong version, with what was found."""
    from course.installing.requirements import missing as compare

    return compare(extras)


def importable(name: str) -> bool:
    """Whether a top-level module exists, without importing it."""
    from importlib.util import find_spec

    return find_spec(name) is not None


def continue_inside(module: str) -> None:
    """Start again in `.venv`, with the same arguments. Does not return."""
    os.environ[CALLED_AS] = os.environ["COURSE_COMMAND"]
    # What the activate script does, so that programs which are started by name are those of .venv.
    os.environ["VIRTUAL_ENV"] = VENV
    os.environ["PATH"] = VENV_BIN + os.pathsep + os.environ.get("PATH", os.defpath)
    os.environ.pop("PYTHONHOME", None)
    words = [VENV_PYTHON, "-m", module] + sys.argv[1:]
    sys.stdout.flush()
    sys.stderr.flush()
    if not WINDOWS:
        os.execv(VENV_PYTHON, words)
    # Windows has no exec that keeps the console: wait for the child, and leave Ctrl-C to it.
    import signal
    import subprocess

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(subprocess.call(words))


def check_python() -> None:
    """Stop with what to type if this Python cannot make an environment."""
    if sys.version_info < OLDEST_PYTHON:
        raise Stop(old_python_line())
    if unavailable():
        raise Stop(unavailable())
    if not importable("venv") or not importable("ensurepip"):
        raise Stop(no_venv_line())


def old_python_line() -> str:
    """For a Python before 3.11: the newer one to use, or how to get one."""
    import shutil

    line = "The course needs Python 3.11 or newer; this is Python {}.{}. ".format(*sys.version_info[:2])
    arguments = " ".join(["-m course"] + [quoted(argument) for argument in sys.argv[1:]])
    if WINDOWS:
        return f"{line}Type: py -3 {arguments}   If that says the same, first: winget install Python.Python.3.13"
    for minor in range(20, OLDEST_PYTHON[1] - 1, -1):
        if shutil.which(f"python3.{minor}"):
            return f"{line}Type: python3.{minor} {arguments}"
    if shutil.which("conda"):
        return f"{line}Type: {CONDA_LINE}"
    if sys.platform == "darwin":
        return f"{line}Install one from python.org, or type: brew install python && python3 {arguments}"
    if shutil.which("apt-get"):
        return f"{line}Type: sudo apt install python3.11-venv && python3.11 {arguments}"
    return f"{line}Install it with the package manager of your system, then type: python3.11 {arguments}"


def no_venv_line() -> str:
    """For a Python without venv or ensurepip, as Debian and Ubuntu deliver it."""
    import shutil

    version = "{}.{}".format(*sys.version_info[:2])
    line = "This Python cannot make an environment: its modules venv and ensurepip come in a package of their own. "
    if shutil.which("apt-get"):
        return f"{line}Type: sudo apt install python{version}-venv && {command()}"
    return f"{line}Install that package for Python {version}, or with conda type: {CONDA_LINE}"
