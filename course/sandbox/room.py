"""What a confined child may read: the interpreter, its packages, and of the course what no answer or check is in."""

import atexit
import contextlib
import os
import signal
import site
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from course.sandbox.quota import SCRATCH, overfull
from course.syllabus import ROOT, modules

# Of the system, what programs load; of /etc and /proc, single files that say nothing about anybody.
SYSTEM = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store"),
    *("/proc/cpuinfo", "/sys/devices/system/cpu"),  # XLA wants to know the processor
    *("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/usr/share/fonts"),
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
SHOWN = ("bench", "models", "data", "course/__init__.py", "course/child", "solutions/__init__.py")


@cache
def room(slug: str, place: str) -> Path:
    """A folder in `place` that looks like the course to a file of this module, made of links to the real one.

    Of the solutions, only those of the modules before this one are in it: a later module may build on them.
    """
    folder = Path(tempfile.mkdtemp(dir=place, prefix=f"{slug or 'any'}-"))
    folder.chmod(0o755)  # for a child with another account
    for name in (*SHOWN, *_solutions_before(slug)):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(ROOT / name)
    return folder


def kept(slug: str) -> Path | None:
    """A folder in which one's own file of this module keeps what JAX has compiled for it, so that the next check of it
    is quick. None where this copy of the course cannot be written.

    Only children of that module see it, and the trusted process never does; a class is graded without it.
    """
    folder = ROOT / ".course" / "compiled" / (slug or "any")
    try:
        if folder.exists() and overfull(folder, os.getpid(), SCRATCH // 4):  # what is left is enough for a check
            clear(folder)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def readable(slug: str) -> list[str]:
    """Every path that the child may read, beside its room: where the links of the room lead, and the interpreter."""
    course = [str(ROOT / name) for name in (*SHOWN, *_solutions_before(slug)) if (ROOT / name).exists()]
    return [*course, *_interpreter()]


def _solutions_before(slug: str) -> list[str]:
    slugs = [m.slug for m in modules()]
    before = slugs[: slugs.index(slug)] if slug in slugs else []
    return [f"solutions/{s}.py" for s in before]


@cache
def _interpreter() -> tuple[str, ...]:
    """Python, its packages and the system's libraries."""
    wanted = [*SYSTEM, *DEVICES]
    for prefix in {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}:
        wanted += [f"{prefix}/{part}" for part in ("bin", "lib", "lib64", "pyvenv.cfg")]
    executable = Path(sys.executable)
    while True:  # python -> python3 -> python3.11, each of which must be there
        wanted.append(str(executable))
        if not executable.is_symlink():
            break
        executable = executable.parent / os.readlink(executable)
    wanted.append(os.path.realpath(sys.executable))
    # Not sys.path: its first entry is the folder in which `python -m course` was typed, perhaps that of the class.
    wanted += site.getsitepackages()
    there = sorted({p for p in wanted if os.path.exists(p) and not _within_course(p)})
    return tuple(p for p in there if not any(p.startswith(f"{other}/") for other in there))


def _within_course(path: str) -> bool:
    """Whether a path of the interpreter's would show the course itself. Its own .venv does not."""
    real = Path(os.path.realpath(path))
    inside = ROOT.resolve()
    return inside.is_relative_to(real) or (real.is_relative_to(inside) and not real.is_relative_to(sys.prefix))


_workshop = ""


def workshop() -> str:
    """A folder for rooms and scratch folders. It goes when this program ends, or another one finds it left over."""
    if not _workshop:
        for old in Path(tempfile.gettempdir()).glob("course-*-*"):
            with contextlib.suppress(OSError, ValueError):
                if old.stat().st_uid == os.getuid() and not _alive(int(old.name.split("-")[1])):
                    _end_all_in(old)
                    clear(old)
        use_workshop(tempfile.mkdtemp(prefix=f"course-{os.getpid()}-"))
        atexit.register(clear, Path(_workshop))
    return _workshop


def use_workshop(folder: str) -> None:
    """Share the folder of the program that started this process and will clear up after it."""
    global _workshop
    _workshop = folder


def clear(folder: Path) -> None:
    """Remove a folder whatever is in it: thousands of folders one in another, or one that is closed to its owner."""
    with contextlib.suppress(OSError):
        folder.rmdir()  # mostly it is empty
    for command in ("rm", "-rf"), ("chmod", "-R", "u+rwX"), ("rm", "-rf"):
        if os.path.lexists(folder):
            subprocess.run([*command, "--", folder], stdin=subprocess.DEVNULL, capture_output=True)


def _end_all_in(old: Path) -> None:
    """End what was started in a workshop: a bubblewrap whose parent is killed at a bad moment waits for ever."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"PYTHONPATH={old}/".encode() in (process / "environ").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
