"""What a model learns from: arrays as they were recorded; and a set that does not fit is refused in one line."""

import json
import re
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_recordings import changed, recording

from bench.recording import DataSet, Recording, RecordingError, write
from bench.recording.checksums import write_sums
from bench.training_data import SAMPLE, Intake, episodes, refuse_unusable


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def recordings(rng, **about):
    return [recording(rng, 60, split=split, **about) for split in ("train", "train", "validation", "test")]


def other(recording, **about):
    """The same numbers under another description."""
    fields = {name: getattr(recording, name) for name in recording.__dataclass_fields__}
    return Recording(**fields | about)


def refusal(data, intake=None, **wanted):
    """The one line with which a set is refused."""
    with pytest.raises(RecordingError) as problem:
        refuse_unusable(data, intake, **wanted)
    line = str(problem.value)
    assert "\n" not in line
    assert str(data.folder) in line
    assert ";" in line, "no remedy"
    return line


def test_episodes_are_what_was_recorded(tmp_path, rng):
    made = recordings(rng, parameters={"trial": 7}, payload=0.3)
    found = episodes(DataSet(write(tmp_path / "set", made)))
    assert [e.split for e in found] == ["train", "train", "validation", "test"]
    for e, one in zip(found, made, strict=True):
        for name in ("q_cmd", "q", "qd", "voltage", "temperature", "force", "tau_true"):
            np.testing.assert_array_equal(getattr(e, name), one[name])
            assert getattr(e, name).dtype == float
        np.testing.assert_array_equal(e.u, one["effort"])
        for name in ("force_valid", "contact", "condition"):
            assert getattr(e, name).dtype == bool
        assert (e.task, e.trial, e.payload, e.robot, e.rate, len(e)) == ("swing", 7, 0.3, "so101", 60.0, 60)


def test_a_real_arm_has_no_tau_true(tmp_path, rng):
    made = [changed(one, tau_true=None) for one in recordings(rng)]
    assert all(e.tau_true is None for e in episodes(DataSet(write(tmp_path / "set", made))))


def test_one_split_of_a_set(tmp_path, rng):
    data = DataSet(write(tmp_path / "set", recordings(rng)[:3]))
    assert len(episodes(data, "train")) == 2
    with pytest.raises(RecordingError, match=r"no episode is of the split test; there are: train, validation$"):
        episodes(data, "test")


@pytest.mark.parametrize("name", ["so101", "openmanipulator_x"])
def test_the_sample_fits_itself(name):
    data = DataSet(SAMPLE / name)
    refuse_unusable(data, Intake.of(data))
    assert len(episodes(data)) == len(data)


def test_another_arm_is_refused():
    line = refusal(DataSet(SAMPLE / "openmanipulator_x"), Intake.of(DataSet(SAMPLE / "so101")))
    assert "is a set of openmanipulator_x, and the model is one of so101" in line


@pytest.mark.parametrize("column", ["qd", "effort", "voltage", "temperature", "force", "contact", "condition"])
def test_a_missing_column_is_named(tmp_path, rng, column):
    gone = {column: None} | ({"force_valid": None} if column == "force" else {})
    data = DataSet(write(tmp_path / "set", [changed(one, **gone) for one in recordings(rng)]))
    line = refusal(data)
    assert f"info.json: column {column} is missing" in line
    refuse_unusable(data, columns=("q_cmd", "q"))  # a model that does not need it may learn


def test_a_column_that_nobody_knows_is_no_traceback(tmp_path, rng):
    line = refusal(DataSet(write(tmp_path / "set", recordings(rng))), columns=("q", "current"))
    assert "no column is called current" in line


@pytest.mark.parametrize(("value", "share"), [(np.nan, "1 of 60"), (np.inf, "1 of 60")])
@pytest.mark.parametrize("column", ["q", "effort", "temperature", "force"])
def test_a_number_that_is_none_is_found(tmp_path, rng, column, value, share):
    """In the last episode, and with checksums that fit: as another program would have written it."""
    data = damaged(write(tmp_path / "set", recordings(rng)), column, value)
    line = refusal(data)
    assert re.search(
        rf"file-000\.parquet: episode 3 \(swing\): column {column} is not a number in {share} frames", line
    )
    with pytest.raises(RecordingError):
        episodes(data, "train")  # the fault is elsewhere in the set, and still nothing is learned from it


