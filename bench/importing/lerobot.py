"""Data sets of the LeRobot project, versions v2.1 (one file an episode) and v3.0 (many episodes a file)."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from bench.importing.files import WHOLE, read_json, read_json_lines, read_parquet
from bench.importing.units import KINDS, Units
from bench.recording import layout
from bench.recording.columns import COLUMNS, COUNTERS, MIRRORS
from bench.recording.episode import SPLITS, Recording
from bench.recording.errors import RecordingError
from bench.recording.reader import UNREADABLE, as_array

ROBOTS = {"so101_follower": "so101", "so101": "so101", "openmanipulator_x": "openmanipulator_x", "panda": "panda"}
OLD_DATA = "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet"


@dataclass(frozen=True)
class _Episode:
    """Where the frames of an episode lie, and what meta/ says of it."""

    index: int
    task: str
    length: int
    file: str
    about: dict[str, Any]  # its row in meta/episodes
    stats: dict[str, Any]  # {column: {"min": ..., "max": ..., "mean": ...}} where meta/ has them


class LeRobotSet:
    """One set. Ours come back as they are; of others, action and observation.state become q_cmd and q, in rad."""

    def __init__(self, folder: Path, units: Units, robot: str = ""):
        self.folder = folder
        self.units = units
        self.notes: list[str] = []
        self.info = read_json(folder / layout.INFO)
        version = self.info.get("codebase_version")
        if version not in ("v2.1", layout.VERSION):
            text = f"says codebase_version {version!r}; v2.1 and v3.0 are read"
            raise RecordingError(folder / layout.INFO, text, "convert the set with LeRobot's own converter")
        self.kind = f"LeRobot {version}"
        self._frames = lru_cache(maxsize=1)(lambda name: read_parquet(self.folder / name))
        try:
            self.features: dict[str, dict[str, Any]] = dict(self.info["features"])
            self.rate = float(self.info["fps"])
            self.ours = all(self.features.get(name, {}).get("unit") == "rad" for name in MIRRORS.values())
            self.joints = self._joint_names()
            named = str(self.info.get("robot_type") or "unknown")
            self.robot = robot or ROBOTS.get(named, named)
            self.episodes = self._v3() if version == layout.VERSION else self._v2()
        except RecordingError:
            raise
        except UNREADABLE as problem:
            raise RecordingError(
                folder / layout.INFO, f"has an entry too few or an odd one ({problem!r:.80})"
            ) from None
        self._look_for_what_is_left_out()

    def __len__(self) -> int:
        return len(self.episodes)

    def where(self, episode: int) -> str:
        return f"{self.folder / self.episodes[episode].file}, episode {self.episodes[episode].index}"

    def raw(self, episode: int) -> dict[str, np.ndarray]:
        """The columns of one episode as they are in the file. Raises RecordingError."""
        entry = self.episodes[episode]
        columns = self._frames(entry.file)
        if missing := [name for name in (*self._wanted(), "episode_index", "frame_index") if name not in columns]:
            raise RecordingError(self.folder / entry.file, f"column {missing[0]} is missing", WHOLE)
        try:
            rows = as_array(columns["episode_index"]) == entry.index
            found = {name: as_array(columns[name])[rows] for name in (*self._wanted(), "frame_index")}
        except UNREADABLE as problem:
            raise RecordingError(self.where(episode), f"is not made of numbers ({problem!r:.80})", WHOLE) from None
        if rows.sum() != entry.length:
            text = f"has {rows.sum()} frames where meta/ says {entry.length}"
            raise RecordingError(self.where(episode), text, WHOLE)
        if not np.array_equal(found.pop("frame_index"), np.arange(entry.length)):
            raise RecordingError(self.where(episode), "column frame_index does not count 0, 1, 2, ...", WHOLE)
        for name, values in found.items():
            self._compare_with_stats(episode, name, values)
        return found

    def _compare_with_stats(self, episode: int, name: str, values: np.ndarray) -> None:
        """A damaged file can still be read, as other numbers: these sets have no checksums, but statistics."""
        known = self.episodes[episode].stats.get(name, {})
        if not {"min", "max", "mean"} <= set(known) or values.dtype.kind != "f":
            return
        table = values.astype(float).reshape(len(values), -1)
        got = {"min": table.min(axis=0), "max": table.max(axis=0), "mean": table.mean(axis=0)}
        try:
            # They are computed in single precision.
            agree = all(np.allclose(np.ravel(known[key]), got[key], rtol=1e-5, atol=1e-5) for key in got)
        except (TypeError, ValueError):
            agree = False
        if not agree:
            raise RecordingError(self.where(episode), f"column {name} does not fit its statistics in meta/", WHOLE)

    def recording(self, episode: int) -> Recording:
        """One episode in our columns. Raises RecordingError."""
        entry, found = self.episodes[episode], self.raw(episode)
        joints = self.joints
        if not self.ours:
            if not self.units.kind:
                text = f"does not say the unit of action, which spans {_span(found['action'])}"
                raise RecordingError(self.folder / layout.INFO, text, "name it: --units " + " or ".join(KINDS))
            joints = tuple(joint for joint in self.joints if self.units.convertible(joint))
            for theirs, ours in MIRRORS.items():
                found[ours] = self._radians(found.pop(theirs), theirs, episode)
        about = entry.about
        try:
            return Recording(
                robot=self.robot,
                joints=joints,
                task=entry.task,
                columns=found,
                payload=float(about.get("payload") or 0),
                seed=int(about.get("seed", -1)),
                split=about["split"] if about.get("split") in SPLITS else self._split(entry.index),
                rate=float(about.get("rate") or self.rate),
                effort_unit=self.features.get("effort", {}).get("unit", ""),
                parameters=dict(json.loads(about.get("parameters") or "{}")),
            )
        except RecordingError as problem:
            raise RecordingError(f"{self.where(episode)}: {problem}") from None
        except UNREADABLE as problem:
            raise RecordingError(self.where(episode), f"has an odd row in meta/episodes ({problem!r:.80})") from None

    def _wanted(self) -> tuple[str, ...]:
        ours = [name for name in COLUMNS if self.ours and name in self.features]
        return tuple(ours) if self.ours else ("timestamp", *MIRRORS)

    def _radians(self, values: np.ndarray, name: str, episode: int) -> np.ndarray:
        where = f"{self.where(episode)}: column {name}"
        if values.ndim != 2 or values.shape[1] != len(self.joints):
            raise RecordingError(where, f"has the shape {values.shape} for {len(self.joints)} joints", WHOLE)
        kept = [(j, joint) for j, joint in enumerate(self.joints) if self.units.convertible(joint)]
        return np.stack([self.units.radians(joint, values[:, j], where) for j, joint in kept], axis=1)

    def _joint_names(self) -> tuple[str, ...]:
        for name in MIRRORS.values() if self.ours else MIRRORS:
            if name not in self.features:
                raise RecordingError(self.folder / layout.INFO, f"there is no column {name}", "it holds no angles")
        names = self.features["q" if self.ours else "observation.state"]["names"]
        if isinstance(names, dict):  # {"motors": [...]} in older sets
            names = next(iter(names.values()))
        return tuple(str(name).removeprefix("main_").removesuffix(".pos") for name in names)

    def _split(self, episode: int) -> str:
        """The split that meta/info.json gives an episode, as "train": "0:8"; "" if it names none of ours."""
        for name, span in dict(self.info.get("splits") or {}).items():
            start, _, stop = str(span).partition(":")
            if name in SPLITS and start.isdigit() and stop.isdigit() and int(start) <= episode < int(stop):
                return name
        return ""

    def _v3(self) -> list[_Episode]:
        names = ("episode_index", "tasks", "length", "data/chunk_index", "data/file_index")
        found = []
        for file in sorted((self.folder / "meta" / "episodes").glob("*/*.parquet")):
            columns = read_parquet(file)
            if missing := [name for name in names if name not in columns]:
                raise RecordingError(file, f"column {missing[0]} is missing", WHOLE)
            kept = {name: column.to_pylist() for name, column in columns.items()}
            for values in zip(*kept.values(), strict=True):
                row = dict(zip(kept, values, strict=True))
                stats: dict[str, dict[str, Any]] = {}
                for key in [key for key in row if key.startswith("stats/")]:
                    stats.setdefault(key.split("/")[1], {})[key.split("/")[-1]] = row.pop(key)
                place = {"chunk_index": row["data/chunk_index"], "file_index": row["data/file_index"]}
                task = str((row["tasks"] or [""])[0])
                name = self.info.get("data_path", layout.DATA).format(**place)
                found.append(_Episode(int(row["episode_index"]), task, int(row["length"]), name, row, stats))
        return self._all_of_them(found)

    def _v2(self) -> list[_Episode]:
        chunk, pattern = int(self.info.get("chunks_size", 1000)), self.info.get("data_path", OLD_DATA)
        stats_file = self.folder / "meta" / "episodes_stats.jsonl"
        rows = read_json_lines(stats_file) if stats_file.exists() else []
        stats = {row["episode_index"]: row["stats"] for row in rows}
        found = []
        for row in read_json_lines(self.folder / "meta" / "episodes.jsonl"):
            index, tasks = int(row["episode_index"]), row.get("tasks") or [""]
            name = pattern.format(episode_chunk=index // chunk, episode_index=index)
            found.append(_Episode(index, str(tasks[0]), int(row["length"]), name, {}, stats.get(index, {})))
        return self._all_of_them(found)

    def _all_of_them(self, found: list[_Episode]) -> list[_Episode]:
        total = self.info.get("total_episodes")
        if not found or total != len(found):
            text = f"lists {len(found)} episodes where {layout.INFO} says {total}"
            raise RecordingError(self.folder / "meta" / "episodes", text, WHOLE)
        return sorted(found, key=lambda episode: episode.index)

    def _look_for_what_is_left_out(self) -> None:
        known = {*COLUMNS, *MIRRORS, *COUNTERS} if self.ours else {"timestamp", *MIRRORS, *COUNTERS}
        for name, feature in self.features.items():
            if name not in known:
                why = "pictures" if feature.get("dtype") in ("video", "image") else "its unit is not known"
                self.notes.append(f"{name} is left out: {why}")
        if not self.ours and self.units.kind:
            for joint in self.joints:
                if not self.units.convertible(joint):
                    why = "it is a share of a range that only the arm's calibration knows (--calibration FILE)"
                    self.notes.append(f"joint {joint} is left out: {why}")


def _span(values: np.ndarray) -> str:
    return (
        f"{np.nanmin(values):.4g} to {np.nanmax(values):.4g}"
        if values.size and values.dtype.kind in "fiu"
        else "nothing"
    )
