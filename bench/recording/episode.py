"""One recording: the frames of one episode, and what is known about them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from bench.recording.columns import COLUMNS, prepared
from bench.recording.errors import RecordingError

SPLITS = ("train", "validation", "test", "")


@dataclass(frozen=True)
class Recording:
    """One episode. `recording["q"]` is an array of shape (frames, joints); `bench.recording.columns` says what each is.

    robot: name as in `bench.arms`. joints: in the order of the columns. task: row of the task table.
    payload: kg. seed: of the episode's random draws, -1 for a real arm. split: train, validation, test or "".
    rate: control ticks a second, in Hz. effort_unit: of the effort column, such as "A".
    parameters: further numbers that belong to the episode, such as kp of the servo.

    Raises RecordingError for an unknown, missing or misshapen column.
    """

    robot: str
    joints: tuple[str, ...]
    task: str
    columns: Mapping[str, np.ndarray]
    payload: float = 0.0
    seed: int = -1
    split: str = ""
    rate: float = 60.0
    effort_unit: str = ""
    parameters: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self):
        if unknown := [name for name in self.columns if name not in COLUMNS]:
            raise RecordingError(self.task, f"no column is called {unknown[0]}", f"there are: {', '.join(COLUMNS)}")
        if missing := [name for name, column in COLUMNS.items() if column.required and name not in self.columns]:
            raise RecordingError(self.task, f"column {missing[0]} is missing", "every recording needs it")
        if self.split not in SPLITS:
            raise RecordingError(self.task, f"no split is called {self.split!r}", "there are train, validation, test")
        if not self.rate > 0:
            raise RecordingError(self.task, f"a rate of {self.rate} Hz", "it must be positive")
        frames = len(np.atleast_1d(self.columns["timestamp"]))
        if frames == 0:
            raise RecordingError(self.task, "column timestamp is empty", "leave the episode out")
        exact = {}
        for name in COLUMNS:  # in the order of the table, whatever the order in which they came
            if name in self.columns:
                try:
                    exact[name] = prepared(name, self.columns[name], frames, len(self.joints))
                except ValueError as problem:
                    raise RecordingError(self.task, f"column {name} {problem}") from None
        object.__setattr__(self, "columns", exact)

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self.columns[name]
        except KeyError:
            there = ", ".join(self.columns)
            raise RecordingError(self.task, f"there is no column {name}", f"there are: {there}") from None

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def __len__(self) -> int:
        """Frames."""
        return len(self.columns["timestamp"])

    @property
    def duration(self) -> float:
        """From the first frame to the end of the last, in s."""
        return float(self["timestamp"][-1] - self["timestamp"][0]) + 1 / self.rate
