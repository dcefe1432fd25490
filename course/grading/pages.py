"""The pages of a grading: index.html for whoever grades, and one page for each student. No scripts, no network.

Whatever a student or a learning platform has written is escaped and made printable by the template engine itself, for
every value, so that no template can forget it.
"""

import hashlib
import re
import unicodedata
from pathlib import Path
from statistics import median
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from course.boundary import printable
from course.files import write_atomically
from course.grading.gradebook import Grade, Gradebook, Student, records_by_todo
from course.grading.grades import number
from course.grading.summary import Change, by_check, changes, histogram, most_failed
from course.grading.words import counted, counting_sentence, late_sentence, remarks, total_rule, was, when
from course.record import STATUSES, Record
from course.report import WORDS, sentence, whole_file_problem
from course.syllabus import Module

MARKS = {"pass": "✓", "fail": "✗", "todo": "○", "error": "!", "refused": "–"}  # beside the word, for the eye
LONGEST = 10_000  # characters of one value on a page
SHORT = 60  # of a name in a table
PRINTED = 3_000  # of those, what a student's code printed


def write_pages(gradebook: Gradebook, folder: Path) -> None:
    """Write index.html and students/*.html into a folder. The same gradebook gives the same bytes."""
    template = _environment().get_template
    changed = changes(gradebook)
    of_grade: dict[tuple[str, str], list[Change]] = {}
    for change in changed:
        of_grade.setdefault((change.student.id, change.module.slug), []).append(change)
    for student in gradebook.students:
        page = template("student.html").render(
            student=student,
            grades=list(student.grades.values()),
            how=gradebook.settings.attempt,
            weights=gradebook.settings.weights,
            total_rule=total_rule(gradebook.settings),
            changed={slug: of_grade.get((student.id, slug), []) for slug in student.grades},
        )
        _write(folder / "students" / page_name(student.id), page)
    index = template("index.html").render(
        book=gradebook,
        numbers=_numbers(gradebook),
        total_rule=total_rule(gradebook.settings),
        by_module=[_module(gradebook, module) for module in gradebook.modules],
        changes=changed,
        refused=_refused(gradebook),
        broken=_broken(gradebook),
    )
    _write(folder / "index.html", index)


def page_name(student: str) -> str:
    """The file of a student's page: what is readable of the id, and a part of its hash that keeps ids apart.

    It has no dots, no capitals and never a name that Windows keeps for itself, whatever the id.
    """
    plain = unicodedata.normalize("NFKD", student).encode("ascii", "ignore").decode().lower()
    readable = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-")[:40]
    return f"{readable or 'student'}-{hashlib.sha256(student.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}.html"


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "by_todo": lambda grade: records_by_todo(grade.module, grade.records).items(),
        "counting_sentence": counting_sentence,
        "labelled": _labelled,
        "late_sentence": late_sentence,
        "mark": MARKS.get,
        "most_of": lambda records: sum(r.max for r in records),
        "number": number,
        "one_reason": _one_reason,
        "page_name": page_name,
        "points_of": lambda records: sum(r.points for r in records),
        "printed": _printed,
        "remarks": remarks,
        "sentence": sentence,
        "short": lambda text: text if len(text) <= SHORT else f"{text[:SHORT]}…",
        "share": lambda count, rows: round(100 * count / (max(n for _, n in rows) or 1)),
        "statuses": STATUSES,
        "times": lambda count: "once" if count == 1 else f"{count} times",
        "was": was,
        "when": when,
        "word": lambda status: WORDS[status][0],
    }
    return environment


def _finalize(value: Any) -> Any:
    """What a template prints: text loses what nobody can see and what changes the direction of writing."""
    return printable(value, LONGEST) if isinstance(value, str) and not isinstance(value, Markup) else value


def _labelled(message: str) -> list[tuple[str, str]] | None:
    """(label, words) of each line of a message, None if it is not of that form."""
    lines = [re.fullmatch(r"(asked|answered|expected|perhaps) {2,}(.*)", line) for line in message.splitlines()]
    return [(line[1], line[2]) for line in lines if line] if lines and all(lines) else None


def _one_reason(records: list[Record]) -> str | None:
    """The message of every check, if no question could be asked: the file does not load, or we could not ask it."""
    if {r.status for r in records} == {"error"} and len({r.message for r in records}) == 1:
        return records[0].message
    return whole_file_problem(records)


def _printed(records: list[Record]) -> list[str]:
    """What the code printed during these checks, each text once."""
    texts = dict.fromkeys(r.printed.rstrip() for r in records if r.printed.strip())
    return [t if len(t) <= PRINTED else f"{t[:PRINTED]}\n... ({len(t) - PRINTED} characters left out)" for t in texts]


def _numbers(gradebook: Gradebook) -> list[str]:
    """How many there are of everything."""
    students = gradebook.students
    grades = [grade for s in students for grade in s.grades.values()]
    attempts = [a for grade in grades for a in grade.attempts]
    unplaced = sum(len(s.unplaced) for s in students)
    records = [r for grade in grades for r in grade.records]
    refused = unplaced + sum(bool(a.refusal) for a in attempts)
    waiting = sum(not a.records and not a.refusal for a in attempts)
    lines = [f"{counted(len(students), 'student')}: {sum(s.handed_in for s in students)} handed in"]
    if gradebook.has_roster:
        strangers = sum(not s.on_roster for s in students)
        lines[0] += f", {strangers} not on the roster"
    lines.append(f"{counted(len(attempts) + unplaced, 'file')}: {refused} not taken")
    if waiting:
        lines[-1] += f", {waiting} still to be graded"
    counts = ", ".join(f"{sum(r.status == s for r in records)} {WORDS[s][0]}" for s in STATUSES)
    lines.append(f"{counted(len(records), 'check')} of the files that count: {counts}")
    return lines


def _module(gradebook: Gradebook, module: Module) -> tuple:
    """What the page says about a module: a line, the rows of its histogram, its checks, the one failed most often."""
    grades: list[Grade] = [s.grades[module.slug] for s in gradebook.students if s.grades[module.slug].attempts]
    points = [grade.points for grade in grades]
    middle = f", median {number(median(points))}" if points else ""
    caption = f"Points of the {counted(len(points), 'student')} who handed in{middle}; nothing taken off for being late"
    checks = by_check(gradebook, module)
    most = max((grade.max for grade in grades), default=module.points)
    return module, caption, histogram(points, most), checks, most_failed(checks)


def _refused(gradebook: Gradebook) -> list[tuple[Student, str, str]]:
    """(student, name of the file, why) of every file that was not taken."""
    return [
        (student, name, why)
        for student in gradebook.students
        for name, why in [
            *((a.name, a.refusal) for g in student.grades.values() for a in g.attempts if a.refusal),
            *((d.name, d.refusal) for d in student.unplaced),
        ]
    ]


def _broken(gradebook: Gradebook) -> list[tuple[Student, Record]]:
    """Every record of the files that count which says nothing about the code."""
    grades = [(student, grade) for student in gradebook.students for grade in student.grades.values()]
    return [(student, record) for student, grade in grades for record in grade.records if record.status == "error"]


def _write(path: Path, page: str) -> None:
    write_atomically(path, page.encode("utf-8", "replace"))
