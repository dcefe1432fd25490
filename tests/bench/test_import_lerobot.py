"""LeRobot's sets become ours: the right numbers in radians, and no unit that nobody has named."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_recordings import SO101, lerobot_set, recording

from bench.importing import Units, open_source
from bench.importing.source import recordings
from bench.recording import DataSet, RecordingError, write

VERSIONS = ("v2.1", "v3.0")
TICKS = {
    joint: {"id": i + 1, "drive_mode": 0, "homing_offset": 0, "range_min": 1000 + 10 * i, "range_max": 3000 + 30 * i}
    for i, joint in enumerate(SO101)
}


@pytest.fixture
def rng():
    return np.random.default_rng(6)


def degrees(rng, frames=40):
    """Action and state of one episode: five joints in degrees, the gripper from 0 to 100."""
    values = rng.uniform(-90, 90, (2, frames, 6)).astype(np.float32)
    values[..., 5] = np.abs(values[..., 5])
    return tuple(values)


@pytest.mark.parametrize("version", VERSIONS)
def test_degrees_become_radians_and_the_gripper_stays_away(tmp_path, rng, version):
    episodes = [degrees(rng), degrees(rng, 25)]
    source = open_source(lerobot_set(tmp_path / "theirs", version, episodes), Units.named("degrees"))
    assert source.notes[0] == "observation.images.top is left out: pictures"
    assert source.notes[1].startswith(
        "joint gripper is left out: it is a share of a range that only the arm's calibration"
    )
    data = DataSet(write(tmp_path / "ours", recordings(source)))
    assert (data.robot, data.joints, data.rate, data.columns) == ("so101", SO101[:5], 30.0, ("timestamp", "q_cmd", "q"))
    for got, (action, state) in zip(data, episodes, strict=True):
        np.testing.assert_allclose(got["q_cmd"], action[:, :5] * np.pi / 180, rtol=1e-6)
        np.testing.assert_allclose(got["q"], state[:, :5] * np.pi / 180, rtol=1e-6)
        np.testing.assert_allclose(got["timestamp"], np.arange(len(got)) / 30, atol=1e-6)
        assert (got.task, got.split, got.seed, got.rate) == ("grasp the cube", "train", -1, 30.0)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_share_of_the_range_needs_the_calibration(tmp_path, rng, version):
    ticks = np.stack([rng.integers(entry["range_min"], entry["range_max"], 30) for entry in TICKS.values()], axis=1)
    low = np.array([entry["range_min"] for entry in TICKS.values()])
    high = np.array([entry["range_max"] for entry in TICKS.values()])
    share = 200 * (ticks - low) / (high - low) - 100  # as LeRobot's motor bus normalises, the gripper to 0 to 100
    share[:, 5] = 100 * (ticks[:, 5] - low[5]) / (high[5] - low[5])
    folder = lerobot_set(tmp_path / "theirs", version, [(share, share)])
    with pytest.raises(
        RecordingError, match="--units range: means a share of each joint's range; name it: --calibration"
    ):
        Units.named("range")
    calibration = tmp_path / "my_arm.json"
    calibration.write_text(json.dumps(TICKS))
    got = next(recordings(open_source(folder, Units.named("range", calibration))))
    np.testing.assert_allclose(got["q"], (ticks - (low + high) / 2) * 2 * np.pi / 4096, atol=1e-5)
    assert got.joints == SO101
    calibration.write_text(json.dumps({joint: entry | {"drive_mode": 1} for joint, entry in TICKS.items()}))
    mirrored = next(recordings(open_source(folder, Units.named("range", calibration))))
    np.testing.assert_allclose(mirrored["q"], -got["q"], atol=1e-5)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_unit_is_never_guessed(tmp_path, rng, version):
    folder = lerobot_set(tmp_path / "theirs", version, [degrees(rng)])
    with pytest.raises(
        RecordingError, match=r"does not say the unit of action, which spans -.*; name it: --units radians"
    ):
        next(recordings(open_source(folder, Units())))
    with pytest.raises(RecordingError, match=r"column action: reaches 8\d.* for shoulder_pan, too far for radians"):
        next(recordings(open_source(folder, Units.named("radians"))))


def test_a_range_that_is_left_is_not_a_range(tmp_path, rng):
    calibration = tmp_path / "my_arm.json"
    calibration.write_text(json.dumps(TICKS))
    action, state = degrees(rng)
    folder = lerobot_set(tmp_path / "theirs", "v3.0", [(1.3 * action, state)])
    with pytest.raises(RecordingError, match="too far for a share of its range; name the right unit"):
        next(recordings(open_source(folder, Units.named("range", calibration))))


CALIBRATIONS = {
    "not JSON": ("{", "is not JSON"),
    "another file": ('{"mass": 3}', "mass has no range_min and range_max; is it a calibration"),
    "floats": ('{"gripper": {"range_min": 0.5, "range_max": 9}}', "the range of gripper is not in whole ticks"),
    "empty": ('{"gripper": {"range_min": 9, "range_max": 9}}', "the range of gripper is empty; calibrate"),
}


@pytest.mark.parametrize("kind", CALIBRATIONS)
def test_a_wrong_calibration_is_named(tmp_path, kind):
    text, message = CALIBRATIONS[kind]
    (tmp_path / "my_arm.json").write_text(text)
    with pytest.raises(RecordingError, match=message):
        Units.named("range", tmp_path / "my_arm.json")


def test_our_own_set_comes_back_whole(tmp_path, rng):
    """A set of ours without its checksums, as a copy through the ecosystem's tools is, keeps every column."""
    mine = [recording(rng, 50 + i, split="test", payload=0.2, seed=i, parameters={"kp": 3.0}) for i in range(2)]
    folder = write(tmp_path / "ours", mine)
    (folder / "meta" / "SHA256SUMS").unlink()
    data = DataSet(write(tmp_path / "again", recordings(open_source(folder, Units()))))
    for got, wanted in zip(data, mine, strict=True):
        for name, values in wanted.columns.items():
            np.testing.assert_array_equal(got[name], values)
        assert (got.payload, got.split, got.seed, got.effort_unit) == (0.2, "test", wanted.seed, "duty")
        assert got.parameters == {"kp": 3.0}
    (tmp_path / "again" / "data" / "chunk-000" / "file-000.parquet").write_bytes(b"PAR1")
    with pytest.raises(RecordingError, match=r"file-000\.parquet: is not what was written"):
        open_source(tmp_path / "again", Units())


