"""The answers in a notebook count by their names, whatever has become of the cells around them."""

import json

import files
import pytest

from course.grading.job import work
from course.releasing.notebooks import notebook as released
from course.skeleton import STUB, answer
from course.syllabus import module

MODULE = module("actuator_modes")
MOST = {todo.name: todo.points for todo in MODULE.todos}
HEADS = {
    "run": "def run(model, ctrl, seconds):",
    "pd_force": "def pd_force(target, q, qd):",
    "explain": "def explain(ctrl, q):",
}
RIGHT = {todo: f"{head}\n{answer(files.RIGHT, todo)}" for todo, head in HEADS.items()}
STUBS = {todo: f"{head}\n    {STUB.format(todo)}\n" for todo, head in HEADS.items()}
NBGRADER_STUB = "{}\n    '''As it was handed out.'''\n    # YOUR CODE HERE\n    raise NotImplementedError()\n"
ALL = list(RIGHT.values())
RUN, FORCE, EXPLAIN = ALL


def notebook(*cells, **more):
    """A notebook as Jupyter saves it, with these cells of code."""
    made = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": c} for c in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | more).encode()


def asked(source):
    """(points for each TODO, statuses, messages) of a notebook."""
    records = work(files.job("ada", source, name="work.ipynb"))
    assert [r.status for r in records if r.status not in ("pass", "fail", "todo")] == []
    points = {todo: sum(r.points for r in records if r.todo == todo) for todo in MOST}
    return points, {r.status for r in records}, " | ".join(dict.fromkeys(r.message for r in records if r.message))


def earned(source):
    return asked(source)[0]


WITHOUT = {todo: {name: 0 if name == todo else most for name, most in MOST.items()} for todo in MOST}
NOTHING = dict.fromkeys(MOST, 0)
ONLY_RUN = NOTHING | {"run": 3}


def with_answers(answers):
    """The notebook that is handed out, with these texts in its answer cells."""
    book = released(MODULE, files.RIGHT)
    for cell in book.cells:
        todo = next((tag.removeprefix("todo:") for tag in cell.metadata.get("tags", [])), "")
        if todo:
            cell.source = answers[todo]
    return json.dumps(book).encode()


@pytest.mark.parametrize(
    ("answers", "points"),
    [(RIGHT, MOST), (RIGHT | {"run": STUBS["run"]}, WITHOUT["run"]), (STUBS, NOTHING)],
    ids=["all", "two of three", "none"],
)
def test_the_notebook_that_was_handed_out(answers, points):
    assert earned(with_answers(answers)) == points


COPIES = {
    "only the answers": ALL,
    "in one cell": ["\n\n".join(ALL)],
    "in another order": [EXPLAIN, FORCE, RUN],
    "among text and results": ["# a comment", "1 / 0", RUN, "print(run)", FORCE, "", "pd_force()", EXPLAIN, "?run"],
    "copied": [RUN, RUN, FORCE, EXPLAIN, FORCE],
    "a stub left below": [*ALL, *STUBS.values()],
    "a stub left above": [*STUBS.values(), *ALL],
    "stubs of nbgrader's left below": [*ALL, *map(NBGRADER_STUB.format, HEADS.values())],
    "a copy that cannot be read below": [*ALL, "def pd_force(target, q, qd:\n    return 0"],
    "a copy that cannot be read above": ["def pd_force(target, q, qd:\n    return 0", *ALL],
    "a wrong attempt above": ["def pd_force(target, q, qd):\n    return 0.0", *ALL],
    "an experiment below that is no definition": [*ALL, "pd_force(1, 2, 3)\nassert False"],
    "given code deleted": [RUN, FORCE, EXPLAIN],
    "given code spoiled": ["import nothing_of_this_name", "KP *= 2", "@dataclass\nclass", "KP /= 2", *ALL],
    "sources as lists of lines": [text.splitlines(keepends=True) for text in ALL],
    "Windows line ends": [text.replace("\n", "\r\n") for text in ALL],
}


