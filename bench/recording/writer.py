"""Write a data set, whole or not at all."""

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bench.recording import layout
from bench.recording.checksums import write_sums
from bench.recording.columns import COUNTERS, MIRRORS
from bench.recording.episode import Recording
from bench.recording.errors import RecordingError
from bench.recording.faults import refuse
from bench.recording.statistics import Stats, pooled, statistics

# The same arrays give the same bytes with the same pyarrow: no dates, no names of machines. Telemetry hardly repeats
# itself, so a dictionary of its values makes files a fifth larger.
PARQUET = {"compression": "zstd", "compression_level": 9, "version": "2.6", "use_dictionary": False}


def write(folder: Path, recordings: Iterable[Recording], made_by: Mapping[str, Any] | None = None) -> Path:
    """Write the recordings as one data set in the LeRobot v3.0 layout.

    folder: must not exist yet; it appears when everything is in it. recordings: of one robot, with the same columns;
    one at a time is in memory. made_by: how to make the set again, kept in meta/provenance.json.
    Returns the folder. Raises RecordingError for a recording with errors (`bench.recording.faults`), and then, as
    after Ctrl-C, there is no folder.
    """
    with appearing(Path(folder)) as unfinished:
        _Writer(unfinished, Path(folder)).write(recordings, made_by or {})
    return Path(folder)


@contextmanager
def appearing(folder: Path) -> Iterator[Path]:
    """A new folder beside the wanted one, which takes its place at the end, or goes when anything goes wrong."""
    if folder.exists():
        raise RecordingError(folder, "is there already", "remove it or name another folder")
    unfinished = folder.with_name(f".{folder.name}.{os.getpid()}.unfinished")
    try:
        unfinished.mkdir(parents=True)
        yield unfinished
        unfinished.rename(folder)
    except OSError as problem:
        raise RecordingError(folder, f"cannot be written ({problem.strerror or problem})") from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


