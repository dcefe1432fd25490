"""What a lesson's notebook uses: kind about unfinished work, friendly about guesses, readable without a kernel."""

import html
import os
import re
import subprocess
import sys

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from course.lesson import LessonStop, answer, asking, exercise, predict, quiz, slider, verdict, verdicts
from course.record import Record
from course.syllabus import ROOT


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_EXERCISES", str(tmp_path))
    return tmp_path


def write(folder, text, name="demo"):
    """Save a student's file, with a time stamp that differs from the one before."""
    file = folder / f"{name}.py"
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    os.utime(file, ns=(before + 10**9, before + 10**9))
    return file


# --- the exercise file -----------------------------------------------------------------------------------------------


def test_a_saved_change_is_seen_at_once_and_an_unchanged_file_is_read_once(folder):
    write(folder, "runs = []\ndef f():\n    return 1\n")
    ex = exercise("demo")
    assert ex.f() == 1
    ex.runs.append("kept")
    assert ex.runs == ["kept"], "read again without a change"
    write(folder, "runs = []\ndef f():\n    return 2\n")
    assert ex.f() == 2 and ex.runs == []


def test_a_change_of_size_alone_is_seen(folder):
    file = write(folder, "x = 1\n")
    ex = exercise("demo")
    assert ex.x == 1
    stamp = file.stat().st_mtime_ns
    file.write_text("x = 1000\n")
    os.utime(file, ns=(stamp, stamp))
    assert ex.x == 1000


def test_dataclasses_and_the_standard_library_s_own_code_module_work(folder):
    write(folder, "from __future__ import annotations\nfrom dataclasses import dataclass\n"
                  "import code\n@dataclass\nclass A:\n    x: float\nshell = code.InteractiveConsole\n")  # fmt: skip
    ex = exercise("demo")
    assert ex.A(1.0) == ex.A(1.0) and ex.shell
    assert "demo" not in sys.modules


def test_the_folder_is_read_at_every_use_and_may_be_relative_to_the_course(monkeypatch, folder):
    assert "demo.py" in repr(exercise("demo"))
    monkeypatch.setenv("COURSE_EXERCISES", "solutions")
    assert repr(exercise("rnea")) == "<your exercise solutions/rnea.py>"
    monkeypatch.delenv("COURSE_EXERCISES")
    assert repr(exercise("rnea")) == "<your exercise code/rnea.py>"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def f(:\n", r"demo\.py:1 is not yet Python"),
        ("x = 1\n\n  y = 2\n", r"demo\.py:3 is not yet Python"),
        (b"x = 1\n# caf\xe9\n", r"demo\.py:2 .*UTF-8"),
        ("x = 1\0", r"demo\.py:1 is not yet Python"),
        ("x = 1\n", r"demo\.py has no 'f'"),
        ("\n\nx = 1 / 0\n", r"demo\.py:3 stops while it is read: ZeroDivisionError"),
        ("import nowhere_at_all\n", r"demo\.py:1 stops while it is read: ModuleNotFoundError"),
        ("import sys\nsys.exit('bye')\n", r"demo\.py:2 stops while it is read: SystemExit"),
        ("def g():\n    raise NotImplementedError('TODO(you): g')\nX = g()\n", r"write g\(\) at .*demo\.py:2"),
    ],
)
def test_what_cannot_be_read_ends_in_one_line_that_says_where_and_what_to_do(folder, text, says):
    write(folder, text)
    with pytest.raises(LessonStop, match=says) as stop:
        exercise("demo").f  # noqa: B018
    message = str(stop.value)
    assert "\n" not in message and "run this cell again" in message


def test_a_missing_file_names_the_command_that_brings_it_back(folder):
    with pytest.raises(LessonStop, match=r"demo\.py is not there.*course reset demo"):
        exercise("demo").f  # noqa: B018


def test_a_broken_save_leaves_nothing_old_behind_and_a_repaired_one_works(folder):
    ex = exercise("demo")
    write(folder, "x = 1\n")
    assert ex.x == 1
    write(folder, "x = (\n")
    for _ in range(2):
        with pytest.raises(LessonStop):
            ex.x  # noqa: B018
    write(folder, "x = 3\n")
    assert ex.x == 3


