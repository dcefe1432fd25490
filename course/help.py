"""`course hint` and `course show`: help in stages, and the reference answer once yours passes."""

import ast
import contextlib
import textwrap

from rich.columns import Columns
from rich.console import Console, Group
from rich.padding import Padding
from rich.panel import Panel
from rich.syntax import Syntax
from rich.text import Text

from course import progress, report
from course.skeleton import BEGIN, END
from course.syllabus import Module, Todo, UserError, exercise_file

STAGES = ("a nudge", "a plan", "almost the answer")


def hint(module: Module, name: str | None) -> None:
    """Print the next hint on a TODO, and remember that it was seen. No name: the first TODO that has not passed."""
    console = Console(highlight=False)
    known = progress.load()
    todo = module.todo(name) if name else _first_open(module, known)
    notes = progress.entry(known, module, todo.name)
    stage = min(notes["hints"], len(STAGES) - 1)
    console.print(f"\n[bold]{module.name}, {todo.name}[/bold]  hint {stage + 1} of {len(STAGES)}: {STAGES[stage]}\n")
    console.print(Padding(Text(todo.hints[stage]), (0, 2)), width=min(console.width, 92))
    if notes["hints"] >= len(STAGES):
        answer = f"{report.command()} show {module.slug} {todo.name} --give-up"
        console.print(f"\n  That was the last hint. The answer:\n  {answer}", soft_wrap=True)
    notes["hints"] = min(notes["hints"] + 1, len(STAGES))
    progress.save(known)


def _first_open(module: Module, known: dict) -> Todo:
    return next((t for t in module.todos if not progress.entry(known, module, t.name)["passed"]), module.todos[0])


def show(module: Module, name: str, give_up: bool) -> None:
    """Print the reference answer beside the student's. Raises UserError while theirs has not passed, unless give_up."""
    todo = module.todo(name)
    if not give_up and not progress.entry(progress.load(), module, todo.name)["passed"]:
        raise UserError(
            f"{todo.name} has not passed yet; type {report.command()} check {module.slug}, "
            "or add --give-up to see the answer all the same"
        )
    if not module.solution.exists():
        raise UserError("This copy of the course comes without the answers; ask whoever gave it to you")
    reference = answer_in(module.solution.read_text(encoding="utf-8"), todo.name)
    yours = "# this file cannot be read as Python"
    with contextlib.suppress(OSError, UnicodeDecodeError, SyntaxError, ValueError):
        yours = answer_in(exercise_file(module).read_text(encoding="utf-8"), todo.name)
    console = Console(highlight=False)
    panels = [_panel(f"{todo.name}, yours", yours), _panel(f"{todo.name}, the reference", reference)]
    wide = max(len(line) for line in f"{yours}\n{reference}".splitlines()) + 6
    console.print(Columns(panels, equal=True) if console.width >= 2 * wide else Group(*panels))


def _panel(title: str, code: str) -> Panel:
    return Panel(Syntax(code, "python", background_color="default", word_wrap=True), title=title, expand=False)


def answer_in(text: str, name: str) -> str:
    """What a function does: its lines below the docstring, without the markers. Raises SyntaxError."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            described = ast.get_docstring(node) is not None
            start = node.body[0].end_lineno if described else node.lineno - 1
            lines = [line for line in text.splitlines()[start : node.end_lineno] if not _is_given(line)]
            return textwrap.dedent("\n".join(lines)) or "# nothing yet"
    return "# no such function"


def _is_given(line: str) -> bool:
    return line.strip() in (BEGIN, END) or line.strip().startswith("# TODO(you)")
