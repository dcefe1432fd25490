"""`course release`: what students get works, holds no answer and no check, and is renewed without a loss."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from canaries import course_with_canaries, found

from course.release import release
from course.releasing.master import imported, without_markers
from course.skeleton import open_todos, skeleton
from course.syllabus import ROOT, UserError, module

FIRST, MODES, GAIN = (module(slug) for slug in ("first_steps", "actuator_modes", "gain_bias"))


@pytest.fixture(scope="session")
def secret_course(tmp_path_factory) -> tuple[Path, list[str]]:
    return course_with_canaries(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def handout(tmp_path_factory) -> Path:
    """The students' copy of two modules, of the course as it is."""
    into = tmp_path_factory.mktemp("handout") / "copy"
    release([MODES, FIRST], into)
    return into


def course_in(folder: Path, *words: str) -> subprocess.CompletedProcess:
    """Run the course in a released folder, as a student would."""
    command = [sys.executable, "-m", "course", *words]
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "COURSE_EXERCISES")}
    return subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, timeout=120)


def names(folder: Path) -> set[str]:
    """The files of a folder, without what is private to it."""
    found = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    return {path.as_posix() for path in found if path.parts[0] != ".course" and "__pycache__" not in path.parts}


def refused(*arguments, **more) -> str:
    with pytest.raises(UserError) as problem:
        release(*arguments, **more)
    assert "\n" not in str(problem.value)
    return str(problem.value)


# --- what is in it ---------------------------------------------------------------------------------------------------


def test_no_answer_and_no_check_is_in_it(secret_course, tmp_path):
    root, words = secret_course
    assert found(root, words) == set(words), "the search itself finds every word"
    release([FIRST, MODES, GAIN], tmp_path / "copy", root=root)
    assert found(tmp_path / "copy", words) == set()
    release([FIRST, MODES], tmp_path / "copy", root=root)  # what an update leaves behind is looked at too
    assert found(tmp_path / "copy", words) == set()


def test_its_files_are_those_that_are_meant(handout):
    there = names(handout)
    own = {name for name in there if not name.startswith(("bench/", "course/", "models/", "data/"))}
    assert own == {
        *("LICENSE", "CITATION.cff", "README.md", "pyproject.toml", "requirements.txt", "environment.yml"),
        *(".gitignore", ".gitattributes", "release.json", "lessons/syllabus.toml", "lessons/before_you_start.md"),
        *("lessons/00_first_steps.ipynb", "lessons/01_actuator_modes.ipynb"),
        *("code/first_steps.py", "code/actuator_modes.py"),
    }
    assert {"bench/pendulum.py", "models/pendulum.xml", "course/cli.py"} <= there


def test_the_exercises_are_the_skeletons(handout):
    for m in (FIRST, MODES):
        text = (handout / "code" / f"{m.slug}.py").read_text(encoding="utf-8")
        assert text == skeleton(m.solution.read_text(encoding="utf-8"))
        assert set(open_todos(text)) == {todo.name for todo in m.todos}


def test_its_syllabus_lists_what_is_released(handout):
    ours = tomllib.loads((ROOT / "lessons" / "syllabus.toml").read_text(encoding="utf-8"))["module"]
    theirs = tomllib.loads((handout / "lessons" / "syllabus.toml").read_text(encoding="utf-8"))["module"]
    assert theirs == [row for row in ours if row["slug"] in ("first_steps", "actuator_modes")]


def test_its_readme_and_mark_name_the_modules(handout):
    text = (handout / "README.md").read_text(encoding="utf-8")
    assert f"| 01 | actuator_modes | {MODES.title} | {MODES.minutes} | {MODES.points} |" in text
    assert "gain_bias" not in text and "$" not in text
    assert json.loads((handout / "release.json").read_text())["modules"] == ["first_steps", "actuator_modes"]


# --- it works --------------------------------------------------------------------------------------------------------


def test_the_course_runs_in_it(handout):
    home = course_in(handout)
    assert home.returncode == 0 and "01 actuator_modes" in home.stdout and "gain_bias" not in home.stdout
    assert course_in(handout, "hint", "actuator_modes").returncode == 0
    run = course_in(handout, "run", "actuator_modes")
    assert run.returncode == 1
    assert run.stderr.strip().startswith("Next: write run() in ") and str(handout) in run.stderr
    checked = course_in(handout, "check", "actuator_modes")
    assert checked.returncode == 2 and len(checked.stderr.strip().splitlines()) == 1, checked.stderr
    for words in (["show", "actuator_modes", "run", "--give-up"], ["test"], ["release", "actuator_modes", "-o", "x"]):
        done = course_in(handout, *words)
        assert done.returncode and len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert course_in(handout, "reset", "actuator_modes").returncode == 0


