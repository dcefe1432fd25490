"""Folders and zip files, ordinary and hostile, for the tests of what was handed in."""

import io
import stat
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from course.grading.submission import Submission

MODES, GAIN = "actuator_modes", "gain_bias"
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
DATE = (2026, 11, 1, 10, 0, 0)  # of every member of a zip file


def write(root: Path, files: dict[str, bytes | str]) -> Path:
    """A folder with these files, given by their names in it."""
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def in_both(tmp_path: Path, files: dict[str, bytes | str]) -> Iterator[Path]:
    """The same files as a folder, and as a zip file with and without a folder around them."""
    yield write(tmp_path / "class", files)
    yield zipped(tmp_path / "class.zip", files)
    yield zipped(tmp_path / "prefixed" / "class.zip", {f"class/{name}": text for name, text in files.items()})


def zipped(path: Path, files: dict[str, bytes | str]) -> Path:
    """A zip file with these members, in this order."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(info(name), content)
    return path


def info(name: str, *, mode: int = stat.S_IFREG | 0o644, method: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    """A member as a program on Unix would write it."""
    member = zipfile.ZipInfo(name, DATE)
    member.create_system, member.external_attr, member.compress_type = 3, mode << 16, method
    return member


def patched(path: Path, *changes: tuple[bytes, bytes]) -> Path:
    """The file with bytes replaced everywhere, by as many others."""
    content = path.read_bytes()
    for old, new in changes:
        assert old in content and len(old) == len(new)
        content = content.replace(old, new)
    path.write_bytes(content)
    return path


def flagged(path: Path, name: str, bits: int) -> Path:
    """The zip file with bits set in the flags of the member of that name, in both of its headers."""
    content = bytearray(path.read_bytes())
    at = 0
    while (at := content.find(name.encode(), at + 1)) > 0:
        for signature, distance, offset in ((b"PK\3\4", 30, 6), (b"PK\1\2", 46, 8)):
            if content[at - distance : at - distance + 4] == signature:
                content[at - distance + offset] |= bits
    path.write_bytes(content)
    return path


def overlapping(path: Path, names: list[str], size: int) -> Path:
    """A zip bomb: all members are the same `size` zeros, packed once."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(info(names[0]), bytes(size))
        for name in names[1:]:
            member = info(name)
            first = archive.infolist()[0]
            for field in ("CRC", "compress_size", "file_size", "header_offset", "flag_bits"):
                setattr(member, field, getattr(first, field))
            archive.filelist.append(member)
        archive._didModify = True
    path.write_bytes(whole.getvalue())
    return path


def rows(found: list[Submission]) -> list[tuple[str, str, str]]:
    """(student, module, source or refusal) of each submission."""
    return [(s.student, s.module, s.refusal or s.source.decode()) for s in found]