def test_front_ends_may_ask_for_private_names_without_reading_the_file(folder):
    ex = exercise("demo")  # there is no such file
    assert not hasattr(ex, "_repr_html_")
    assert dir(ex) == []
    write(folder, "def f(): pass\n_g = 1\n")
    assert "f" in dir(ex) and "_g" not in dir(ex)


def test_outside_a_notebook_an_unfinished_todo_raises_as_usual(folder):
    write(folder, "def f():\n    raise NotImplementedError('TODO(you): f')\n")
    with pytest.raises(NotImplementedError, match=r"TODO\(you\): f"):
        exercise("demo").f()


# --- in a kernel -----------------------------------------------------------------------------------------------------

CELLS = {
    "setup": 'from course.lesson import exercise, predict, slider, quiz, verdict\nex = exercise("demo")',
    "todo": "ex.f()",
    "missing": "ex.nothing",
    "other": "raise NotImplementedError('something else')",
    "ordinary": "ex.broken()",
    "quiz": 'quiz("Q?", right=("r", "because"), wrong={"w": "no"})',
    "slider": """from bench.figures import figure
def draw(kp):
    if kp == 5:
        ex.f()
    fig, ax = figure()
    ax.plot([0, kp])
    return fig
from IPython.display import DisplayHandle
sent, update = [], DisplayHandle.update
DisplayHandle.update = lambda self, data, **how: (sent.append(data["text/html"][:60]), update(self, data, **how))
slider(draw, alt="A line.", kp=(2, 20, 1, 8))""",
    # What a front end does when the reader moves a slider.
    "move": "from ipywidgets import IntSlider, Widget\n"
    "moved, = [w for w in __import__('ipywidgets').widgets.widget._instances.values() if isinstance(w, IntSlider)]\n"
    "moved.value = 9",
    # The page itself is out of the kernel's reach; what was sent to it last is not.
    "look": "print(sent[-1])",
    "move to todo": "moved.value = 5",
    "late todo": "slider(lambda kp: ex.f(), alt='Never.', kp=(2, 20, 1, 8))",
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """The cells above, executed in one real kernel: {name: outputs}."""
    folder = tmp_path_factory.mktemp("exercises")
    write(folder, "def f():\n    raise NotImplementedError('TODO(you): f')\n\n\ndef broken():\n    return 1 / 0\n")
    notebook = new_notebook(cells=[new_code_cell(text) for text in CELLS.values()])
    env = os.environ | {"COURSE_EXERCISES": str(folder), "PYTHONPATH": str(ROOT)}
    client = NotebookClient(notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": str(folder)}})
    client.execute(env=env)
    nbformat.validate(notebook)
    return {name: cell.outputs for name, cell in zip(CELLS, notebook.cells, strict=True)}


def test_an_unfinished_todo_ends_the_cell_in_one_line(ran):
    (output,) = ran["todo"]
    assert output.output_type == "error", "the cell must count as failed, or Run All goes on"
    (line,) = output.traceback
    assert re.fullmatch(r"Next: write f\(\) at \S*demo\.py:2\. Save the file, then run this cell again\.", line)


def test_a_missing_name_ends_the_cell_in_one_line(ran):
    (output,) = ran["missing"]
    assert output.output_type == "error" and len(output.traceback) == 1 and "has no 'nothing'" in output.traceback[0]


@pytest.mark.parametrize(("cell", "shows"), [("other", "something else"), ("ordinary", "ZeroDivisionError")])
def test_any_other_error_keeps_its_traceback(ran, cell, shows):
    (output,) = ran[cell]
    text = "\n".join(output.traceback)
    assert output.output_type == "error" and "Traceback" in text and shows in text


def test_a_slider_shows_one_figure_and_redraws_it_in_place(ran):
    widget, figure = ran["slider"]
    assert "application/vnd.jupyter.widget-view+json" in widget.data
    assert figure.data["text/plain"] == "[figure] A line."
    assert ran["move"] == [], "a second figure appeared"
    (moved,) = ran["look"]
    assert "A line. Now with kp = 9." in moved.text


def test_a_slider_that_meets_a_todo_says_so_in_place(ran):
    # The last move went to the value whose drawing needs the unfinished function.
    assert ran["move to todo"] == []
    assert "Next: write f() at" in ran["slider"][1].data["text/html"]


def test_a_slider_that_cannot_draw_at_all_shows_nothing_but_the_line(ran):
    (output,) = ran["late todo"]
    assert output.output_type == "error" and output.traceback[0].startswith("Next: write f()")


# --- predictions -----------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def no_predictions():
    asking._predictions.clear()


@pytest.mark.parametrize(
    ("guess", "value", "says"),
    [
        (90, np.float64(76.3454), "you expected 90 deg, it is 76.35 deg. You were 13.7 deg too high."),
        (70, 76.3454, "You were 6.35 deg too low."),
        (76.35, 76.3454, "Spot on."),
        (76, 76.3454, "Close: you were 0.345 deg too low."),
        (103.65, 104.052, "you expected 103.65 deg, it is 104.1 deg. Close: you were 0.402 deg too low."),
        (0, np.array([0.0]), "Spot on."),
        (1, float("nan"), "it is nan deg. What made the difference?"),
        ("it stops", "It stops", "As you said."),
        ("it stops", 3.0, "you expected it stops, it is 3 deg. What made the difference?"),
        (True, False, "you expected True, it is False."),
    ],
)
def test_an_answer_shows_both_and_the_difference(capsys, guess, value, says):
    predict("angle", guess, unit="deg")
    assert capsys.readouterr().out.startswith("angle: you expect ")
    answer("angle", value)
    assert says in capsys.readouterr().out


@pytest.mark.parametrize("nothing", [None, ...])
def test_no_guess_is_no_fault(capsys, nothing):
    predict("angle", 90)
    predict("angle", nothing, unit="deg")
    assert "no guess yet" in capsys.readouterr().out
    answer("angle", 3, unit="deg")
    assert "it is 3 deg. (You noted no guess.)" in capsys.readouterr().out


# --- questions -------------------------------------------------------------------------------------------------------

RIGHT, WRONG = ("a force", "the bias is zero"), {"an angle": "no: `<position>`", "a speed": "no, <velocity>"}


@pytest.fixture
def page(monkeypatch):
    """What would be displayed, as if this were a notebook: (html, plain) pairs."""
    shown = []
    for module in (asking, verdicts):
        monkeypatch.setattr(module, "present", lambda *pair: shown.append(pair))
    return shown


def test_every_choice_answers_with_its_reason_without_a_kernel(page):
    quiz("What does `ctrl` mean for a <motor>?", right=RIGHT, wrong=WRONG)
    ((text, plain),) = page
    assert text.count("<details") == text.count("<summary>") == 3
    assert "<b>Yes.</b> the bias is zero" in text and text.count("<b>No.</b>") == 2
    assert "<code>ctrl</code>" in text and "&lt;motor&gt;" in text and "<code>&lt;position&gt;</code>" in text
    assert plain.splitlines()[0] == "What does `ctrl` mean for a <motor>?" and "Yes. the bias is zero" in plain


def test_the_right_choice_is_not_always_in_the_same_place_but_stays_where_it_is():
    places = set()
    for k in range(20):
        choices = asking.shuffled(f"question {k}", RIGHT, WRONG)
        assert choices == asking.shuffled(f"question {k}", RIGHT, WRONG)
        assert sorted(c for c, _, _ in choices) == ["a force", "a speed", "an angle"]
        places.add([word for _, word, _ in choices].index("Yes"))
    assert places == {0, 1, 2}


def test_the_order_is_the_same_in_every_process():
    program = "from course.lesson.asking import shuffled; print(shuffled('q', ('a', ''), {'b': '', 'c': '', 'd': ''}))"
    orders = set()
    for salt in ("1", "2"):
        env = os.environ | {"PYTHONHASHSEED": salt}
        orders.add(subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True).stdout)
    assert len(orders) == 1 and orders != {b""}


# --- sliders outside a notebook --------------------------------------------------------------------------------------


def test_a_slider_needs_a_description_and_stays_quiet_in_a_script(capsys):
    from bench.figures import figure

    with pytest.raises(ValueError, match="alt"):
        slider(lambda x: figure()[0], alt="", x=(0, 1, 0.1, 0.5))
    slider(lambda x: figure()[0], alt="empty axes", x=(0, 1, 0.1, 0.5))
    assert capsys.readouterr().out == ""


def test_whole_numbers_give_a_slider_of_whole_numbers():
    from ipywidgets import FloatSlider, IntSlider

    controls = asking._controls({"n": (1, 9, 1, 3), "kp": (0, 20, 0.5, 8)})
    assert isinstance(controls["n"], IntSlider) and isinstance(controls["kp"], FloatSlider)
    assert [c.value for c in controls.values()] == [3, 8]


# --- verdicts --------------------------------------------------------------------------------------------------------


def record(status, message="", points=2, check="test_agrees_with_mujoco", printed=""):
    got = points if status == "pass" else 0
    return Record("", "", "demo", "f", check, status, got, points, message, printed, 0.1, 0, "", "")


def shown(page, monkeypatch, records, trouble=""):
    monkeypatch.setattr(verdicts, "results", lambda slug, todo: (records, trouble))
    verdict("demo", "f")
    text, plain = page.pop()
    # Whatever the HTML says without its tags, the plain text says too.
    words = html.unescape(re.sub(r"<[^>]+>", " ", text)).split()
    assert sorted(words) == sorted(plain.split())
    return text, plain


def test_a_pass_is_said_in_words_with_points(page, monkeypatch):
    _, plain = shown(page, monkeypatch, [record("pass"), record("pass", points=1)])
    assert "pass, 3 of 3 points" in plain and "agrees with MuJoCo" in plain and "hint" not in plain


def test_a_fail_shows_its_message_escaped_and_where_a_hint_is(page, monkeypatch):
    text, plain = shown(page, monkeypatch, [record("pass"), record("fail", "got <b>1</b>\nexpected 2")])
    assert "not yet, 2 of 4 points" in plain and "got <b>1</b>\n" in plain
    assert "<pre" in text and "got &lt;b&gt;1&lt;/b&gt;\nexpected 2" in text
    assert "course hint demo f" in plain


def test_a_todo_says_what_to_do_once(page, monkeypatch):
    _, plain = shown(page, monkeypatch, [record("todo", "f() is not written yet")] * 3)
    assert "to do, 0 of 6 points" in plain and plain.count("Write it, save the file") == 1


def test_one_problem_of_the_whole_file_is_said_once(page, monkeypatch):
    _, plain = shown(page, monkeypatch, [record("fail", "line 3 is not Python")] * 3)
    assert plain.count("line 3 is not Python") == 1


def test_what_the_code_printed_is_shown_and_cut(page, monkeypatch):
    text, plain = shown(page, monkeypatch, [record("fail", "no", printed="<i>x\n" * 100)])
    assert "Your code printed:" in plain and plain.count("<i>x") == 20 and "80 more lines" in plain
    assert "<i>" not in text


def test_an_error_of_ours_is_not_blamed_on_the_student(page, monkeypatch):
    _, plain = shown(page, monkeypatch, [record("error", "the check itself broke")])
    assert "A check broke, not your code" in plain


def test_trouble_is_one_line(page, monkeypatch):
    _, plain = shown(page, monkeypatch, [], "No module is called 'demo'")
    assert plain == "f: not checked\n      No module is called 'demo'"


def test_a_verdict_comes_from_the_course_s_own_check(page, monkeypatch):
    monkeypatch.setenv("COURSE_EXERCISES", "solutions")
    verdict("actuator_modes", "pd_force")
    assert "pd_force: \N{CHECK MARK} pass" in page[0][1]
    verdict("actuator_modes", "pd_forse")
    assert "not checked" in page[1][1] and "did you mean pd_force?" in page[1][1]
    assert len(page[1][1].splitlines()) == 2
