"""Runs the graded checks under pytest: `rng`, the deadline, and the verdict of each check as a record.

`python -m pytest tests/test_actuator_modes.py` works too: it asks the files of the folder in COURSE_EXERCISES (default
code/), and a TODO that is not written yet counts as skipped.
"""

import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from course import session
from course.boundary import one_line
from course.session import Session, StudentError, Todo
from course.syllabus import ROOT
from course.testing import Check, Wrong

BROKEN = "the check itself broke, which is our fault"
PUBLIC_SEED = 0  # a student's questions are the same every time, until --seed asks for others


def generator(seed: int, check: str) -> np.random.Generator:
    """The random generator of one check: its own, so that no check's questions depend on another's."""
    return np.random.default_rng([seed, zlib.crc32(check.encode())])


class Checks:
    """Gives each check its deadline and generator, and tells `tell` how it went.

    tell(check name, Check, status, message, printed, size of the printed text in bytes, seconds)
    """

    def __init__(
        self, seed: int = PUBLIC_SEED, wanted: Callable[[str, Check], bool] | None = None, tell: Any = None
    ) -> None:
        self.seed, self._wanted, self._tell = seed, wanted, tell
        self._told: set[str] = set()
        self.unreadable = ""  # why the file of checks could not be collected

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if mujoco := sys.modules.get("mujoco"):
            mujoco.set_mju_user_warning(lambda message: None)  # an absurd answer is no news for a log file here
        if self._wanted is not None:
            items[:] = [i for i in items if (c := check_of(i)) and self._wanted(i.name, c)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        check = check_of(item)
        if check is None:
            return (yield)
        started = time.monotonic()
        asked = session.current()
        asked.seconds = check.seconds
        status, message = "pass", ""
        try:
            yield
        except Todo as stub:
            status, message = "todo", f"{stub}() is not written yet"
            if self._tell is None:
                pytest.skip(message)
        except (Wrong, StudentError) as wrong:
            status, message = "fail", str(wrong)
            if self._tell is None:
                pytest.fail(message, pytrace=False)
        except Exception as problem:
            status, message = "error", f"{BROKEN}: {one_line(f'{type(problem).__name__}: {problem}')}"
            if self._tell is None:
                raise
        if self._tell is not None:
            seconds = time.monotonic() - started
            self._tell(item.name, check, status, message, *asked.printed(), seconds)
            self._told.add(item.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """A check of which nothing is heard, because what it needs broke before it began, counts as broken too."""
        result = yield
        if (check := check_of(item)) and self._tell is not None and item.nodeid not in self._told:
            self._tell(item.name, check, "error", f"{BROKEN} before it began", "", 0, 0.0)
        return result

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.unreadable = one_line(str(report.longrepr).splitlines()[-1])

    @pytest.fixture
    def rng(self, request: pytest.FixtureRequest) -> np.random.Generator:
        return generator(self.seed, request.node.name)


def check_of(item: pytest.Item) -> Check | None:
    """What @check noted, or None for a test that is not graded."""
    return getattr(getattr(item, "function", None), "check", None)


class _ByFolder(Checks):
    """For a plain pytest run: the session follows the test module, `ex` asks the file of that slug in one folder."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(seed)
        self._folder = folder
        self._session: Session | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        slug = item.path.stem.removeprefix("test_")
        if check_of(item) and (self._session is None or self._session.slug != slug):
            self.pytest_sessionfinish()
            self._session = Session(slug, self._folder / f"{slug}.py")
            session.activate(self._session)

    def pytest_sessionfinish(self) -> None:
        if self._session:
            self._session.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, default=PUBLIC_SEED, help="which questions the graded checks draw")
    parser.addoption("--full", action="store_true", help="also what takes long: every attack in every sandbox")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.seed is not None and not config.pluginmanager.has_plugin("course-checks"):
        folder = ROOT / os.environ.get("COURSE_EXERCISES", "code")
        config.pluginmanager.register(_ByFolder(folder, config.option.seed), "course-checks")
