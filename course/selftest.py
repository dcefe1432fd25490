"""`course test`: the course checks itself, in whatever state the student's own files are."""

import os
import subprocess
import sys

from course import bootstrap
from course.syllabus import ROOT, UserError

EXTRAS = ["learn", "hardware", "nbgrader", "dev"]


def selftest(arguments: tuple[str, ...]) -> int:
    """Install what the tests need, run them on the solutions, and return pytest's exit code."""
    if not (ROOT / "solutions").exists():
        raise UserError("This copy of the course comes without the answers, so it cannot check itself")
    wanted = [extra for extra in EXTRAS if not bootstrap.unavailable(extra)]
    if bootstrap.missing(wanted):
        bootstrap.install(wanted)
    pytest = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "loadgroup", *arguments]
    return subprocess.call(pytest, cwd=ROOT, env={**os.environ, "COURSE_EXERCISES": "solutions"})
