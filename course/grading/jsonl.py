"""A file of JSON objects, one a line, only ever appended to: a crash costs the line being written, no other."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class JsonLines:
    """One such file; it need not be there yet. Two processes may read it at once, but only one may append."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, lines: Iterable[str]) -> None:
        """Add lines in one write that has reached the disk on return. Raises OSError, the file then being as it was."""
        content = "".join(line + "\n" for line in lines).encode("utf-8", "replace")
        if not content:
            return
        with open(self.path, "ab", buffering=0) as file:
            before = self._mend()
            try:
                written = 0
                while written < len(content):
                    written += file.write(content[written:])
                os.fsync(file.fileno())
            except BaseException:
                os.truncate(self.path, before)  # a full disk leaves no half of it
                raise

    def _mend(self) -> int:
        """See to it that the file ends with a whole line, and return its size in bytes."""
        with open(self.path, "r+b") as file:
            size = file.seek(0, os.SEEK_END)
            torn = _last_line(file, size)
            if torn and isinstance(_read(torn), dict):
                file.write(b"\n")  # whole, but for the end that an editor has taken off
                return size + 1
            file.truncate(size - len(torn))
            return size - len(torn)

    def rows(self) -> tuple[list[tuple[int, dict[str, Any]]], list[str]]:
        """(line number, object) of every line that can be read, and one line about each that cannot.

        A last line without its end is what a killed process leaves; it is passed over in silence.
        """
        try:
            *lines, torn = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return [], []
        if isinstance(_read(torn), dict):
            lines.append(torn)
        rows, problems = [], []
        for number, line in enumerate(lines, start=1):
            if isinstance(found := _read(line), dict):
                rows.append((number, found))
            elif line.strip():
                problems.append(f"{self.path.name}:{number}: this line is damaged and is not counted")
        return rows, problems


def _read(line: bytes) -> Any:
    """What a line says, None if it cannot be read."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _last_line(file: Any, size: int) -> bytes:
    """What follows the last line break of an open file."""
    tail, start = b"", size
    while start and b"\n" not in tail:
        start = max(0, start - 65_536)
        file.seek(start)
        tail = file.read(size - start)
    return tail.rpartition(b"\n")[2]
