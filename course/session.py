"""One checking session: which file is asked, where it runs, for how long. A check's proxy asks the current one."""

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from course.boundary import Boundary, Handle, Problem
from course.installing.console import command
from course.process import Child
from course.skeleton import skeleton
from course.syllabus import modules

MAX_BYTES = 1_000_000  # of a student's file
LOAD_SECONDS = 10.0
MAX_LOADS = 3  # so many times LOAD_SECONDS may a file take for loading in all, however often it has to be loaded
MAX_DOUBTS = 5  # how often a question is put again because another one may be to blame


class Todo(Exception):
    """The check met a stub: that TODO is not written yet."""


class StudentError(AssertionError):
    """The student's code gave no answer. The text says in one line what and where."""


class Session:
    """Asks one file. The child is started at the first call and again after it was killed."""

    def __init__(
        self,
        slug: str,
        file: Path,
        child: Boundary | None = None,
        start: Callable[[], Boundary] | None = None,
        source: bytes | None = None,
    ) -> None:
        """child: one that has been started already. start: makes another where it is needed.

        source: what is in the file, if somebody has read it; otherwise it is read at the first question.
        """
        self.slug, self.file = slug, file
        self.seconds = LOAD_SECONDS  # how long the student's code may still run in this check
        self._reserve, self._start = child, start or (lambda: Child(slug, imports_of(slug)))
        self._child: Boundary | None = None
        self._source = source
        self._unloadable: Exception | None = None
        self._loading = MAX_LOADS * LOAD_SECONDS  # what is left of that
        self._fatal: dict[str, StudentError] = {}  # functions that brought their process down; nobody asks them again
        self._answered: set[str] = set()  # by this child
        self._doubts = MAX_DOUBTS
        self._last_words = ("", 0)

    def call(self, function: str | Handle, args: tuple, kwargs: dict[str, Any]) -> Any:
        """The student's answer. Raises Todo or StudentError when there is none."""
        name = function if isinstance(function, str) else function.name
        if name in self._fatal:
            raise self._fatal[name]
        try:
            answer = self._ask(self._loaded(), function, args, kwargs)
        except Problem as problem:
            doubtful = problem.kind in ("died", "garbled") and self._answered - {name}
            if doubtful and self._doubts and self.seconds > 0:
                # A function asked before may have left the cause behind, a thread or a closed file. A fresh process
                # shows whose fault it is.
                self._doubts -= 1
                self._bury()
                return self.call(function, args, kwargs)
            raise self._say(problem, name) from None
        except BaseException:
            self._bury()  # a question that could not be put leaves the child in the middle of a sentence
            raise
        self._answered.add(name)
        return answer

    def _ask(self, child: Boundary, function: str | Handle, args: tuple, kwargs: dict[str, Any]) -> Any:
        started = time.monotonic()
        try:
            return child.call(function, args, kwargs, started + self.seconds)
        finally:
            self.seconds -= time.monotonic() - started

    def printed(self) -> tuple[str, int]:
        """What the student's code printed since the last call, and its size in bytes."""
        (text, size), self._last_words = self._last_words, ("", 0)
        more, more_size = self._child.printed() if self._child else ("", 0)
        return text + more, size + more_size

    def close(self) -> None:
        for child in (self._child, self._reserve):
            if child:
                child.kill()
        self._child = self._reserve = None

    def _loaded(self) -> Boundary:
        if self._unloadable:
            raise self._unloadable
        if self._child:
            return self._child
        try:
            if self._source is None:
                self._source = read_source(self.file)  # once: an editor may save while the checks run
            if self._reserve and not self._reserve.alive:
                self.close()
            self._child, self._reserve = self._reserve or self._start(), None
            self._child.ask = self.call
            given = given_code(self.slug) if self.file.suffix == ".ipynb" else None
            started, seconds = time.monotonic(), min(LOAD_SECONDS, self._loading)
            self._child.load(self._source, self.slug, str(self.file), withheld(self.slug), seconds, given)
            self._loading -= time.monotonic() - started
        except Problem as problem:
            self._unloadable = self._say(problem, "")
            raise self._unloadable from None
        except Exception as problem:
            self._unloadable = problem
            raise
        return self._child

    def _bury(self) -> None:
        if self._child:
            self._last_words = self.printed()
            self._child.kill()
            self._child, self._answered = None, set()

    def _say(self, problem: Problem, name: str) -> Exception:
        """The problem in one line of the student's language. A dead child is buried here."""
        at = f"{self.file.name}{problem.cell}:{problem.line}" if problem.line else self.file.name
        inside = f" in {problem.function}()" if problem.function and problem.function != "<module>" else ""
        asked = f"{name}()" if name else "loading the file"
        if problem.kind == "todo":
            return Todo(problem.text[:80])
        if problem.kind == "missing":
            near = f"; there is a {problem.text}(), is that it?" if problem.text else "; was it renamed or deleted?"
            return StudentError(f"{self.file.name} has no function {asked}{near}")
        if problem.kind == "syntax":
            shown = f"   {problem.source}" if problem.source else ""
            return StudentError(f"{at}: Python cannot read this file: {problem.text}{shown}")
        if problem.kind == "raised":
            return StudentError(f"{at}{inside}: {problem.text}")
        if problem.kind == "exit":
            return StudentError(f"{at}{inside}: it calls exit; a function hands its result back with return")
        if problem.kind == "unsendable":
            return StudentError(f"{asked}: {problem.text}")
        if problem.kind == "changed":
            return StudentError(
                f"{asked} changed its argument {problem.text}; work on a copy and leave what you were given as it is"
            )
        if problem.kind == "late":
            where = f"; it was at {at}{inside}. Does a loop there" if problem.line else ". Does every loop in it"
            said = f"{asked} did not come back in time{where} ever end?"
        elif problem.kind == "died":
            said = f"the process ended in the middle of {asked}{_how(self._child.exit_code if self._child else None)}"
        else:
            said = f"{asked} sent something that is not an answer; does it start a process, or write into open files?"
        self._bury()
        self._fatal[name] = StudentError(said)
        return self._fatal[name]


