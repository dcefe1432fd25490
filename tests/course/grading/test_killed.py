"""The one who grades is killed without a word: what it has started ends too, whatever the student's file does."""

import os
import subprocess
import sys
import time

import files
import pytest
from walls import as_root, below, each_sandbox, left_running, linux, runs

from course.sandbox import choose

# A file that does not notice the end of its pipe, and hears no signal.
DEAF = """
import signal, threading
import course.child.server
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
course.child.server._end = lambda: threading.Event().wait()
def waits(): threading.Event().wait()
"""
GRADER = """
import threading, time
from course.child import landlock
from course.process import Child
if {account}:
    landlock.version = lambda: 0
asked = Child("actuator_modes", (), {sandbox!r})
asked.load({deaf!r}.encode(), "deaf", "deaf.py", [], 20.0)
reserve = Child("actuator_modes", (), {sandbox!r})
reserve._next(time.monotonic() + 20)
threading.Thread(target=asked.call, args=("waits", (), dict(), time.monotonic() + 600), daemon=True).start()
time.sleep(0.3)
print(asked._place.process.pid, reserve._place.process.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock", pytest.param("account", marks=as_root)])
def test_kill_9_of_the_one_who_asks_ends_its_children(kind):
    """Even one that is deaf: the kernel ends it."""
    name = "limits" if kind == "account" else kind
    if reason := choose.lacking(name):
        pytest.skip(reason)
    script = GRADER.format(account=kind == "account", sandbox=name, deaf=DEAF)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as grader:
        processes = [p for first in grader.stdout.readline().split() for p in below(int(first))]
        assert len(processes) >= 2 and all(map(runs, processes))
        grader.kill()
    assert left_running(processes) == []


@each_sandbox
def test_kill_9_of_course_grade_leaves_nobody(sandbox, tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_SANDBOX", sandbox)
    for number in range(4):
        folder = tmp_path / "class" / f"student{number}"
        folder.mkdir(parents=True)
        slow = f"\n\ndef run(*args):\n    import time\n    time.sleep(4)\n    raise ValueError({number})\n"
        (folder / "actuator_modes.py").write_bytes((files.RIGHT + slow).encode())
    command = [sys.executable, "-m", "course", "grade", "class", "-o", "graded", "--jobs", "2"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as grader:
        until = time.monotonic() + 60  # two processes of ours, and two children of each
        while len(below(grader.pid)) < 7 + 4 * (sandbox == "bubblewrap") and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(1.0)
        processes = below(grader.pid)[1:]
        grader.kill()
    assert left_running(processes) == []


@linux
def test_what_a_killed_grading_left_over_goes_with_the_next_one(tmp_path):
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        pass
    old = tmp_path / f"course-{dead.pid}-abc"
    (old / "room").mkdir(parents=True)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    sleeps = [sys.executable, "-c", "import time; time.sleep(600)"]
    with subprocess.Popen(sleeps, env={**environment, "PYTHONPATH": f"{old}/room"}) as left:
        begins = "from course.sandbox.room import workshop; workshop()"
        subprocess.run([sys.executable, "-c", begins], env=environment, check=True)
        assert left_running([left.pid]) == []
    assert list(tmp_path.iterdir()) == []
