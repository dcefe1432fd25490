"""Records as a student reads them in a terminal: words first, colour only beside them."""

import os
import re
import textwrap
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from course.installing.console import command
from course.record import Record
from course.syllabus import ROOT, Module

WORDS = {
    "pass": ("pass", "green"),
    "fail": ("not yet", "red"),
    "todo": ("to do", "yellow"),
    "error": ("broken", "magenta"),
    "refused": ("refused", "red"),
}
INDENT = " " * 20  # of what belongs to one check


def show(module: Module, file: Path, records: list[Record], console: Console) -> None:
    """Print the verdict on one module."""
    where = str(shown(file))
    fits = len(f"{module.name}  {module.title}    {where}") <= console.width
    console.print(f"\n[bold]{module.name}[/bold]  {escape(module.title)}", end="    " if fits else "\n", soft_wrap=True)
    console.print(f"[dim]{escape(where)}[/dim]\n", soft_wrap=True)
    several = len({r.todo for r in records}) > 1
    if several and (line := whole_file_problem(records)) is not None:
        console.print(f"  {_word('fail')}  ", end="")
        console.print(line.rstrip(), markup=False, emoji=False)
    else:
        for todo in module.todos:
            of_todo = [r for r in records if r.todo == todo.name]
            if of_todo:
                _show_todo(todo.name, of_todo, console)
    _show_sum(module, records, console)


def whole_file_problem(records: list[Record]) -> str | None:
    """The one message that every check got because no question could be asked, or None."""
    messages = {r.message for r in records}
    if len(messages) == 1 and len(records) > 1 and all(r.status in ("fail", "refused") for r in records):
        return messages.pop()
    return None


def _show_todo(name: str, records: list[Record], console: Console) -> None:
    status = overall(records)
    got, most = sum(r.points for r in records), sum(r.max for r in records)
    console.print(f"  {_word(status)}  [bold]{name}[/bold]  {got} of {most}")
    if status != "todo":
        said = None
        for record in records:
            console.print(f"           {_word(record.status)}  {sentence(record.check)}")
            if record.status != "pass":
                _show_message("(as above)" if record.message == said else record.message, console)
                said = record.message
    for printed in dict.fromkeys(r.printed.rstrip() for r in records if r.printed.strip()):
        console.print(f"{INDENT}[dim]your code printed:[/dim]")
        for line in _first_lines(printed).splitlines():
            _show_line(line, console)


def _show_message(text: str, console: Console) -> None:
    """A message. In a terminal it is wrapped at words, and what follows a label (asked, ...) stays beneath itself."""
    for line in text.splitlines():
        parts = [line]
        if console.is_terminal:
            label = re.match(r"(\w+ {2,})?", line)
            beneath = " " * len(label[0]) if label else ""
            parts = textwrap.wrap(line, max(20, console.width - len(INDENT)), subsequent_indent=beneath) or [""]
        for part in parts:
            _show_line(part, console)


def _show_line(text: str, console: Console) -> None:
    """Text that may come from the student's code, as it is: [red] is no colour in it, and x[:100:] no emoji."""
    console.print(INDENT + text, markup=False, emoji=False, soft_wrap=True)


def _first_lines(text: str, most: int = 20) -> str:
    lines = text.splitlines()
    return (
        text
        if len(lines) <= most
        else "\n".join([*lines[: most - 1], f"... ({len(lines) - most} lines left out)", lines[-1]])
    )


def _show_sum(module: Module, records: list[Record], console: Console) -> None:
    got, most = sum(r.points for r in records), sum(r.max for r in records)
    # What is wrong comes before what is not begun.
    ranked = ("error", "refused", "fail", "todo")
    unfinished = min((r for r in records if r.status != "pass"), key=lambda r: ranked.index(r.status), default=None)
    if unfinished is None:
        line = f"All of it passes. What is next: {command()}"
    elif unfinished.status == "error":
        line = f"A check broke, not your code. Please report it with: {command()} doctor --report"
    elif whole_file_problem(records) is not None:
        line = "Mend that and check again."
    elif unfinished.status == "todo":
        line = f"Next: {unfinished.todo}. A hint: {command()} hint {module.slug} {unfinished.todo}"
    else:
        line = f"Stuck? {command()} hint {module.slug} {unfinished.todo}"
    console.print(f"\n  {got} of {most} points. {line}", soft_wrap=True)


def overall(records: list[Record]) -> str:
    """The status of a TODO from those of its checks, "" if there are none."""
    statuses = {r.status for r in records}
    return next((s for s in ("error", "refused", "fail", "todo", "pass") if s in statuses), "")


def sentence(check: str) -> str:
    """test_agrees_with_mujoco -> agrees with mujoco"""
    return check.removeprefix("test_").replace("_", " ").replace("mujoco", "MuJoCo")


def shown(file: Path) -> Path:
    """A path as short as it can be said from where the user stands."""
    real = Path(os.path.realpath(file))  # Path.resolve would raise for a link that points to itself
    for base in (Path.cwd(), ROOT):
        if real.is_relative_to(base):
            return real.relative_to(base)
    return file


def _word(status: str) -> str:
    word, colour = WORDS[status]
    return f"[{colour}]{word:>7}[/{colour}]"