@pytest.mark.parametrize("cells", COPIES.values(), ids=COPIES.keys())
def test_copied_deleted_and_moved_cells_spoil_nothing(cells):
    assert earned(notebook(*cells)) == MOST


def test_of_two_answers_the_last_one_counts():
    points, _, message = asked(notebook(*ALL, "def explain(ctrl, q):\n    return Balance(0.0, 0.0, 0.0)"))
    assert points == WITHOUT["explain"] and "explain(" in message


PIECES = {
    "a constant": ["STIFF = KP", FORCE.replace("KP *", "STIFF *")],
    "a constant made of constants": ["A = 2.0\nB = A * A", "C = B * 2", FORCE.replace("KP *", "C *")],
    "a constant below": [FORCE.replace("KP *", "C *"), "C = B * 2", "A, B = 2.0, 4.0"],
    "a function of its own": [FORCE.replace("np.clip(", "limited("), "def limited(*x):\n    return np.clip(*x)"],
    "a class below what it is made of": ["class Spring(Law):\n    pass", "class Law:\n    k = KP",
                                         FORCE.replace("KP *", "Spring.k *")],
    "an import": ["import math as m", FORCE.replace("float(", "m.fsum([").replace("LIMIT))", "LIMIT)])")],
    "a global": ["asked = 0", FORCE.replace("    return", "    global asked\n    asked += 1\n    return")],
    "a lambda": ["pd_force = lambda target, q, qd: float(np.clip(KP * (target - q) - KV * qd, -3.0, 3.0))"],
    "a decorator": ["import functools", "@functools.cache\n" + FORCE],
    "a constant that is only a local name elsewhere": ["answer = while_true()", "def other():\n    answer = 1", FORCE],
    "annotations": ["from typing import Any", FORCE.replace("qd)", "qd: Any) -> Any")],
    "a name that is given": ["KP: float = 8.0", FORCE],
}  # fmt: skip


@pytest.mark.parametrize("cells", PIECES.values(), ids=PIECES.keys())
def test_what_an_answer_is_made_of_is_found_too(cells):
    assert earned(notebook(*cells, RUN, EXPLAIN)) == MOST


MAGIC = {
    "lines": ["%matplotlib inline\n!pip list\n?run\nrun?\n" + FORCE],
    "a cell that is timed": ["%%time\n" + FORCE],
    "another language": ["\n%%bash\ndef pd_force(\nwhile true; do :; done", FORCE],
    "a file": ["%%writefile pd_force.py\ndef pd_force(*args):\n    return 0", FORCE],
    "a line that begins with a percent sign": [FORCE.replace("    return", "    note = ('%d'\n%\n3)\n    return")],
    "a question in the text": [FORCE.replace("    return", '    """How strong?\n    So strong."""\n    return')],
}


@pytest.mark.parametrize("cells", MAGIC.values(), ids=MAGIC.keys())
def test_what_is_for_ipython_alone_is_left_out(cells):
    assert earned(notebook(*cells, RUN, EXPLAIN)) == MOST


ALONE = {
    "runs for ever": "while True:\n    pass",
    "sleeps": "import time\ntime.sleep(1000)",
    "fails": "raise SystemExit",
    "ends the process": "import os\nos._exit(0)",
    "asks": "input('your name')",
    "is not defined": "ex = exercise('actuator_modes')\nverdict('actuator_modes', 'run')",
    "imports the course": "from course.lesson import answer, exercise, predict, verdict\npredict('x', 1)",
    "imports the answer": "from solutions.actuator_modes import pd_force",
    "draws": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
    "hides functions": "if True:\n    def pd_force(*args):\n        return 0.0",
    "takes functions away": "del pd_force, run, explain",
}


@pytest.mark.parametrize("cell", ALONE.values(), ids=ALONE.keys())
def test_a_cell_that_only_does_something_is_not_run(cell):
    assert earned(notebook(cell, *ALL, cell)) == MOST


