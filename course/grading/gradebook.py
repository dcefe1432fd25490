"""What a grading says about a class: which file of each student counts in each module, and for how much."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from course.grading.attempts import Attempt, attempt_of, with_the_one_that_counts
from course.grading.folder import Delivery, Folder
from course.grading.history import File, gradings
from course.grading.roster import read_roster
from course.grading.settings import NAME, LateRule, Settings, read_settings
from course.record import Record
from course.syllabus import Module, UserError, modules


@dataclass(frozen=True)
class Grade:
    """One student's module. attempts: oldest first; none if nothing was handed in. The rest is about what counts."""

    module: Module
    rule: LateRule
    attempts: list[Attempt]

    @property
    def counting(self) -> Attempt | None:
        return next((a for a in self.attempts if a.counts), None)

    @property
    def attempt(self) -> str:
        """Which file counts; "" if there is none."""
        return self.counting.attempt if self.counting else ""

    @property
    def submitted(self) -> datetime | None:
        return self.counting.submitted if self.counting else None

    @property
    def late_days(self) -> int:
        return self.counting.late_days if self.counting else 0

    @property
    def points(self) -> int:
        """Before anything is taken off for being late."""
        return self.counting.points if self.counting else 0

    @property
    def max(self) -> int:
        return self.counting.max if self.counting else self.module.points

    @property
    def factor(self) -> float:
        return self.counting.factor if self.counting else 1.0

    @property
    def credit(self) -> float:
        """The points, less what being late costs."""
        return self.counting.credit if self.counting else 0.0

    @property
    def records(self) -> list[Record]:
        """In the order of the module's checks; none if nothing was handed in or graded."""
        return self.counting.records if self.counting else []

    def by_todo(self) -> dict[str, tuple[int, int]]:
        """(points, max) of each TODO, in the order of the module, before anything is taken off for being late."""
        if not self.records:
            return {todo.name: (0, todo.points) for todo in self.module.todos}
        return {
            todo: (sum(r.points for r in of_todo), sum(r.max for r in of_todo))
            for todo, of_todo in records_by_todo(self.module, self.records).items()
        }


@dataclass(frozen=True)
class Student:
    """name: "" if nobody has told it. total: in percent. unplaced: files that belong to no module."""

    id: str
    name: str
    on_roster: bool
    grades: dict[str, Grade]
    unplaced: list[Delivery]
    total: float

    @property
    def called(self) -> str:
        return self.name or self.id

    @property
    def handed_in(self) -> bool:
        return bool(self.unplaced) or any(grade.attempts for grade in self.grades.values())


@dataclass(frozen=True)
class Gradebook:
    """modules: those of which something was handed in, or which have a weight, in the order of the course.

    students: by name. Without a roster everybody counts as on it. problems: what whoever uses the grades should know.
    """

    modules: list[Module]
    students: list[Student]
    settings: Settings
    has_roster: bool
    problems: list[str]

    @classmethod
    def load(cls, folder: Path) -> "Gradebook":
        """The gradebook in the folder of a grading. Raises UserError if it is none, or its settings make no sense."""
        if not any((folder / name).is_file() for name in ("grading.json", "results.jsonl")):
            raise UserError(f"{folder} is not the folder of a grading; name the one that `course grade -o` was given")
        kept = Folder(folder)
        settings, roster = read_settings(folder / NAME), read_roster(folder / "roster.csv")
        deliveries, results = kept.deliveries(), gradings(kept.records())
        files = _files(deliveries, results)
        handed_in = {module for _, module in files}
        wanted = set(settings.modules) or handed_in | settings.weights.keys()
        in_class = [m for m in modules() if m.slug in wanted]
        names = {d.student: d.display for d in deliveries if d.display} | {k: v for k, v in (roster or {}).items() if v}
        unplaced: dict[str, dict[str, Delivery]] = {}
        for d in deliveries:
            if not d.module:
                unplaced.setdefault(d.student, {})[d.attempt] = d
        students = []
        for student in dict.fromkeys([*(roster or {}), *(student for student, _ in files)]):
            grades = {}
            for module in in_class:
                rule = settings.late_rule(module.slug)
                attempts = [
                    attempt_of(attempt, of_file, results.get((student, attempt, module.slug), []), module, rule)
                    for attempt, of_file in files.get((student, module.slug), {}).items()
                ]
                grades[module.slug] = Grade(module, rule, with_the_one_that_counts(attempts, settings.attempt))
            on_roster = roster is None or student in roster
            total = _total(grades, settings.weights)
            students.append(
                Student(
                    student, names.get(student, ""), on_roster, grades, list(unplaced.get(student, {}).values()), total
                )
            )
        students.sort(key=lambda s: (s.called.casefold(), s.id))
        problems = kept.problems + _strangers(students, roster)
        for slug in sorted(handed_in - {"", *(m.slug for m in modules())}):
            problems.append(f"Module {slug} is not in this version of the course, and its results are left out")
        for module in in_class:
            problems += _unequal(module, students)
            if not settings.modules:
                problems += _done_by_few(module, students)
        problems += _undated(in_class, students)
        return cls(in_class, students, settings, roster is not None, problems)


