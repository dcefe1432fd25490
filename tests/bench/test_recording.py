"""Recordings on disk: what was written comes back, the layout is LeRobot's, and nothing half-made is left behind."""

import hashlib
import json

import numpy as np
import pyarrow.parquet as pq
import pytest
from small_recordings import changed, recording

from bench.recording import COLUMNS, DataSet, RecordingError, layout, write


@pytest.fixture
def rng():
    return np.random.default_rng(4)


@pytest.fixture
def several(rng):
    """Recordings of both splits and three tasks, of different lengths."""
    return [
        recording(rng, 100 + 7 * i, task=f"task {i % 3}", split="train" if i < 4 else "test", payload=0.1 * i, seed=i)
        for i in range(6)
    ]


def test_what_was_written_comes_back(tmp_path, several):
    data = DataSet(write(tmp_path / "set", several, {"command": "test"}))
    assert (data.robot, data.joints, data.rate, len(data)) == ("so101", ("a", "b", "c"), 60.0, 6)
    assert data.made_by == {"command": "test"}
    assert (data.unit("q"), data.unit("effort"), data.unit("force")) == ("rad", "duty", "N")
    for wanted, got in zip(several, data, strict=True):
        for name in COLUMNS:
            np.testing.assert_array_equal(got[name], wanted[name])
            assert got[name].dtype == COLUMNS[name].dtype
        about = ("task", "payload", "seed", "split", "rate", "effort_unit", "parameters")
        assert [getattr(got, name) for name in about] == [getattr(wanted, name) for name in about]
    assert [found.seed for found in data.find(split="test")] == [4, 5]
    assert [found.seed for found in data.find(task="task 1", split="train")] == [1]


def test_one_joint_and_few_columns(tmp_path, rng):
    one = changed(
        recording(rng, joints=("joint",), parameters={"kp": 100.0}), force=None, force_valid=None, tau_true=None
    )
    got = DataSet(write(tmp_path / "set", [one]))[0]
    np.testing.assert_array_equal(got["q"], one["q"])
    assert got["q"].shape == (120, 1)
    assert got.parameters == {"kp": 100.0}
    with pytest.raises(RecordingError, match="no column force; there are: timestamp, q_cmd"):
        got["force"]


def test_the_same_recordings_give_the_same_bytes(tmp_path, several):
    first, second = write(tmp_path / "one", several), write(tmp_path / "two", several)
    for file in sorted(path for path in first.rglob("*") if path.is_file()):
        assert file.read_bytes() == (second / file.relative_to(first)).read_bytes(), file


def test_the_checksums_are_those_of_the_files(tmp_path, several):
    folder = write(tmp_path / "set", several)
    lines = (folder / "meta" / "SHA256SUMS").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    there = [path for path in folder.rglob("*") if path.is_file() and path.name != "SHA256SUMS"]
    assert listed == {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in there}


def test_the_layout_is_what_lerobot_describes(tmp_path, several):
    """Against facts read from the ecosystem's own writer, through pyarrow alone."""
    folder = write(tmp_path / "set", several)
    info = json.loads((folder / "meta" / "info.json").read_text())
    table = pq.read_table(folder / "data" / "chunk-000" / "file-000.parquet")
    frames = sum(len(one) for one in several)
    assert (info["codebase_version"], info["fps"], info["total_frames"], info["total_tasks"]) == ("v3.0", 60, frames, 3)
    assert info["splits"] == {"train": "0:4", "test": "4:6"}
    assert list(info["features"]) == table.column_names
    for name, feature in info["features"].items():
        kind, (width,) = table.schema.field(name).type, feature["shape"]
        value = kind if width == 1 else kind.value_type
        assert width == 1 or kind.list_size == width
        assert str(value) == {"float32": "float"}.get(feature["dtype"], feature["dtype"]), name
    assert info["features"]["action"]["names"] == ["a.pos", "b.pos", "c.pos"]
    assert table["action"].to_pylist() == table["q_cmd"].to_pylist()
    assert table["observation.state"].to_pylist() == table["q"].to_pylist()
    assert table["index"].to_pylist() == list(range(frames))
    rows = pq.read_table(folder / "meta" / "episodes" / "chunk-000" / "file-000.parquet").to_pylist()
    begin = 0
    for i, (row, one) in enumerate(zip(rows, several, strict=True)):
        mine = table.slice(begin, len(one))
        assert (row["dataset_from_index"], row["dataset_to_index"], row["length"]) == (
            begin,
            begin + len(one),
            len(one),
        )
        assert set(mine["episode_index"].to_pylist()) == {i}
        assert mine["frame_index"].to_pylist() == list(range(len(one)))
        begin += len(one)
    tasks = pq.read_table(folder / "meta" / "tasks.parquet")
    assert json.loads(tasks.schema.metadata[b"pandas"])["index_columns"] == ["task"]
    assert tasks["task"].to_pylist() == ["task 0", "task 1", "task 2"]


