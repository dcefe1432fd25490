"""The environment `.venv`: made, renewed, and known to be whole. Standard library only.

`.venv/complete` is written last and says what was installed: from which requirements, in which folder, with which
extras. An installation that was killed leaves `.venv/unfinished`, and the next call makes the environment afresh,
because pip takes a package that was half copied for installed. Downloads are in pip's cache, so little is lost.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time

from course.installing.console import WINDOWS, Stop, as_typed, command, ctrl_c_stops_cleanly, quoted, say, tilde
from course.installing.fetch import cause, follow, last_words, read

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
VENV = os.path.join(ROOT, ".venv")
VENV_BIN = os.path.join(VENV, "Scripts" if WINDOWS else "bin")
VENV_PYTHON = os.path.join(VENV_BIN, "python.exe" if WINDOWS else "python")
COMPLETE = os.path.join(VENV, "complete")
UNFINISHED = os.path.join(VENV, "unfinished")
LOCK = os.path.join(VENV, "lock")
LOG = os.path.join(VENV, "install.log")


def make_venv() -> None:
    """Make or renew `.venv`. One process at a time does so; the others wait and then find it done."""
    try:
        os.makedirs(VENV, exist_ok=True)
        with only_one():
            if not is_complete():
                fill_venv()
    except OSError as error:
        raise Stop(
            f"Cannot write {tilde(str(error.filename or VENV))} ({error.strerror or error}). Close what still uses it,"
            f" free some space, or copy the course to a folder of your own; then type: {command()}"
        ) from None


def fill_venv() -> None:
    """Bring `.venv` to what pyproject.toml and requirements.txt ask for, and then say so in its stamp."""
    import subprocess

    begun = time.monotonic()
    stamp = read_stamp()
    extras = known_extras()
    say(f"Inside the Actuator: {why(stamp)}")
    sound = is_sound(stamp)
    say(f"Where: {tilde(VENV)}")
    say(f"Time:  {'seconds, plus what is new' if sound else 'about a minute, plus about 115 MB of downloads'}")
    say("Stop:  Ctrl-C; the next call starts it again")
    if not sound:
        empty_venv()
        write(UNFINISHED, " ".join(extras))
        say("- making the environment, with Python {}.{}".format(*sys.version_info[:2]))
        # close_fds=False: the lock is handed on, and lives as long as the last of us.
        made = subprocess.run([base_python(), "-m", "venv", VENV], capture_output=True, text=True, close_fds=False)
        if made.returncode:
            raise Stop(f"Python could not make the environment: {(made.stdout + made.stderr).strip()}")
    if pip_install(VENV_PYTHON, extras, may_go_on=bool(stamp)):
        write(COMPLETE, stamp_text(extras))
        say(f"Ready after {time.monotonic() - begun:.0f} s.\n")


def why(stamp: list[str]) -> str:
    """The reason for what is about to happen, for the first line on the screen."""
    if stamp and stamp[1] != ROOT:
        return "its folder was moved or copied, so its environment is made again."
    if stamp and not os.path.exists(VENV_PYTHON):
        return "the Python behind its environment is gone, so it is made again."
    if os.path.exists(UNFINISHED):
        return "the last installation was broken off, so it starts again."
    if stamp:
        return "its requirements have changed, so its environment is renewed."
    if os.path.exists(VENV_PYTHON):
        return "there is an environment already, which is now completed."
    return "first start, so it gets a Python environment of its own."


def in_venv() -> bool:
    """Whether the running interpreter is that of `.venv`."""
    return os.path.realpath(sys.prefix) == VENV


def is_complete() -> bool:
    """Whether `.venv` is whole, belongs to this folder, and was installed from the present requirements."""
    stamp = read_stamp()
    return (
        bool(stamp)
        and stamp[:2] == stamp_text([]).split("\n")[:2]
        and os.path.exists(VENV_PYTHON)  # follows links, so it is False if the base Python is gone
        and not os.path.exists(UNFINISHED)
        and (not in_venv() or made_for_this_python())
    )


def read_stamp() -> list[str]:
    """What `.venv/complete` says: hash, folder, extras. Empty if there is none."""
    lines = read(COMPLETE).split("\n")
    return lines if len(lines) == 3 else []


def stamp_text(extras: list[str]) -> str:
    """The stamp of an environment that was installed here and now."""
    import hashlib

    digest = hashlib.sha256()
    for name in ("pyproject.toml", "requirements.txt"):
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return "\n".join([digest.hexdigest(), ROOT, " ".join(extras)])


def known_extras() -> list[str]:
    """The extras that were in `.venv`, also if its last installation was broken off."""
    return (read_stamp() or ["", "", read(UNFINISHED)])[2].split()


def is_sound(stamp: list[str]) -> bool:
    """Whether pip can renew an existing `.venv`: whole, not moved, its Python still there and of the same version."""
    import subprocess

    if os.path.exists(UNFINISHED) or not os.path.exists(VENV_PYTHON):
        return False
    if (stamp and stamp[1] != ROOT) or (in_venv() and not made_for_this_python()):
        return False
    return subprocess.run([VENV_PYTHON, "-m", "pip", "--version"], capture_output=True).returncode == 0


def made_for_this_python() -> bool:
    """Whether `.venv` was made for the version that is running; its base Python may have been upgraded since."""
    for line in read(os.path.join(VENV, "pyvenv.cfg")).split("\n"):
        key, _, value = line.partition("=")
        if key.strip() in ("version", "version_info"):
            return value.strip().split(".")[:2] == [str(number) for number in sys.version_info[:2]]
    return True


def base_python() -> str:
    """The interpreter behind this one: this one may be that of `.venv`, which is about to be removed."""
    return getattr(sys, "_base_executable", None) or sys.executable


def empty_venv() -> None:
    """Remove what is in `.venv`, but for the lock, which we hold."""
    import shutil

    for entry in list(os.scandir(VENV)):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        elif entry.path != LOCK:
            os.unlink(entry.path)


@contextlib.contextmanager
def only_one():
    """Hold the lock of `.venv`, waiting for a process that has it. A lock ends with its process, however that dies."""
    with open(LOCK, "a+b") as lock:
        if not try_lock(lock):
            say("Another terminal is installing; waiting for it.")
            while not try_lock(lock):
                time.sleep(0.2)
        if not WINDOWS:
            os.set_inheritable(lock.fileno(), True)
        yield


def try_lock(file) -> bool:
    """Lock an open file without waiting; say whether that worked."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # a file system without locks
    return True


