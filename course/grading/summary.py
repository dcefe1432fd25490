"""What a class has found hard, and what regrades have changed."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from course.grading.attempts import Attempt
from course.grading.gradebook import Gradebook, Student, records_by_todo
from course.record import STATUSES, Record
from course.syllabus import Module

Common = tuple[str, int] | None  # what was said most often, and how often


@dataclass(frozen=True)
class CheckSummary:
    """How a class did at one check. counts: by status. answered, perhaps: the most common such line of messages."""

    todo: str
    check: str
    counts: dict[str, int]
    answered: Common
    perhaps: Common

    @property
    def asked(self) -> int:
        return sum(self.counts.values())


def by_check(gradebook: Gradebook, module: Module) -> list[CheckSummary]:
    """One summary per check, in the order of the module. Of each student, the file that counts."""
    found: dict[tuple[str, str], list[Record]] = {}
    for student in gradebook.students:
        for todo, records in records_by_todo(module, student.grades[module.slug].records).items():
            for record in records:
                found.setdefault((todo, record.check), []).append(record)
    places = {todo.name: place for place, todo in enumerate(module.todos)}
    summaries = [_summary(todo, check, records) for (todo, check), records in found.items()]
    return sorted(summaries, key=lambda s: places.get(s.todo, len(places)))


def most_failed(summaries: list[CheckSummary]) -> CheckSummary | None:
    """The check that most files answered wrongly, the first of equals; None if every answer was right."""
    hardest = max(summaries, key=lambda s: s.counts["fail"], default=None)
    return hardest if hardest and hardest.counts["fail"] else None


def histogram(points: list[int], most: int) -> list[tuple[str, int]]:
    """(points, how many have them), in at most eleven rows from 0 to `most`."""
    width = -(-(most + 1) // 11)
    rows = []
    for low in range(0, most + 1, width):
        high = min(low + width - 1, most)
        rows.append((f"{low}" if low == high else f"{low} to {high}", sum(low <= p <= high for p in points)))
    return rows


@dataclass(frozen=True)
class Change:
    """What a regrade made of one check. before, after: (status, points), None if the check was not among them.

    regrade: 1 for the first grading after the original one.
    """

    student: Student
    module: Module
    attempt: Attempt
    todo: str
    check: str
    before: tuple[str, int] | None
    after: tuple[str, int] | None
    regrade: int


def changes(gradebook: Gradebook) -> list[Change]:
    """Everything that regrades have changed, by student, module and file."""
    return [
        change
        for student in gradebook.students
        for grade in student.grades.values()
        for attempt in grade.attempts
        for change in _changes(student, grade.module, attempt)
    ]


def _changes(student: Student, module: Module, attempt: Attempt) -> Iterator[Change]:
    runs = [*attempt.earlier, attempt.records]
    for number, (old, new) in enumerate(pairwise(runs), start=1):
        before, after = ({r.check: (r.status, r.points) for r in run} for run in (old, new))
        for record in {r.check: r for r in [*old, *new]}.values():
            if before.get(record.check) != after.get(record.check):
                was, now = before.get(record.check), after.get(record.check)
                yield Change(student, module, attempt, record.todo, record.check, was, now, number)


def _summary(todo: str, check: str, records: list[Record]) -> CheckSummary:
    counts = Counter(r.status for r in records)
    wrong = [r.message for r in records if r.status == "fail"]
    return CheckSummary(
        todo, check, {s: counts[s] for s in STATUSES}, _common("answered", wrong), _common("perhaps", wrong)
    )


def _common(label: str, messages: list[str]) -> Common:
    """The most common line under a label. A message without labels is its own first line, and an answer."""
    said = Counter[str]()
    for message in messages:
        if found := re.search(rf"^{label}  +(.+)$", message, re.MULTILINE):
            said[found[1]] += 1
        elif label == "answered" and message:
            said[message.splitlines()[0]] += 1
    return said.most_common(1)[0] if said else None  # the first of equals