def test_a_lesson_runs_in_it_up_to_its_first_todo(handout):
    pytest.importorskip("latex2mathml")
    script = """
import nbformat
from nbclient.exceptions import CellExecutionError
from course.book import run
notebook = nbformat.read("lessons/01_actuator_modes.ipynb", as_version=4)
try:
    run(notebook, "code", seconds=120)
except CellExecutionError:
    print([out.evalue for cell in notebook.cells for out in cell.get("outputs", []) if out.output_type == "error"])
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=handout, capture_output=True, text=True, timeout=300)
    assert "TODO(you): run" in done.stdout, done.stdout + done.stderr


# --- solutions that come with it -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("from solutions.rnea import rnea", {"rnea"}),
        ("import solutions.rnea as r\nimport numpy", {"rnea"}),
        ("def f():\n    from solutions import rnea as r, lets\n", {"rnea", "lets"}),
        ("x = 'the solutions.rnea of this'\n# from solutions.rnea\nfrom resolutions.a import b", set()),
    ],
)
def test_imports_of_solutions_are_read_off_the_text(text, slugs):
    assert imported(text) == slugs


def test_an_earlier_answer_comes_as_a_library_where_it_is_imported(secret_course, tmp_path):
    root, words = course_with_canaries(tmp_path / "course")
    later = root / "solutions" / "gain_bias.py"
    later.write_text(
        later.read_text(encoding="utf-8").replace("import mujoco", "import mujoco\nimport solutions.first_steps")
    )
    lines = release([GAIN], tmp_path / "copy", root=root)
    assert lines[-1] == "With it come answers that these modules build on: solutions/first_steps.py"
    master = (root / "solutions" / "first_steps.py").read_text(encoding="utf-8")
    assert (tmp_path / "copy" / "solutions" / "first_steps.py").read_text(encoding="utf-8") == without_markers(master)
    assert [path.name for path in (tmp_path / "copy" / "code").iterdir()] == ["gain_bias.py"]
    assert len(found(tmp_path / "copy", words)) == len(FIRST.todos), "the answers that are meant, and no others"
    run = course_in(tmp_path / "copy", "run", "gain_bias")
    assert "Next: write " in run.stderr, run.stderr

    said = refused([FIRST, GAIN], tmp_path / "both", root=root)
    assert said.startswith("solutions/first_steps.py answers 00 first_steps, and another module that you name imports")
    assert not (tmp_path / "both").exists()


# --- again into the same folder --------------------------------------------------------------------------------------


def test_a_second_release_renews_and_loses_nothing(secret_course, tmp_path):
    root, _ = secret_course
    copy = tmp_path / "copy"
    release([FIRST, MODES], copy, root=root)
    mine = (copy / "code" / "first_steps.py").read_text(encoding="utf-8").replace("raise Not", "pass  # raise Not", 1)
    (copy / "code" / "first_steps.py").write_text(mine, encoding="utf-8")
    (copy / "announcement.md").write_text("Room 12")
    (copy / "models" / "pendulum.xml").write_text("<mine/>")
    lines = release([FIRST, GAIN], copy, root=root)
    assert (copy / "code" / "first_steps.py").read_text(encoding="utf-8") == mine
    assert (copy / "announcement.md").read_text() == "Room 12"
    assert names(copy) >= {"code/gain_bias.py", "lessons/02_gain_bias.ipynb", "models/pendulum.xml"}
    assert not {"code/actuator_modes.py", "lessons/01_actuator_modes.ipynb"} & names(copy)
    (line,) = [line for line in lines if line.startswith("models/pendulum.xml")]
    assert (copy / line.rpartition(": ")[2]).read_text() == "<mine/>"
    assert release([FIRST, GAIN], copy, root=root)[0].startswith("You have this version already")


def test_a_release_that_was_killed_is_finished_by_the_next(secret_course, tmp_path, monkeypatch):
    root, _ = secret_course
    from course.releasing import students

    monkeypatch.setattr(students, "update", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        release([FIRST], tmp_path / "copy", root=root)
    monkeypatch.undo()
    release([FIRST], tmp_path / "copy", root=root)
    release([FIRST], tmp_path / "whole", root=root)
    assert names(tmp_path / "copy") == names(tmp_path / "whole")


def test_a_new_repository_may_be_filled(tmp_path, secret_course):
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    release([FIRST], tmp_path, root=secret_course[0])
    assert (tmp_path / "code" / "first_steps.py").exists()


# --- refusals --------------------------------------------------------------------------------------------------------


def test_a_folder_with_other_things_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    assert refused([FIRST], tmp_path).endswith("is not empty and is no earlier release; name a new folder")
    assert refused([FIRST], tmp_path / "thesis.tex").endswith("name a new folder")
    assert "is not empty" in refused([FIRST], ROOT)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_without_a_target_or_with_too_many_modules_it_says_what_to_type(tmp_path):
    assert refused([FIRST]).startswith("Say what for: ")
    assert refused([FIRST, MODES], gradescope=tmp_path / "a.zip") == (
        "Gradescope has one autograder for each assignment; release first_steps, actuator_modes one by one"
    )


def test_what_is_missing_or_wrong_is_named_and_nothing_is_written(secret_course, tmp_path):
    root, _ = course_with_canaries(tmp_path / "course")
    (root / "lessons" / "01_actuator_modes.ipynb").unlink()
    said = refused([MODES], tmp_path / "copy", root=root)
    assert said == "lessons/01_actuator_modes.ipynb is not there, so 01 actuator_modes cannot be released"
    (root / "solutions" / "first_steps.py").write_text("def drop(): ...\n")
    assert refused([FIRST], tmp_path / "copy", root=root).startswith(
        "solutions/first_steps.py has the TODOs none where"
    )
    (root / "solutions" / "first_steps.py").unlink()
    for how in ({"into": tmp_path / "copy"}, {"nbgrader": tmp_path / "copy"}, {"gradescope": tmp_path / "copy.zip"}):
        assert refused([FIRST], root=root, **how).startswith("solutions/first_steps.py is not there")
    assert [path.name for path in tmp_path.iterdir()] == ["course"]
