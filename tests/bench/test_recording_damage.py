"""A data set with a damaged file is refused in one line, whatever the damage and wherever it is."""

import shutil

import numpy as np
import pytest
from small_recordings import recording

from bench.recording import DataSet, RecordingError, write


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    rng = np.random.default_rng(3)
    return write(tmp_path_factory.mktemp("good") / "set", [recording(rng, 60, split="train") for _ in range(3)])


def read_all(folder):
    data = DataSet(folder)
    return data.made_by, [recording["q"] for recording in data]


def damages(raw, rng, rounds):
    """Ways in which a file goes bad: a flipped bit, a lost end, zeros in the middle, something twice, nothing left."""
    yield b""
    yield raw[:-1]
    for _ in range(rounds):
        at = int(rng.integers(len(raw)))
        yield raw[:at] + bytes([raw[at] ^ 1 << int(rng.integers(8))]) + raw[at + 1 :]
        yield raw[:at]
        yield raw[:at] + bytes(64) + raw[at + 64 :]
        yield raw[:at] + raw[max(0, at - 9) :]


def test_no_damage_to_any_file_goes_unnoticed(tmp_path, good):
    rng = np.random.default_rng(8)
    for file in sorted(path for path in good.rglob("*") if path.is_file()):
        name = file.relative_to(good)
        copy = tmp_path / "copy"
        shutil.copytree(good, copy)
        raw = file.read_bytes()
        for damaged in damages(raw, rng, 12):
            if damaged.rstrip(b"\n") == raw.rstrip(b"\n"):  # the last newline of a text says nothing
                continue
            (copy / name).write_bytes(damaged)
            with pytest.raises(RecordingError) as problem:
                read_all(copy)
            assert "\n" not in str(problem.value)
            assert str(copy) in str(problem.value)
        (copy / name).unlink()
        with pytest.raises(RecordingError):
            read_all(copy)
        shutil.rmtree(copy)


def test_a_folder_of_something_else_is_named(tmp_path):
    with pytest.raises(RecordingError, match=r"nowhere: is not there$"):
        DataSet(tmp_path / "nowhere")
    with pytest.raises(RecordingError, match=r"is not a data set; a data set is a folder with meta/info\.json in it"):
        DataSet(tmp_path)
    (tmp_path / "so101" / "meta").mkdir(parents=True)
    (tmp_path / "so101" / "meta" / "info.json").write_text("{}")
    with pytest.raises(RecordingError, match="is not a data set, but holds some; name one of them: so101"):
        DataSet(tmp_path)


def test_a_foreign_set_is_sent_to_import(tmp_path, good):
    shutil.copytree(good, tmp_path / "foreign")
    (tmp_path / "foreign" / "meta" / "SHA256SUMS").unlink()
    with pytest.raises(RecordingError, match=r"has no checksums; bench import .*foreign makes a set that has"):
        DataSet(tmp_path / "foreign")
