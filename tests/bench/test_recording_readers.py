"""The ecosystem's own readers open our sets. Each test runs where its reader is installed."""

import numpy as np
import pytest
from small_recordings import recording

from bench.recording import write


@pytest.fixture
def ours(tmp_path, monkeypatch):
    """Our recordings and the set they are in."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    rng = np.random.default_rng(5)
    several = [recording(rng, 60 + i, task=f"task {i % 2}", split="train", payload=0.1 * i) for i in range(4)]
    return several, write(tmp_path / "set", several)


def test_lerobot_opens_a_set(ours):
    """LeRobot itself, or its part that is packaged alone as lerobot-dataset (0.4.4 was tried, on PyTorch for CPUs)."""
    try:
        from lerobot.datasets.lerobot_dataset import LeRobotDataset
    except ImportError:
        LeRobotDataset = pytest.importorskip("ledataset.datasets.lerobot_dataset").LeRobotDataset
    several, folder = ours
    data = LeRobotDataset("local/set", root=folder, delta_timestamps={"q": [-2 / 60, -1 / 60, 0]})
    assert (data.num_episodes, data.num_frames, data.fps) == (4, sum(map(len, several)), 60)
    frame = data[len(several[0]) + 30]
    assert frame["task"] == "task 1"
    np.testing.assert_array_equal(frame["q"].numpy(), several[1]["q"][28:31])
    np.testing.assert_array_equal(frame["action"].numpy(), several[1]["q_cmd"][30])
    assert frame["condition"].numpy().tolist() == [True, True, True]
    np.testing.assert_allclose(data.meta.stats["qd"]["max"], max(one["qd"].max() for one in several), atol=9)
    alone = LeRobotDataset("local/set", root=folder, episodes=[2])
    assert len(alone) == len(several[2])


def test_lerobot_doctor_finds_nothing_wrong(ours):
    """A checker of LeRobot sets that needs no PyTorch (lerobot-doctor, 0.2.0 was tried)."""
    loader = pytest.importorskip("lerobot_doctor.dataset_loader")
    runner = pytest.importorskip("lerobot_doctor.runner")
    several, folder = ours
    loaded = loader.load_dataset(str(folder))
    assert [episode.length for episode in loaded.episodes_data] == [len(one) for one in several]
    np.testing.assert_array_equal(np.stack(loaded.episodes_data[1].columns["q"]), several[1]["q"])
    assert "FAIL" not in str(runner.run_checks(loaded))


def test_hugging_face_datasets_opens_the_frames(ours):
    datasets = pytest.importorskip("datasets")
    several, folder = ours
    frames = datasets.Dataset.from_parquet([str(file) for file in sorted((folder / "data").rglob("*.parquet"))])
    np.testing.assert_array_equal(frames[5]["force"], several[0]["force"][5])


def test_pandas_finds_the_tasks_in_the_index(ours):
    pandas = pytest.importorskip("pandas")
    _, folder = ours
    tasks = pandas.read_parquet(folder / "meta" / "tasks.parquet")
    assert tasks.loc["task 1", "task_index"] == 1
