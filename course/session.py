"""One checking session: which file is asked, in which child, until when. A check's proxy asks the current one."""

import time
import traceback
from pathlib import Path
from typing import Any

from course.boundary import Child, Problem
from course.loading import load_file
from course.syllabus import modules

MAX_BYTES = 1_000_000  # of a student's file
LOAD_SECONDS = 10.0
MAX_RESTARTS = 3


class Todo(Exception):
    """The check met a stub: that TODO is not written yet."""


class StudentError(AssertionError):
    """The student's code gave no answer. The text says in one line what and where."""


class Session:
    """Asks one file. The child is started at the first call and again after it was killed."""

    def __init__(self, slug: str, file: Path, child: Child | None = None) -> None:
        self.slug, self.file = slug, file
        self.deadline = time.monotonic() + LOAD_SECONDS
        self._reserve = child
        self._child: Child | None = None
        self._unloadable: Exception | None = None
        self._late: set[str] = set()
        self._last_words = ("", 0)
        self._restarts = 0

    def call(self, name: str, args: tuple, kwargs: dict[str, Any]) -> Any:
        """The student's answer. Raises Todo or StudentError when there is none."""
        if name in self._late:
            raise StudentError(f"{name}() did not come back when it was asked before, so it is not asked again")
        child = self._loaded()
        try:
            return child.call(name, args, kwargs, self.deadline)
        except Problem as problem:
            raise self._say(problem, name) from None
        except Exception:
            self._bury()  # a question that could not be put leaves the child in the middle of a sentence
            raise

    def printed(self) -> tuple[str, int]:
        """What the student's code printed since the last call, and its size in bytes."""
        last_words, self._last_words = self._last_words, ("", 0)
        return self._child.printed() if self._child else last_words

    def close(self) -> None:
        for child in (self._child, self._reserve):
            if child:
                child.kill()
        self._child = self._reserve = None

    def _loaded(self) -> Child:
        if self._unloadable:
            raise self._unloadable
        if self._child:
            return self._child
        if self._restarts > MAX_RESTARTS:
            raise StudentError(
                f"{self.file.name} brought its process down {self._restarts} times; the rest is not asked"
            )
        try:
            source = read_source(self.file)
            self._child, self._reserve = self._reserve or Child(imports_of(self.slug)), None
            waited = time.monotonic()
            self._child.load(source, self.slug, str(self.file), withheld(self.slug), time.monotonic() + LOAD_SECONDS)
            self.deadline += time.monotonic() - waited  # loading is not the check's time
        except Problem as problem:
            self._unloadable = self._say(problem, "")
            raise self._unloadable from None
        except StudentError as problem:
            self._unloadable = problem
            raise
        return self._child

    def _bury(self) -> None:
        if self._child:
            self._last_words = self._child.printed()
            self._child.kill()
            self._child, self._restarts = None, self._restarts + 1

    def _say(self, problem: Problem, name: str) -> Exception:
        """The problem in one line of the student's language. A dead child is buried here."""
        at = f"{self.file.name}:{problem.line}" if problem.line else self.file.name
        inside = f" in {problem.function}()" if problem.function and problem.function != "<module>" else ""
        if problem.kind == "todo":
            return Todo(problem.text)
        if problem.kind == "missing":
            near = f"; there is a {problem.text}(), is that it?" if problem.text else "; was it renamed or deleted?"
            return StudentError(f"{self.file.name} has no function {name}(){near}")
        if problem.kind == "syntax":
            shown = f"   {problem.source}" if problem.source else ""
            return StudentError(f"{at}: Python cannot read this file: {problem.text}{shown}")
        if problem.kind == "raised":
            return StudentError(f"{at}{inside}: {problem.text}")
        if problem.kind == "exit":
            return StudentError(f"{at}{inside}: it calls exit; a function hands its result back with return")
        if problem.kind == "unsendable":
            return StudentError(f"{name}(): {problem.text}")
        if problem.kind == "changed":
            return StudentError(
                f"{name}() changed its argument {problem.text}; work on a copy and leave what you were given as it is"
            )
        code = self._child.exit_code if self._child and problem.kind == "died" else None
        self._bury()
        if problem.kind == "late":
            self._late.add(name)
            what = f"{name}()" if name else "loading the file"
            where = f"; it was at {at}{inside}" if problem.line else ""
            return StudentError(f"{what} did not come back in time{where}. Does a loop there ever end?")
        if problem.kind == "died":
            during = f"{name}()" if name else "loading the file"
            exit_code = f" (exit code {code})" if code is not None else ""
            return StudentError(f"the process ended in the middle of {during}{exit_code}")
        return StudentError(f"{name or self.file.name} sent something that is not an answer")


class Debugging:
    """The same questions asked inside this process, so that a breakpoint stops. For your own file only."""

    def __init__(self, slug: str, file: Path) -> None:
        self.slug, self.file, self.deadline = slug, file, 0.0
        self._module: Any = None

    def call(self, name: str, args: tuple, kwargs: dict[str, Any]) -> Any:
        try:
            if self._module is None:
                self._module = load_file(self.file, f"debugged_{self.slug}")
            return getattr(self._module, name)(*args, **kwargs)
        except Exception as problem:
            if isinstance(problem, NotImplementedError) and str(problem).startswith("TODO(you): "):
                raise Todo(str(problem).removeprefix("TODO(you): ")) from None
            traceback.print_exc()
            raise StudentError(f"{name}(): {type(problem).__name__}: {problem}") from None

    def printed(self) -> tuple[str, int]:
        return "", 0

    def close(self) -> None:
        pass


_current: Session | Debugging | None = None


def activate(session: Session | Debugging | None) -> None:
    """Make this the session that every `exercise(...)` proxy asks."""
    global _current
    _current = session


def current() -> Session | Debugging:
    if _current is None:
        raise RuntimeError("no file is being checked: run `course check`, or pytest with -p course.pytest_plugin")
    return _current


def read_source(file: Path) -> bytes:
    """The file as bytes; it is never parsed on this side. Raises StudentError in one line."""
    if not file.exists():
        raise StudentError(f"{file.name} is not there; `course reset {file.stem}` brings the skeleton back")
    if not file.is_file():
        raise StudentError(f"{file.name} is not a file")
    if file.stat().st_size > MAX_BYTES:
        raise StudentError(f"{file.name} has {file.stat().st_size:,} bytes; an exercise has less than {MAX_BYTES:,}")
    source = file.read_bytes()
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = source[: problem.start].count(b"\n") + 1
        raise StudentError(f"{file.name}:{line}: this file is not UTF-8; save it as UTF-8 in your editor") from None
    if b"\0" in source:
        line = source[: source.index(b"\0")].count(b"\n") + 1
        raise StudentError(f"{file.name}:{line}: there is a NUL byte in this file; it is not a text file")
    return source


def withheld(slug: str) -> list[str]:
    """The solutions that hold an answer to this module or to a later one."""
    slugs = [m.slug for m in modules()]
    return [f"solutions.{s}" for s in slugs[slugs.index(slug) :]] if slug in slugs else []


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
