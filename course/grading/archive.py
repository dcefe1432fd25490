"""The files in a zip file that a stranger may have made: read one by one, in memory, never unpacked to disk."""

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime

from course.grading.entries import FILE, FOLDER, Entry, OnDisk, Refused, kind_of, open_file

MOST_MEMBERS = 100_000  # about 100 MB of names in memory
DEEPEST = 16  # folders in folders; what lies deeper is cut off there, and refused where its folder is walked
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others can make gigabytes of memory out of a kilobyte
LEAST_HEADER = 30  # bytes in front of the content of each member
_UTF8 = 0x800  # the flag that says how the name is written
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(ValueError, OverflowError, NotImplementedError, RuntimeError),
)


class Member(Entry):
    """A file or folder in a zip file."""

    def __init__(
        self, name: str, kind: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo | None = None, damaged: bool = False
    ) -> None:
        super().__init__(name, kind, _modified(info) if info else None)
        self._archive, self._info, self._damaged = archive, info, damaged
        self._folders: dict[str, Member] = {}
        self._others: list[Member] = []  # a zip file may hold the same name twice

    def read(self, limit: int) -> bytes:
        assert self._info
        if self._info.flag_bits & 1:
            raise Refused("is encrypted in the zip file; hand it in without a password")
        if self._info.compress_type not in METHODS:
            raise Refused(f"is compressed by method {self._info.compress_type}; use an ordinary zip file")
        try:
            if self._damaged:
                raise zipfile.BadZipFile
            with self._archive.open(self._info) as packed:
                return packed.read(limit)
        except _DAMAGE:
            raise Refused("is damaged in the zip file; hand it in again") from None

    def _entries(self) -> Iterator[Entry]:
        yield from self._folders.values()
        yield from self._others

    def _folder(self, names: list[str]) -> "Member":
        """The folder of that name in this one, made if need be."""
        at = self
        for name in names:
            if name not in at._folders:
                at._folders[name] = Member(name, FOLDER, self._archive)
            at = at._folders[name]
        return at

    def _add(self, info: zipfile.ZipInfo, damaged: bool) -> None:
        name = name_of(info)
        parts = [part for part in name.split("/") if part not in ("", ".")]
        mode = info.external_attr >> 16
        kind = FOLDER if name.endswith("/") else kind_of(mode) if stat.S_IFMT(mode) else FILE
        if kind == FOLDER or len(parts) > DEEPEST:
            self._folder(parts[:DEEPEST])
        elif parts:
            at = self._folder(parts[:-1])
            at._others.append(Member(parts[-1], kind, self._archive, info, damaged))


@contextmanager
def opened(file: OnDisk) -> Iterator[Entry]:
    """What is in a zip file, as a folder. Raises Refused with what follows the file's name in a sentence."""
    try:
        stream = open_file(file.path)
    except OSError as problem:
        raise Refused(f"cannot be read: {problem.strerror}") from None
    with stream:
        try:
            archive = zipfile.ZipFile(stream)
        except _DAMAGE:
            raise Refused("is no zip file or is damaged; download it again, or unpack it and give the folder") from None
        with archive:
            members = archive.infolist()
            if len(members) > MOST_MEMBERS:
                raise Refused(f"holds more than {MOST_MEMBERS:,} files; unpack it and give the folder")
            root, overlapping = Member(file.name, FOLDER, archive), _overlapping(members)
            for info in members:
                root._add(info, info.header_offset in overlapping)
            yield root


def name_of(info: zipfile.ZipInfo) -> str:
    """A member's name as its owner saw it, with / between folders."""
    name = info.filename
    if not info.flag_bits & _UTF8:  # then it should be an old DOS name, but many programs write UTF-8 all the same
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def _overlapping(members: list[zipfile.ZipInfo]) -> set[int]:
    """Where members begin that share bytes with another one: the trick behind zip files that unpack to petabytes."""
    found, begin, end = set[int](), 0, 0
    for info in sorted(members, key=lambda m: m.header_offset):
        if info.header_offset < end:
            found |= {begin, info.header_offset}
        own_end = info.header_offset + LEAST_HEADER + info.compress_size
        if own_end > end:
            begin, end = info.header_offset, own_end
    return found


def _modified(info: zipfile.ZipInfo) -> datetime | None:
    """The date of a member: local time, as zip files have it; None for the date that stands for none."""
    if info.date_time[:3] == (1980, 1, 1):
        return None
    try:
        return datetime(*info.date_time).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