def edit_info(folder, **changes):
    file = folder / "meta" / "info.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


def edit_data(folder, change):
    for file in sorted((folder / "data").rglob("*.parquet")):
        pq.write_table(change(pq.read_table(file)), file)


def remove(folder, *patterns):
    for file in [file for pattern in patterns for file in folder.rglob(pattern)]:
        file.unlink()


def without(name):
    return lambda table: table.drop_columns([name])


def replaced(name, make):
    return lambda table: table.set_column(table.column_names.index(name), name, make(table))


DAMAGE = {
    "version": (lambda f: edit_info(f, codebase_version="v1.6"), r"info\.json: says codebase_version 'v1\.6'; v2\.1"),
    "no version": (lambda f: edit_info(f, codebase_version=None), r"codebase_version None"),
    "no rate": (lambda f: edit_info(f, fps=None), r"has an entry too few or an odd one"),
    "no angles": (lambda f: edit_info(f, features={}), r"there is no column action; it holds no angles"),
    "lost episodes": (lambda f: edit_info(f, total_episodes=9), r"lists 2 episodes where meta/info\.json says 9"),
    "list": (lambda f: (f / "meta" / "info.json").write_text("[]"), r"info\.json: holds a list instead of an object"),
    "no column": (lambda f: edit_data(f, without("action")), r"column action is missing; is the copy complete"),
    "text": (
        lambda f: edit_data(f, replaced("action", lambda t: pa.array(["a"] * len(t)))),
        r"column action: has the shape \(\d+,\) for 6 joints",
    ),
    "ragged": (
        lambda f: edit_data(f, replaced("action", lambda t: pa.array([[1.0] * (1 + i % 2) for i in range(len(t))]))),
        r"is not made of numbers",
    ),
    "fewer joints": (
        lambda f: edit_data(f, replaced("action", lambda t: pa.array([[1.0] * 4] * len(t)))),
        r"(has the shape|does not fit its statistics)",
    ),
    "shuffled": (lambda f: edit_data(f, lambda t: t.take(list(range(len(t)))[::-1])), r"frame_index does not count"),
    "cut": (lambda f: edit_data(f, lambda t: t.slice(0, 20)), r"has \d+ frames where meta/ says \d+"),
    "other numbers": (
        lambda f: edit_data(f, replaced("observation.state", lambda t: pa.array([[2.0] * 6] * len(t)))),
        r"column observation\.state does not fit its statistics in meta/",
    ),
    "not Parquet": (
        lambda f: [p.write_bytes(b"PAR1 and nothing else") for p in (f / "data").rglob("*.parquet")],
        r"is damaged or not Parquet",
    ),
    "no data": (lambda f: remove(f / "data", "*.parquet"), r"\.parquet: is not there; is the copy"),
    "no episodes": (lambda f: remove(f / "meta", "*episode*/**/*.parquet", "episodes.jsonl"), r"lists 0|is not there"),
}  # fmt: skip


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_set_gets_one_line_and_no_data_set(tmp_path, rng, version, kind):
    change, message = DAMAGE[kind]
    folder = lerobot_set(tmp_path / "theirs", version, [degrees(rng), degrees(rng)], stats=kind != "text")
    change(folder)
    with pytest.raises(RecordingError, match=message) as problem:
        write(tmp_path / "ours", recordings(open_source(folder, Units.named("degrees"))))
    assert "\n" not in str(problem.value)
    assert [path.name for path in tmp_path.iterdir()] == ["theirs"]


