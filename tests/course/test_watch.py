"""`course watch` answers every save, and survives what editors and students do to a file."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time

import pytest
from rich.console import Console

from course import watch as watching
from course.skeleton import replace
from course.syllabus import ROOT, UserError, module

MODULE = module("actuator_modes")
RIGHT = MODULE.solution.read_text(encoding="utf-8")
WRONG = RIGHT.replace("- KV * qd", "+ KV * qd")


class Watch:
    """A running `course watch` on a file of our own."""

    def __init__(self, folder):
        self.file = folder / "actuator_modes.py"
        self.file.write_text(RIGHT, encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "course", "watch", "actuator_modes"],
            cwd=ROOT,
            env={**os.environ, "COURSE_EXERCISES": str(folder), "NO_COLOR": "1", "COLUMNS": "200"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line)

    def until(self, words, seconds=60.0):
        """What it prints up to and with the line that holds `words`."""
        printed, end = "", time.monotonic() + seconds
        while words not in printed:
            try:
                printed += self._lines.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                pytest.fail(f"waited for {words!r}, saw:\n{printed}")
        return printed


@pytest.fixture
def watch(tmp_path):
    watching = Watch(tmp_path)
    watching.until("checked in")
    yield watching
    watching.process.kill()
    watching.process.wait()


def test_every_save_gets_a_verdict(watch):
    watch.file.write_text(WRONG, encoding="utf-8")
    assert "the sign of the derivative term is backwards" in watch.until("checked in")
    watch.file.write_text(RIGHT, encoding="utf-8")
    assert "All of it passes" in watch.until("checked in")


def test_a_save_by_renaming_is_a_save(watch):
    other = watch.file.with_suffix(".swp")
    other.write_text(WRONG, encoding="utf-8")
    other.replace(watch.file)
    assert "backwards" in watch.until("checked in")


def test_a_deleted_file_is_waited_for(watch):
    watch.file.unlink()
    watch.until("is gone. Waiting for it")
    watch.file.write_text(RIGHT, encoding="utf-8")
    assert "All of it passes" in watch.until("checked in")


def test_a_syntax_error_does_not_end_it(watch):
    watch.file.write_text(RIGHT + "\ndef broken(:\n", encoding="utf-8")
    assert "Python cannot read this file" in watch.until("checked in")
    watch.file.write_text(RIGHT, encoding="utf-8")
    assert "All of it passes" in watch.until("checked in")


def test_a_link_to_itself_does_not_end_it(watch):
    watch.file.unlink()
    watch.file.symlink_to(watch.file)
    assert "is gone. Waiting for it" in watch.until("is gone")
    watch.file.unlink()
    watch.file.write_text(RIGHT, encoding="utf-8")
    assert "All of it passes" in watch.until("checked in")


def test_checks_that_cannot_be_read_do_not_end_it(monkeypatch, capsys):
    def unreadable(*args, **kwargs):
        raise UserError("The checks cannot be read")

    monkeypatch.setattr(watching, "run", unreadable)
    watching._verdict(MODULE, MODULE.solution, None, Console())
    assert "The checks cannot be read" in capsys.readouterr().out


def test_an_endless_loop_does_not_end_it(watch):
    watch.file.write_text(replace(RIGHT, {"pd_force": "    while True: pass\n"}), encoding="utf-8")
    assert "pd_force() did not come back in time" in watch.until("checked in")
    watch.file.write_text(RIGHT, encoding="utf-8")
    assert "All of it passes" in watch.until("checked in")


def test_the_end_leaves_no_process_behind(watch):
    children = children_of(watch.process.pid)
    assert children, "there is a child in reserve"
    watch.process.send_signal(signal.SIGINT)
    assert watch.process.wait(20) == 130
    watch.until("Stopped.")
    wait_until_gone(children)


def test_a_killed_watch_leaves_no_process_behind(watch):
    children = children_of(watch.process.pid)
    watch.process.kill()
    wait_until_gone(children)


def children_of(pid):
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    return [int(row.split()[0]) for row in listed.splitlines() if int(row.split()[1]) == pid]


def wait_until_gone(pids, seconds=10.0):
    end = time.monotonic() + seconds
    while alive := [pid for pid in pids if runs(pid)]:
        assert time.monotonic() < end, f"still running: {alive}"
        time.sleep(0.05)


def runs(pid):
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")