class _Writer:
    """Appends episodes to data files and remembers what the files in meta/ must say."""

    def __init__(self, root: Path, named: Path):
        self.root = root
        self.named = named  # what messages call it
        self.first: Recording | None = None
        self.rows: list[dict[str, Any]] = []  # of meta/episodes
        self.stats: list[Stats] = []
        self.tasks: dict[str, int] = {}
        self.frames = 0
        self.place = (0, 0)  # chunk and file of the data file that is open
        self.size = 0
        self.open: pq.ParquetWriter | None = None

    def write(self, recordings: Iterable[Recording], made_by: Mapping[str, Any]) -> None:
        try:
            for recording in recordings:
                self._check(recording)
                self._append(recording)
        finally:
            if self.open:
                self.open.close()
        if self.first is None:
            raise RecordingError(self.named, "there is no episode to write")
        self._write_meta(made_by)

    def _check(self, recording: Recording) -> None:
        where = f"episode {len(self.rows)} ({recording.task})"
        refuse(recording, where)
        if self.first is None:
            self.first = recording
        for what in ("robot", "joints", "effort_unit"):
            if getattr(recording, what) != getattr(self.first, what):
                text = f"its {what} is {getattr(recording, what)!r}, not {getattr(self.first, what)!r}"
                raise RecordingError(where, text, "one data set holds one robot")
        if list(recording.columns) != list(self.first.columns):
            differ = sorted(set(recording.columns) ^ set(self.first.columns))
            raise RecordingError(where, f"column {differ[0]} is not in every episode", "write two data sets")

    def _append(self, recording: Recording) -> None:
        episode, frames = len(self.rows), len(recording)
        values = {mirror: recording[name] for mirror, name in MIRRORS.items()} | dict(recording.columns)
        counts = {
            "frame_index": np.arange(frames),
            "episode_index": np.full(frames, episode),
            "index": np.arange(self.frames, self.frames + frames),
            "task_index": np.full(frames, self.tasks.setdefault(recording.task, len(self.tasks))),
        }
        table = _table(values | {name: counts[name].astype(np.int64) for name in COUNTERS})
        chunk, file = self._place_for(table)
        assert self.open is not None
        self.open.write_table(table, row_group_size=frames)  # one row group an episode: each is read alone
        self.size += table.nbytes
        stats = statistics(values | counts)
        self.stats.append(stats)
        self.rows.append(
            {
                "episode_index": episode,
                "tasks": [recording.task],
                "length": frames,
                "data/chunk_index": chunk,
                "data/file_index": file,
                "dataset_from_index": self.frames,
                "dataset_to_index": self.frames + frames,
                "meta/episodes/chunk_index": 0,
                "meta/episodes/file_index": 0,
                **{field: getattr(recording, field) for field in layout.EPISODE_FIELDS},
                "parameters": json.dumps(dict(recording.parameters), sort_keys=True),
                **{f"stats/{name}/{key}": value for name, row in stats.items() for key, value in row.items()},
            }
        )
        self.frames += frames

    def _place_for(self, table: pa.Table) -> tuple[int, int]:
        """Chunk and file for the next episode, opened for writing."""
        if self.open and self.size + table.nbytes > layout.FILE_MIB * 2**20:
            self.open.close()
            self.open, self.size = None, 0
            chunk, file = self.place
            self.place = (chunk, file + 1) if file + 1 < layout.CHUNK_FILES else (chunk + 1, 0)
        if self.open is None:
            path = self.root / layout.DATA.format(chunk_index=self.place[0], file_index=self.place[1])
            path.parent.mkdir(parents=True, exist_ok=True)
            self.open = pq.ParquetWriter(path, table.schema, **PARQUET)
        return self.place

    def _write_meta(self, made_by: Mapping[str, Any]) -> None:
        assert self.first is not None
        totals = {"total_episodes": len(self.rows), "total_frames": self.frames, "total_tasks": len(self.tasks)}
        known = layout.features(list(self.first.columns), self.first.joints, self.first.effort_unit)
        splits = layout.contiguous_splits([row["split"] for row in self.rows])
        rate = float(np.median([row["rate"] for row in self.rows]))
        self._write_json(layout.INFO, layout.info(self.first.robot, rate, known, splits, totals))
        self._write_json(layout.STATS, pooled(self.stats))
        self._write_json(layout.PROVENANCE, dict(made_by))
        self._write_table(layout.TASKS, _tasks_table(list(self.tasks)))
        self._write_table(layout.EPISODES.format(chunk_index=0, file_index=0), pa.Table.from_pylist(self.rows))
        write_sums(self.root)

    def _write_json(self, name: str, value: object) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value, indent=4) + "\n", encoding="utf-8", newline="\n")

    def _write_table(self, name: str, table: pa.Table) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # meta/episodes has some two hundred columns: what is left out here would be half of its file. The metadata of
        # pandas, which meta/tasks needs, is in the schema.
        has_metadata = table.schema.metadata is not None
        pq.write_table(table, path, write_statistics=False, store_schema=has_metadata, **PARQUET)


def _table(values: Mapping[str, np.ndarray]) -> pa.Table:
    """Arrays of shape (frames,) or (frames, width) as columns; a width of one is a plain column in this layout."""
    columns = {}
    for name, array in values.items():
        flat = pa.array(array.reshape(-1))
        width = array.size // len(array)
        columns[name] = flat if width == 1 else pa.FixedSizeListArray.from_arrays(flat, width)
    return pa.table(columns)


def _tasks_table(tasks: list[str]) -> pa.Table:
    """meta/tasks.parquet: the layout wants a pandas frame whose index is the task, so it carries pandas' metadata."""
    kinds = {"task": ("unicode", "object"), "task_index": ("int64", "int64")}
    described = [
        {"name": name, "field_name": name, "pandas_type": kind, "numpy_type": stored, "metadata": None}
        for name, (kind, stored) in kinds.items()
    ]
    index = {"name": None, "field_name": None, "pandas_type": "unicode", "numpy_type": "object", "metadata": None}
    pandas = {"index_columns": ["task"], "column_indexes": [index], "columns": described, "pandas_version": "2.0.0"}
    table = pa.table({"task_index": pa.array(range(len(tasks)), pa.int64()), "task": pa.array(tasks, pa.string())})
    return table.replace_schema_metadata({"pandas": json.dumps(pandas)})
