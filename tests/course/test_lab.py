"""`course lab`: a working copy of the lesson that is renewed, and never at the cost of what the reader did in it."""

import json
import os
import subprocess
import sys
import types

import pytest
import tiny
from tiny import FALL_MODULE, SERVO_MODULE

from course import lab
from course.lab import open_lab, prepare, renew_copies
from course.syllabus import Module, UserError

OLD, NEW = tiny.notebook("print(1)"), tiny.notebook("print(1)", "print('news')")


@pytest.fixture
def root(tmp_path):
    return tiny.course(tmp_path)


def files(root):
    return sorted(path.name for path in (root / "lab").iterdir())


def run(notebook):
    """The notebook after its cells were run, as Jupyter saves it."""
    found = json.loads(notebook)
    for cell in found["cells"]:
        cell |= {"outputs": [{"text": "1"}], "execution_count": 1}
    return json.dumps(found | {"metadata": {"kernelspec": {}}}, indent=1).encode()


def test_the_first_time_the_lesson_is_copied(root):
    path = prepare(FALL_MODULE, root)
    assert path == root / "lab" / "00_fall.ipynb" and path.read_bytes() == OLD
    assert files(root) == ["00_fall.ipynb"]


def test_without_a_module_all_lessons_are_copied(root):
    assert prepare(None, root) == root / "lab"
    assert files(root) == ["00_fall.ipynb", "01_servo.ipynb"]


def test_what_the_reader_did_stays(root, capsys):
    path = prepare(FALL_MODULE, root)
    path.write_bytes(tiny.notebook("print(2)"))
    assert prepare(FALL_MODULE, root).read_bytes() == tiny.notebook("print(2)")
    path.unlink()
    assert prepare(FALL_MODULE, root).read_bytes() == OLD
    assert capsys.readouterr().out == ""


def test_a_new_lesson_renews_an_untouched_copy(root, capsys):
    path = prepare(FALL_MODULE, root)
    tiny.write(root, {"lessons/00_fall.ipynb": NEW})
    assert prepare(FALL_MODULE, root) == path and path.read_bytes() == NEW
    assert capsys.readouterr().out == "lab/00_fall.ipynb: renewed, the lesson has changed\n"
    assert files(root) == ["00_fall.ipynb"] and tiny.backups(root) == {}


def test_a_copy_that_was_only_run_is_renewed_and_its_results_are_kept(root):
    path = prepare(FALL_MODULE, root)
    path.write_bytes(run(OLD))
    tiny.write(root, {"lessons/00_fall.ipynb": NEW})
    prepare(FALL_MODULE, root)
    assert path.read_bytes() == NEW and tiny.backups(root) == {"lab/00_fall.ipynb": run(OLD)}


@pytest.mark.parametrize("mine", [tiny.notebook("print(2)"), b"{ not a notebook", b""])
def test_where_both_changed_the_old_copy_gets_a_dated_name(root, capsys, mine):
    path = prepare(FALL_MODULE, root)
    path.write_bytes(mine)
    tiny.write(root, {"lessons/00_fall.ipynb": NEW})
    assert renew_copies(root) == [] and path.read_bytes() == mine, "an update leaves it alone"
    prepare(FALL_MODULE, root)
    (aside,) = [name for name in files(root) if name != "00_fall.ipynb"]
    assert path.read_bytes() == NEW and (root / "lab" / aside).read_bytes() == mine
    assert aside.startswith("00_fall.20") and f"yours is now lab/{aside}" in capsys.readouterr().out
    tiny.write(root, {"lessons/00_fall.ipynb": OLD})
    assert len(renew_copies(root)) == 1, "the dated copy is left alone"


def test_an_update_renews_untouched_copies(root):
    prepare(None, root)
    tiny.write(root, {"lessons/00_fall.ipynb": NEW, "lab/mine.ipynb": b"{}"})
    assert renew_copies(root) == ["lab/00_fall.ipynb: renewed, the lesson has changed"]
    assert (root / "lab" / "00_fall.ipynb").read_bytes() == NEW


def test_a_lesson_that_is_not_there_yet_is_one_line(root):
    with pytest.raises(UserError, match="There is no lesson for 07 stall in lessons/ yet"):
        prepare(Module(7, "stall", "Stall", 1, 10, 1.0, (), ()), root)


def test_a_linked_copy_is_not_written_through(root, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    try:
        (root / "lab").symlink_to(outside)
    except OSError:
        pytest.skip("this user may make no links")
    with pytest.raises(UserError, match=r"lab/01_servo\.ipynb is a link or in a linked folder"):
        prepare(SERVO_MODULE, root)
    assert list(outside.iterdir()) == []


def test_jupyterlab_is_started_on_the_copy_with_the_course_as_its_folder(root, monkeypatch):
    started = []

    def popen(command, cwd, env):
        started.append((command, cwd, env))
        return types.SimpleNamespace(wait=lambda: 0)

    monkeypatch.setattr(subprocess, "Popen", popen)
    open_lab(prepare(FALL_MODULE, root), root)
    ((command, cwd, env),) = started
    assert command[:3] == [sys.executable, "-m", "jupyterlab"] and cwd == root
    assert f"--ServerApp.root_dir={root}" in command
    assert "--LabApp.default_url=/lab/tree/lab/00_fall.ipynb" in command
    assert env["PYTHONPATH"].split(os.pathsep)[0] == str(root), "another copy of the course may be the installed one"


def test_without_jupyterlab_there_is_one_line(root, monkeypatch):
    monkeypatch.setattr(lab, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"JupyterLab is not installed .* -m pip install jupyterlab"):
        open_lab(root / "lab", root)


def test_ctrl_c_ends_the_server_and_nothing_else(root, monkeypatch):
    calls = []

    def wait(*seconds):
        calls.append(("wait", *seconds))
        if not seconds:
            raise KeyboardInterrupt
        return 0

    server = types.SimpleNamespace(
        wait=wait, terminate=lambda: calls.append("terminate"), kill=lambda: calls.append("kill")
    )
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: server)
    open_lab(prepare(FALL_MODULE, root), root)
    assert ("wait", 10) in calls and "kill" not in calls


def test_a_server_that_fails_is_one_line(root, monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: types.SimpleNamespace(wait=lambda: 3))
    with pytest.raises(UserError, match="JupyterLab ended with code 3"):
        open_lab(prepare(FALL_MODULE, root), root)
