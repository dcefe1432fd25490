"""The list of modules, read from lessons/syllabus.toml: the one place that knows what exists."""

import os
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
T = TypeVar("T")
STATE = ROOT / ".course"  # what the course remembers about this clone: progress, bases, backups


class UserError(Exception):
    """Something the user can mend. Its text is one line: what, where, what to do."""


@dataclass(frozen=True)
class Todo:
    name: str
    points: int
    hints: tuple[str, ...]


@dataclass(frozen=True)
class Module:
    number: int
    slug: str
    title: str
    part: int
    minutes: int
    run_seconds: float
    needs: tuple[str, ...]
    todos: tuple[Todo, ...]
    withheld: tuple[str, ...] = ()  # modules of bench that hold an answer, which nobody may import meanwhile

    @property
    def name(self) -> str:
        return f"{self.number:02d} {self.slug}"

    @property
    def points(self) -> int:
        return sum(todo.points for todo in self.todos)

    @property
    def lesson(self) -> Path:
        return ROOT / "lessons" / f"{self.number:02d}_{self.slug}.ipynb"

    @property
    def solution(self) -> Path:
        return ROOT / "solutions" / f"{self.slug}.py"

    @property
    def exercise(self) -> Path:
        return ROOT / "code" / f"{self.slug}.py"

    @property
    def checks(self) -> Path:
        return ROOT / "tests" / f"test_{self.slug}.py"

    def todo(self, name: str) -> Todo:
        """The TODO of that name. Raises UserError with the nearest name otherwise."""
        return _find(name, {todo.name: todo for todo in self.todos}, f"TODO in module {self.name}")


@cache
def modules() -> tuple[Module, ...]:
    """Every module, in the order of the course."""
    try:
        rows = tomllib.loads((ROOT / "lessons" / "syllabus.toml").read_text(encoding="utf-8"))["module"]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError) as problem:
        raise UserError(f"lessons/syllabus.toml cannot be read: {problem}") from None
    return tuple(_module(row) for row in rows)


def _module(row: dict) -> Module:
    try:
        todos = tuple(Todo(t["name"], t["points"], tuple(t["hints"])) for t in row["todo"])
        lists = {"needs": tuple(row["needs"]), "withheld": tuple(row.get("withheld", ()))}
        return Module(**{k: v for k, v in row.items() if k != "todo"} | lists, todos=todos)
    except (KeyError, TypeError) as problem:
        name = row.get("slug", "a module without a slug")
        raise UserError(f"lessons/syllabus.toml, {name}: an entry is missing or unknown ({problem})") from None


def module(name: str) -> Module:
    """The module called by its slug, number or file name. Raises UserError with the nearest name otherwise."""
    by_name = {m.slug: m for m in modules()}
    number, _, rest = Path(name).stem.partition("_")  # "1", "01_actuator_modes.ipynb", "actuator_modes"
    by_number = {m.number: m for m in modules()}
    if number.isdecimal() and int(number) in by_number and rest in ("", by_number[int(number)].slug):
        return by_number[int(number)]
    return _find(name if number.isdecimal() else Path(name).stem, by_name, "module")


def exercise_file(module: Module) -> Path:
    """The file that is checked and run: in code/, or in the folder that COURSE_EXERCISES names."""
    return ROOT / os.environ.get("COURSE_EXERCISES", "code") / f"{module.slug}.py"


def _find(name: str, among: dict[str, T], kind: str) -> T:
    if name in among:
        return among[name]
    near = get_close_matches(name, among, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]}?" if near else "there are: " + ", ".join(among)
    raise UserError(f"No {kind} is called {name!r}; {hint}")
