"""The parts of a module that its author keeps: read here, and refused in one line where they are missing or wrong."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from course.skeleton import answer, blocks, replace
from course.syllabus import Module, UserError
from course.sync import faults
from course.sync import solution as text_of_solution
from course.updating.base import text_of

_IMPORT = re.compile(r"^\s*(?:from\s+solutions\s+import\s+(.+)|(?:from|import)\s+solutions\.(\w+))", re.M)


def solution(module: Module, root: Path) -> str:
    """The text of a module's solution, with markers that agree with the syllabus. Raises UserError."""
    text = text_of_solution(module, root)
    if text is None:
        raise UserError(f"solutions/{module.slug}.py is not there, so {module.name} cannot be released from this copy")
    if wrong := faults(module, root):
        raise UserError(wrong[0])
    return text


def lesson(module: Module, root: Path) -> Path:
    """The notebook of a module's lesson. Raises UserError if there is none."""
    path = root / "lessons" / f"{module.number:02d}_{module.slug}.ipynb"
    if not path.is_file():
        raise UserError(f"lessons/{path.name} is not there, so {module.name} cannot be released")
    return path


def builds_on(modules: Iterable[Module], root: Path) -> list[str]:
    """The slugs of the solutions that these modules import, and what those import, and so on; in alphabetical order."""
    found: set[str] = set()
    waiting = [text for m in modules for text in (solution(m, root), prose_and_code(lesson(m, root)))]
    while waiting:
        for slug in imported(waiting.pop()) - found:
            found.add(slug)
            text = text_of(root / "solutions" / f"{slug}.py")
            if text is None:
                raise UserError(f"solutions/{slug}.py is imported by what is to be released, but is not there")
            waiting.append(text)
    return sorted(found)


def imported(text: str) -> set[str]:
    """The slugs of the solutions that a Python text imports."""
    found = set()
    for names, slug in _IMPORT.findall(text):
        found.update(re.findall(r"(\w+)(?:\s+as\s+\w+)?", names) if names else [slug])
    return found


def prose_and_code(notebook: Path) -> str:
    """The cells of a notebook as one text."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def without_markers(text: str) -> str:
    """A solution as a library: the answers stay, the markers go, so that nothing takes it for an exercise."""
    return replace(text, {block.todo: answer(text, block.todo) for block in blocks(text)})
