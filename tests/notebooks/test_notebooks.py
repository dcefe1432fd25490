"""Every lesson: clean as committed, runs from top to bottom on the solutions, stops kindly on a skeleton.

Each notebook is executed twice and all tests share the two executions, so on several cores let one worker take the
whole file, as `course test` does: `--dist loadfile`.
"""

import ast
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from course import bootstrap
from course.book import page, run
from course.skeleton import skeleton
from course.syllabus import ROOT, Module, modules

LESSONS = sorted((ROOT / "lessons").glob("*.ipynb"))
BY_FILE = {module.lesson: module for module in modules()}
MOST_LINES = 12  # in a code cell, not counting comments, imports and blank lines
LEAST_SECONDS = 120

pytestmark = pytest.mark.parametrize("lesson", [pytest.param(path, id=path.stem) for path in LESSONS])


class Run(NamedTuple):
    """One execution: the notebook with its outputs, and the cell and error that ended it, or None."""

    notebook: nbformat.NotebookNode
    stopped_at: int | None
    error: nbformat.NotebookNode | None


@cache
def committed(lesson: Path) -> nbformat.NotebookNode:
    """The notebook as it is in the repository."""
    return nbformat.read(lesson, as_version=4)


@cache
def executed(lesson: Path, exercises: str) -> Run:
    """The notebook run in a fresh kernel on the exercises of one folder, up to its first error."""
    missing = [extra for extra in BY_FILE[lesson].needs if bootstrap.missing([extra])]
    if missing:
        pytest.skip(f"needs the extras {missing}")
    notebook = nbformat.read(lesson, as_version=4)
    seconds = max(LEAST_SECONDS, int(BY_FILE[lesson].run_seconds * 3))  # three times: the machine may be busy
    try:
        run(notebook, exercises, seconds)
    except CellExecutionError:
        at = next(i for i, cell in enumerate(notebook.cells) if errors(cell))
        return Run(notebook, at, errors(notebook.cells[at])[0])
    return Run(notebook, None, None)


def errors(cell: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [output for output in cell.get("outputs", []) if output.output_type == "error"]


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.fixture(scope="session")
def skeletons(tmp_path_factory) -> Path:
    """A folder with every exercise as a student first gets it."""
    folder = tmp_path_factory.mktemp("skeletons")
    for module in modules():
        if module.solution.exists():
            text = module.solution.read_text(encoding="utf-8")
            (folder / module.exercise.name).write_text(skeleton(text), encoding="utf-8")
    return folder


# --- as committed ----------------------------------------------------------------------------------------------------


def test_it_is_in_the_syllabus(lesson):
    assert lesson in BY_FILE, f"{lesson.name} is not the file name of a module in lessons/syllabus.toml"


def test_it_is_a_valid_notebook_for_the_python3_kernel(lesson):
    notebook = committed(lesson)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) >= (4, 5), "cells need ids"
    assert notebook.metadata.kernelspec.name == "python3"


def test_it_has_no_outputs_and_no_counts(lesson):
    for cell in code_cells(committed(lesson)):
        assert not cell.outputs and cell.execution_count is None, f"clear the outputs of cell {cell.id}"


def test_cell_ids_are_unique(lesson):
    ids = [cell.id for cell in committed(lesson).cells]
    assert len(ids) == len(set(ids))


def test_every_todo_has_one_check_cell(lesson):
    module: Module = BY_FILE[lesson]
    tagged = []
    for cell in committed(lesson).cells:
        for tag in cell.metadata.get("tags", []):
            if tag.startswith("todo:"):
                name = tag.removeprefix("todo:")
                assert _calls(cell.source, "verdict") == [(module.slug, name)], f"cell {cell.id} must check {name}"
                tagged.append(name)
    assert tagged == [todo.name for todo in module.todos], "in the order of the syllabus"


