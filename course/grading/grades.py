"""The grades as tables: CSV files which Excel, pandas and every learning platform read, and which run nothing there."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from course.boundary import one_line
from course.files import write_atomically
from course.grading.gradebook import Gradebook

Row = list[str | int]


def write_grades(gradebook: Gradebook, path: Path) -> None:
    """One row per student: points, most points, days late and credit of each module, and the total in percent."""
    of_module = ("points", "max", "late_days", "credit")
    rows: list[Row] = [["id", "name", "on_roster", *(f"{m.slug}_{c}" for m in gradebook.modules for c in of_module)]]
    rows[0].append("total")
    for student in gradebook.students:
        row: Row = [student.id, student.name, "yes" if student.on_roster else "no"]
        for module in gradebook.modules:
            grade = student.grades[module.slug]
            row += [grade.points, grade.max, grade.late_days, number(grade.credit)]
        rows.append([*row, f"{student.total:.2f}"])
    _write(path, rows)


def write_checks(gradebook: Gradebook, path: Path) -> None:
    """One row per student, module and check, of the file that counts."""
    rows: list[Row] = [
        ["id", "name", "module", "attempt", "todo", "check", "status", "points", "max", "seconds", "seed", "message"]
    ]
    for student in gradebook.students:
        for grade in student.grades.values():
            for r in grade.records:
                row: Row = [student.id, student.name, r.module, r.attempt, r.todo, r.check, r.status, r.points, r.max]
                rows.append([*row, f"{r.seconds:.4f}", r.seed, r.message])
    _write(path, rows)


def number(value: float) -> str:
    """With two decimals at most, and none that say nothing: 7, 6.3, 0.33."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _write(path: Path, rows: Iterable[Row]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
    # Excel takes a file for UTF-8 only if it begins with this mark; pandas and others pass over it.
    write_atomically(path, text.getvalue().encode("utf-8-sig"))


def _cell(value: str | int) -> str | int:
    """Text in one line that no spreadsheet takes for a formula; our own numbers stay numbers."""
    if not isinstance(value, str) or value.replace(".", "", 1).isdecimal():
        return value
    text = one_line(value)  # a tab or line break in front is gone with this
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
