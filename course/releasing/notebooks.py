"""nbgrader's source notebooks, made from the solutions: each TODO is a cell that a person, or `course grade`, marks.

nbgrader can mark an answer by itself only inside the student's kernel, where the student has the last word. So no cell
is marked by its output: as nbgrader sees it, each TODO is a manually graded answer, worth its points in the syllabus.
"""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course import __version__
from course.files import back_up, read, replace_unchanged
from course.releasing.master import lesson, solution
from course.skeleton import Block, blocks, lines_of
from course.syllabus import Module, UserError

SCHEMA = 3  # of nbgrader's cell metadata, as of nbgrader 0.7 to 0.9
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
INTRODUCTION = """\
# {module.number:02d}. {module.title}

The lesson that goes with this notebook is `lessons/{lesson}`: read it first, or beside it.

Write your answers into the cells that say `YOUR CODE HERE`: {points}. Keep the names of the functions, for it is by
their names that they are found when your work is graded. What a cell prints counts for nothing, and the cells around
the answers are put back as they were. The last cell prints the numbers of the lesson.

If the next cell says that there is no module named `bench`: open a terminal in the folder of the course that your
instructor gave you, and type `python3 -m pip install -c requirements.txt -e .` for the Python of this notebook.
"""


def release(modules: Sequence[Module], course_dir: Path, root: Path) -> list[str]:
    """Write source/SLUG/SLUG.ipynb of each module, and return the lines to print. Raises UserError.

    A notebook that is there and differs, perhaps because somebody has edited it, goes to a dated backup first.
    """
    course_dir = course_dir.absolute()
    if course_dir.exists() and not course_dir.is_dir():
        raise UserError(f"{course_dir} is not a folder; name the folder of an nbgrader course")
    made = {}
    for module in modules:
        lesson(module, root)
        made[module] = nbformat.writes(notebook(module, solution(module, root))).encode() + b"\n"
    lines = []
    for module, new in made.items():
        path = course_dir / "source" / module.slug / f"{module.slug}.ipynb"
        name = path.relative_to(course_dir).as_posix()
        old = read(path)
        if old == new:
            lines.append(f"{name}: as it was")
            continue
        kept = back_up(path, course_dir, content=old).relative_to(course_dir).as_posix() if old is not None else ""
        replace_unchanged(path, old, new)
        lines.append(f"{name}: replaced. What was there: {kept}" if kept else f"{name}: new")
    todo = "; ".join(f"nbgrader generate_assignment {module.slug}" for module in modules)
    return [*lines, f"Next, in {course_dir}, with the environment's programs on the PATH: {todo}"]


def notebook(module: Module, text: str) -> nbformat.NotebookNode:
    """The source notebook of a module, from the text of its solution."""
    points = {todo.name: todo.points for todo in module.todos}
    cells = [_given(new_markdown_cell(_introduction(module)), "given-introduction")]
    for number, (piece, todo) in enumerate(pieces(text), start=1):
        cell = new_code_cell(piece)
        cells.append(_answer(cell, todo, points[todo]) if todo else _given(cell, f"given-{number}"))
    cells.append(_given(new_code_cell("main()"), "given-numbers"))
    made = new_notebook(cells=cells, metadata={"kernelspec": KERNEL, "course": {"version": __version__}})
    nbformat.validate(made)
    return made


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """(code, "" or the TODO that is answered in it) for each cell: one function or class, or a run of other lines."""
    run = ""
    for code, node, found in _statements(text):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            run += code
            continue
        if len(found) > 1:
            names = ", ".join(block.todo for block in found)
            raise UserError(f"{node.name} holds the TODOs {names}; nbgrader wants one cell for each, so split it")
        if run.strip():
            yield run.strip("\n"), ""
        run = ""
        yield code.strip("\n"), found[0].todo if found else ""
    if run.strip():
        yield run.strip("\n"), ""


def _statements(text: str) -> Iterator[tuple[str, ast.stmt, list[Block]]]:
    """Each statement with the lines above that belong to it, without the docstring and the call of main()."""
    lines, answers = lines_of(text), blocks(text)
    body = ast.parse(text).body
    begin = 0
    for number, node in enumerate(body):
        end = node.end_lineno or begin
        found = [block for block in answers if begin <= block.begin < end]
        end = max([end, *(block.end for block in found)])  # a marker is a comment, and the last one ends no statement
        docstring = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not (node is body[-1] and isinstance(node, ast.If)):
            yield "".join(lines[begin:end]), node, found
        begin = end


def _introduction(module: Module) -> str:
    points = ", ".join(f"`{todo.name}` for {todo.points} point{'s'[: todo.points != 1]}" for todo in module.todos)
    lesson = f"{module.number:02d}_{module.slug}.ipynb"
    return INTRODUCTION.format(module=module, lesson=lesson, points=points)


def _given(cell: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    """A cell that students can run and not change."""
    return _marked(cell, name, {"grade": False, "solution": False, "locked": True})


def _answer(cell: nbformat.NotebookNode, todo: str, points: int) -> nbformat.NotebookNode:
    """A cell that students write and somebody marks by hand."""
    cell.metadata["tags"] = [f"todo:{todo}"]
    return _marked(cell, todo, {"grade": True, "solution": True, "locked": False, "points": points})


def _marked(cell: nbformat.NotebookNode, name: str, flags: dict[str, object]) -> nbformat.NotebookNode:
    cell["id"] = name  # the same each time, so that the file is
    told = {"grade_id": name, "schema_version": SCHEMA, "cell_type": cell.cell_type, "task": False}
    cell.metadata["nbgrader"] = {**told, **flags}
    return cell
