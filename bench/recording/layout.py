"""The LeRobot v3.0 layout: where its files lie and what meta/info.json says (huggingface/lerobot, version v3.0)."""

from collections.abc import Sequence
from typing import Any

from bench.recording.columns import COLUMNS, COUNTERS, MIRRORS

VERSION = "v3.0"
INFO, STATS, TASKS, PROVENANCE = "meta/info.json", "meta/stats.json", "meta/tasks.parquet", "meta/provenance.json"
EPISODES = "meta/episodes/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
DATA = "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
CHUNK_FILES = 1000  # files in a chunk
FILE_MIB = 100  # a data file takes no further episode beyond this size

# Columns of ours in meta/episodes, beside the layout's own.
EPISODE_FIELDS = ("robot", "payload", "seed", "split", "rate", "effort_unit", "parameters")


def features(columns: Sequence[str], joints: Sequence[str], effort_unit: str) -> dict[str, dict[str, Any]]:
    """The entry `features` of meta/info.json: every column of a data file with its type, shape, names and unit."""
    found: dict[str, dict[str, Any]] = {}
    for mirror, name in MIRRORS.items():
        names = [f"{joint}.pos" for joint in joints]
        found[mirror] = {"dtype": "float32", "shape": [len(joints)], "names": names, "unit": COLUMNS[name].unit}
    for name in columns:
        column = COLUMNS[name]
        found[name] = {
            "dtype": column.dtype,
            "shape": [column.width(len(joints))],
            "names": column.names(joints),
            "unit": effort_unit if name == "effort" else column.unit,
        }
    for name in COUNTERS:
        found[name] = {"dtype": "int64", "shape": [1], "names": None}
    return found


def info(robot: str, rate: float, features: dict, splits: dict[str, str], totals: dict[str, int]) -> dict[str, Any]:
    """meta/info.json. The layout wants a whole number of frames a second; the episodes keep the exact rate."""
    return {
        "codebase_version": VERSION,
        "robot_type": robot,
        **totals,
        "chunks_size": CHUNK_FILES,
        "data_files_size_in_mb": FILE_MIB,
        "fps": max(1, round(rate)),
        "splits": splits,
        "data_path": DATA,
        "video_path": None,
        "features": features,
    }


def contiguous_splits(splits: Sequence[str]) -> dict[str, str]:
    """{"train": "0:8", ...} as meta/info.json has it, for episodes that are ordered by split; else all as train.

    The layout knows only ranges of episodes. Where ours are mixed, `split` in meta/episodes is what counts.
    """
    runs: dict[str, list[int]] = {}
    for i, split in enumerate(splits):
        start, stop = runs.setdefault(split or "train", [i, i])
        if stop != i:
            return {"train": f"0:{len(splits)}"}
        runs[split or "train"] = [start, i + 1]
    return {name: f"{start}:{stop}" for name, (start, stop) in runs.items()}
