"""bench record: the same seed gives the same bytes, whatever the processes and however often it was stopped."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from small_recordings import recording

from bench.arms import ARMS
from bench.recording import DataSet, RecordingError
from bench.teleop import session
from bench.teleop import trial as performing
from bench.teleop.nad import plans, trials

TASKS = ["force_x_minus", "force_x_minus_reference", "go_up_stay_still_200g"]


@pytest.fixture
def few():
    return trials(plans()["openmanipulator_x"], 5, TASKS, only=3)


@pytest.fixture
def sketched(monkeypatch):
    """A stand-in for the virtual arm, and a list of the trials that it was asked for."""
    asked = []
    arm = ARMS["openmanipulator_x"]

    def record(trial):
        asked.append((trial.row.task, trial.number))
        about = {"task": trial.row.task, "split": trial.split, "payload": trial.row.payload, "seed": trial.seed}
        return recording(trial.rng("arm"), trial.frames, (*arm.joints, arm.gripper), **about)

    monkeypatch.setattr(performing, "record", record)
    return asked


def everything(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_set_holds_the_trials_in_order(tmp_path, few, sketched):
    done = []
    session.record(tmp_path / "set", few, {"command": "record"}, jobs=1, progress=done.append)
    data = DataSet(tmp_path / "set")
    assert [(entry.task, entry.split, entry.length) for entry in data.entries] == [
        (trial.row.task, trial.split, trial.frames) for trial in few
    ]
    assert sum(done) == sum(trial.frames for trial in few)
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def test_stopped_and_started_again_it_goes_on(tmp_path, few, sketched, monkeypatch):
    session.record(tmp_path / "whole", few, {}, jobs=1)
    whole = everything(tmp_path / "whole")
    del sketched[:]
    real = performing.record

    def interrupted(trial):
        if len(sketched) == 4:
            raise KeyboardInterrupt
        return real(trial)

    monkeypatch.setattr(performing, "record", interrupted)
    with pytest.raises(KeyboardInterrupt):
        session.record(tmp_path / "set", few, {}, jobs=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set.unfinished", "whole"]
    monkeypatch.setattr(performing, "record", real)
    progress = []
    session.record(tmp_path / "set", few, {}, jobs=1, progress=progress.append)
    assert len(sketched) == len(set(sketched)) == len(few)
    assert len(progress) == len(few)
    assert everything(tmp_path / "set") == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set", "whole"]


@pytest.mark.parametrize("change", ["seed", "code", "half-written file"])
def test_what_was_made_otherwise_is_not_used(tmp_path, few, sketched, monkeypatch, change):
    desk = session.Desk(tmp_path / "set.unfinished", few)
    if change == "half-written file":  # a process was killed while it wrote
        (desk.folder / f"{TASKS[0]}_0.4711.tmp").write_bytes(b"PK")
        wanted = few
    else:
        desk.put(few[0], performing.record(few[0]))
        wanted = few if change == "code" else trials(plans()["openmanipulator_x"], 6, TASKS, only=3)
        if change == "code":
            (tmp_path / "other.py").write_text("x = 1")
            monkeypatch.setattr(session, "MADE_FROM", (*session.MADE_FROM, str(tmp_path / "other.py")))
        del sketched[:]
    session.record(tmp_path / "set", wanted, {}, jobs=1)
    assert len(sketched) == len(few)


def test_an_existing_set_is_left_alone(tmp_path, few, sketched):
    (tmp_path / "set").mkdir()
    with pytest.raises(RecordingError, match="set: is there already"):
        session.record(tmp_path / "set", few, {}, jobs=1)
    assert sketched == []


def command(into, *more):
    words = [sys.executable, "-m", "bench", "record", "openmanipulator_x", "-o", str(into), "--trials", "1", *more]
    return [*words, "--task", TASKS[0], "--task", TASKS[1]]


def test_two_processes_and_ctrl_c(tmp_path):
    """On the real thing: Ctrl-C leaves one line and no data set; started again, it makes what one process makes."""
    subprocess.run(command(tmp_path / "one", "--jobs", "1"), check=True, capture_output=True)
    begun = subprocess.Popen(command(tmp_path / "two", "--jobs", "2"), stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (tmp_path / "two" / "openmanipulator_x.unfinished").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    begun.send_signal(signal.SIGINT)
    _, said = begun.communicate(timeout=60)
    if begun.returncode == 130:  # it may have been done already
        assert "the same command goes on" in said
        assert "Traceback" not in said
        assert not (tmp_path / "two" / "openmanipulator_x").exists()
        subprocess.run(command(tmp_path / "two", "--jobs", "2"), check=True, capture_output=True)
    assert everything(tmp_path / "one") == everything(tmp_path / "two")
    assert os.listdir(tmp_path / "two") == ["openmanipulator_x"]
    first, second = DataSet(tmp_path / "two" / "openmanipulator_x")
    np.testing.assert_array_equal(first["q_cmd"], second["q_cmd"])  # a row and its twin
    assert first["contact"].any()
    assert not second["contact"].any()
