"""The points of a grading in nbgrader's gradebook, written through nbgrader's own API.

Each TODO is a cell that nbgrader takes for a manually graded answer (course/releasing/notebooks.py): its manual score
is what `course grade` gave, its comment says what was wrong. What a person has written in a comment stays above ours.
"""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from course import bootstrap
from course.boundary import one_line
from course.grading.gradebook import Grade, Gradebook, Student, records_by_todo
from course.record import Record
from course.report import WORDS, sentence
from course.syllabus import Module, UserError

OURS = "**From `course grade`:**"  # begins the part of a comment that belongs to us
LONGEST_ID = 128  # of a student, in nbgrader's tables


def export(folder: Path, into: Path | None) -> list[str]:
    """Write the points of the grading in `folder` into an nbgrader course, and return the lines to print.

    into: the folder of that course. Doing it twice does it once. Raises UserError with nothing written.
    """
    if bootstrap.missing(["nbgrader"]):
        raise UserError(f"nbgrader is not installed. Type: {bootstrap.install_command('nbgrader')}")
    if into is None:
        raise UserError("Name the folder of the nbgrader course: --into COURSE_DIR")
    ours = Gradebook.load(folder)
    if not ours.modules:
        raise UserError(f"{folder} has no grades in it yet")
    database = into.absolute() / "gradebook.db"
    if not database.is_file():
        first = f"nbgrader generate_assignment {ours.modules[0].slug}"
        raise UserError(f"{database} is not there; in that folder type first: {first}")
    from nbgrader.api import Gradebook as Theirs
    from sqlalchemy.exc import SQLAlchemyError

    try:
        with closing(Theirs(f"sqlite:///{database}", course_id="")) as theirs:  # "": no course is added
            return Writer(theirs, ours, into).write()
    except SQLAlchemyError as problem:
        said = one_line(str(getattr(problem, "orig", problem)))
        remedy = "end what else uses it, or type there: nbgrader db upgrade"
        raise UserError(f"{database} cannot be written: {said}; {remedy}") from problem


