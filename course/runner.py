"""Runs a module's checks on one file and returns the records."""

import hashlib
import os
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from course import session
from course.boundary import Boundary
from course.check import need_checks
from course.pytest_plugin import PUBLIC_SEED, Checks
from course.record import Record
from course.session import Session
from course.syllabus import ROOT, Module, UserError
from course.testing import Check

LOUD = 100_000  # bytes of printing in one check that deserve a line


def run_checks(
    module: Module,
    file: Path,
    *,
    seed: int = PUBLIC_SEED,
    todo: str | None = None,
    check: str | None = None,
    child: Boundary | None = None,
    start: Callable[[], Boundary] | None = None,
    source: bytes | None = None,
    student: str = "",
    attempt: str = "",
) -> list[Record]:
    """Ask `file` the module's checks, or those of one TODO, or one of them.

    child: a process already started for it. start: makes one where it is needed. source: the file's bytes, if they are
    not to be read from it.
    """
    need_checks(module)
    records: list[Record] = []
    check_hash = hashlib.sha256(module.checks.read_bytes()).hexdigest()[:16]

    def note(name: str, c: Check, status: str, message: str, printed: str, size: int, seconds: float) -> None:
        if size > LOUD:
            printed += f"\n... {size / 1e6:.1f} MB in all, the rest is not kept. Is there a print() inside a loop?"
        points = c.points if status == "pass" else 0
        records.append(
            Record(student, attempt, module.slug, c.todo, name, status, points, c.points, message, printed,
                   round(seconds, 4), seed, check_hash, course_version())
        )  # fmt: skip

    asked = Session(module.slug, file, child, start, source)
    session.activate(asked)
    plugin = Checks(seed, lambda name, c: todo in (None, c.todo) and check in (None, name), note)
    try:
        code = pytest.main([str(module.checks), *_QUIET], plugins=[plugin])
    finally:
        asked.close()
        session.activate(None)
    if plugin.unreadable:
        raise UserError(f"The checks of {module.name} cannot be read, which is our fault: {plugin.unreadable}")
    if code == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if not records and code == pytest.ExitCode.NO_TESTS_COLLECTED:
        raise UserError(
            f"No check of {module.name} is called {check!r}; see the names in {module.checks.relative_to(ROOT)}"
        )
    if not records or code in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
        raise RuntimeError(f"the checks of {module.name} did not run (pytest ended with {code!r})")
    return records


# Of pytest, only what runs the checks: their words are for the student, and every plugin less is a quicker verdict.
# (The plugin `debugging` would take breakpoint() for its own.)
_UNUSED = (
    *(
        "terminal",
        "cacheprovider",
        "course.pytest_plugin",
        "faulthandler",
        "debugging",
        "doctest",
        "unittest",
        "junitxml",
    ),
    *("pastebin", "stepwise", "logging", "setuponly", "setupplan", "recwarn", "tmpdir", "monkeypatch", "warnings"),
    *("unraisableexception", "threadexception"),
)
_QUIET = (
    *(word for name in _UNUSED for word in ("-p", f"no:{name}")),
    *("--disable-plugin-autoload", "--capture=no", "--rootdir", str(ROOT), "-c", os.devnull, "--import-mode=prepend"),
)


@cache
def course_version() -> str:
    try:
        return version("inside-the-actuator")
    except PackageNotFoundError:
        return "uninstalled"
