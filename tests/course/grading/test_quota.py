"""What the kernel sets no limit to, threads and all files together, and what is left of them: nothing."""

import os

import pytest
from walls import child, each_sandbox, linux

from course.boundary import Problem
from course.sandbox import room
from course.sandbox.quota import FILES, SCRATCH, THREADS

TOO_MUCH = f"""
import threading, time
threading.stack_size(65536)
def threads():
    for _ in range({THREADS + 50}): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    time.sleep(60)
def files():
    for number in range({FILES + 50}): open(str(number), "w").close()
    time.sleep(60)
"""


@each_sandbox
@pytest.mark.parametrize("what", ["threads", "files"])
def test_too_much_of_what_all_share_ends_the_child(sandbox, what):
    with child(sandbox, TOO_MUCH) as (asked, ask):
        with pytest.raises(Problem) as problem:
            ask(what)
        assert (problem.value.kind, asked.exit_code) == ("died", -9)


@each_sandbox
def test_less_than_too_much_does_not(sandbox):
    text = """
import os, threading, time
from pathlib import Path
def works():
    for _ in range(60): threading.Thread(target=time.sleep, args=(0.5,)).start()
    for number in range(3_000): Path(str(number)).write_text("x")
    for number in range(3_000): os.remove(str(number))
    Path("folder/in/it").mkdir(parents=True)
    time.sleep(0.5)
    return 1.0
"""
    with child(sandbox, text) as (_, ask):
        assert ask("works") == 1.0


FILLS = """
import time
def fills(folder):
    for number in range(4):
        with open(f"{folder}/{number}", "wb") as file: file.write(bytes(20_000_000))
    time.sleep(60)
"""


@each_sandbox
def test_too_much_in_the_folder_that_stays_ends_the_child(sandbox, tmp_path):
    with child(sandbox, FILLS, keep=tmp_path) as (asked, ask):
        with pytest.raises(Problem) as problem:
            ask("fills", str(tmp_path))
        assert (problem.value.kind, asked.exit_code) == ("died", -9)


@linux
def test_a_folder_that_stays_begins_anew_before_it_is_too_full(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "ROOT", tmp_path)
    (room.kept("rnea") / "small").write_bytes(b"1")
    assert (room.kept("rnea") / "small").exists()
    (room.kept("rnea") / "large").write_bytes(os.urandom(SCRATCH // 4 + 1))
    assert not list(room.kept("rnea").iterdir())


@linux
def test_a_scratch_folder_goes_whatever_is_in_it(tmp_path):
    scratch = tmp_path / "scratch"
    (scratch / "closed" / "within").mkdir(parents=True)
    (scratch / "link").symlink_to(tmp_path / "kept.txt")
    (tmp_path / "kept.txt").write_text("kept")
    (scratch / "closed").chmod(0)
    here = os.open(".", os.O_RDONLY)
    os.chdir(scratch)
    for _ in range(1_500):  # deeper than recursion goes
        os.mkdir("down" * 10)
        os.chdir("down" * 10)
    os.fchdir(here)
    os.close(here)
    room.clear(scratch)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]