def test_statistics_are_those_of_all_frames(tmp_path, several):
    folder = write(tmp_path / "set", several)
    stats = json.loads((folder / "meta" / "stats.json").read_text())
    for name in ("q", "effort", "force", "contact"):
        frames = np.concatenate([one[name].reshape(len(one), -1) for one in several]).astype(float)
        for key in ("min", "max", "mean", "std"):
            np.testing.assert_allclose(stats[name][key], getattr(np, key)(frames, axis=0), atol=1e-9)
        assert stats[name]["count"] == [len(frames)]
    row = pq.read_table(folder / "meta" / "episodes" / "chunk-000" / "file-000.parquet").to_pylist()[2]
    np.testing.assert_allclose(row["stats/q/q90"], np.percentile(several[2]["q"].astype(float), 90, axis=0))


def test_a_large_set_has_several_files_and_reads_one_at_a_time(tmp_path, several, monkeypatch):
    monkeypatch.setattr(layout, "FILE_MIB", 0.05)
    monkeypatch.setattr(layout, "CHUNK_FILES", 2)
    folder = write(tmp_path / "set", several)
    files = sorted(path.relative_to(folder).as_posix() for path in (folder / "data").rglob("*.parquet"))
    assert files[:3] == [f"data/chunk-{c:03d}/file-{f:03d}.parquet" for c, f in ((0, 0), (0, 1), (1, 0))]
    data = DataSet(folder)
    for i in (5, 0, 3):
        np.testing.assert_array_equal(data[i]["q"], several[i]["q"])
    (folder / files[0]).write_bytes(b"not what it was")
    again = DataSet(folder)
    np.testing.assert_array_equal(again[5]["q"], several[5]["q"])  # the damaged file is not needed
    with pytest.raises(RecordingError, match=r"file-000\.parquet: is not what was written \(15 bytes\)"):
        again[0]


class Stop(BaseException):
    """Stands for Ctrl-C and for a crash in the middle."""


@pytest.mark.parametrize("problem", [KeyboardInterrupt, Stop, MemoryError])
def test_nothing_is_left_when_writing_is_interrupted(tmp_path, several, problem):
    def interrupted():
        yield from several[:3]
        raise problem

    with pytest.raises(problem):
        write(tmp_path / "set", interrupted())
    assert list(tmp_path.iterdir()) == []


def test_an_existing_folder_is_left_alone(tmp_path, several):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "mine.txt").write_text("mine")
    with pytest.raises(RecordingError, match=r"set: is there already; remove it or name another folder"):
        write(tmp_path / "set", several)
    assert [path.name for path in tmp_path.rglob("*")] == ["set", "mine.txt"]


def _with(name, change):
    def make(one):
        values = one[name].copy()
        return changed(one, **{name: change(values)})

    return make


def _put(index, value):
    def change(values):
        values[index] = value
        return values

    return change


BAD = {
    "nan": (_with("q", _put((7, 1), np.nan)), r"column q is not a number in 1 of 120 frames, first in frame 7; cut"),
    "infinite": (_with("effort", _put((5, 0), np.inf)), r"column effort is not a number in 1 of 120"),
    "unsorted": (_with("timestamp", _put(9, 0.0)), r"column timestamp does not grow at frame 9; sort"),
    "gap": (
        _with("timestamp", lambda t: t + (np.arange(len(t)) > 50)),
        r"column timestamp has 1 gaps, the longest of 1\.017 s after frame 50; split",
    ),
    "ticks": (_with("q", lambda q: q * 4096), r"column q reaches 4.+ rad, which nothing on a desk does; look"),
    "not valid": (_with("force_valid", lambda valid: ~valid), r"column force is not zero in frames where"),
    "no mask": (lambda one: changed(one, force_valid=None), r"column force_valid is missing though there is a force"),
    "other": (lambda one: type(one)(**vars(one) | {"joints": tuple("abx")}), r"its joints is .*one data set holds"),
    "fewer": (lambda one: changed(one, tau_true=None), r"column tau_true is not in every episode"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_recording_gets_one_line_and_no_data_set(tmp_path, rng, kind):
    make, message = BAD[kind]
    with pytest.raises(RecordingError, match=message) as problem:
        write(tmp_path / "set", [recording(rng), make(recording(rng))])
    assert str(problem.value).startswith("episode 1 (swing): ")
    assert "\n" not in str(problem.value)
    assert list(tmp_path.iterdir()) == []


WRONG = {
    "text": ({"q": np.full((120, 3), "a")}, "column q holds <U1 instead of float32"),
    "objects": ({"q": np.full((120, 3), None)}, "column q holds object"),
    "numbers for truth": ({"contact": np.zeros(120)}, "column contact holds float64 instead of bool"),
    "shape": ({"q": np.zeros((120, 2))}, r"column q has the shape \(120, 2\) instead of \(120, 3\)"),
    "length": ({"force": np.zeros((119, 3))}, r"column force has the shape \(119, 3\) instead of \(120, 3\)"),
    "unknown": ({"current": np.zeros((120, 3))}, "no column is called current; there are: timestamp"),
    "missing": ({"q_cmd": None}, "column q_cmd is missing; every recording needs it"),
    "empty": ({"timestamp": np.zeros(0)}, "column timestamp is empty"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_column_is_named_at_once(rng, kind):
    columns, message = WRONG[kind]
    with pytest.raises(RecordingError, match=message):
        changed(recording(rng), **columns)


def test_no_recordings_is_no_data_set(tmp_path):
    with pytest.raises(RecordingError, match="there is no episode to write"):
        write(tmp_path / "set", [])
    assert list(tmp_path.iterdir()) == []
