"""A new skeleton for an exercise in which a student may have written: part of `course update`."""

import json
from collections.abc import Iterator
from pathlib import Path

from course.files import back_up, is_elsewhere, read, replace_unchanged, write_atomically
from course.updating.base import blob_hash, made_skeleton, skeleton_base, text_of, untouched
from course.updating.git import show
from course.updating.merge import merge

BOM = b"\xef\xbb\xbf"  # some editors put it in front of a UTF-8 file


def update_exercise(root: Path, slug: str, new: str, backups: Path) -> list[str]:
    """Bring a new skeleton into code/slug.py, three ways against the one that it started as.

    backups: the folder for the student's file and, where it could not be used in full, for the new one.
    Returns what there is to say, one line each. Raises OSError or UserError with the student's file untouched.
    """
    path = root / "code" / f"{slug}.py"
    name = f"code/{path.name}"
    if is_elsewhere(path, root):
        return [f"{name}: kept, for it is a link. {beside(path, new, root, backups)}"]
    old = read(path)
    if old is None:
        was_there = skeleton_base(root, slug).exists()
        put(root, slug, old, new.encode(), new)
        return [f"{name}: was missing, is the new skeleton" if was_there else f"{name}: new"]
    try:
        mine = old.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError:
        return [f"{name}: kept as it is, for it is not UTF-8. {beside(path, new, root, backups)}"]

    base = text_of(skeleton_base(root, slug)) or made_skeleton(root, slug) or untouched(show(root, name))
    if new in (base, plain(mine)):
        if base != new:
            write_atomically(skeleton_base(root, slug), new.encode())
        return []
    if base is None:
        return [f"{name}: kept, for nothing tells what it started as. {beside(path, new, root, backups)}"]
    merged = merge(base, mine, new)
    if not merged.sound:
        # The base stays too: the next update tries again with all that has changed since.
        return [f"{name}: kept whole, for the two do not fit together. {beside(path, new, root, backups)}"]
    copy = back_up(path, root, backups, old)
    if plain(mine) == base:
        lines = [f"{name}: replaced, you had not begun"]
    else:
        lines = [f"{name}: merged, your answers stand. As it was: {copy.relative_to(root).as_posix()}"]
    for conflict in merged.conflicts:
        place = f"{name} line {conflict.line}" + (f", {conflict.function}" if conflict.function else "")
        lines.append(f"{place}: you and the course both changed this; yours stands")
    if merged.conflicts:
        lines[-1] += f". {beside(path, new, root, backups)}"
    bom = BOM if old.startswith(BOM) else b""
    put(root, slug, old, bom + merged.text.encode(), new)
    return lines


def plain(text: str) -> str:
    """A text with plain line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def beside(path: Path, new: str, root: Path, backups: Path) -> str:
    """Lay the new version into the backup folder, and say where."""
    copy = backups / "new" / path.relative_to(root)
    write_atomically(copy, new.encode())
    return f"The new version: {copy.relative_to(root).as_posix()}"


def put(root: Path, slug: str, old: bytes | None, content: bytes, new: str) -> None:
    """Write an exercise and then its base.

    If we are killed between the two, the note tells the next command that the exercise is merged already. The other
    order would be worse: against a base that is too new, the student seems to have undone all that the course changed.
    """
    note = notes(root) / f"{slug}.json"
    write_atomically(note, json.dumps({"exercise": blob_hash(content), "base": new}).encode())
    replace_unchanged(root / "code" / f"{slug}.py", old, content)
    write_atomically(skeleton_base(root, slug), new.encode())
    note.unlink()


def notes(root: Path) -> Path:
    return root / ".course" / "base" / "merged"


def finish(root: Path) -> None:
    """Finish what a killed update had begun with the exercises."""
    for note in notes(root).glob("*.json"):
        found = json.loads(note.read_text(encoding="utf-8"))
        content = read(root / "code" / f"{note.stem}.py")
        if content is not None and blob_hash(content) == found["exercise"]:
            write_atomically(skeleton_base(root, note.stem), found["base"].encode())
        note.unlink()


def remove_exercises(root: Path, slugs: set[str], backups: Path) -> Iterator[str]:
    """Remove the exercises that the new version no longer has, if nobody wrote in them. slugs: those that it has."""
    for base in sorted((root / ".course" / "base" / "code").glob("*.py")):
        path = root / "code" / base.name
        if base.stem in slugs or is_elsewhere(path, root):
            continue
        if path.exists() and text_of(path) == text_of(base):
            back_up(path, root, backups)
            path.unlink()
            base.unlink()
            yield f"code/{base.name}: removed, the course no longer has it"
        elif path.exists():
            yield f"code/{base.name}: kept with your answers, though the course no longer has it"
