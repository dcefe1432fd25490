"""The plan of a data set: its rows from `nad.toml`, and the trials into which they fall."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

TABLE = Path(__file__).with_name("nad.toml")
SPLITS = ("train", "validation", "test")


@dataclass(frozen=True)
class Row:
    """One row of the paper's tables. frames, seconds: of all its trials together, as printed. payload: kg."""

    task: str
    category: str
    frames: int
    seconds: float
    script: str = ""
    payload: float = 0.0
    restricted: str = ""
    twin: str = ""
    reused: bool = False
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """A data set to be made: the robot, how many trials a row has, and its rows."""

    name: str
    robot: str
    trials: int
    rows: tuple[Row, ...]

    def row(self, task: str) -> Row:
        """The row of that task. Raises ValueError with the nearest name otherwise."""
        for row in self.rows:
            if row.task == task and not row.reused:
                return row
        tasks = [row.task for row in self.rows]
        near = get_close_matches(task, tasks, n=1, cutoff=0.4)
        raise ValueError(
            f"{self.name} has no task {task!r}; " + (f"did you mean {near[0]}?" if near else ", ".join(tasks))
        )


@dataclass(frozen=True)
class Trial:
    """One trajectory to be recorded. row: what is done. lead: whose commands (another row's, for a twin)."""

    plan: str
    robot: str
    row: Row
    lead: Row
    number: int
    frames: int
    split: str
    seed: int

    def rng(self, purpose: str) -> np.random.Generator:
        """Random draws for one purpose, the same whatever else is recorded, in whatever order.

        "leader": the commands, the same for a row and its twin. "arm": the follower's noise and temperature.
        """
        task = self.lead.task if purpose == "leader" else self.row.task
        names = (self.plan, task, purpose)
        return np.random.default_rng([self.seed, self.number, *(crc32(name.encode()) for name in names)])


@cache
def plans() -> dict[str, Plan]:
    """Every data set that `bench record` makes, by name."""
    known = set(Row.__dataclass_fields__)
    found = {}
    for name, table in tomllib.loads(TABLE.read_text(encoding="utf-8")).items():
        rows = []
        for entry in table["rows"]:
            options = {key: value for key, value in entry.items() if key not in known}
            rows.append(Row(**{key: value for key, value in entry.items() if key in known}, options=options))
        found[name] = Plan(name, table["robot"], table["trials"], tuple(rows))
    return found


def trials(plan: Plan, seed: int, tasks: Sequence[str] = (), only: int | None = None) -> list[Trial]:
    """The trials of a data set, ordered by split, row and number.

    tasks: only these rows. only: at most so many trials a row, the first three of which are one for each split. A trial
    is the same whatever else is asked for. Of ten trials eight are for training, one for validation, one for the test.
    Raises ValueError for an unknown task.
    """
    rows = [plan.row(task) for task in dict.fromkeys(tasks)] or [row for row in plan.rows if not row.reused]
    found = []
    for row in rows:
        lead = plan.row(row.twin) if row.twin else row
        lengths = _lengths(plan, lead, seed)
        # Trials are independent draws, so the last two may as well be those that are kept apart.
        last = plan.trials - 1
        for number in sorted([0, last, last - 1, *range(1, last - 1)][:only]):
            split = {last: "test", last - 1: "validation"}.get(number, "train")
            found.append(Trial(plan.name, plan.robot, row, lead, number, lengths[number], split, seed))
    return sorted(found, key=lambda trial: SPLITS.index(trial.split))


def _lengths(plan: Plan, row: Row, seed: int) -> list[int]:
    """Frames of each trial of a row: a tenth more or less than the mean, and the printed number together."""
    rng = np.random.default_rng([seed, crc32(plan.name.encode()), crc32(row.task.encode()), 1])
    shares = rng.uniform(0.9, 1.1, plan.trials)
    bounds = np.round(np.cumsum([0, *shares]) / shares.sum() * row.frames).astype(int)
    return np.diff(bounds).tolist()
