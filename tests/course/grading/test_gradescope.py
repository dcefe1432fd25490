"""Gradescope's autograder, unpacked and run in its documented layout, under another folder than /autograder."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from canaries import answered, course_with_canaries, found

from course.grading.gradebook import Gradebook
from course.release import release
from course.releasing.autograder.__main__ import case, results
from course.sandbox.choose import lacking
from course.skeleton import replace
from course.syllabus import UserError, module

MODES = module("actuator_modes")
STEPS = {todo.name: f'    raise NotImplementedError("TODO(you): {todo.name}")\n' for todo in MODES.todos}
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Gradescope's containers are Linux")
KEYS = {"name", "name_format", "score", "max_score", "status", "output", "output_format", "visibility"}


@pytest.fixture(scope="module")
def package(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("release") / "autograder.zip"
    release([MODES], gradescope=path)
    return path


@pytest.fixture
def autograder(package) -> Iterator[Path]:
    """What Gradescope makes of the zip file, with this interpreter in place of what setup.sh installs."""
    with tempfile.TemporaryDirectory() as place:  # pytest's own folder is closed to other accounts
        os.chmod(place, 0o755)
        yield unpacked(package, Path(place) / "autograder")


def unpacked(package: Path, folder: Path) -> Path:
    with zipfile.ZipFile(package) as archive:
        archive.extractall(folder / "source")
    shutil.copy(folder / "source" / "run_autograder", folder)
    python = folder / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    for program in (python, folder / "run_autograder"):
        program.chmod(0o755)
    (folder / "submission").mkdir()
    return folder


def run(autograder: Path, **files: str) -> dict:
    """Hand in files (named without .py) and return results.json."""
    for name, text in files.items():
        (autograder / "submission" / f"{name}.py").write_text(text, encoding="utf-8")
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "COURSE_EXERCISES")}
    command = [autograder / "run_autograder"]
    env = {**clean, "AUTOGRADER": str(autograder)}
    done = subprocess.run(command, cwd=autograder, env=env, capture_output=True, text=True, timeout=300)
    told = json.loads((autograder / "results" / "results.json").read_text(encoding="utf-8"))
    told["log"] = done.stdout + done.stderr  # Gradescope keeps it as results/stdout, for instructors
    return told


def answers(**changed: str) -> str:
    return replace(MODES.solution.read_text(encoding="utf-8"), {**answered(MODES), **changed})


# --- the zip file ----------------------------------------------------------------------------------------------------


def test_the_layout_is_gradescopes(package):
    with zipfile.ZipFile(package) as archive:
        entries = {entry.filename: entry for entry in archive.infolist()}
        assert {name for name in entries if "/" not in name} == {"setup.sh", "run_autograder"}
        assert all(entries[name].external_attr >> 16 & 0o111 for name in ("setup.sh", "run_autograder"))
        scripts = {name: archive.read(name).decode() for name in ("setup.sh", "run_autograder")}
    assert all(text.startswith("#!/usr/bin/env bash\n") and "\r" not in text for text in scripts.values())
    assert "@" not in scripts["setup.sh"].replace('"$@"', "") and "@MODULE@" not in scripts["run_autograder"]
    for name, text in scripts.items():
        subprocess.run(["bash", "-n"], input=text, text=True, check=True, timeout=10)
        assert "AUTOGRADER:-/autograder" in text, name
    tests = {name for name in entries if "/tests/" in name}
    assert tests == {"inside-the-actuator/tests/test_actuator_modes.py"}
    assert "inside-the-actuator/solutions/first_steps.py" not in entries, "what this module does not need stays here"


def test_the_same_course_makes_the_same_bytes(package, tmp_path):
    release([MODES], gradescope=tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == package.read_bytes()
    release([MODES], gradescope=tmp_path / "again.zip")


def test_another_file_is_not_overwritten(tmp_path):
    target = tmp_path / "submissions.zip"
    for content in (b"not a zip", None):
        if content is None:
            with zipfile.ZipFile(target, "w") as archive:
                archive.writestr("ada/actuator_modes.py", "")
        else:
            target.write_bytes(content)
        before = target.read_bytes()
        with pytest.raises(UserError, match="is there already and is no autograder; name a new file"):
            release([MODES], gradescope=target)
        assert target.read_bytes() == before


@pytest.mark.parametrize(("age", "chosen"), [("new", "python3"), ("old", "python3.11")])
def test_setup_installs_what_is_locked_with_a_python_that_is_new_enough(autograder, tmp_path, age, chosen):
    """With stand-ins that only write down what they are asked, for the real ones need root and a network."""
    log = tmp_path / "log"
    stand_in = f"""#!/bin/sh
echo "$(basename "$0") $*" >> {log}
case "$(basename "$0") $*" in
    "python3 -c "*) [ {age} = new ] ;;
    *" -m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
