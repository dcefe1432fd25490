"""What a student has done in this clone: points per TODO, hints seen. Kept in .course/progress.json."""

import json
import sys
from pathlib import Path
from typing import Any

from course.files import refusal, write_atomically
from course.record import Record
from course.skeleton import open_todos
from course.syllabus import ROOT, STATE, Module

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
    """Write the notes. A folder that cannot be written, or a full disk, costs the notes and not the answer."""
    try:
        write_atomically(path, json.dumps(known, indent=1).encode())
    except OSError as error:
        print(f"Your progress is not kept. {refusal(error, path, ROOT)}", file=sys.stderr)


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


def start_again(module: Module, path: Path = PATH) -> None:
    """The points of a module are none again; the hints that were seen and the right to see the answers stay."""
    known = load(path)
    for notes in known.get(module.slug, {}).values():
        notes["points"] = 0
    if module.slug in known:
        save(known, path)


def begun(known: dict[str, dict[str, Any]], module: Module, file: Path) -> bool:
    """Whether something was done in a module: a point, a hint, a line in the file."""
    notes = known.get(module.slug, {}).values()
    return any(n.get("points") or n.get("hints") or n.get("passed") for n in notes) or (
        file.exists() and not untouched(module, file)
    )


def untouched(module: Module, file: Path) -> bool:
    """Whether every TODO in a file is still a stub. False if the file cannot be read."""
    try:
        return file.is_file() and set(open_todos(file.read_text(encoding="utf-8"))) == {t.name for t in module.todos}
    except (OSError, UnicodeDecodeError):
        return False
