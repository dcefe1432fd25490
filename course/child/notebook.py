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


def define(source: bytes, file: str, namespace: dict[str, Any]) -> None:
    """Add what a notebook defines to `namespace`, which has the given code in it already.

    Raises SyntaxError for a file that is no notebook. What is wrong in one cell shows when its functions are called.
    """
    statements: list[tuple[str, ast.stmt]] = []
    for number, text in enumerate(_cells(source), 1):
        place = f"{file}, cell {number}"
        try:
            statements += [(place, s) for s in ast.parse(text, place).body]
        except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
            for name in re.findall(r"^(?:async )?def +(\w+)", text, re.MULTILINE):
                namespace[name] = _raiser(problem)
    needed = _names_needed([s for _, s in statements])
    answered: set[str] = set()
    for place, statement in statements:
        if isinstance(statement, _DEFINES):
            if statement.name in answered and _is_stub(statement):
                continue  # a copy of the cell, left as it was
            if not _is_stub(statement):
                answered.add(statement.name)
        elif not isinstance(statement, _IMPORTS) and not (
            isinstance(statement, _ASSIGNS) and _targets(statement) & needed
        ):
            continue
        try:
            exec(compile(ast.Module([statement], []), place, "exec", dont_inherit=True), namespace)
        except Exception as problem:  # SystemExit and the like end the loading, as they do in a script
            if isinstance(statement, _DEFINES):
                namespace[statement.name] = _raiser(problem)


def _cells(source: bytes) -> Iterator[str]:
    """The text of each cell of code; a cell for another language is empty, and so is a line for IPython alone."""
    try:
        cells = json.loads(source)["cells"]
        for cell in cells:
            if cell["cell_type"] == "code":
                text = "".join(cell["source"])
                yield "" if text.lstrip().startswith("%%") else re.sub(r"^[ \t]*[%!?].*$|^.*\?$", "", text, flags=re.M)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise SyntaxError("it is not a notebook of version 4; save it again in Jupyter") from None


def _names_needed(statements: list[ast.stmt]) -> set[str]:
    """The names that the functions and classes use, and those that these are made from."""
    needed = _loaded([s for s in statements if isinstance(s, _DEFINES)])
    constants = [s for s in statements if isinstance(s, _ASSIGNS)]
    while more := _loaded([s for s in constants if _targets(s) & needed]) - needed:
        needed |= more
    return needed


def _loaded(statements: list[ast.stmt]) -> set[str]:
    return {node.id for s in statements for node in ast.walk(s) if isinstance(node, ast.Name)}


def _targets(statement: ast.stmt) -> set[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]  # type: ignore[attr-defined]
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
