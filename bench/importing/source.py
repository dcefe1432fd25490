"""What kind of recording lies somewhere, and the reader for it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from bench.importing.lerobot import LeRobotSet
from bench.importing.pendulum import PendulumLogs
from bench.importing.units import Units
from bench.recording.checksums import SUMS, read_checked, read_sums
from bench.recording.episode import Recording
from bench.recording.errors import RecordingError
from bench.recording.faults import refuse
from bench.recording.reader import not_a_set


class Source(Protocol):
    """Somebody else's recordings. kind: for the reader of a table. notes: what is left out or odd, a sentence each."""

    kind: str
    notes: list[str]

    def __len__(self) -> int:
        """Episodes."""
        ...

    def where(self, episode: int) -> str:
        """The file of an episode, for messages."""
        ...

    def recording(self, episode: int) -> Recording:
        """One episode. Raises RecordingError."""
        ...


def open_source(path: Path, units: Units, robot: str = "") -> Source:
    """The recordings at the path. robot: what the arm is called here, if the files say nothing or something else.

    Raises RecordingError for what is not one of the known kinds, and for a unit that nobody has named.
    """
    if (path / SUMS).is_file():  # ours: what it holds must be what was written
        sums = read_sums(path)
        for name in sums:
            read_checked(path, name, sums)
    if (path / "meta" / "info.json").is_file():
        return LeRobotSet(path, units, robot)
    logs = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if logs and logs[0].suffix == ".json" and logs[0].is_file():
        return PendulumLogs(logs, robot)
    raise not_a_set(
        path, "a LeRobot set (a folder with meta/info.json) and a servo pendulum's logs (.json) can be read"
    )


def recordings(source: Source, skipped: list[str] | None = None) -> Iterator[Recording]:
    """The recordings of a source, each checked. skipped: takes the message of each bad one, which is then left out."""
    for episode in range(len(source)):
        try:
            recording = source.recording(episode)
            refuse(recording, source.where(episode), "leave the episode out: --skip-bad")
        except RecordingError as problem:
            if skipped is None:
                raise
            skipped.append(str(problem))
            continue
        yield recording