def install(extras: list[str]) -> None:
    """Install extras of pyproject.toml into the running environment, at the versions in requirements.txt.

    Raises Stop, with what to do, if that fails.
    """
    for extra in extras:
        if unavailable(extra):
            raise Stop(unavailable(extra))
    with ctrl_c_stops_cleanly():
        if not in_venv():
            pip_install(sys.executable, extras)
            return
        with only_one():
            extras = sorted(set(extras) | set(known_extras()))
            pip_install(VENV_PYTHON, extras)
            write(COMPLETE, stamp_text(extras))


def install_command(extra: str) -> str:
    """The line to type to install an extra into the running environment, from the folder one is in."""
    here = os.path.realpath(os.getcwd()) == ROOT
    lock = quoted("requirements.txt" if here else os.path.join(ROOT, "requirements.txt"))
    target = quoted(f"{'.' if here else ROOT}[{extra}]")
    return f"{python_to_type()} -m pip install -c {lock} -e {target}"


def python_to_type() -> str:
    """The running Python, as the person at the terminal can call it from the folder they are in."""
    if not in_venv():
        return as_typed(sys.executable)
    # By its path: bin of .venv is on our PATH, because we put it there, but maybe not on that of the terminal.
    here = os.path.realpath(os.getcwd()) == ROOT
    return quoted(os.path.relpath(VENV_PYTHON) if here else VENV_PYTHON)


def unavailable(extra: str = "") -> str:
    """Why the core or an extra cannot be had for this computer and Python, and what can; "" if there is no reason.

    These are the systems for which the makers of MuJoCo 4.0.0 and jaxlib 0.10.2 give out no built package.
    """
    import platform

    processor = platform.machine().lower()
    if sys.platform == "darwin" and processor == "x86_64":
        return "There is no MuJoCo 4.0.0 for Macs with an Intel processor; it runs on Apple silicon, Linux and Windows."
    if WINDOWS and processor not in ("amd64", "x86_64"):
        return "There is no MuJoCo 4.0.0 for this Python; install the 64-bit (x86-64) Python from python.org."
    if extra == "learn" and sys.version_info >= (3, 15):
        return "There is no jaxlib 0.10.2 for Python 3.15; delete the folder .venv and start with Python 3.11 to 3.14."
    return ""


def pip_install(python: str, extras: list[str], may_go_on: bool = False) -> bool:
    """Install the course and these extras with pip, showing how far it is. Returns whether all is installed.

    may_go_on: where pip fails before it has changed anything, and what is there will do, say so and return False.
    Raises Stop if pip fails otherwise.
    """
    import tempfile

    own = python == VENV_PYTHON
    log = LOG if own else os.path.join(tempfile.gettempdir(), "inside-the-actuator-install.log")
    if own:
        write(UNFINISHED, " ".join(extras))
    say(f"- fetching packages{' for ' + ', '.join(extras) if extras else ''}")
    options = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off", "-c", "requirements.txt"]
    target = f".[{','.join(extras)}]" if extras else "."
    code = follow(python, ["install"] + options + ["-e", target], ROOT, log)
    output = read(log)
    untouched = "\nInstalling collected packages" not in output
    if own and (code == 0 or untouched):
        os.unlink(UNFINISHED)
    if code == 0:
        return True
    if may_go_on and untouched and still_good(python):
        say(f"   {cause(output)} What was installed before will do; going on with that.\n")
        return False
    for line in last_words(output):
        say(f"   pip: {line}")
    raise Stop(f"{cause(output)} Then type: {command()}   (pip's log: {tilde(log)})")


def still_good(python: str) -> bool:
    """Whether an environment meets pyproject.toml as it stands, though the lock may ask for newer versions."""
    import subprocess

    code = "import sys; from course.installing.requirements import missing; sys.exit(bool(missing()))"
    return subprocess.run([python, "-c", code], cwd=ROOT, capture_output=True).returncode == 0


def write(path: str, text: str) -> None:
    """Write a file so that it is there as a whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)