def _calls(source: str, function: str) -> list[tuple]:
    """The constant arguments of every call of this function."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == function]
    return [tuple(arg.value for arg in call.args if isinstance(arg, ast.Constant)) for call in named]


def test_code_cells_are_short(lesson):
    for cell in code_cells(committed(lesson)):
        lines = _lines_that_count(cell.source)
        assert len(lines) <= MOST_LINES, f"cell {cell.id} has {len(lines)} lines:\n{cell.source}"


def _lines_that_count(source: str) -> list[str]:
    """The lines of code: no blank ones, comments and imports, and no prose (docstrings, descriptions, quizzes)."""
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        question = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _name(node.value.func) == "quiz"
        described = isinstance(node, ast.keyword) and node.arg == "alt"
        if isinstance(node, ast.Import | ast.ImportFrom) or docstring or question or described:
            skipped.update(range(node.lineno, node.end_lineno + 1))
    lines = enumerate(source.splitlines(), 1)
    # A line without a letter or digit is a bracket that the formatter broke off.
    return [line for i, line in lines if i not in skipped and re.search(r"\w", line) and line.lstrip()[0] != "#"]


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else ""


def test_relative_links_and_pictures_lead_somewhere(lesson):
    for cell in committed(lesson).cells:
        if cell.cell_type != "markdown":
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)", cell.source) + re.findall(r'(?:href|src)="([^"]+)"', cell.source):
            if re.match(r"[a-z]+:", target) or target.startswith("#"):
                continue
            assert (lesson.parent / target.partition("#")[0]).exists(), f"cell {cell.id}: {target}"


def test_pictures_in_the_text_are_described(lesson):
    for cell in committed(lesson).cells:
        if cell.cell_type == "markdown":
            assert not re.search(r"!\[\s*\]\(", cell.source), f"cell {cell.id}: a picture without a description"
            _assert_described(cell.source, cell.id)


def test_the_source_of_a_quiz_is_folded_away(lesson):
    """It gives the answers away. Front ends fold a cell with this metadata and show its output."""
    for cell in code_cells(committed(lesson)):
        if _calls(cell.source, "quiz"):
            folded = cell.metadata.get("jupyter", {}).get("source_hidden", False)
            assert folded, f'cell {cell.id} needs the metadata "jupyter": {{"source_hidden": true}}'


def test_it_asks_for_a_prediction_and_ends_with_questions(lesson):
    source = "\n".join(cell.source for cell in code_cells(committed(lesson)))
    assert _calls(source, "predict"), "the surprise needs a prediction"
    assert 3 <= len(_calls(source, "quiz")) <= 5, "three to five questions"


# --- on the solutions ------------------------------------------------------------------------------------------------


def test_it_runs_from_top_to_bottom_on_the_solutions(lesson):
    run = executed(lesson, "solutions")
    assert run.error is None, f"cell {run.stopped_at}: {run.notebook.cells[run.stopped_at].source}\n" + "\n".join(
        run.error.traceback
    )


def test_every_check_cell_passes_on_the_solutions(lesson):
    for cell in executed(lesson, "solutions").notebook.cells:
        if any(tag.startswith("todo:") for tag in cell.metadata.get("tags", [])):
            (output,) = cell.outputs
            assert " pass, " in output.data["text/plain"].splitlines()[0], output.data["text/plain"]


def test_every_image_is_described(lesson):
    """Images come as HTML with a description; a bare image/png has none and no front end shows one."""
    for cell in executed(lesson, "solutions").notebook.cells:
        for output in cell.get("outputs", []):
            bare = [mime for mime in output.get("data", {}) if mime.startswith("image/")]
            assert not bare, f"cell {cell.id} displays a bare {bare[0]}; use show(fig, alt=...)"
            _assert_described(output.get("data", {}).get("text/html", ""), cell.id)


class _Images(HTMLParser):
    """Collects the alt text of every <img>."""

    def __init__(self):
        super().__init__()
        self.alts: list[str] = []

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.alts.append(dict(attributes).get("alt") or "")


def _assert_described(text: str, cell: str) -> None:
    images = _Images()
    images.feed(text)
    assert all(alt.strip() for alt in images.alts), f"cell {cell}: an image without a description"


def test_every_prediction_gets_its_answer(lesson):
    cells = code_cells(executed(lesson, "solutions").notebook)
    said = "".join(output.text for cell in cells for output in cell.outputs if output.output_type == "stream")
    for name, *_ in _calls("\n".join(cell.source for cell in cells), "predict"):
        assert f"{name}: it is " in said or f"{name}: you expected" in said, f"no answer to the prediction {name!r}"


def test_no_cell_leaves_a_warning_or_a_bare_object_on_the_page(lesson):
    for cell in executed(lesson, "solutions").notebook.cells:
        for output in cell.get("outputs", []):
            assert output.get("name") != "stderr", f"cell {cell.id} writes to stderr: {output.text}"
            plain = output.get("data", {}).get("text/plain", "") if output.output_type == "execute_result" else ""
            assert " object at 0x" not in plain and not plain.startswith("[<matplotlib"), f"cell {cell.id}: {plain}"


# --- on the skeleton -------------------------------------------------------------------------------------------------


def test_on_the_skeleton_it_stops_at_the_first_todo_in_one_kind_line(lesson, skeletons):
    run = executed(lesson, str(skeletons))
    assert run.error is not None, "it ran through although nothing was written"
    (line,) = run.error.traceback
    first = BY_FILE[lesson].todos[0].name
    assert re.fullmatch(rf"Next: write {first}\(\) at \S+:\d+\. Save the file, then run this cell again\.", line), line


def test_on_the_skeleton_the_check_cell_before_the_stop_says_to_do(lesson, skeletons):
    run = executed(lesson, str(skeletons))
    for cell in run.notebook.cells[: run.stopped_at]:
        if any(tag.startswith("todo:") for tag in cell.metadata.get("tags", [])):
            assert "to do" in cell.outputs[0].data["text/plain"].splitlines()[0]


def test_its_page_needs_nothing_else_and_keeps_its_secrets(lesson):
    html = page(BY_FILE[lesson], executed(lesson, "solutions").notebook)
    assert "<math" in html and "$" not in re.sub(r"(?s)<(script|style|code|pre)\b.*?</\1>|<[^>]*>", "", html)
    assert not re.search(r"""<(script|img|link)\b[^>]*(src|href)=["']?https?:""", html)
    assert "wrong={" not in re.sub(r"<[^>]*>", "", html), "the source of a quiz gives its answers away"
    assert html.count("<nav>") == 1 and "index.html" in html
    assert "VBox(" not in html, "a slider does nothing on paper"
