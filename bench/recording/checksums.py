"""meta/SHA256SUMS: a hash of every file of a set, in the format that the program `sha256sum -c` checks.

A flipped bit in compressed numbers gives other numbers and no error, so what is read is compared first.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from bench.recording.errors import RecordingError

SUMS = "meta/SHA256SUMS"
AGAIN = "copy or record the set again"


def write_sums(folder: Path) -> None:
    """Write the hashes of all files below the folder. Paths are relative and sorted, so equal sets are equal files."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names if name != SUMS]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8", newline="\n")


def read_sums(folder: Path) -> dict[str, str]:
    """{relative path: hash}. Raises RecordingError where the file is missing or damaged."""
    file = folder / SUMS
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        sums = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    except FileNotFoundError:
        raise RecordingError(file, "the set has no checksums", f"bench import {folder} makes a set that has") from None
    except (OSError, ValueError):
        raise RecordingError(file, "cannot be read", AGAIN) from None
    if not sums:
        raise RecordingError(file, "is empty", AGAIN)
    return sums


def read_checked(folder: Path, name: str, sums: Mapping[str, str]) -> bytes:
    """The bytes of one file of the set. Raises RecordingError unless they are those that were written."""
    if name not in sums:
        raise RecordingError(folder / SUMS, f"does not list {name}", AGAIN)
    try:
        data = (folder / name).read_bytes()
    except OSError as problem:
        raise RecordingError(folder / name, f"cannot be read ({problem.strerror})", AGAIN) from None
    if hashlib.sha256(data).hexdigest() != sums[name]:
        raise RecordingError(folder / name, f"is not what was written ({len(data)} bytes)", AGAIN)
    return data