def records_by_todo(module: Module, records: Iterable[Record]) -> dict[str, list[Record]]:
    """The records of each TODO, in the order of the module; a TODO that it does not have comes last."""
    found: dict[str, list[Record]] = {todo.name: [] for todo in module.todos}
    for record in records:
        found.setdefault(record.todo, []).append(record)
    return {todo: of_todo for todo, of_todo in found.items() if of_todo}


def _files(deliveries: list[Delivery], results: Iterable[File]) -> dict[tuple[str, str], dict[str, list[Delivery]]]:
    """{(student, module): {attempt: its deliveries}}, in the order in which they were last noted."""
    found: dict[tuple[str, str], dict[str, list[Delivery]]] = {}
    for d in deliveries:
        of_student = found.setdefault((d.student, d.module), {})
        of_student[d.attempt] = [*of_student.pop(d.attempt, []), d]
    for student, attempt, module in results:  # a result counts even if the note of what it is about was lost
        found.setdefault((student, module), {}).setdefault(attempt, [])
    return found


def _total(grades: dict[str, Grade], weights: dict[str, float]) -> float:
    """Percent: the mean over the modules of the class, each as its fraction of its points, weighted."""
    weighed = [(weights.get(slug, 1.0), grade) for slug, grade in grades.items() if grade.max]
    whole = sum(weight for weight, _ in weighed)
    return 100 * sum(weight * grade.credit / grade.max for weight, grade in weighed) / whole if whole else 0.0


def _strangers(students: list[Student], roster: dict[str, str] | None) -> list[str]:
    """A roster whose ids are of another kind than those of the files would silently give everybody nothing."""
    handed_in = [s for s in students if s.handed_in]
    if not roster or not handed_in:
        return []
    if not any(s.on_roster for s in handed_in):
        theirs, ours = next(iter(roster)), handed_in[0].id
        return [f"Nobody on roster.csv has handed in: its ids look like {theirs}, those of the files like {ours}"]
    unknown, absent = [s.id for s in handed_in if not s.on_roster], [s.id for s in students if not s.handed_in]
    return [
        *([f"Not on roster.csv, graded all the same: {_listed(unknown)}"] if unknown else []),
        *([f"On roster.csv, but nothing handed in: {_listed(absent)}"] if absent else []),
    ]


def _listed(ids: list[str], most: int = 8) -> str:
    return ", ".join(ids[:most]) + (f" and {len(ids) - most} more" if len(ids) > most else "")


def _done_by_few(module: Module, students: list[Student]) -> list[str]:
    """One student's extra file would otherwise cost everybody else points, without a word."""
    number = sum(bool(s.grades[module.slug].attempts) for s in students)
    if 2 * number >= len(students):
        return []
    return [
        f"{module.name} counts for all {len(students)} students, and {number} handed it in; settings.toml can say "
        "which modules the class has to do: modules = [...]"
    ]


def _undated(in_class: list[Module], students: list[Student]) -> list[str]:
    """Exports of Canvas and Moodle do not say when a file came."""
    due = [g for s in students for m in in_class if (g := s.grades[m.slug]).rule.due and g.attempts]
    number = sum(any(a.submitted is None and not a.marked_late for a in grade.attempts) for grade in due)
    return [f"Files of which nothing tells when they came, and which count as in time: {number}"] if number else []


def _unequal(module: Module, students: list[Student]) -> list[str]:
    """Marks from different versions of the checks are not comparable."""
    versions = {
        r.check_hash for s in students for r in s.grades[module.slug].records if r.check_hash and r.status != "refused"
    }
    if len(versions) < 2:
        return []
    return [f"{module.name}: graded by {len(versions)} versions of its checks; grade all of it again to compare"]
