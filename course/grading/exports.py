"""Whose a file is: the layouts of class folders and of the exports of Canvas, Moodle, Gradescope and nbgrader.

What a platform or an instructor has named is believed, what a student may have named is not: a student's folder with a
file in it that looks like somebody else's, or with a submission_metadata.yml, stays that student's. That is why exports
are looked for at the top alone. A zip file at the top is an export too; one that a student made lies in a folder.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from course.grading import archive, names
from course.grading.entries import FILE, FOLDER, Entry, OnDisk, Refused

METADATA, METADATA_BYTES = "submission_metadata.yml", 100_000_000  # it holds the output of every autograder run
# Canvas: the name, LATE, the user's id, the file's id (newer ones are larger) and the student's own name for it.
_CANVAS = re.compile(
    r"(?:(?P<late1>LATE)_)?(?P<anonymous>anon_[^_]+)_(?P<file1>\d+)_(?P<name1>.+)"
    r"|(?P<who>.+?)_(?:(?P<late>LATE)_)?(?P<id>\d+)_(?:(?P<file>\d+)_(?P<name>.+)|(?P<typed>(?:text|link)\.html))",
    re.DOTALL,
)
# Moodle: a folder, or the same in front of each file. The number is the participant's, another in each assignment.
_MOODLE = re.compile(r"(?P<who>.*?)(?:_(?P<id>\d+))?_assignsubmission_[a-z]+(?:_(?P<name>.*))?", re.DOTALL)
_GRADESCOPE = re.compile(r"assignment_\d+_export")
_SUBMISSION = re.compile(r"submission_\d+")
_NBGRADER = {"source", "release", "autograded", "feedback", "exchange"}  # beside "submitted"
_PARTS_OF_A_COURSE = {"code", "lessons", "lab", "solutions"}


@dataclass(frozen=True)
class Piece:
    """A file or folder that is one student's, as the layout has it; ids and names are still as they were written.

    name: the file's, without what a platform put in front of it. order: of the platform, newer is larger. told: when it
    was handed in, as the platform says. dated: whether dates in its folders' names and of its files count; a platform
    gives files the date of the export, and folders are the student's own. refusal: why it cannot be looked into.
    """

    student: str
    entry: Entry
    name: str
    display: str = ""
    late: bool = False
    order: int = 0
    told: datetime | None = None
    dated: bool = True
    refusal: str = ""


def batches(root: Entry, label: str) -> Iterator[list[Piece]]:
    """The pieces in a folder, those of each export in it apart. label: whose a file is that lies there by itself.

    The pieces of one batch can be read until the next one is asked for. Raises Refused if the folder cannot be opened.
    """
    root = _unwrapped(root, label)
    inside = _visible(root)
    submitters = _submitters(inside)
    named_twice = _named_twice(inside)
    pieces: list[Piece] = []
    further: list[Entry] = []
    for entry in inside:
        if _is_export(entry):
            further.append(entry)
        elif entry.name in submitters:
            pieces += [replace(piece, entry=entry, name=entry.name) for piece in submitters[entry.name]]
        elif piece := _from_moodle(entry, named_twice) or _from_canvas(entry) or _by_itself(entry, label):
            pieces.append(piece)
    yield pieces
    for entry in further:
        try:
            if isinstance(entry, OnDisk) and entry.kind == FILE:
                with archive.opened(entry) as packed:
                    yield from batches(packed, _owner(entry))
            else:
                yield from batches(entry, label)
        except Refused as refused:
            yield [Piece(_owner(entry), entry, entry.name, refusal=str(refused))]


def _visible(folder: Entry) -> list[Entry]:
    return [entry for entry in folder.entries() if not names.is_ignored(entry.name)]


def _is_export(entry: Entry) -> bool:
    """Whether the students are in there: in an assignment's folder, or a zip file that no student handed in."""
    if entry.kind == FOLDER:
        return bool(_GRADESCOPE.fullmatch(entry.name)) or names.is_module(entry.name)
    of_student = _CANVAS.fullmatch(entry.name) or _MOODLE.fullmatch(entry.name)
    return isinstance(entry, OnDisk) and entry.kind == FILE and entry.name.lower().endswith(".zip") and not of_student


def _unwrapped(root: Entry, label: str) -> Entry:
    """The folder in which the students' files and folders lie: this one, or one around which there is only wrapping."""
    while True:
        inside = _visible(root)
        folders = {entry.name: entry for entry in inside if entry.kind == FOLDER}
        if "submitted" in folders and folders.keys() - {"submitted"} <= _NBGRADER:
            return folders["submitted"]
        if root.name == "submitted" or len(inside) != 1 or not folders or not _is_wrapping(inside[0], label):
            return root
        root = inside[0]


