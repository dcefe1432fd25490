"""Tables: grades.csv with a row per student, checks.csv with a row per student, module and check."""

from pathlib import Path

from course.grading.gradebook import Gradebook
from course.grading.grades import write_checks, write_grades


def write(gradebook: Gradebook, folder: Path) -> list[str]:
    write_grades(gradebook, folder / "grades.csv")
    write_checks(gradebook, folder / "checks.csv")
    checks = sum(len(grade.records) for s in gradebook.students for grade in s.grades.values())
    return [
        f"{folder / 'grades.csv'}: {len(gradebook.students)} students",
        f"{folder / 'checks.csv'}: {checks} checks",
    ]
