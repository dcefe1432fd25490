"""kill -9 at any moment: every file is the old one or the new one, and what the student wrote is still there."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
import tiny
from tiny import FALL, MODULES, half_done

from course.reset import reset
from course.sync import sync
from course.update import update
from course.updating.base import ensure_base

ROOT = Path(__file__).resolve().parents[2]
NEWER = FALL.replace("GRAVITY = 9.81", "GRAVITY = 9.80665").replace(
    "\n\ndef main",
    '\n\ndef energy(m):\n    """In J."""\n    # TODO(you): m g h.\n    ### BEGIN SOLUTION\n    return m\n'
    "    ### END SOLUTION\n\n\ndef main",
)
LATER = b"\n\nmore = 1  # written after the crash\n"
# What is killed: one command, which says when it begins and when it is done.
PROGRAM = """
import sys
from pathlib import Path
import tiny
from course.reset import reset
from course.sync import sync
from course.update import update
command, root, new = sys.argv[1:]
root = Path(root)
print("begin", flush=True)
if command == "reset":
    reset(tiny.FALL_MODULE, root)
elif command == "sync":
    sync(root=root, among=tiny.MODULES)
else:
    update(new, root=root)
print("done", flush=True)
"""


def start(command, root, new):
    """Start a command in a process of its own, and return when it begins."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(Path(tiny.__file__).parent)])}
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, command, str(root), str(new)], stdout=subprocess.PIPE, env=environment
    )
    assert process.stdout.readline() == b"begin\n"
    return process


def duration(command, root, new):
    """How long the command takes from its beginning to its end, in s."""
    process = start(command, root, new)
    begin = time.perf_counter()
    assert process.stdout.readline() == b"done\n"
    seconds = time.perf_counter() - begin
    process.stdout.close()
    assert process.wait(60) == 0
    return seconds


def old_state(folder, command):
    """A clone in which a student has answered a TODO; for sync, an author whose code/ is untouched but old."""
    root = tiny.course(folder)
    ensure_base(root)
    if command == "sync":
        return tiny.write(root, {"solutions/fall.py": FALL.replace("9.81", "9.80665")})
    return tiny.write(root, {"code/fall.py": half_done(), "tests/test_fall.py": "# my stricter check\n"})


def finish(command, root, new):
    if command == "reset":
        reset(tiny.FALL_MODULE, root)
    elif command == "sync":
        sync(root=root, among=MODULES)
    else:
        update(str(new), root=root)


def kept(root, content):
    """Whether some file of the course or of its backups holds these bytes."""
    files = (path for path in root.rglob("*") if path.is_file())
    return any(path.read_bytes() == content for path in files)


@pytest.mark.parametrize(("command", "kills"), [("reset", 7), ("sync", 7), ("update", 14)])
def test_killed_at_any_moment(tmp_path, command, kills):
    new = tiny.course(tmp_path / "new", fall=NEWER)
    tiny.write(
        new, {"README.md": "second edition\n", "lessons/02_more.ipynb": b"{}", "course/program.py": "VERSION = 2\n"}
    )
    whole = old_state(tmp_path / "whole", command)
    before = tiny.snapshot(whole)
    seconds = duration(command, whole, new)
    after = tiny.snapshot(whole)
    assert after != before
    if command == "update":
        assert "9.80665" in after["code/fall.py"].decode() and "g = GRAVITY  # mine" in after["code/fall.py"].decode()

    rng = random.Random(command)
    for i in range(kills):
        root = old_state(tmp_path / f"{i}", command)
        process = start(command, root, new)
        time.sleep(rng.uniform(0, 1.1 * seconds))
        process.kill()
        process.wait()
        process.stdout.close()
        found = {name: content for name, content in tiny.snapshot(root).items() if not name.endswith(".tmp")}
        for name in before | after:
            assert found.get(name) in (before.get(name), after.get(name)), f"{name} is neither the old nor the new file"
        if command != "sync":
            assert kept(root, half_done().encode()), "the answers are gone"
            assert kept(root, b"# my stricter check\n")

        finish(command, root, new)
        ended = {name: content for name, content in tiny.snapshot(root).items() if not name.endswith(".tmp")}
        assert ended == after, "a second run finishes the work"
        if command != "sync":
            assert kept(root, half_done().encode())


def test_stopped_before_any_single_write_and_worked_on(tmp_path, monkeypatch):
    """The same in one process at each replacement of a file; and the student goes on writing before the next update."""
    new = tiny.course(tmp_path / "new", fall=NEWER)
    tiny.write(new, {"README.md": "second edition\n", "lessons/02_more.ipynb": b"{}"})
    whole = old_state(tmp_path / "whole", "update")
    update(str(new), root=whole)
    after = tiny.snapshot(whole)
    real, stopped = os.replace, True
    step = 0
    while stopped:
        step += 1
        root = old_state(tmp_path / f"{step}", "update")
        left = iter(range(step, -1, -1))

        def replace(source, target, left=left):
            if next(left) == 1:
                raise KeyboardInterrupt  # no handler of ours catches it
            real(source, target)

        monkeypatch.setattr(os, "replace", replace)
        try:
            stopped = False
            update(str(new), root=root)
        except KeyboardInterrupt:
            stopped = True
        monkeypatch.setattr(os, "replace", real)
        assert kept(root, half_done().encode())

        path = root / "code" / "fall.py"
        path.write_bytes(path.read_bytes() + LATER)
        update(str(new), root=root)
        assert path.read_bytes() == after["code/fall.py"] + LATER
        path.write_bytes(after["code/fall.py"])
        assert tiny.snapshot(root) == after
    assert step > 10
