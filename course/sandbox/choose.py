"""Which sandbox this computer has. The strongest one is taken; a weaker one is never taken silently."""

import os
import shutil
import subprocess
import sys
from functools import cache

from course.child import landlock, seccomp
from course.sandbox.place import BubblewrapPlace, LandlockPlace, LimitedPlace, Place
from course.syllabus import UserError

PLACES: dict[str, type[Place]] = {
    "bubblewrap": BubblewrapPlace,
    "landlock": LandlockPlace,
    "limits": LimitedPlace,
    "none": Place,
}
FORCED = "COURSE_SANDBOX"  # the variable that names another one than the strongest


@cache
def lacking(name: str) -> str:
    """Why this computer does not have the sandbox of that name, and what to do; "" if it has."""
    if name == "none":
        return ""
    if sys.platform != "linux":
        return "there is one on Linux only; grade in a Linux container or, on Windows, in WSL 2"
    if name == "limits":
        return ""
    if not seccomp.available():
        return "libseccomp is not installed; on Debian and Ubuntu: sudo apt install libseccomp2"
    if name == "landlock":
        return "" if landlock.version() else "the kernel has no Landlock; it came with Linux 5.13 and may be turned off"
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed; on Debian and Ubuntu: sudo apt install bubblewrap"
    return _bubblewrap_refused()


def _bubblewrap_refused() -> str:
    wanted = ["--unshare-all", "--as-pid-1", "--uid", "65534", "--cap-drop", "ALL", "--ro-bind", "/", "/"]
    sized = ["--size", "4096", "--tmpfs", "/dev"]  # from bubblewrap 0.7 on
    probe = ["bwrap", *wanted, *sized, "--", sys.executable, "-S", "-c", ""]
    try:
        done = subprocess.run(probe, stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return f"bubblewrap does not start ({type(problem).__name__})"
    if done.returncode == 0:
        return ""
    said = (done.stderr.decode("utf-8", "replace").splitlines() or [f"exit code {done.returncode}"])[-1].strip()
    return (
        f"bubblewrap is installed but may not make namespaces ({said}); "
        "on Ubuntu 24.04 and newer it needs its AppArmor profile, in Docker --security-opt seccomp=unconfined"
    )


def strongest() -> str:
    """The sandbox for a student's file, "none" where there is none: bubblewrap, landlock or none.

    COURSE_SANDBOX may name one. Raises UserError if that one is not to be had.
    """
    if forced := os.environ.get(FORCED):
        if forced not in PLACES:
            raise UserError(f"{FORCED} is {forced!r}; there are: {', '.join(PLACES)}")
        if reason := lacking(forced):
            raise UserError(f"{FORCED} asks for {forced}: {reason}")
        return forced
    return next(name for name in ("bubblewrap", "landlock", "none") if not lacking(name))
