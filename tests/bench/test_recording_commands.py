"""bench import, info and replay as a person types them."""

import os
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner
from small_recordings import changed, lerobot_set, recording

from bench.cli import program
from bench.recording import DataSet, write


@pytest.fixture
def lab(monkeypatch):
    """Types a command; gives its exit code and what it printed."""
    monkeypatch.setenv("COLUMNS", "160")

    def type_it(*words):
        done = CliRunner().invoke(program, [str(word) for word in words])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.output
        return done.exit_code, done.output

    return type_it


@pytest.fixture
def ours(tmp_path):
    rng = np.random.default_rng(1)
    several = [recording(rng, 100, task=f"task {i}", split="train", payload=0.1 * i) for i in range(2)]
    return write(tmp_path / "ours", several, {})


def test_help_names_the_commands_and_gives_examples(lab):
    code, text = lab("--help")
    assert code == 0
    assert [word for word in ("record", "import", "info", "replay") if f"  {word} " in text] == program.list_commands(
        None
    )
    for name in program.list_commands(None):
        assert "Example: bench " in lab(name, "-h")[1].replace("\n", " ")


def test_info_says_what_a_set_holds(lab, ours):
    code, text = lab("info", ours)
    assert code == 0
    assert "data set, so101, 2 episodes, 200 frames at 60 Hz" in text
    assert "Nothing is wrong with it." in text
    for column in ("q_cmd", "voltage", "duty", "rad/s", "task 1", "0.1", "50 %"):
        assert column in text


def test_info_says_what_is_wrong(lab, tmp_path):
    rng = np.random.default_rng(1)
    one = recording(rng, 300)
    stuck = changed(one, q=np.where(np.arange(300)[:, None] > 100, one["q"][100], one["q"]))
    code, text = lab("info", write(tmp_path / "stuck", [stuck]))
    assert code == 0  # it may be what was meant
    assert "of a stands still from 1.7 s though q_cmd moves" in " ".join(text.split())
    folder = lerobot_set(tmp_path / "theirs", "v3.0", [(np.full((40, 6), np.nan), np.zeros((40, 6)))], stats=False)
    code, text = lab("info", folder)
    assert code == 1
    assert "Its unit is not written in it" in text
    damaged = write(tmp_path / "damaged", [one])
    (damaged / "data" / "chunk-000" / "file-000.parquet").write_bytes(b"")
    code, text = lab("info", damaged)
    assert code == 1
    assert "error" in text
    assert "is not what was written (0 bytes)" in " ".join(text.split())


@pytest.mark.parametrize("version", ["v2.1", "v3.0"])
def test_import(lab, tmp_path, version):
    rng = np.random.default_rng(3)
    folder = lerobot_set(tmp_path / "theirs", version, [tuple(rng.uniform(-60, 60, (2, 40, 6)))])
    code, text = lab("import", folder, "-o", tmp_path / "mine")
    assert (code, text.count("\n")) == (2, 1)
    assert "does not say the unit of action" in text
    assert not (tmp_path / "mine").exists()
    code, text = lab("import", folder, "-o", tmp_path / "mine", "--units", "degrees", "--robot", "my_arm")
    assert code == 0
    assert "joint gripper is left out" in text
    assert DataSet(tmp_path / "mine").robot == "my_arm"
    code, text = lab("import", folder, "-o", tmp_path / "mine", "--units", "degrees")
    assert (code, text.count("\n")) == (2, 1)
    assert "is there already; remove it or name another folder" in text


def test_replay(lab, ours, tmp_path):
    code, text = lab("replay", ours, 1, "-o", tmp_path / "x.png")
    assert (code, text) == (0, f"{tmp_path / 'x.png'}: so101 has no joint a\n")
    assert (tmp_path / "x.png").stat().st_size > 10_000
    code, text = lab("replay", ours, 1, "-o", tmp_path / "nowhere" / "x.png")
    assert (code, text) == (2, f"{tmp_path / 'nowhere' / 'x.png'}: No such file or directory\n")
    code, text = lab("replay", ours, 7)
    assert (code, text) == (2, f"{ours}: has episodes 0 to 1, and no 7\n")


def test_python_m_bench(ours):
    """The module starts as the course's does, and a wrong path is one line and exit code 2."""
    run = subprocess.run(
        [sys.executable, "-m", "bench", "info", str(ours / "nowhere")], capture_output=True, text=True, env=os.environ
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"{ours / 'nowhere'}: is not there\n"