def damaged(folder, column, value):
    """The set with one number of the last episode replaced, and checksums made again."""
    file = folder / "data" / "chunk-000" / "file-000.parquet"
    table = pq.read_table(file)
    numbers = np.array(table[column].combine_chunks().flatten()).reshape(table.num_rows, -1)
    numbers[-20, 1] = value
    place = table.schema.get_field_index(column)
    values = pa.FixedSizeListArray.from_arrays(pa.array(numbers.reshape(-1)), numbers.shape[1])
    pq.write_table(table.set_column(place, table.schema.field(place), values), file, row_group_size=60)
    write_sums(folder)
    return DataSet(folder)


def test_an_unsorted_clock_is_refused(tmp_path, rng):
    folder = write(tmp_path / "set", recordings(rng))
    file = folder / "data" / "chunk-000" / "file-000.parquet"
    table = pq.read_table(file)
    time = np.array(table["timestamp"])
    time[-20] = time[-25]
    place = table.schema.get_field_index("timestamp")
    pq.write_table(table.set_column(place, table.schema.field(place), pa.array(time)), file, row_group_size=60)
    write_sums(folder)
    assert "episode 3 (swing): column timestamp does not grow at frame 40" in refusal(DataSet(folder))


def test_another_rate_is_refused(tmp_path, rng):
    data = DataSet(write(tmp_path / "set", recordings(rng, rate=30.0)))
    line = refusal(data, Intake("so101", data.joints, 60.0, "duty"))
    assert "episode 0 (swing): column timestamp has 30 frames a second instead of 60" in line
    refuse_unusable(data, Intake("so101", data.joints, 30.1, "duty"))  # a clock that is a little off


def test_rates_within_a_set_agree(tmp_path, rng):
    made = [*recordings(rng), recording(rng, 60, rate=50.0, split="test")]
    line = refusal(DataSet(write(tmp_path / "set", made)))
    assert "episode 4 (swing): column timestamp has 50 frames a second instead of 60" in line


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (("a", "c", "b"), "has its joints in another order: b where the model has c"),
        (("a", "b", "c", "d"), "has no joint d, which the model needs"),
        (("a", "b"), "has a joint c, which the model does not know"),
        (("a", "b", "x"), "has no joint x, which the model needs"),
    ],
)
def test_other_joints_are_named(tmp_path, rng, wanted, says):
    line = refusal(DataSet(write(tmp_path / "set", recordings(rng))), Intake("so101", wanted, 60.0, "duty"))
    assert f"info.json: column q {says}" in line


def test_another_unit_of_effort_is_refused(tmp_path, rng):
    data = DataSet(write(tmp_path / "set", [other(one, effort_unit="A") for one in recordings(rng)]))
    line = refusal(data, Intake("so101", data.joints, 60.0, "duty"))
    assert "episode 0 (swing): column effort is in A instead of duty" in line


def test_too_short_an_episode_is_refused(tmp_path, rng):
    made = [*recordings(rng), recording(rng, 9, task="twitch")]
    data = DataSet(write(tmp_path / "set", made))
    assert "episode 4 (twitch): column timestamp has 9 frames, and the model needs 10" in refusal(data)
    refuse_unusable(data, frames=9)
    assert "episode 0 (swing): column timestamp has 60 frames, and the model needs 129" in refusal(data, frames=129)


def test_a_file_that_was_damaged_on_the_way_is_refused(tmp_path, rng):
    folder = write(tmp_path / "set", recordings(rng))
    for name in ("data/chunk-000/file-000.parquet", "meta/info.json", "meta/episodes/chunk-000/file-000.parquet"):
        copy = tmp_path / "copy"
        shutil.copytree(folder, copy)
        raw = (copy / name).read_bytes()
        (copy / name).write_bytes(raw[: len(raw) // 2])
        with pytest.raises(RecordingError, match=re.escape(name)):
            episodes(DataSet(copy))
        shutil.rmtree(copy)


def test_a_renamed_joint_is_refused(tmp_path, rng):
    """info.json edited by hand, its checksum made again."""
    data = DataSet(write(tmp_path / "set", recordings(rng)))
    intake, file = Intake.of(data), data.folder / "meta" / "info.json"
    info = json.loads(file.read_text())
    info["features"]["q"]["names"] = ["b", "a", "c"]
    file.write_text(json.dumps(info))
    write_sums(data.folder)
    assert "another order: b where the model has a" in refusal(DataSet(data.folder), intake)
