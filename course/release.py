"""`course release`: modules as students get them, as nbgrader wants them, or as an autograder for Gradescope."""

from collections.abc import Sequence
from pathlib import Path

from course.files import one_line
from course.report import command
from course.syllabus import ROOT, Module, UserError


def release(
    modules: Sequence[Module],
    into: Path | None = None,
    gradescope: Path | None = None,
    nbgrader: Path | None = None,
    root: Path = ROOT,
) -> list[str]:
    """Release these modules in every form that has a target, and return the lines to print.

    into: a folder for what students get. gradescope: a zip file, for a single module; instructors upload it, students
    never see it. nbgrader: the folder of an nbgrader course. root: the course with the answers in it.
    Raises UserError.
    """
    modules = sorted(set(modules), key=lambda module: module.number)
    if not modules or not (into or gradescope or nbgrader):
        raise UserError(
            f"Say what for: {command()} release MODULE with -o FOLDER, --nbgrader FOLDER or --gradescope ZIP"
        )
    if gradescope and len(modules) > 1:
        names = ", ".join(module.slug for module in modules)
        raise UserError(f"Gradescope has one autograder for each assignment; release {names} one by one")
    lines: list[str] = []
    if into:
        from course.releasing import students

        with one_line(None, into):
            lines += students.release(modules, into, root)
    if nbgrader:
        from course.releasing import notebooks

        with one_line(None, nbgrader):
            lines += notebooks.release(modules, nbgrader, root)
    if gradescope:
        from course.releasing import autograder

        with one_line(gradescope, gradescope.parent):
            lines += autograder.release(modules[0], gradescope, root)
    return lines