class Writer:
    """One export: both gradebooks, and what there is to say."""

    def __init__(self, theirs: Any, ours: Gradebook, into: Path) -> None:
        self.theirs, self.ours, self.into = theirs, ours, into
        self.lines: list[str] = []

    def write(self) -> list[str]:
        known = {module: cells for module in self.ours.modules if (cells := self.cells(module))}
        if not known:
            raise UserError("\n".join(self.lines))
        graded = [s for s in self.ours.students if any(s.grades[module.slug].records for module in known)]
        for student in graded:
            if not can_be_a_folder(student.id):
                self.lines.append(f"{one_line(student.id, 60)!r} is no id for nbgrader; these points are left out")
        console = Console(stderr=True)
        for module, cells in known.items():
            theirs = [s for s in graded if s.grades[module.slug].records and can_be_a_folder(s.id)]
            for student in track(theirs, module.slug, console=console, transient=True, disable=not console.is_terminal):
                self.grade(student, student.grades[module.slug], cells)
            self.lines.append(f"{module.slug}: points of {len(theirs)} student{'s'[: len(theirs) != 1]} written")
            self.lines += self.unseen(module, {student.id for student in theirs})
        self.theirs.db.commit()
        todo = "; ".join(f"nbgrader generate_feedback {module.slug} --force" for module in known)
        return [*self.lines, f"Next, in {self.into.absolute()}: {todo}"]

    def unseen(self, module: Module, seen: set[str]) -> list[str]:
        """A line for each submission that has points from nbgrader only, where the student's kernel gave them."""
        others = [s for s in self.theirs.assignment_submissions(module.slug) if s.student.id not in seen and s.score]
        who = [(one_line(s.student.id, 60), f"{s.score:g} points") for s in others]
        return [f"{module.slug}, {name}: {had} from nbgrader alone; grade this submission too" for name, had in who]

    def cells(self, module: Module) -> dict[str, float]:
        """{TODO: points} as nbgrader knows them; empty, and a line said, if it does not know all of them."""
        from nbgrader.api import MissingEntry

        try:
            notebook = self.theirs.find_notebook(module.slug, module.slug)
        except MissingEntry:
            self.lines.append(
                f"{module.slug}: nbgrader has no such assignment; first: nbgrader generate_assignment {module.slug}"
            )
            return {}
        found = {cell.name: cell.max_score for cell in notebook.grade_cells}
        if lacking := [todo.name for todo in module.todos if todo.name not in found]:
            self.lines.append(f"{module.slug}: nbgrader's notebook has no cell {lacking[0]}; release it again")
            return {}
        return found

    def grade(self, student: Student, grade: Grade, cells: dict[str, float]) -> None:
        """Write one student's module, making in nbgrader's gradebook what is not there yet."""
        slug = grade.module.slug
        submitted = self.submission(student, grade)
        grades = {g.name: g for g in submitted.grades}
        comments = {c.name: c for c in submitted.comments}
        total = 0.0
        records = records_by_todo(grade.module, grade.records)
        for todo, (points, most) in grade.by_todo().items():
            if todo not in grades:
                self.lines.append(f"{slug}, {student.called}: nbgrader has no cell {todo}, whose points are left out")
                continue
            # An instructor may have given the cell another weight.
            score = points / most * cells[todo] if most else 0.0
            total += score
            grades[todo].manual_score = score
            grades[todo].needs_manual_grade = any(record.status == "error" for record in records[todo])
            comments[todo].manual_comment = comment(comments[todo].manual_comment, records[todo])
        if grade.rule.due:  # otherwise being late is nbgrader's business, and it is never charged twice
            submitted.late_submission_penalty = round(total * (1 - grade.factor), 6) or None

    def submission(self, student: Student, grade: Grade) -> Any:
        """nbgrader's entry for a student's notebook, made if somebody handed in without nbgrader."""
        from nbgrader.api import MissingEntry

        slug = grade.module.slug
        try:
            known = self.theirs.find_student(student.id)
        except MissingEntry:
            known = self.theirs.add_student(student.id)
        if student.name and not (known.first_name or known.last_name):
            known.first_name, known.last_name = first_and_last(student.name)
        try:
            self.theirs.find_submission(slug, student.id)
        except MissingEntry:
            with self.theirs.db.no_autoflush:  # or SQLAlchemy warns about nbgrader's half-made entry
                self.theirs.add_submission(slug, student.id, timestamp=grade.submitted)
        return self.theirs.find_submission_notebook(slug, slug, student.id)


def can_be_a_folder(student: str) -> bool:
    """Whether nbgrader could work with this id, which it uses as the name of a folder and in patterns."""
    plain = student.strip(" .") == student and student.isprintable() and not set("/\\+*?[]{}") & set(student)
    return plain and 0 < len(student) <= LONGEST_ID


def first_and_last(name: str) -> tuple[str, str]:
    """("Ada King", "Lovelace") for "Ada King Lovelace" and for "Lovelace, Ada King"."""
    last, comma, first = name.partition(",")
    if not comma:
        first, _, last = name.rpartition(" ")
    return first.strip(), last.strip()


def comment(old: str | None, records: Iterable[Record]) -> str | None:
    """The comment on one TODO: what a person has written in it, and below that what the checks said."""
    person = (old or "").partition(OURS)[0].rstrip()
    said = [line for record in records if record.status != "pass" for line in verdict(record)]
    # nbgrader shows comments as Markdown with HTML in it. In an indented block nothing is either, whatever it says.
    ours = "\n\n".join([OURS, "\n".join(f"    {line}" for line in said)]) if said else ""
    return "\n\n".join(part for part in (person, ours) if part) or None


def verdict(record: Record) -> list[str]:
    """What is to be said about a check that did not pass, in lines."""
    lines = [f"{WORDS[record.status][0]}: {sentence(record.check)}", *record.message.splitlines()]
    if record.status == "fail":
        lines.append(f"The same question: course check {record.module} --seed {record.seed} --only {record.check}")
    return lines
