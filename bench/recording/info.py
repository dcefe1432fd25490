"""What a data set holds and what is wrong with it, as tables for the terminal."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from rich.table import Table

from bench.recording.columns import COLUMNS
from bench.recording.episode import SPLITS, Recording
from bench.recording.errors import RecordingError
from bench.recording.faults import Fault, faults


@dataclass
class _Task:
    splits: Counter = field(default_factory=Counter)
    frames: int = 0
    seconds: float = 0.0
    contact: int = 0
    payload: float = 0.0


class Survey:
    """Looks at recordings one after the other and remembers what the tables need.

    survey = Survey()
    for recording in data: survey.see(recording)
    survey.tasks(), survey.columns(), survey.faults()    # rich tables; faults is None when nothing is wrong
    """

    def __init__(self) -> None:
        self.by_task: dict[str, _Task] = {}
        self.units: dict[str, str] = {}
        self.spans: dict[str, list[tuple[float, float, float, int]]] = {}  # lowest, highest, mean, frames
        self.wrong: list[tuple[str, Fault]] = []
        self.errors = 0
        self.seen = 0
        self.missing: set[str] = set()

    def see(self, recording: Recording) -> None:
        """Take in one recording."""
        task = self.by_task.setdefault(recording.task, _Task(payload=recording.payload))
        task.splits[recording.split] += 1
        task.frames += len(recording)
        task.seconds += recording.duration
        if "contact" in recording:
            task.contact += int(recording["contact"].sum())
        for name, values in recording.columns.items():
            self.units[name] = recording.effort_unit if name == "effort" else COLUMNS[name].unit
            numbers = values[np.isfinite(values)].astype(float)
            if numbers.size:
                span = (float(numbers.min()), float(numbers.max()), float(numbers.mean()), len(recording))
                self.spans.setdefault(name, []).append(span)
        self.missing |= set(COLUMNS) - set(recording.columns)
        for fault in faults(recording):
            self.errors += fault.error
            self.wrong.append((f"{self.seen} {recording.task}", fault))
        self.seen += 1

    def fail(self, problem: RecordingError) -> None:
        """Take in an episode that could not be read."""
        self.errors += 1
        self.wrong.append((str(self.seen), Fault("", str(problem))))
        self.seen += 1

    def tasks(self) -> Table:
        """One line for each task."""
        splits = [name for name in SPLITS if any(task.splits[name] for task in self.by_task.values())]
        table = Table(box=None, pad_edge=False)
        table.add_column("task", no_wrap=True)
        short = {"": "episodes", "validation": "valid."}
        for header in (*(short.get(name, name) for name in splits), "frames", "s", "kg", "contact"):
            table.add_column(header, justify="right")
        for name, task in self.by_task.items():
            counts = [str(task.splits[split]) for split in splits]
            share = f"{100 * task.contact / task.frames:.0f} %" if task.contact else ""
            payload = f"{task.payload:g}" if task.payload else ""
            table.add_row(name, *counts, str(task.frames), f"{task.seconds:.1f}", payload, share)
        return table

    def columns(self) -> Table:
        """One line for each column."""
        table = Table("column", "unit", box=None, pad_edge=False)
        for header in ("lowest", "mean", "highest"):
            table.add_column(header, justify="right")
        for name, spans in self.spans.items():
            low, high, mean, frames = np.array(spans).T
            average = float((mean * frames).sum() / frames.sum())
            table.add_row(name, self.units[name], f"{low.min():.4g}", f"{average:.4g}", f"{high.max():.4g}")
        return table

    def faults(self) -> Table | None:
        """One line for each thing that is wrong, errors first; alike faults of several episodes share a line."""
        alike: dict[tuple[bool, str, str], list[tuple[str, Fault]]] = {}
        for episode, fault in self.wrong:
            kind = " ".join(word for word in fault.text.split() if not any(letter.isdigit() for letter in word))
            alike.setdefault((not fault.error, fault.column, kind), []).append((episode, fault))
        if not alike:
            return None
        table = Table("", "episode", "column", "what", "remedy", box=None, pad_edge=False)
        for (note, column, _), found in sorted(alike.items(), key=lambda item: item[0][:1]):
            episode, fault = found[0]
            more = f" and {len(found) - 1} more" if len(found) > 1 else ""
            table.add_row("note" if note else "error", episode + more, column, fault.text, fault.remedy)
        return table
