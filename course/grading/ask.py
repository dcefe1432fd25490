"""Asks a student's file in the sandbox. The process for the next file warms up while this one is being asked."""

import atexit
import sys
from functools import cache
from pathlib import Path

from course.grading.history import checks_hash
from course.grading.job import Job
from course.loading import load_file
from course.process import Child
from course.record import Record
from course.runner import course_version, run_checks
from course.sandbox.choose import strongest
from course.session import imports_of
from course.syllabus import UserError
from course.syllabus import module as find
from course.testing import Check

_reserve: dict[tuple[str, str], Child] = {}  # (module, sandbox) -> a process that has imported what the module needs


def ask(job: Job) -> list[Record]:
    """Raises UserError where there is no sandbox and none was waived, or where the checks are other ones."""
    module = find(job.module)
    if checks_hash(module) != job.check_hash:
        raise UserError("this computer has another version of the checks; install the same course on all of them")
    sandbox = strongest()
    if sandbox == "none":
        if not job.trust:
            raise UserError("this computer has no sandbox; see course doctor")
        sandbox = "limits" if sys.platform == "linux" else "none"
    key = job.module, sandbox
    imports = imports_of(job.module)

    def start() -> Child:
        return Child(job.module, imports, sandbox)

    child = _reserve.pop(key, None)
    if child is not None and not child.alive:
        child.kill()
        child = None
    let_go()  # of processes for other modules
    child = child or start()
    _reserve[key] = start()
    suffix = ".ipynb" if job.name.lower().endswith(".ipynb") else ".py"
    return run_checks(
        module,
        Path(job.module + suffix),
        seed=job.seed,
        child=child,
        start=start,
        source=job.source,
        student=job.student,
        attempt=job.attempt,
    )


@atexit.register
def let_go() -> None:
    """End the processes that wait for a file."""
    while _reserve:
        _reserve.popitem()[1].kill()


def without_asking(job: Job, status: str, message: str) -> list[Record]:
    """A record for each check of a file that was asked nothing; one without a module for a file of no module."""
    checks = checks_of(job.module) if job.module else {"": Check("", 0, 0.0)}
    return [
        Record(job.student, job.attempt, job.module, c.todo, name, status, 0, c.points, message, "", 0.0, job.seed,
               job.check_hash, course_version())
        for name, c in checks.items()
    ]  # fmt: skip


@cache
def checks_of(module: str) -> dict[str, Check]:
    """The checks of a module by name, in the order in which they are asked."""
    loaded = load_file(find(module).checks, f"checks_of_{module}")
    return {name: f.check for name, f in vars(loaded).items() if isinstance(getattr(f, "check", None), Check)}
