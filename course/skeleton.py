"""From a solution to the student's file, and what can be read off either without running it."""

import re
from dataclasses import dataclass

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
STUB = 'raise NotImplementedError("TODO(you): {}")'
_DEF = re.compile(r"^(?P<indent>(?:    )?)(?:async )?def (?P<name>\w+)\b")
_STUB = re.compile(r'^\s*raise NotImplementedError\("TODO\(you\): (\w+)"\)\s*$')


@dataclass(frozen=True)
class Block:
    """One answer in a solution: lines[begin:end], markers included (counted from 0)."""

    todo: str
    begin: int
    end: int


def blocks(solution: str) -> list[Block]:
    """The answers in a solution, in order. Raises ValueError for markers that do not pair up inside a function."""
    found: list[Block] = []
    functions: list[tuple[int, str]] = []  # the functions around this line, outermost first: (indent, name)
    begin: int | None = None
    for i, line in enumerate(lines_of(solution)):
        text = line.strip()
        if match := _DEF.match(line):
            indent = len(match["indent"])
            functions = [f for f in functions if f[0] < indent] + [(indent, match["name"])]
        if text not in (BEGIN, END):
            continue
        around = [name for indent, name in functions if indent < len(line) - len(line.lstrip())]
        if text == BEGIN:
            if begin is not None or not around:
                raise ValueError(f"line {i + 1}: {BEGIN} without an {END} before it, or outside a function")
            begin, todo = i, around[-1]
        else:
            if begin is None:
                raise ValueError(f"line {i + 1}: {END} without {BEGIN}")
            if any(block.todo == todo for block in found):
                raise ValueError(f"line {begin + 1}: a second {BEGIN} in {todo}")
            found.append(Block(todo, begin, i + 1))
            begin = None
    if begin is not None:
        raise ValueError(f"line {begin + 1}: {BEGIN} without {END}")
    return found


def replace(solution: str, answers: dict[str, str]) -> str:
    """The solution with each block's lines, markers included, replaced by answers[todo] (already indented)."""
    lines = lines_of(solution)
    for block in reversed(blocks(solution)):
        if block.todo in answers:
            lines[block.begin : block.end] = [answers[block.todo]]
    return "".join(lines)


def answer(solution: str, todo: str) -> str:
    """The lines between the markers of one TODO."""
    block = next(b for b in blocks(solution) if b.todo == todo)
    return "".join(lines_of(solution)[block.begin + 1 : block.end - 1])


def skeleton(solution: str) -> str:
    """The student's file: each answer becomes the one stub, nothing else changes."""
    lines = lines_of(solution)
    stubs = {}
    for block in blocks(solution):
        indent = lines[block.begin][: -len(lines[block.begin].lstrip())]
        stubs[block.todo] = f"{indent}{STUB.format(block.todo)}\n"
    return replace(solution, stubs)


def open_todos(text: str) -> dict[str, int]:
    """The TODOs that are still stubs in a student's file, each with its line number (counted from 1)."""
    return {m[1]: i for i, line in enumerate(lines_of(text), 1) if (m := _STUB.match(line))}


def lines_of(text: str) -> list[str]:
    """The lines as an editor counts them, ends kept (str.splitlines also splits at form feeds and rarer characters)."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", text)
