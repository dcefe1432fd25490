"""What a student has done in this clone: best points per TODO, hints seen. Kept in .course/progress.json."""

import json
from pathlib import Path
from typing import Any

from course.files import write_atomically
from course.record import Record
from course.syllabus import STATE, Module

PATH = STATE / "progress.json"


def load(path: Path = PATH) -> dict[str, dict[str, Any]]:
    """{slug: {todo: {"passed": bool, "points": int, "hints": int}}}.

    A damaged file counts as empty: the next check fills it again.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}


def entry(known: dict[str, dict[str, Any]], module: Module, todo: str) -> dict[str, Any]:
    """The notes on one TODO, made if there are none."""
    notes = known.setdefault(module.slug, {}).setdefault(todo, {})
    notes.setdefault("passed", False)
    notes.setdefault("points", 0)
    notes.setdefault("hints", 0)
    return notes


def save(known: dict[str, dict[str, Any]], path: Path = PATH) -> None:
    write_atomically(path, json.dumps(known, indent=1).encode())


def note_results(module: Module, records: list[Record], path: Path = PATH) -> None:
    """Remember how the student's own file did. A TODO of which every check was asked gets its points, up or down."""
    known = load(path)
    for todo in module.todos:
        asked = [r for r in records if r.todo == todo.name]
        if sum(r.max for r in asked) < todo.points or not asked:
            continue
        notes = entry(known, module, todo.name)
        notes["points"] = sum(r.points for r in asked)
        notes["passed"] = (
            notes["passed"] or notes["points"] == todo.points
        )  # what was solved once may be shown for ever
    save(known, path)


def points(known: dict[str, dict[str, Any]], module: Module) -> int:
    """The points of the last complete check of each TODO."""
    return sum(known.get(module.slug, {}).get(t.name, {}).get("points", 0) for t in module.todos)
