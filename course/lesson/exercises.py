"""A student's exercise file as an object: read again at every save, and kind about what is not there yet."""

import linecache
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType, TracebackType

from course.syllabus import ROOT

TODO = "TODO(you): "  # what an unfinished function raises: NotImplementedError("TODO(you): name")
AGAIN = "Save the file and run this cell again."


class LessonStop(Exception):
    """The lesson cannot go on; the message is one line that says what, where, and what to do."""


def folder() -> Path:
    """Where exercises are read: code/, or the folder that the environment variable COURSE_EXERCISES names."""
    return ROOT / os.environ.get("COURSE_EXERCISES", "code")


def shown(path: str | Path) -> str:
    """A path as the reader knows it: relative to the course's folder where possible."""
    path = Path(path)
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


class Exercise:
    """The attributes of one exercise file. The file is read again whenever its time or size has changed."""

    def __init__(self, slug: str):
        self._slug = slug
        self._stamp: tuple[Path, int, int] | None = None
        self._module = ModuleType("nothing read yet")

    def __getattr__(self, name: str):
        # Front ends ask every object for _repr_html_ and the like; that is no reason to read a file.
        if name.startswith("_"):
            raise AttributeError(name)
        module = self._current()
        try:
            return getattr(module, name)
        except AttributeError:
            where = shown(folder() / f"{self._slug}.py")
            raise LessonStop(f"{where} has no '{name}'. Is it misspelt, or was it deleted? {AGAIN}") from None

    def __repr__(self) -> str:
        return f"<your exercise {shown(folder() / (self._slug + '.py'))}>"

    def __dir__(self) -> list[str]:
        try:
            return [name for name in dir(self._current()) if not name.startswith("_")]
        except LessonStop:
            return []

    def _current(self) -> ModuleType:
        path = (folder() / f"{self._slug}.py").resolve()
        try:
            state = path.stat()
        except OSError:
            remedy = f"Type `python3 -m course reset {self._slug}` in a terminal, then run this cell again."
            raise LessonStop(f"{shown(path)} is not there. {remedy}") from None
        stamp = (path, state.st_mtime_ns, state.st_size)
        if stamp != self._stamp:
            self._stamp = None  # a file that cannot be read leaves nothing old behind
            self._module = load(path)
            self._stamp = stamp
        return self._module


def exercise(slug: str) -> Exercise:
    """The student's file code/<slug>.py: `exercise("rnea").backward_pass` is the function as it was last saved."""
    return Exercise(slug)


def load(path: Path) -> ModuleType:
    """Run an exercise file as a module of its own.

    `code` is a folder of scripts and the standard library owns that name, so files are loaded by path. The module is
    registered under a private name, because dataclasses look their module up there.
    Raises LessonStop with one line if the file cannot be read or run.
    """
    where = shown(path)
    try:
        source = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        reason = "holds a character that is not UTF-8: retype it, or save the file as UTF-8"
        raise LessonStop(f"{where}:{line} {reason}. {AGAIN}") from None
    except OSError as error:
        raise LessonStop(f"{where} cannot be read ({error.strerror}). {AGAIN}") from None
    try:
        program = compile(source, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:  # ValueError: a null byte
        line = getattr(error, "lineno", None) or 1
        reason = getattr(error, "msg", None) or str(error)
        raise LessonStop(f"{where}:{line} is not yet Python: {reason}. {AGAIN}") from None
    name = f"_exercise_{path.stem}"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    linecache.checkcache(str(path))  # so that a traceback shows the text that ran
    try:
        exec(program, module.__dict__)
    except (Exception, SystemExit) as error:
        if is_todo(error):
            raise LessonStop(todo_line(error, error.__traceback__)) from None
        reason = f"{type(error).__name__}: {error}"
        raise LessonStop(f"{line_in(path, error)} stops while it is read: {reason}. {AGAIN}") from None
    return module


def line_in(path: Path, error: BaseException) -> str:
    """file:line, the last line of this file that the error passed through."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{shown(path)}:{lines[-1]}" if lines else shown(path)


def is_todo(error: BaseException) -> bool:
    """Whether this is an exercise's unfinished function."""
    return isinstance(error, NotImplementedError) and str(error).startswith(TODO)


def todo_line(error: BaseException, trace: TracebackType | None) -> str:
    """The one line that an unfinished TODO ends in."""
    name = str(error).removeprefix(TODO)
    frames = traceback.extract_tb(trace)
    where = f"{shown(frames[-1].filename)}:{frames[-1].lineno}" if frames else "your file"
    return f"Next: write {name}() at {where}. Save the file, then run this cell again."


def install(shell) -> None:
    """Teach IPython to end a cell in one line for our own stops. The cell still counts as failed, so Run All stops."""

    def one_line(shell, kind, error, trace, tb_offset=None):
        if isinstance(error, LessonStop):
            line = str(error)
        elif is_todo(error):
            line = todo_line(error, trace)
        else:
            shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
            return None
        if hasattr(shell, "kernel"):
            shell._showtraceback(kind, error, [line])  # what a front end displays, and what the reply reports
        else:
            print(line, file=sys.stderr)
        return [line]

    shell.set_custom_exc((LessonStop, NotImplementedError), one_line)


def _running_shell():
    if "IPython" not in sys.modules:
        return None
    from IPython import get_ipython

    return get_ipython()


if _running_shell() is not None:
    install(_running_shell())
