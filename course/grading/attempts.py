"""The files that one student handed in for one module: in which order, how late, and which of them counts."""

from dataclasses import dataclass, replace
from datetime import datetime

from course.grading.folder import Delivery
from course.grading.settings import LateRule
from course.record import Record
from course.syllabus import Module


@dataclass(frozen=True)
class Attempt:
    """One file. submitted: when these bytes came first; again: when they came last, if that was more than once.

    points: before anything is taken off for being late; credit: after. records: of the newest grading, empty if it is
    still to be graded; earlier: those of the gradings before it, oldest first. refusal: why it was not taken, or "".
    """

    attempt: str
    name: str
    submitted: datetime | None
    again: datetime | None
    marked_late: bool  # by the learning platform
    late_days: int
    factor: float
    max: int
    records: list[Record]
    earlier: list[list[Record]]
    refusal: str
    counts: bool = False

    @property
    def points(self) -> int:
        return sum(record.points for record in self.records)

    @property
    def credit(self) -> float:
        return round(self.points * self.factor, 6)


def attempt_of(
    attempt: str, deliveries: list[Delivery], runs: list[list[Record]], module: Module, rule: LateRule
) -> Attempt:
    """One attempt, from its deliveries and its gradings (oldest first); either may be empty.

    The same bytes handed in once more are the same attempt, and no later than they were the first time. What a learning
    platform calls late without saying when it came is one day late.
    """
    times = sorted(d.submitted for d in deliveries if d.submitted)
    *earlier, records = runs or [[]]
    refused = next((r.message for r in records if r.status == "refused"), "")
    marked_late = any(d.late for d in deliveries)
    days = rule.days(times[0] if times else None) or int(marked_late and not times and rule.due is not None)
    return Attempt(
        attempt,
        name=deliveries[-1].name if deliveries else "",
        submitted=times[0] if times else None,
        again=times[-1] if len(set(times)) > 1 else None,
        marked_late=marked_late,
        late_days=days,
        factor=rule.factor(days),
        max=sum(r.max for r in records) if records else module.points,
        records=records,
        earlier=earlier,
        refusal=refused or next((d.refusal for d in deliveries if d.refusal), ""),
    )


def with_the_one_that_counts(attempts: list[Attempt], how: str) -> list[Attempt]:
    """The same attempts, oldest first, one of them marked as the one that counts.

    attempts: in the order in which they were noted, which decides where a time is not known. how: one of
    course.grading.settings.ATTEMPTS.
    """
    if all(a.submitted for a in attempts):
        attempts = sorted(attempts, key=lambda a: a.again or a.submitted)  # type: ignore[arg-type, return-value]
    chosen = _chosen(attempts, how) if attempts else None
    return [replace(a, counts=a is chosen) for a in attempts]


def _chosen(attempts: list[Attempt], how: str) -> Attempt:
    """attempts: oldest first. A file that was not taken never stands in the way of one that was."""
    taken = [a for a in attempts if not a.refusal] or attempts
    if how == "first":
        return taken[0]
    if how == "best":
        return max(taken, key=lambda a: a.credit)  # the first of equals
    if how == "newest_on_time":
        taken = [a for a in taken if not a.late_days] or taken
    return taken[-1]
