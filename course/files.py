"""Writing files that somebody cares about: the old bytes or the new ones, never half of either, never gone."""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from course.syllabus import ROOT, UserError

LEFTOVER_SECONDS = 60  # a temporary file older than this belongs to a program that was killed


def write_atomically(path: Path, content: bytes) -> None:
    """Replace path by content. Whoever reads it, and a crash at any moment, finds the old bytes or the new ones."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # The temporary file stands beside its target: a rename is atomic within one file system only.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def sweep(folder: Path) -> None:
    """Remove the temporary files that a killed `write_atomically` left in this folder."""
    for leftover in folder.glob(".*.tmp"):
        with suppress(OSError):  # somebody else may sweep here as well
            if time.time() - leftover.stat().st_mtime > LEFTOVER_SECONDS:
                leftover.unlink()


def backup_folder(root: Path = ROOT) -> Path:
    """The name of a new folder for backups; it is made when the first file goes there."""
    return root / ".course" / "backups" / datetime.now().strftime("%Y-%m-%d_%H%M%S.%f")


def back_up(path: Path, root: Path = ROOT, folder: Path | None = None, content: bytes | None = None) -> Path:
    """Copy a file of the course to a backup folder before it changes, and return the copy's path.

    folder: one of `backup_folder`'s, for several files of one command. content: the bytes, if they were read already.
    """
    copy = (folder or backup_folder(root)) / path.relative_to(root)
    write_atomically(copy, path.read_bytes() if content is None else content)
    return copy


def replace_unchanged(path: Path, old: bytes | None, new: bytes) -> None:
    """Replace a file that still holds the bytes `old` (None: that is still not there).

    Raises UserError if an editor has saved it in the meantime: what was decided from `old` is then no longer right.
    """
    if read(path) != old:
        raise UserError(f"{path.name} was saved by another program just now and is left alone; run it again")
    write_atomically(path, new)


def read(path: Path) -> bytes | None:
    """The bytes of a file, None if there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def is_elsewhere(path: Path, root: Path) -> bool:
    """Whether writing path would replace a link, or follow one out of the course folder."""
    return path.is_symlink() or not path.parent.resolve().is_relative_to(root.resolve())


@contextmanager
def one_line(path: Path | None, root: Path) -> Iterator[None]:
    """Turn the system's refusal to read or write a file (None: the one it names) into a line with what to do."""
    try:
        yield
    except OSError as error:
        raise UserError(refusal(error, path, root)) from error


def refusal(error: OSError, path: Path | None, root: Path) -> str:
    """Why the system did not let us read or write path (None: the file that it names), and what to do, in one line."""
    path = path or Path(error.filename or root)
    name = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    reason = error.strerror or type(error).__name__
    if isinstance(error, PermissionError):
        return f"{name}: {reason}; allow writing to it and its folder, or close what holds it open"
    return f"{name}: {reason}"
