"""Sentences of the pages: how late, which file counts and why, what else there is to say about a student."""

from datetime import datetime

from course.boundary import one_line
from course.grading.gradebook import Grade, Student
from course.grading.grades import number
from course.grading.settings import Settings
from course.grading.summary import Change
from course.report import WORDS, sentence

HOW = {
    "newest": "the newest counts",
    "best": "the one with the most points counts",
    "first": "the first counts",
    "newest_on_time": "the newest that came in time counts, or the newest if none did",
}


def when(time: datetime | None, grade: Grade) -> str:
    """A time on the clock of the due date, if there is one."""
    if time is None:
        return "not known"
    if grade.rule.due:
        time = time.astimezone(grade.rule.due.tzinfo)
    return f"{time:%Y-%m-%d %H:%M} UTC{time.isoformat()[-6:]}"


def late_sentence(grade: Grade) -> str:
    """Whether the file that counts came in time, and how what is taken off is computed."""
    attempt, rule = grade.counting, grade.rule
    if attempt is None:
        return ""
    if rule.due is None:
        return "The learning platform calls this late; that costs nothing here." if attempt.marked_late else ""
    due = f"It was due {when(rule.due, grade)}"
    if attempt.submitted is None and not attempt.late_days:
        return f"{due}; nothing tells when it came, so it is taken as in time."
    if attempt.submitted is None:
        came = "and the learning platform calls it late without saying when it came, which counts as"
    else:
        came = f"and came {when(attempt.submitted, grade)}"
    if not attempt.late_days:
        late = attempt.submitted is not None and attempt.submitted > rule.due
        grace = f", within the grace of {number(rule.grace_minutes)} minutes" if late else ""
        return f"{due} {came}: in time{grace}."
    days = counted(attempt.late_days, "day")
    if attempt.late_days > rule.closed_after_days:
        return f"{due} {came}: {days} late. After {counted(rule.closed_after_days, 'day')} nothing counts."
    if not rule.lost_per_day:
        return f"{due} {came}: {days} late, which costs nothing."
    most = f", though never more than {percent(rule.most_lost)}" if rule.most_lost < 1 else ""
    return (
        f"{due} {came}: {days} late, begun days included. Each costs {percent(rule.lost_per_day)}{most}, so "
        f"{percent(attempt.factor)} of {attempt.points} points count: {number(attempt.credit)}."
    )


def counting_sentence(grade: Grade, how: str) -> str:
    """Why that file of several counts."""
    if len(grade.attempts) < 2:
        return ""
    refused = any(a.refusal for a in grade.attempts) and not all(a.refusal for a in grade.attempts)
    return f"Of several, {HOW[how]}" + (", among those that were taken." if refused else ".")


def total_rule(settings: Settings) -> str:
    """What the total is."""
    weighted = " weighted" if any(weight != 1 for weight in settings.weights.values()) else ""
    return f"The total is the{weighted} mean of the modules in percent."


def remarks(student: Student) -> str:
    """What an instructor should notice about a student."""
    found = []
    if not student.on_roster:
        found.append("not on the roster")
    if not student.handed_in:
        found.append("nothing handed in")
    for slug, grade in student.grades.items():
        statuses = {r.status for r in grade.records}
        if grade.counting and grade.counting.refusal:
            found.append(f"{slug} not taken")
        elif grade.attempts and not grade.records:
            found.append(f"{slug} not graded yet")
        if "error" in statuses:
            found.append(f"{slug} has a broken check")
        if grade.late_days:
            found.append(f"{slug} {counted(grade.late_days, 'day')} late")
        elif grade.counting and grade.counting.marked_late and not grade.rule.due:
            found.append(f"{slug} late for the platform")
    if student.unplaced:
        found.append("a file of no module")
    return ", ".join(found)


def was(verdict: tuple[str, int] | None) -> str:
    """A verdict and its points, as before or after a regrade."""
    return f"{WORDS[verdict[0]][0]} ({counted(verdict[1], 'point')})" if verdict else "not asked"


def told(change: Change) -> str:
    """A change in one line of text."""
    student = one_line(change.student.called, 60)
    where = f"{change.module.slug}: {sentence(change.check)}"
    return f"{student}, {where}: {was(change.before)}, now {was(change.after)}"


def counted(amount: float, thing: str) -> str:
    """1 day, 2 days."""
    return f"{number(amount)} {thing}{'' if amount == 1 else 's'}"


def percent(fraction: float) -> str:
    return f"{number(100 * fraction)} %"