esac
"""
    for name in ("apt-get", "python3", "python3.11"):
        (tmp_path / name).write_text(stand_in)
        (tmp_path / name).chmod(0o755)
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "AUTOGRADER": str(autograder)}
    subprocess.run(["bash", autograder / "source" / "setup.sh"], env=env, check=True, timeout=60)
    asked = log.read_text().splitlines()
    assert any(line.startswith("apt-get install") and f" {chosen} {chosen}-venv bubblewrap" in line for line in asked)
    assert f"{chosen} -m venv {autograder}/venv" in asked
    assert asked[-1].startswith("python -m pip install ") and asked[-1].endswith("-c requirements.txt -e .")


# --- in its place ----------------------------------------------------------------------------------------------------


def test_a_right_answer_gets_all_points(autograder):
    told = run(autograder, actuator_modes=answers())
    assert (told["score"], told["output"], told["stdout_visibility"]) == (10, "", "hidden"), told["log"]
    assert {test["status"] for test in told["tests"]} == {"passed"}
    assert sum(test["max_score"] for test in told["tests"]) == MODES.points
    assert all(set(test) == KEYS and test["output_format"] == "text" for test in told["tests"])


def test_half_an_answer_gets_its_points_and_words(autograder):
    told = run(autograder, actuator_modes=answers(pd_force="    return 0.0\n", explain=STEPS["explain"]))
    assert told["score"] == 3, told["log"]
    failed = {test["name"]: test["output"] for test in told["tests"] if test["status"] == "failed"}
    wrong = failed["pd_force: stops at the limit"]
    assert wrong.startswith("not yet: asked") and "course check actuator_modes --seed " in wrong
    assert any(said.startswith("to do: ") for said in failed.values())


@pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock", "limits"])
def test_a_submission_sees_no_answer_and_writes_no_result(autograder, sandbox, monkeypatch):
    """Not even where the container allows no sandbox in it: there it is another account that keeps it out."""
    if lacking(sandbox) or (sandbox == "limits" and os.geteuid()):
        pytest.skip(lacking(sandbox) or "only root can give a process another account")
    monkeypatch.setenv("COURSE_SANDBOX", sandbox)
    attack = f"""
import glob, os
for name in glob.glob({str(autograder)!r} + "/**/*.py", recursive=True):
    try:
        text = open(name).read()
    except OSError:
        continue
    if "BEGIN " + "SOLUTION" in text or "def test_" in text:
        print("SEEN", name)
try:
    open({str(autograder / "results" / "results.json")!r}, "w").write('{{"score": 10}}')
    print("SEEN results")
except OSError:
    print("LOOKED")
"""
    told = run(autograder, actuator_modes=answers().replace("import mujoco\n", f"import mujoco\n{attack}\n", 1))
    assert told["score"] == 10, told["log"]
    assert "SEEN" not in json.dumps(told["tests"]) and "LOOKED" in json.dumps(told["tests"])


def test_what_only_root_may_see_is_closed(autograder):
    run(autograder, actuator_modes="")
    course = autograder / "source" / "inside-the-actuator"
    assert (course / "tests").stat().st_mode & 0o777 == (autograder / "results").stat().st_mode & 0o777 == 0o700
    assert (course / "solutions" / "actuator_modes.py").stat().st_mode & 0o777 == 0o600


def test_nothing_to_grade_is_said(autograder):
    told = run(autograder, gain_bias="x = 1\n")
    assert told["score"] == 0 and told["tests"] == [], told["log"]
    assert told["output"].splitlines()[-1] == (
        "Nothing to grade was found. Hand in actuator_modes.py, or the notebook actuator_modes.ipynb"
    )


@pytest.mark.parametrize(
    "gone", ["tests/test_actuator_modes.py", "course/grade.py", "course/releasing/autograder/__main__.py"]
)
def test_a_broken_autograder_gives_no_points_and_says_whom_to_tell(autograder, gone):
    (autograder / "source" / "inside-the-actuator" / gone).unlink()
    told = run(autograder, actuator_modes=answers())
    assert told["score"] == 0 and "tell your instructor" in told["output"], told
    assert not any(test["status"] == "passed" for test in told.get("tests", []))


def test_without_an_interpreter_it_says_so_too(autograder):
    (autograder / "venv" / "bin" / "python").unlink()
    assert run(autograder, actuator_modes=answers())["score"] == 0


# --- what is said ----------------------------------------------------------------------------------------------------


def test_a_check_without_a_report_is_never_a_pass(tmp_path):
    classroom = pytest.importorskip("classroom")
    given = classroom.submission("student")
    told = results(MODES, Gradebook.load(classroom.grade(tmp_path / "some", (given, ["pass", "error", "pass"]))))
    assert told["score"] == 9 and told["output"].startswith("Not every check gave a result.")
    (broken,) = [test for test in told["tests"] if test["status"] == "failed"]
    assert broken["score"] == 0 and "tell your instructor" in broken["output"]

    with classroom.Folder(tmp_path / "none") as folder:
        folder.begin(1)
        folder.note([given])
    told = results(MODES, Gradebook.load(tmp_path / "none"))
    assert told["score"] == 0 and told["tests"] == [] and told["output"].startswith("Not every check gave a result.")


def test_what_the_code_printed_is_text(tmp_path):
    classroom = pytest.importorskip("classroom")
    (record, *_) = classroom.records(classroom.submission("student"), "fail", printed="<b>loud</b>\n")
    said = case(record)
    assert said["output"].endswith("your code printed:\n<b>loud</b>") and said["output_format"] == "text"


def test_answers_and_checks_are_in_it_and_the_search_would_find_them(tmp_path):
    root, words = course_with_canaries(tmp_path / "course")
    release([MODES], gradescope=tmp_path / "zip" / "autograder.zip", root=root)
    assert len(found(tmp_path / "zip", words)) == len(MODES.todos) + 1, "this module's, and no mutant"
