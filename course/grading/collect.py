"""What a class handed in: a folder or a zip file becomes a list of submissions.

Whatever is hostile or broken becomes a submission with its own refusal, and the rest goes on.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from course.boundary import one_line
from course.grading import archive, names
from course.grading.entries import FILE, FOLDER, Entry, OnDisk, Refused
from course.grading.exports import Piece, batches
from course.grading.submission import Submission
from course.session import MAX_BYTES, StudentError, accept
from course.syllabus import UserError, modules

# Of one student in one export: what is more is refused, and costs nobody else anything.
MOST_FILES = 500
MOST_BYTES = 20_000_000
MOST_ENTRIES = 20_000
MOST_STRANGE = 10  # files that nothing in the course is called, each with its own refusal
DEEPEST = 12  # folders in folders
_COURSE = {"code", "course", "lessons"}  # if a whole course was handed in, the answers are in code/ alone
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class _File:
    """A file that is an answer, or something (refusal) that its owner must be told."""

    piece: Piece
    entry: Entry
    name: str
    slug: str = ""
    refusal: str = ""
    copies: tuple[int, ...] = ()
    told: datetime | None = None  # when it was handed in, by a platform, a timestamp.txt or a folder's name
    numbers: tuple[int, ...] = ()  # of the folders around it, such as "attempt 2"

    @property
    def submitted(self) -> datetime | None:
        return self.told or (self.entry.modified if self.piece.dated else None)

    @property
    def order(self) -> tuple[Any, ...]:
        """Numbers of folders count more than dates of files, which change when somebody copies them."""
        time = self.submitted or _LONG_AGO
        first = _LONG_AGO if self.numbers and not self.told else time
        return first, self.numbers, time, self.piece.order, self.copies, self.name


def collect(path: Path) -> list[Submission]:
    """Everything in a class folder, or in a zip file of one, student by student.

    Of each student the oldest comes first, so the newest for a module is the last one for it in the list; `submitted`
    never contradicts that. Raises UserError only if the path itself is of no use.
    """
    found: dict[str, list[tuple[_File, Submission]]] = defaultdict(list)
    try:
        for batch in _batches(path):
            pieces: dict[str, list[Piece]] = defaultdict(list)
            for piece in batch:
                pieces[names.identity(piece.student)].append(piece)
            for student in pieces:
                found[student] += _of_student(student, pieces[student])
    except Refused as refused:
        raise UserError(f"{path} {refused}") from None
    if not found:
        example = f"student/{modules()[0].slug}.py"
        raise UserError(f"{path} holds nothing to grade; expected {example}, or what a learning platform exports")
    return [submission for student in sorted(found) for submission in _oldest_first(found[student])]


def _batches(path: Path) -> Iterator[list[Piece]]:
    try:
        where = path.resolve(strict=True)
    except (OSError, RuntimeError):  # a loop of links
        raise Refused("is not there; name the folder or zip file with the submissions") from None
    root = OnDisk(where)
    if root.kind == FOLDER:
        yield from batches(root, where.name)
        return
    with archive.opened(root) as packed:
        yield from batches(packed, where.stem)


def _oldest_first(found: list[tuple[_File, Submission]]) -> list[Submission]:
    submissions = [submission for _, submission in sorted(found, key=lambda pair: pair[0].order)]
    # Where numbers of folders have decided: attempt 2 was there when attempt 10 came, whatever its file's date says.
    latest: dict[str, datetime] = {}
    for i, submission in reversed(list(enumerate(submissions))):
        if submission.submitted:
            time = min(submission.submitted, latest.get(submission.module, submission.submitted))
            latest[submission.module] = time
            submissions[i] = replace(submission, submitted=time)
    return submissions


def _of_student(student: str, pieces: list[Piece]) -> Iterator[tuple[_File, Submission]]:
    """What one student handed in with one export, each file with the submission that it makes."""
    files = _scripts_first([file for piece in pieces for file in _files(piece)])
    known = sorted((file for file in files if file.slug), key=lambda file: file.order, reverse=True)
    strange = [file for file in files if not file.slug]
    over = known[MOST_FILES:] + strange[MOST_STRANGE:]
    size = 0
    for file in known[:MOST_FILES] + strange[:MOST_STRANGE]:
        source, refusal = _read(file) if size <= MOST_BYTES else (b"", "")
        size += len(source)
        if size > MOST_BYTES:
            over.append(file)
        else:
            yield file, _submission(student, file, source, refusal)
    if over:
        more = f"{len(over):,} more files, which are too many or too large; hand in only the files of the modules"
        yield over[0], _submission(student, replace(over[0], slug=""), b"", more)
    if not files:
        nothing = _File(pieces[0], pieces[0].entry, pieces[0].name)
        expected = f"no file of a module here; expected e.g. {modules()[0].slug}.py"
        yield nothing, _submission(student, nothing, b"", expected)


def _submission(student: str, file: _File, source: bytes, refusal: str) -> Submission:
    piece = file.piece
    display = one_line(piece.display, 200)
    return Submission(student, file.slug, names.shown(file.name), source, refusal, file.submitted, piece.late, display)


def _read(file: _File) -> tuple[bytes, str]:
    """A file's bytes, or why it is not taken."""
    name = names.shown(file.name)
    if file.refusal:
        return b"", f"{name}{file.refusal}"
    try:
        source = file.entry.read(MAX_BYTES + 1)
        accept(source, name)
    except Refused as refused:
        return b"", f"{name} {refused}"
    except StudentError as problem:
        return b"", str(problem)
    return source, ""