@pytest.mark.parametrize("version", VERSIONS)
def test_bad_episodes_can_be_left_out(tmp_path, rng, version):
    bad, state = degrees(rng)
    bad[3, 2] = np.nan
    folder = lerobot_set(tmp_path / "theirs", version, [degrees(rng), (bad, state), degrees(rng)], stats=False)
    with pytest.raises(
        RecordingError, match=r"episode 1: column q_cmd is not a number in 1 of 40.*leave .* out: --skip-bad"
    ):
        list(recordings(open_source(folder, Units.named("degrees"))))
    skipped = []
    assert len(list(recordings(open_source(folder, Units.named("degrees")), skipped))) == 2
    assert len(skipped) == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_random_damage_never_ends_in_a_traceback(tmp_path, rng, version):
    """Neither an exception of another kind nor numbers that differ by more than single precision."""
    episodes = [degrees(rng), degrees(rng)]
    folder = lerobot_set(tmp_path / "theirs", version, episodes)
    wanted = [one["q"] for one in recordings(open_source(folder, Units.named("degrees")))]
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        raw = file.read_bytes()
        for at in rng.integers(0, len(raw), 25):
            for damaged in (raw[:at], raw[:at] + bytes([raw[at] ^ 1 << int(rng.integers(8))]) + raw[at + 1 :]):
                file.write_bytes(damaged)
                try:
                    got = [one["q"] for one in recordings(open_source(folder, Units.named("degrees")))]
                except RecordingError as problem:
                    assert "\n" not in str(problem)
                    continue
                if [len(one) for one in got] == [len(one) for one in wanted] and got[0].shape == wanted[0].shape:
                    np.testing.assert_allclose(got, wanted, atol=0.01)
        file.write_bytes(raw)
