"""`course export`: a grading in the form that something else reads."""

from pathlib import Path

from course.syllabus import UserError

FORMS = ("nbgrader", "junit", "csv", "html")


def export(folder: Path, to: str, into: Path | None = None) -> list[str]:
    """Write the grading in `folder` in one of FORMS, and return what to print.

    into: the folder for it, the grading's own if None; for nbgrader the folder of its course. What was there under the
    same names is written again. Raises UserError in one line.
    """
    if to == "nbgrader":
        from course.exporting import nbgrader

        return nbgrader.export(folder, into)
    from course.exporting import csv, html, junit
    from course.files import one_line
    from course.grading.gradebook import Gradebook

    if to not in FORMS:
        raise UserError(f"There is no export to {to!r}; there are: {', '.join(FORMS)}")
    if into is not None and into.exists() and not into.is_dir():
        raise UserError(f"{into} is not a folder; name one for the export")
    gradebook = Gradebook.load(folder)
    writer = {"csv": csv.write, "html": html.write, "junit": junit.write}[to]
    with one_line(None, folder.parent):
        return [*gradebook.problems, *writer(gradebook, into or folder)]
