"""The files of the course in which nobody is asked to write, in a new version: part of `course update`."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course.files import back_up, is_elsewhere, read, refusal, replace_unchanged, sweep
from course.syllabus import UserError
from course.updating.base import blob_hash, is_as_shipped, is_exercise
from course.updating.source import Version


@dataclass
class Done:
    """What happened to the files, by name."""

    added: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)  # what there is to say about single files
    problems: list[str] = field(default_factory=list)  # files that could not be written
    hashes: dict[str, str] = field(default_factory=dict)  # of the new version: the next manifest


def replace_files(root: Path, version: Version, known: dict[str, set[str]], backups: Path) -> Done:
    """Put the files of the new version in their places; what somebody had changed goes to backups first.

    known: for each file the hashes of versions that came with the course.
    """
    done = Done()
    names = [name for name in version.files() if not is_exercise(name)]
    for name in sorted(names, key=lambda name: turn(root, name)):
        path = root / name
        try:
            content = (version.folder / name).read_bytes()
            done.hashes[name] = blob_hash(content)
            old = read(path)
            if old is not None and is_as_shipped(old, {done.hashes[name]}):
                continue
            if is_elsewhere(path, root):
                done.lines.append(f"{name}: left alone, for it is a link or in a linked folder")
                continue
            if old is not None and not is_as_shipped(old, known.get(name, set())):
                copy = back_up(path, root, backups, old)
                done.lines.append(f"{name}: replaced. Yours was different: {copy.relative_to(root).as_posix()}")
            replace_unchanged(path, old, content)
            if os.access(version.folder / name, os.X_OK):
                path.chmod(path.stat().st_mode | 0o111)
            (done.added if old is None else done.replaced).append(name)
        except OSError as error:
            done.problems.append(refusal(error, path, root))
        except UserError as error:
            done.problems.append(str(error))
    for folder in {(root / name).parent for name in names}:
        sweep(folder)
    return done


def turn(root: Path, name: str) -> tuple[int, str]:
    """When a file's turn comes. The program that runs is last, its new files first.

    If we are killed, what stands there then still works and can finish the update.
    """
    if not name.startswith("course/"):
        return 0, name
    return (2 if (root / name).exists() else 1), name


def remove_files(root: Path, gone: list[str], known: dict[str, set[str]], done: Done) -> None:
    """Remove the files that the new version no longer has, those that somebody has changed excepted."""
    for name in gone:
        path = root / name
        try:
            content = read(path)
            if content is None or is_elsewhere(path, root):
                continue
            if not is_as_shipped(content, known[name]):
                done.lines.append(f"{name}: kept with your changes, though the course no longer has it")
                continue
            path.unlink()
            done.removed.append(name)
            for folder in parents(path, root):
                folder.rmdir()  # fails, and ends this, at the first folder that holds anything
        except OSError as error:
            if path.exists():
                done.problems.append(refusal(error, path, root))


def parents(path: Path, root: Path) -> Iterator[Path]:
    """The folders around a file, innermost first, without the course folder itself."""
    for folder in path.parents:
        if folder == root:
            return
        yield folder