def _scripts_first(files: list[_File]) -> list[_File]:
    """The same, where a notebook that came together with the .py file for the same module is not taken.

    Students hand in the lesson along with their answers, which are in the .py file.
    """
    scripts = {(f.slug, f.told, f.numbers): f for f in files if not f.refusal and f.name.lower().endswith(".py")}

    def beside(file: _File) -> _File:
        script = scripts.get((file.slug, file.told, file.numbers))
        if script is None or file.refusal or not file.name.lower().endswith(".ipynb"):
            return file
        return replace(file, refusal=f" is not looked at, for {names.shown(script.name)} came with it")

    return [beside(file) for file in files]


def _files(piece: Piece) -> Iterable[_File]:
    """What is in a student's folder, or the one file that it is."""
    if piece.refusal:
        return [_File(piece, piece.entry, piece.name, refusal=f" {piece.refusal}")]
    if piece.entry.kind == FOLDER and not (piece.name.lower().endswith(names.TAKEN) and _slug(piece.name)):
        return _walk(piece)
    file = _file(piece, piece.entry, piece.name, piece.told, ())
    return [file] if file else []


def _walk(piece: Piece) -> Iterator[_File]:
    folders: list[tuple[Entry, int, datetime | None, tuple[int, ...]]] = [(piece.entry, 0, piece.told, ())]
    left = MOST_ENTRIES
    while folders:
        folder, depth, told, numbers = folders.pop()
        try:
            if depth > DEEPEST:
                raise Refused(f"lies more than {DEEPEST} folders deep; hand in only the files of the modules")
            inside = folder.entries(left + 1)
            left -= len(inside)
            if left < 0:
                raise Refused("holds too many files; hand in only the files of the modules")
        except Refused as refused:
            yield _File(piece, folder, folder.name, refusal=f" {refused}", told=told, numbers=numbers)
            continue
        by_name = {entry.name: entry for entry in inside}
        if by_name.keys() >= _COURSE:
            inside = [by_name["code"]]
        if piece.dated and "timestamp.txt" in by_name:  # nbgrader writes it
            told = _time_of(by_name["timestamp.txt"]) or told
        for entry in inside:
            if names.is_ignored(entry.name):
                continue
            if entry.kind == FOLDER and not entry.name.lower().endswith(names.TAKEN):
                number = names.attempt_number(entry.name)
                dated = names.time_in(entry.name) if piece.dated else None
                further = numbers if number is None else (*numbers, number)
                folders.append((entry, depth + 1, dated or told, further))
            elif file := _file(piece, entry, entry.name, told, numbers):
                yield file


def _file(piece: Piece, entry: Entry, name: str, told: datetime | None, numbers: tuple[int, ...]) -> _File | None:
    """A file as far as its name and kind go; None if it cannot be meant as an answer."""
    said = names.tell(name)
    if entry.kind == FILE and said is None:
        return None
    if entry.kind != FILE:
        refusal = f" is a {entry.kind}, not a file; hand in the file itself"
        return _File(piece, entry, name, said.slug if said else "", refusal, told=told, numbers=numbers)
    assert said
    return _File(piece, entry, name, said.slug, said.refusal, said.copies, told, numbers)


def _slug(name: str) -> str:
    said = names.tell(name)
    return said.slug if said else ""


def _time_of(stamp: Entry) -> datetime | None:
    """What a timestamp.txt says; nbgrader's are in UTC unless they say otherwise."""
    try:
        return names.time_in(stamp.read(200).decode("ascii", "replace"), UTC)
    except Refused:
        return None
