"""Read a data set: what it holds at once, its numbers one file at a time, and nothing that is not as it was written."""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bench.recording import layout
from bench.recording.checksums import AGAIN, read_checked, read_sums
from bench.recording.columns import COLUMNS
from bench.recording.episode import Recording
from bench.recording.errors import RecordingError

# What a parser may raise on bytes that are not what it expects.
UNREADABLE = (pa.ArrowException, OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, MemoryError)


def not_a_set(path: Path, remedy: str) -> RecordingError:
    """The error for a path where there is no data set. If there are some in it, they are named."""
    if not path.exists():
        return RecordingError(path, "is not there")
    if path.is_dir() and (inside := sorted(info.parts[-3] for info in path.glob(f"*/{layout.INFO}"))):
        return RecordingError(path, "is not a data set, but holds some", f"name one of them: {', '.join(inside)}")
    return RecordingError(path, "is not a data set", remedy)


@dataclass(frozen=True)
class Entry:
    """What meta/episodes says of one episode."""

    index: int
    task: str
    length: int
    payload: float
    seed: int
    split: str
    rate: float
    effort_unit: str
    parameters: dict[str, float]
    file: str  # of its frames
    start: int  # its first frame within the set


class DataSet:
    """A data set on disk, made by `bench record` or `bench import`.

        data = DataSet("data/sample/so101")
        data.robot, data.joints, data.rate, len(data)    # len: episodes
        data.entries                                     # what each episode is, without reading a frame
        recording = data[3]
        for recording in data.find(split="train", task="go_up_stay_still_300g"): ...

    A file is compared with its hash and read when one of its episodes is asked for; the last one stays in memory.
    Raises RecordingError, one line, for anything that is missing, damaged or not a data set of this course.
    """

    def __init__(self, folder: Path | str):
        self.folder = Path(folder)
        if not (self.folder / layout.INFO).is_file():
            raise not_a_set(self.folder, f"a data set is a folder with {layout.INFO} in it")
        self._sums = read_sums(self.folder)
        if missing := [name for name in self._sums if not (self.folder / name).is_file()]:
            raise RecordingError(self.folder / missing[0], "is missing", AGAIN)
        self._open = lru_cache(maxsize=1)(self._open_file)
        meta = {name: read_checked(self.folder, name, self._sums) for name in self._sums if name.startswith("meta/")}
        try:
            self._info = json.loads(meta[layout.INFO])
            self.robot: str = self._info["robot_type"]
            self._features: dict[str, dict[str, Any]] = self._info["features"]
            self.columns = tuple(name for name in COLUMNS if name in self._features)
            if missing := [name for name, column in COLUMNS.items() if column.required and name not in self.columns]:
                text = f"column {missing[0]} is missing"
                raise RecordingError(self.folder, text, f"is it another program's? bench import {self.folder}")
            self.joints = tuple(self._features["q"]["names"])
        except RecordingError:
            raise
        except UNREADABLE as problem:
            raise RecordingError(self.folder / layout.INFO, f"cannot be understood ({problem})", AGAIN) from None

    @property
    def rate(self) -> float:
        """Frames a second, in Hz, to the nearest whole number; each episode's own is exact."""
        return float(self._info["fps"])

    @cached_property
    def made_by(self) -> dict[str, Any]:
        """How to make the set again."""
        return json.loads(read_checked(self.folder, layout.PROVENANCE, self._sums))

    def unit(self, column: str) -> str:
        """The unit of a column, such as "rad"; of effort it depends on the servo."""
        return self._features[column].get("unit", "")

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """What each episode is."""
        name = layout.EPISODES.format(chunk_index=0, file_index=0)
        try:
            file = pq.ParquetFile(io.BytesIO(read_checked(self.folder, name, self._sums)))
            wanted = [column for column in file.schema_arrow.names if not column.startswith("stats/")]
            return tuple(_entry(row) for row in file.read(columns=wanted).to_pylist())
        except RecordingError:
            raise
        except UNREADABLE as problem:
            raise RecordingError(self.folder / name, f"cannot be understood ({problem})", AGAIN) from None

    def __len__(self) -> int:
        """Episodes."""
        return len(self.entries)

    def __iter__(self) -> Iterator[Recording]:
        return (self[i] for i in range(len(self)))

    def find(self, **wanted: object) -> Iterator[Recording]:
        """The recordings whose entries agree: find(split="train", payload=0.3)."""
        return (self[entry.index] for entry in self.entries if all(getattr(entry, k) == v for k, v in wanted.items()))

    def __getitem__(self, index: int) -> Recording:
        if not -len(self) <= index < len(self):
            raise IndexError(f"{self.folder} has episodes 0 to {len(self) - 1}, and no {index}")
        entry = self.entries[index]
        try:
            table = self._open(entry.file)[entry.index]
            columns = {name: as_array(table[name]) for name in self.columns}
        except RecordingError:
            raise
        except UNREADABLE as problem:
            raise RecordingError(self.folder / entry.file, f"cannot be understood ({problem})", AGAIN) from None
        return Recording(
            robot=self.robot,
            joints=self.joints,
            task=entry.task,
            columns=columns,
            payload=entry.payload,
            seed=entry.seed,
            split=entry.split,
            rate=entry.rate,
            effort_unit=entry.effort_unit,
            parameters=entry.parameters,
        )

    def _open_file(self, name: str) -> "_DataFile":
        first = min(entry.index for entry in self.entries if entry.file == name)
        return _DataFile(read_checked(self.folder, name, self._sums), first, list(self.columns))


class _DataFile:
    """A data file in memory, as compressed as on disk. Its row groups are its episodes."""

    def __init__(self, data: bytes, first: int, columns: list[str]):
        self.file = pq.ParquetFile(io.BytesIO(data))
        self.first = first
        self.columns = columns

    def __getitem__(self, episode: int) -> pa.Table:
        return self.file.read_row_group(episode - self.first, columns=self.columns)


def as_array(column: pa.ChunkedArray) -> np.ndarray:
    """A column of numbers, or of lists of equally many, as an array of shape (frames,) or (frames, width)."""
    values = column.combine_chunks()
    if isinstance(values, pa.ChunkedArray):
        values = pa.concat_arrays(values.chunks)
    if pa.types.is_fixed_size_list(values.type) or pa.types.is_list(values.type) or pa.types.is_large_list(values.type):
        return values.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1)
    return values.to_numpy(zero_copy_only=False)


def _entry(row: dict[str, Any]) -> Entry:
    return Entry(
        index=row["episode_index"],
        task=row["tasks"][0],
        length=row["length"],
        file=layout.DATA.format(chunk_index=row["data/chunk_index"], file_index=row["data/file_index"]),
        start=row["dataset_from_index"],
        parameters=json.loads(row["parameters"]),
        **{name: row[name] for name in ("payload", "seed", "split", "rate", "effort_unit")},
    )