def _is_wrapping(only: Entry, label: str) -> bool:
    """Whether the only folder there is holds the students' files and folders, rather than being a student's.

    On disk only if it is called as the folder around it: the class may have this one student.
    """
    if isinstance(only, OnDisk) and only.name != label:
        return False
    if _MOODLE.fullmatch(only.name) or names.is_module(only.name):
        return False
    try:
        inside = _visible(only)
    except Refused:
        return False
    if any(e.name == METADATA or _MOODLE.fullmatch(e.name) or _CANVAS.fullmatch(e.name) for e in inside):
        return True
    folders = [entry.name for entry in inside if entry.kind == FOLDER]
    if any(e.kind != FOLDER and (told := names.tell(e.name)) and told.slug for e in inside) or not folders:
        return False
    if any(names.attempt_number(f) is not None or names.time_in(f) or names.is_module(f) for f in folders):
        return False  # attempts or assignments of one student
    return only.name == label or (len(folders) > 1 and not _PARTS_OF_A_COURSE & {f.lower() for f in folders})


def _by_itself(entry: Entry, label: str) -> Piece | None:
    """A student's folder; or a file without an id of a platform, if it can be meant as an answer."""
    told = names.tell(entry.name)
    if entry.kind == FOLDER and not (told and told.slug):
        return Piece(entry.name, entry, entry.name, dated=not _SUBMISSION.fullmatch(entry.name))
    if told and told.before:
        return Piece(told.before, entry, entry.name.partition(told.before)[2].lstrip("-_ ."))
    if told and told.slug:
        return Piece(label, entry, entry.name)
    if entry.kind != FILE or names.is_archive(entry.name):
        return Piece(_owner(entry), entry, entry.name)
    return None


def _owner(entry: Entry) -> str:
    """Whose a folder or archive is that has only its own name."""
    return PurePath(entry.name).stem if names.is_archive(entry.name) else entry.name


def _from_canvas(entry: Entry) -> Piece | None:
    match = _CANVAS.fullmatch(entry.name)
    if not match or entry.kind == FOLDER:
        return None
    return Piece(
        student=match["id"] or match["anonymous"],
        entry=entry,
        name=match["name"] or match["name1"] or match["typed"],
        display=match["who"] or "",
        late=bool(match["late"] or match["late1"]),
        order=int((match["file"] or match["file1"] or "0")[:18]),
        dated=False,
    )


def _from_moodle(entry: Entry, named_twice: set[str]) -> Piece | None:
    """A student is known by name, for the number is another one in each assignment; by both where two share a name."""
    match = _MOODLE.fullmatch(entry.name)
    if not match:
        return None
    who, number = match["who"], match["id"]
    student = f"{who} {number}" if number and (who in named_twice or not who) else who
    return Piece(student, entry, match["name"] or entry.name, display=who, dated=False)


def _named_twice(inside: list[Entry]) -> set[str]:
    numbers: dict[str, set[str]] = defaultdict(set)
    for entry in inside:
        if match := _MOODLE.fullmatch(entry.name):
            numbers[match["who"]].add(match["id"])
    return {"Participant"} | {who for who, ids in numbers.items() if len(ids) > 1}  # nobody's name, when marking blind


def _submitters(inside: list[Entry]) -> dict[str, list[Piece]]:
    """Whose each folder of a Gradescope export is: all of a group. Empty without readable metadata."""
    import yaml  # only here, because it takes a while

    entry = next((e for e in inside if e.name == METADATA and e.kind == FILE), None)
    if entry is None:
        return {}
    try:  # BaseLoader makes texts of everything, so that 007 stays a student's number and a foreign tag is no error
        loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
        metadata = yaml.load(entry.read(METADATA_BYTES), Loader=loader)
    except (Refused, yaml.YAMLError, ValueError, RecursionError):
        return {}
    found = {}
    for folder, about in _items(metadata):
        about = dict(_items(about))
        created, people = about.get(":created_at"), about.get(":submitters")
        created = dict(_items(created)).get("utc") if isinstance(created, dict) else created
        told = names.time_in(created, UTC) if isinstance(created, str) else None
        pieces = [_submitter(dict(_items(p)), entry, told) for p in (people if isinstance(people, list) else [])]
        found[folder] = [piece for piece in pieces if piece.student]
    return {folder: pieces for folder, pieces in found.items() if pieces}


def _submitter(about: dict[str, Any], entry: Entry, told: datetime | None) -> Piece:
    told_of = [value if isinstance(value := about.get(key), str) else "" for key in (":sid", ":email", ":name")]
    return Piece(next(filter(None, told_of), ""), entry, "", display=told_of[2], told=told, dated=False)


def _items(node: Any) -> list[tuple[str, Any]]:
    """The entries of a YAML mapping with plain keys; none of anything else."""
    return [(k, v) for k, v in node.items() if isinstance(k, str)] if isinstance(node, dict) else []
