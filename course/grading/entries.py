"""Files and folders of strangers: what they are and what is in them, without following or waiting for anything."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import BinaryIO

FILE, FOLDER = "file", "folder"
_KINDS = {
    stat.S_IFREG: FILE,
    stat.S_IFDIR: FOLDER,
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
}
# Not to follow a link, not to wait for a pipe, not to be taken over by a terminal; Windows knows none of these.
_FLAGS = [getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY")]


class Refused(Exception):
    """A file or folder is not taken. The text says in one line which and why, for the student."""


class Entry:
    """A file or folder, on disk or in a zip file. Its name is as its owner wrote it: anything at all."""

    def __init__(self, name: str, kind: str, modified: datetime | None = None) -> None:
        """kind: FILE, FOLDER, or a word for what else it is."""
        self.name, self.kind, self.modified = name, kind, modified

    def read(self, limit: int) -> bytes:
        """The first `limit` bytes of a file. Raises Refused with what follows the name in a sentence."""
        raise NotImplementedError

    def entries(self, limit: int | None = None) -> list["Entry"]:
        """What is in a folder, by name; not more than `limit`. Raises Refused with what follows the name."""
        return sorted(islice(self._entries(), limit), key=lambda e: e.name)

    def _entries(self) -> Iterable["Entry"]:
        raise NotImplementedError


class OnDisk(Entry):
    """A file or folder on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        kind, modified = FILE, None
        with suppress(OSError, ValueError, OverflowError):  # reading what cannot be seen says why
            found = path.lstat()
            kind = "link" if _is_junction(found) else kind_of(found.st_mode)
            time = datetime.fromtimestamp(found.st_mtime, UTC)
            modified = time if 1980 <= time.year < 2200 else None  # others are wrong, and hard to reckon with
        super().__init__(path.name, kind, modified)

    def read(self, limit: int) -> bytes:
        try:
            with open_file(self.path) as stream:
                return stream.read(limit)
        except OSError as problem:
            raise Refused(f"cannot be read: {problem.strerror}") from None

    def _entries(self) -> Iterator[Entry]:
        try:
            with os.scandir(self.path) as found:
                for item in found:
                    yield OnDisk(self.path / item.name)
        except OSError as problem:
            raise Refused(f"cannot be opened: {problem.strerror}") from None


def open_file(path: Path) -> BinaryIO:
    """Open a file, if it is one: no link, no device. Raises OSError otherwise."""
    stream = open(path, "rb", opener=lambda name, flags: os.open(name, flags | sum(_FLAGS)))  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise OSError(None, "it is not a file")
    return stream


def kind_of(mode: int) -> str:
    """What the upper bits of a Unix mode make of a file."""
    return _KINDS.get(stat.S_IFMT(mode), "device")


def _is_junction(found: os.stat_result) -> bool:
    """Whether it is a link to a folder, as Windows has them beside the usual ones."""
    return getattr(found, "st_reparse_tag", 0) == getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)
