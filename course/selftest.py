"""`course test`: the course checks itself, in whatever state the student's own files are."""

import os
import subprocess
import sys

from course import bootstrap
from course.syllabus import ROOT, UserError

MOST_SECONDS = 400  # for one test; executing a lesson on a busy machine takes the longest
EXTRAS = ["lab", "learn", "hardware", "nbgrader", "cluster", "dev"]


def selftest(arguments: tuple[str, ...]) -> int:
    """Install what the tests need, run them on the solutions, and return pytest's exit code."""
    if not (ROOT / "tests").exists():
        raise UserError("This copy of the course comes without its tests, so it cannot check itself")
    wanted = [extra for extra in EXTRAS if not bootstrap.unavailable(extra)]
    if bootstrap.missing(wanted):
        bootstrap.install(wanted)
    # A test that hangs ends the run with a traceback: a check's own endless loop must not look like patience.
    # A worker takes whole files: what a file prepares once, such as the run of a lesson, serves all of its tests.
    options = ["-q", "-n", "auto", "--dist", "loadfile", "--timeout", str(MOST_SECONDS)]
    pytest = [sys.executable, "-m", "pytest", *options, *arguments]
    with subprocess.Popen(pytest, cwd=ROOT, env={**os.environ, "COURSE_EXERCISES": "solutions"}) as running:
        while True:
            try:
                return running.wait()
            except KeyboardInterrupt:
                continue  # pytest has got it too, and has last words of its own
