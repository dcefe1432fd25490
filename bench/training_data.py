"""What a model learns from, as plain arrays, and whether a data set fits a model: asked before an hour of training.

    learn, judge = episodes(data, "train"), episodes(data, "test")
    intake = Intake.of(data)                       # what a model that learns from it takes in: keep it with the model
    refuse_unusable(other, intake)                 # may this model see that set? If not: one line, and no training

A network takes any numbers of the right shape. It does not notice that the joints come in another order, that the ticks
are twice as long, or that the effort is a duty where it learned from amperes; so somebody else has to. Needs pyarrow.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.recording.columns import COLUMNS
from bench.recording.episode import Recording
from bench.recording.errors import RecordingError
from bench.recording.faults import refuse
from bench.recording.reader import DataSet, Entry

SAMPLE = Path(__file__).parent.parent / "data" / "sample"  # a small part of the data set, which comes with the course
NEEDED = ("q_cmd", "q", "qd", "effort", "voltage", "temperature", "force", "force_valid", "contact", "condition")
LEAST = 10  # frames: nine tokens, and one more frame for the label that follows them
RATE = 0.01  # share by which a rate may differ; a clock is off by less, another setting by more
MIXED = "train one model for each, or record the set again"


@dataclass(frozen=True)
class Episode:
    """One recording as arrays of float64: (frames, joints), force (frames, 3), force_valid and contact (frames,).

    rad, rad/s, V, degrees C, N in the base frame; u in the unit of the effort register. The gripper is a joint like the
    others. force_valid, contact and condition are of bool. tau_true, N m, is there for virtual arms only, and no model
    may see it. trial: its number within the task. payload: kg. rate: Hz.
    """

    task: str
    trial: int
    payload: float
    split: str
    robot: str
    rate: float
    q_cmd: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    u: np.ndarray
    voltage: np.ndarray
    temperature: np.ndarray
    force: np.ndarray
    force_valid: np.ndarray
    contact: np.ndarray
    condition: np.ndarray
    tau_true: np.ndarray | None = None

    def __len__(self) -> int:
        """Frames."""
        return len(self.q)


@dataclass(frozen=True)
class Intake:
    """What a model takes in. joints: in the order of its columns. rate: control ticks a second, Hz."""

    robot: str
    joints: tuple[str, ...]
    rate: float
    effort_unit: str

    @staticmethod
    def of(data: DataSet) -> "Intake":
        """Of a model that learns from this set. Raises RecordingError if the set holds no episode."""
        if not data.entries:
            raise RecordingError(data.folder, "holds no episode", "record it again")
        return Intake(data.robot, data.joints, data.entries[0].rate, data.entries[0].effort_unit)


def episodes(data: DataSet, split: str | None = None, intake: Intake | None = None) -> list[Episode]:
    """The episodes of a data set, or those of one split, in the order in which they stand there.

    split: "train", "validation" or "test", as the set says. intake: of the model that will see them.
    Raises RecordingError as refuse_unusable() does, and where the split has no episode.
    """
    refuse_unusable(data, intake)
    found = [_episode(data[entry.index], entry.index) for entry in data.entries if split in (None, entry.split)]
    if not found:
        there = sorted({entry.split or "none" for entry in data.entries})
        raise RecordingError(data.folder, f"no episode is of the split {split}", f"there are: {', '.join(there)}")
    return found


def _episode(recording: Recording, index: int) -> Episode:
    def column(name: str) -> np.ndarray:
        return recording[name].astype(float)

    return Episode(
        task=recording.task,
        trial=int(recording.parameters.get("trial", index)),
        payload=recording.payload,
        split=recording.split,
        robot=recording.robot,
        rate=recording.rate,
        q_cmd=column("q_cmd"),
        q=column("q"),
        qd=column("qd"),
        u=column("effort"),
        voltage=column("voltage"),
        temperature=column("temperature"),
        force=column("force"),
        force_valid=recording["force_valid"],
        contact=recording["contact"],
        condition=recording["condition"],
        tau_true=column("tau_true") if "tau_true" in recording else None,
    )


def refuse_unusable(
    data: DataSet, intake: Intake | None = None, columns: Sequence[str] = NEEDED, frames: int = LEAST
) -> None:
    """Raise RecordingError, one line with file, column and remedy, for the first thing that does not fit.

    intake: of the model; None: that of the set's own first episode, so that the set must agree with itself.
    columns: what the model reads. frames: the shortest episode that gives it anything.
    What meta/ says is looked at first, in all episodes; then every number, one data file at a time.
    """
    _meta(data, intake or Intake.of(data), columns, frames)
    for entry in data.entries:
        refuse(data[entry.index], _where(data, entry))


def _meta(data: DataSet, intake: Intake, columns: Sequence[str], frames: int) -> None:
    info = data.folder / "meta" / "info.json"
    if unknown := [name for name in columns if name not in COLUMNS]:
        raise RecordingError(info, f"no column is called {unknown[0]}", f"there are: {', '.join(COLUMNS)}")
    if missing := [name for name in columns if name not in data.columns]:
        there = f"it holds {', '.join(data.columns)}"
        raise RecordingError(info, f"column {missing[0]} is missing", f"record or import it again with it; {there}")
    if data.robot != intake.robot:
        text = f"is a set of {data.robot}, and the model is one of {intake.robot}"
        raise RecordingError(info, text, f"take a set of {intake.robot}, or train a model of {data.robot}")
    if data.joints != intake.joints:
        remedy = "a model is of one arm: record or import the set with its joints, in its order"
        raise RecordingError(info, f"column q {_joints(data.joints, intake.joints)}", remedy)
    for entry in data.entries:
        for text, remedy in _of_entry(entry, intake, frames):
            raise RecordingError(_where(data, entry), text, remedy)


def _of_entry(entry: Entry, intake: Intake, frames: int) -> Iterator[tuple[str, str]]:
    """What does not fit, and the remedy."""
    if abs(entry.rate - intake.rate) > RATE * intake.rate:
        text = f"column timestamp has {entry.rate:g} frames a second instead of {intake.rate:g}"
        yield text, f"record at {intake.rate:g} Hz, or train a model at {entry.rate:g} Hz"
    if entry.effort_unit != intake.effort_unit:
        text = f"column effort is in {entry.effort_unit or 'no known unit'} instead of {intake.effort_unit}"
        yield text, MIXED
    if entry.length < frames:
        yield f"column timestamp has {entry.length} frames, and the model needs {frames}", "leave the episode out"


def _joints(there: tuple[str, ...], wanted: tuple[str, ...]) -> str:
    if sorted(there) == sorted(wanted):
        place = next(i for i, pair in enumerate(zip(there, wanted, strict=True)) if pair[0] != pair[1])
        return f"has its joints in another order: {there[place]} where the model has {wanted[place]}"
    if missing := [name for name in wanted if name not in there]:
        return f"has no joint {missing[0]}, which the model needs"
    extra = next(name for name in there if name not in wanted)
    return f"has a joint {extra}, which the model does not know"


def _where(data: DataSet, entry: Entry) -> str:
    return f"{data.folder / entry.file}: episode {entry.index} ({entry.task})"
