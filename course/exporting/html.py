"""Pages: index.html about the class, students/*.html for each of them."""

from pathlib import Path

from course.grading.gradebook import Gradebook
from course.grading.pages import write_pages


def write(gradebook: Gradebook, folder: Path) -> list[str]:
    write_pages(gradebook, folder)
    return [f"{folder / 'index.html'}: the class", f"{folder / 'students'}: {len(gradebook.students)} pages"]
