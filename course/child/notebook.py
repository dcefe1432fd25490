"""The answers in a notebook: its functions, classes and imports, found by name wherever they stand.

Cells that only run something are not run, so a copied, deleted or moved cell spoils nothing but itself.
"""

import ast
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_ASSIGNS = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_FOR_IPYTHON = re.compile(r"^[ \t]*[%!?].*$|^.*\?$", re.MULTILINE)
_STILL_PYTHON = re.compile(r"\s*%%(time|capture|prun|debug)\b")  # other cells that begin with %% are not

Statement = tuple[str, ast.stmt]  # with the name of its cell


def define(source: bytes, file: str, namespace: dict[str, Any]) -> None:
    """Add what a notebook defines to `namespace`, which has the given code in it already.

    Raises SyntaxError for a file that is no notebook. What is wrong in one cell shows when its functions are called.
    """
    statements: list[Statement] = []
    for number, text in enumerate(_cells(source), 1):
        place = f"{file}, cell {number}"
        try:
            statements += [(place, s) for s in _parsed(text, place).body]
        except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
            for name in re.findall(r"^(?:async )?def +(\w+)", text, re.MULTILINE):
                namespace[name] = _raiser(problem)
    waiting, before = _chosen(statements, set(namespace)), 0
    while waiting and len(waiting) != before:  # again, as long as that leads on: cells may have been moved
        before, early = len(waiting), []
        for place, statement in waiting:
            try:
                exec(compile(ast.Module([statement], []), place, "exec", dont_inherit=True), namespace)
            except Exception as problem:  # SystemExit and the like end the loading, as they do in a script
                if isinstance(problem, NameError):  # what it needs may stand further down
                    early.append((place, statement))
                if isinstance(statement, _DEFINES):
                    namespace[statement.name] = _raiser(problem)
        waiting = early


def _cells(source: bytes) -> Iterator[str]:
    """The text of each cell of code; a cell for another language is empty."""
    try:
        for cell in json.loads(source)["cells"]:
            if cell["cell_type"] == "code":
                text = "".join(cell["source"])
                yield "" if text.lstrip().startswith("%%") and not _STILL_PYTHON.match(text) else text
    except (ValueError, KeyError, TypeError, RecursionError):
        raise SyntaxError("it is not a notebook of version 4; save it again in Jupyter") from None


def _parsed(text: str, place: str) -> ast.Module:
    """A cell as Python; if it is none, without the lines that are for IPython alone."""
    try:
        return ast.parse(text, place)
    except SyntaxError:
        return ast.parse(_FOR_IPYTHON.sub("", text), place)


def _chosen(statements: list[Statement], given: set[str]) -> list[Statement]:
    """What defines something: functions, classes, imports, and the names that those or the given code use."""
    needed = _names_needed([s for _, s in statements]) | given
    answered: set[str] = set()
    found: list[Statement] = []
    for place, statement in statements:
        if isinstance(statement, _DEFINES):
            if not _is_stub(statement):
                answered.add(statement.name)
            elif statement.name in answered:
                continue  # a copy of the cell, left as it was
        elif isinstance(statement, _ASSIGNS):
            if not _targets(statement) & needed:
                continue
            answered |= _targets(statement)
        elif not isinstance(statement, _IMPORTS):
            continue
        found.append((place, statement))
    return found


def _names_needed(statements: list[ast.stmt]) -> set[str]:
    """The names that the functions and classes use, and those that these are made from."""
    needed = _loaded([s for s in statements if isinstance(s, _DEFINES)])
    constants = [s for s in statements if isinstance(s, _ASSIGNS)]
    while more := _loaded([s for s in constants if _targets(s) & needed]) - needed:
        needed |= more
    return needed


def _loaded(statements: list[ast.stmt]) -> set[str]:
    """The names that statements use and do not make themselves."""
    used: set[str] = set()
    for statement in statements:
        nodes = list(ast.walk(statement))
        own = {node.arg for node in nodes if isinstance(node, ast.arg)}
        if isinstance(statement, _DEFINES):
            own |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        used |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)} - own
        used |= {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    return used


def _targets(statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> set[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return {node.id for t in targets for node in ast.walk(t) if isinstance(node, ast.Name)}


def _is_stub(statement: ast.stmt) -> bool:
    """Whether a function does nothing but raise NotImplementedError."""
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    last = statement.body[-1]
    docstring_only = all(isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) for s in statement.body[:-1])
    return docstring_only and isinstance(last, ast.Raise) and "NotImplementedError" in ast.dump(last)


def _raiser(problem: BaseException) -> Callable:
    def not_there(*args: Any, **kwargs: Any) -> None:
        raise problem

    return not_there