WRONG = {
    "not closed": ("def pd_force(target, q, qd:\n    return 0.0", "cell 2:1: Python cannot read this file"),
    "not indented": ("def pd_force(target, q, qd):\nreturn 0.0", "cell 2:2: Python cannot read this file"),
    "a NUL byte": ("def pd_force(target, q, qd):\n    return '\0'", "null byte"),
    "wrong": ("def pd_force(target, q, qd):\n    return 0.0", "asked     pd_force("),
    "raises": ("def pd_force(target, q, qd):\n    return 1 / 0", "cell 2:2 in pd_force(): ZeroDivisionError"),
    "a decorator that fails": ("@nothing\ndef pd_force(*args):\n    return 0.0", "cell 2:1: NameError: name 'nothing'"),
    "a default that fails": ("def pd_force(*args, k=1 / 0):\n    return 0.0", "cell 2:1: ZeroDivisionError"),
    "not a function": ("pd_force = 3.0", "pd_force is not a function but a float"),
    "a class": ("class pd_force:\n    def __init__(self, *args): pass", "answered  a pd_force"),
    "too deep": ("def pd_force(*args):\n    return " + "(" * 5_000 + ")" * 5_000, "too many nested parentheses"),
}


@pytest.mark.parametrize(("cell", "says"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_answer_costs_its_own_points_and_says_where(cell, says):
    right_without_it = EXPLAIN.replace("pd_force(ctrl, q, 0.0)", "float(np.clip(KP * (ctrl - q), -3.0, 3.0))")
    points, _, message = asked(notebook(RUN, cell, right_without_it))
    assert points == WITHOUT["pd_force"] and says in message


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"10",
        b"def run(): pass",
        b'{"cells": null}',
        b'{"cells": 7}',
        b'{"cells": [7]}',
        b'{"cells": [{"cell_type": "code"}]}',
        b'{"cells": [{"cell_type": "code", "source": 7}]}',
        b'{"cells": [{"cell_type": "code", "source": [7, null]}]}',
        b'{"cells": [{"cell_type": "code", "source": {"a": 1}, "x": ' + b"9" * 5_000 + b"}]}",
        b'{"worksheets": [{"cells": [{"cell_type": "code", "input": "def run(): pass"}]}], "nbformat": 3}',
        b"[" * 200_000,
        b'{"cells": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b"\xff\xfe{}",
        notebook(*ALL)[:-20],
    ],
)
def test_what_is_no_notebook_earns_nothing_and_says_so(source):
    points, statuses, message = asked(source)
    assert points == NOTHING and statuses == {"fail"}
    assert message.startswith("actuator_modes.ipynb") and "notebook of version 4" in message


def test_odd_but_a_notebook():
    assert (
        earned(notebook(*ALL, nbformat_minor=float("nan"), metadata={"deep": [[[[1e400]]]], "signature": -0})) == MOST
    )
    assert earned(notebook()) == NOTHING and asked(notebook())[1] == {"todo"}
    assert earned(notebook(RUN)) == ONLY_RUN
    cells = json.loads(notebook(*ALL))["cells"]
    cells += [{"cell_type": "raw", "source": 7}, {"cell_type": "markdown"}, {"cell_type": "nothing"}]
    assert earned(json.dumps({"cells": cells}).encode()) == MOST


HOSTILE = {
    "replaces a library": ("np.clip = None\nmujoco.mj_step = None", NOTHING),
    "leaves": ("@exit\ndef pd_force(*args):\n    return 0.0", NOTHING),
    "ends the process": ("class X(__import__('os')._exit(0)):\n    pass", NOTHING),
    "a name that is needed waits": ("KP = __import__('time').sleep(1000)", NOTHING),
    "reads the checks": ("CODE = open('/course/tests/test_actuator_modes.py').read()\ndef f(): return CODE", MOST),
    "changes the child": ("import course.child.worker as w\n@w.Worker.do\ndef do(*args): return 10", MOST),
    "stands in for the given code": (
        "from numpy import *\nimport builtins as mujoco",
        NOTHING | {"pd_force": 3, "explain": 4},
    ),
}


@pytest.mark.parametrize(("cell", "points"), HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_cells(cell, points):
    assert earned(notebook(cell, *ALL)) == points