def _how(exit_code: int | None) -> str:
    """How a process ended, as far as that is known."""
    if exit_code is None:
        return ""
    with contextlib.suppress(ValueError):
        return f" ({signal.Signals(-exit_code).name})" if exit_code < 0 else f" (exit code {exit_code})"
    return f" (signal {-exit_code})"


_current: Session | None = None


def activate(session: Session | None) -> None:
    """Make this the session that every `exercise(...)` proxy asks."""
    global _current
    _current = session


def current() -> Session:
    if _current is None:
        raise RuntimeError("no file is being checked: run `course check`, or pytest with -p course.pytest_plugin")
    return _current


def read_source(file: Path) -> bytes:
    """The file as bytes; it is never parsed on this side. Raises StudentError in one line."""
    patient = getattr(os, "O_NONBLOCK", 0)  # what is not a file must not keep us waiting
    try:
        if file.exists() and not file.is_file():
            raise StudentError(f"{file.name} is not a file")
        with open(file, "rb", opener=lambda path, flags: os.open(path, flags | patient)) as stream:
            source = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        back = f"{command()} reset {file.stem}"
        raise StudentError(f"{file.name} is not there; `{back}` brings the skeleton back") from None
    except OSError as problem:
        raise StudentError(f"{file.name} cannot be read: {problem.strerror}") from None
    accept(source, file.name)
    return source


def accept(source: bytes, name: str) -> None:
    """What a student's file must be, before anybody looks into it. Raises StudentError in one line if it is not."""
    if len(source) > MAX_BYTES:
        clear = "; clear the outputs of its cells and save it" if name.lower().endswith(".ipynb") else ""
        raise StudentError(f"{name} is too large; an exercise has less than {MAX_BYTES:,} bytes{clear}")
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = len(source[: problem.start + 1].splitlines())
        raise StudentError(f"{name}:{line}: this file is not UTF-8; save it as UTF-8 in your editor") from None
    if b"\0" in source:
        line = len(source[: source.index(b"\0") + 1].splitlines())
        raise StudentError(f"{name}:{line}: there is a NUL byte in this file; it is not a text file")


def withheld(slug: str) -> list[str]:
    """What holds an answer to this module: its solution, those of later ones, and what the syllabus names in bench."""
    slugs = [m.slug for m in modules()]
    if slug not in slugs:
        return []
    return [*(f"solutions.{s}" for s in slugs[slugs.index(slug) :]), *modules()[slugs.index(slug)].withheld]


def given_code(slug: str) -> bytes:
    """The exercise file as it is handed out: what stands around the answers of a notebook."""
    solution = next(m.solution for m in modules() if m.slug == slug)
    return skeleton(solution.read_text(encoding="utf-8")).encode()


def imports_of(slug: str) -> tuple[str, ...]:
    """The modules that this exercise imports, read from our own copy of it, for a child to import in advance."""
    import ast

    found = next((m for m in modules() if m.slug == slug), None)
    path = found.solution if found and found.solution.exists() else None
    if path is None:
        return ()
    names = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    return tuple(names)
