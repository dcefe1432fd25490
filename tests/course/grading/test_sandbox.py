"""The walls themselves: what each refuses and with which error, what is inside, and that without them nothing is."""

import errno
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from walls import SANDBOXES, as_root, behind, below, child, each_sandbox, linux, needs

from course.process import Child
from course.sandbox import choose, place, room
from course.syllabus import ROOT

pytestmark = linux

# One layer at a time.


def test_limits():
    with behind("limits") as ask:
        found = ask("limits")
        for name, most in {"AS": place.MEMORY, "FSIZE": place.SCRATCH // 2, "CPU": place.CPU, "NOFILE": 256}.items():
            assert max(found[name]) <= most and found[name][0] == found[name][1]
        assert found["CORE"] == found["MEMLOCK"] == [0, 0]
        assert ask("forks") == 0  # that is another layer's business


def test_no_capabilities_whoever_starts_it():
    with behind("limits") as ask:
        assert not any(ask("capabilities"))


@as_root
def test_another_account():
    with behind("account") as ask:
        assert [ask("ids")[i] for i in range(3)] == [65534] * 3
        assert ask("reads", "/etc/shadow") == errno.EACCES
        assert ask("writes", str(ROOT / "README.md")) == errno.EACCES
        assert ask("writes", "own.txt") == 0


@needs("landlock")
def test_landlock(tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    with behind("landlock") as ask:
        assert ask("reads", str(tmp_path / "secret.txt")) == errno.EACCES
        assert ask("lists", str(tmp_path)) == errno.EACCES
        assert ask("lists", "/proc") == errno.EACCES
        assert ask("writes", str(tmp_path / "new.txt")) == errno.EACCES
        assert ask("writes", str(ROOT / "bench" / "pendulum.py")) == errno.EACCES
        assert ask("reads", str(ROOT / "bench" / "pendulum.py")) == 0
        assert ask("writes", "own.txt") == 0
        assert ask("links", str(ROOT / "bench" / "pendulum.py"), "own.py") in (errno.EXDEV, errno.EACCES, errno.EPERM)
        assert ask("forks") == 0


@needs("landlock")
def test_seccomp(tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    with behind("seccomp") as ask:
        assert ask("forks") == ask("executes") == ask("connects", 9) == errno.EPERM
        assert ask("signals", os.getpid()) == ask("signals", -1) == ask("signals", 0) == errno.EPERM
        assert ask("starts_a_thread") is None
        assert ask("reads", str(tmp_path / "secret.txt")) == 0  # that is another layer's business
        if os.uname().machine == "x86_64":
            clone3, openat2, fcntl, prctl, owner, other_half = 435, 437, 72, 157, 8, 1 << 32
            assert ask("calls", clone3, 0, 0) == errno.ENOSYS
            assert ask("calls", 451, 0, 0) == ask("calls", 600, 0) == errno.ENOSYS  # younger than the list
            assert ask("calls", openat2, 0) != errno.ENOSYS
            for half in (0, other_half):
                assert ask("calls", fcntl, 0, owner | half, 1) == errno.EPERM
                assert ask("calls", prctl, 1 | half, 0) == ask("calls", prctl, 4 | half, 0) == errno.EPERM


# All of them.


@each_sandbox
def test_what_a_child_has(sandbox):
    until = time.monotonic() + 10
    with child(sandbox) as (asked, ask):
        environment = ask("environment")
        assert environment.keys() - {"PWD", "LC_CTYPE"} == {
            *("PYTHONPATH", "HOME", "TMPDIR", "PATH", "LANG", "PYTHONDONTWRITEBYTECODE", "MUJOCO_GL", "MPLBACKEND"),
            *("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "MALLOC_ARENA_MAX"),
        }
        assert ask("here") == environment["HOME"] == environment["TMPDIR"]
        assert not any(ask("capabilities"))
        inside = below(asked._process.pid)[-1]
        while (adjusted := Path(f"/proc/{inside}/oom_score_adj").read_text()) != "1000\n":
            assert time.monotonic() < until, adjusted


@each_sandbox
def test_the_walls_of_both(sandbox, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    hidden = {errno.ENOENT, errno.EACCES}
    with child(sandbox) as (_, ask):
        for path in (tmp_path / "secret.txt", ROOT / "tests" / "test_actuator_modes.py", "/etc/passwd"):
            assert ask("reads", str(path)) in hidden
        assert ask("reads", str(ROOT / "solutions" / "actuator_modes.py")) in hidden
        assert ask("reads", str(ROOT / "solutions" / "first_steps.py")) == 0
        assert ask("writes", str(tmp_path / "new.txt")) in hidden | {errno.EROFS}
        assert ask("writes", str(ROOT / "models" / "pendulum.xml")) in {errno.EACCES, errno.EROFS}
        assert ask("forks") == ask("executes") == ask("connects", 9) == errno.EPERM


@each_sandbox
def test_a_folder_that_stays_is_all_else_that_may_be_written(sandbox, tmp_path):
    for name in ("keep", "other"):
        (tmp_path / name).mkdir()
    with child(sandbox, keep=tmp_path / "keep") as (_, ask):
        assert ask("writes", str(tmp_path / "keep" / "new")) == 0
        assert ask("writes", str(tmp_path / "other" / "new")) in {errno.ENOENT, errno.EACCES}
        assert ask("links", str(ROOT / "bench" / "pendulum.py"), str(tmp_path / "keep" / "own.py")) > 0
        assert ask("executes") == errno.EPERM
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()] == ["keep/new"]


@each_sandbox
def test_what_one_s_own_file_compiles_is_there_in_the_next_check(sandbox, tmp_path):
    pytest.importorskip("jax")
    text = "from bench.xla import jax, jnp\ndef slope(x): return float(jax.jit(jax.grad(jnp.sin))(x))"
    for _ in range(2):
        with child(sandbox, text, keep=tmp_path) as (_, ask):
            assert ask("slope", 0.0) == 1.0
        compiled = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
        assert compiled
    with child(sandbox, text) as (_, ask):  # as a class is graded
        assert ask("slope", 1.0) < 1.0
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == compiled


def test_the_folder_in_which_the_command_was_typed_is_closed(tmp_path):
    """`python3 -m course` puts it on the path of modules. It may be the class's."""
    (tmp_path / "grading.json").write_text("the secret seed")
    script = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_sandbox import child
assert os.getcwd() in sys.path
for sandbox in {[name for name in SANDBOXES if not choose.lacking(name)]}:
    with child(sandbox) as (_, ask):
        assert ask("reads", os.path.abspath("grading.json")) > 0
"""
    (tmp_path / "typed.py").write_text(script)
    subprocess.run([sys.executable, "-m", "typed"], cwd=tmp_path, check=True, timeout=60)


def test_the_room_of_a_module_has_no_answer_and_no_check(tmp_path):
    found = room.room("gain_bias", str(tmp_path))
    names = {path.relative_to(found).as_posix() for path in found.rglob("*")}
    assert names - {"data"} == {  # which comes with the first recordings
        *("bench", "models", "course", "course/__init__.py", "course/child", "solutions"),
        *("solutions/__init__.py", "solutions/first_steps.py", "solutions/actuator_modes.py"),
    }
    for path in map(Path, room.readable("gain_bias")):
        assert not ROOT.is_relative_to(path)
        assert (
            not path.is_relative_to(ROOT)
            or path.relative_to(ROOT).as_posix() in names | {".venv"}
            or (path.is_relative_to(sys.prefix))
        )
    assert not [p for p in room.readable("") if "solutions" in p and not p.endswith("__init__.py")]


# Without a wall, no child.


def started(told, before=""):
    """What a child does with this confinement after `before` was done to it: its exit code, and what it wrote."""
    script = f"import sys; {before}; from course.child.__main__ import main; sys.argv = ['child', {told!r}]; main()"
    done = subprocess.run([sys.executable, "-c", script], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return done.returncode, done.stdout


def confinement(*layers, **more):
    sizes = {"memory": 2**32, "files": 2**20, "cpu": 60, "parent": 0, "read": [], "write": []}
    return json.dumps({"layers": layers, **sizes, **more})


@pytest.mark.parametrize(
    ("layers", "before"),
    [
        (["landlock"], "from course.child import landlock; landlock._ADD_RULE = 9999"),
        (["landlock"], "from course.child import landlock; landlock._CREATE = 9999"),
        (["seccomp"], "from course.child import seccomp; seccomp.LIBRARY = 'libnothing.so'"),
        (["seccomp"], "from course.child import seccomp; seccomp._ALLOW = 12345"),
        (["limits"], "import resource; resource.setrlimit = None"),
        (["account"], "import os; os.setresuid = None"),
    ],
)
def test_a_layer_that_fails_leaves_no_child(layers, before):
    told = confinement(*layers, read=["/usr"] if "landlock" in layers else [])
    code, wrote = started(told, before)
    assert code != 0 and wrote == b""


@each_sandbox
def test_a_child_that_has_fewer_walls_than_it_should_is_not_asked(sandbox):
    asked = Child("actuator_modes", (), sandbox)
    asked._place.layers = (*asked._place.layers, "another")
    try:
        with pytest.raises(RuntimeError, match="not confined as it was told to be"):
            asked.load(b"", "tries", "tries.py", [], 20.0)
    finally:
        asked.kill()


@needs("bubblewrap")
def test_bubblewrap_that_does_nothing_is_no_sandbox(tmp_path, monkeypatch):
    """A child inside it would still confine itself; one that never comes up is our fault and not the student's."""
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: no' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    asked = Child("actuator_modes", (), "bubblewrap")
    try:
        with pytest.raises(RuntimeError, match="did not start: bwrap: no"):
            asked.load(b"", "tries", "tries.py", [], 20.0)
    finally:
        asked.kill()
