"""A check cell: the verdict on one TODO, in place, in words."""

import html
import json
import os
import subprocess
import sys

from course.lesson.asking import present
from course.record import Record
from course.report import WORDS, command, overall, sentence, whole_file_problem
from course.syllabus import ROOT

PATIENCE = 120  # s; each check has its own, much shorter deadline, so only a broken installation gets here
MOST_LINES = 20  # of what the student's code printed
MARKS = {"pass": "\N{CHECK MARK}", "fail": "\N{MULTIPLICATION X}", "todo": "\N{WHITE CIRCLE}"}
EDGES = {"pass": "#009E73", "fail": "#D55E00"}


def verdict(slug: str, todo: str) -> None:
    """Check one TODO of your file as it was last saved, and show points and messages here.

    A check that does not pass does not stop the notebook.
    """
    records, trouble = results(slug, todo)
    lines = trouble_lines(todo, trouble) if trouble else verdict_lines(slug, todo, records)
    present(_card(lines, overall(records) if records else "error"), _plain(lines))


def results(slug: str, todo: str) -> tuple[list[Record], str]:
    """The checks' records, and what went wrong if there are none. The checks run in another process."""
    asked = [sys.executable, "-m", "course", "check", slug, todo, "--json", "-"]
    try:
        run = subprocess.run(
            asked,
            cwd=ROOT,
            env=os.environ | {"PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return [], f"No answer within {PATIENCE} s. In a terminal, this may say more: {command()} check {slug}"
    records = [record for line in run.stdout.decode("utf-8", "replace").splitlines() if (record := _record(line))]
    if records:
        return records, ""
    said = run.stderr.decode("utf-8", "replace").strip().splitlines()
    return [], said[-1] if said else f"The check gave no result (exit code {run.returncode})."


def _record(line: str) -> Record | None:
    """The record in a line of output, or None: whatever else was printed is not for us."""
    try:
        return Record(**json.loads(line))
    except (ValueError, TypeError):
        return None


# What the card says is a list of lines, (kind, text), so that the HTML and the plain form cannot differ.
Lines = list[tuple[str, str]]


def trouble_lines(todo: str, trouble: str) -> Lines:
    return [("heading", f"{todo}: not checked"), ("message", trouble)]


def verdict_lines(slug: str, todo: str, records: list[Record]) -> Lines:
    """The heading with the points, each check with its message, what the code printed, and where a hint is."""
    status = overall(records)
    points, most = sum(r.points for r in records), sum(r.max for r in records)
    lines = [("heading", f"{todo}: {_marked(status)}, {points} of {most} point{'' if most == 1 else 's'}")]
    if (problem := whole_file_problem(records)) is not None:
        return [*lines, ("message", problem)]
    if status == "todo":
        lines.append(("check", "Write it, save the file, and run this cell again."))
    else:
        for record in records:
            lines.append(("check", f"{_marked(record.status)}: {sentence(record.check)}"))
            if record.message.strip():
                lines.append(("message", record.message.strip()))
    for printed in dict.fromkeys(r.printed.rstrip() for r in records if r.printed.strip()):
        shown = printed.splitlines()
        left_out = [f"... ({len(shown) - MOST_LINES} more lines)"] if len(shown) > MOST_LINES else []
        lines += [("check", "Your code printed:"), ("message", "\n".join(shown[:MOST_LINES] + left_out))]
    if status == "error":
        lines.append(("check", f"A check broke, not your code. Please report it with: {command()} doctor --report"))
    elif status != "pass":
        lines.append(("hint", f"{command()} hint {slug} {todo}"))
    return lines


def _marked(status: str) -> str:
    """The status in words; the mark only repeats it."""
    return f"{MARKS.get(status, '!')} {WORDS[status][0]}"


def _plain(lines: Lines) -> str:
    """The card as text, for terminals and for front ends without HTML."""
    indent = {"heading": "", "check": "  ", "message": "      ", "hint": "  A hint, in a terminal: "}
    return "\n".join(indent[kind] + part for kind, text in lines for part in text.splitlines())


def _card(lines: Lines, status: str) -> str:
    """The card as HTML, in the page's own colours, so that it can be read in a dark theme too."""
    form = {
        "heading": "<div><b>{}</b></div>",
        "check": '<div style="margin-top: 0.3em">{}</div>',
        "message": '<pre style="white-space: pre-wrap; margin: 0.2em 0 0.4em 1.5em">{}</pre>',
        "hint": '<div style="margin-top: 0.3em">A hint, in a terminal: <code>{}</code></div>',
    }
    body = "".join(form[kind].format(html.escape(text)) for kind, text in lines)
    edge = EDGES.get(status, "#767676")
    return f'<div style="border-left: 5px solid {edge}; padding: 0.3em 0.9em; margin: 0.3em 0">{body}</div>'
