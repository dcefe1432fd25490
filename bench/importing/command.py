"""`bench import` and `bench info`: read what lies there, and say what it is."""

import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.importing.lerobot import LeRobotSet
from bench.importing.source import open_source, recordings
from bench.importing.units import Units
from bench.recording.checksums import SUMS
from bench.recording.columns import MIRRORS
from bench.recording.episode import Recording
from bench.recording.errors import RecordingError
from bench.recording.info import Survey
from bench.recording.reader import DataSet
from bench.recording.writer import write


def import_source(
    console: Console, path: Path, into: Path, units: str, calibration: Path | None, robot: str, skip_bad: bool
) -> None:
    """Write the recordings at the path as a data set of the course. Raises RecordingError."""
    source = open_source(path, Units.named(units, calibration), robot)
    skipped: list[str] | None = [] if skip_bad else None
    made_by = {"command": "import", "source": path.name, "kind": source.kind, "units": units}
    found: Iterable[Recording] = recordings(source, skipped)
    if console.is_terminal:
        found = track(found, "reading", len(source), console=console, transient=True)
    write(into, found, made_by)
    for note in [*source.notes, *(f"left out: {problem}" for problem in skipped or [])]:
        console.print(note, highlight=False, soft_wrap=True)
    console.print(f"{into}: {len(source) - len(skipped or [])} episodes", highlight=False, soft_wrap=True)


def describe(console: Console, path: Path) -> bool:
    """Print what there is at the path; whether nothing is wrong with it. Raises RecordingError if it does not open."""
    survey = Survey()
    if (path / SUMS).is_file():
        data = DataSet(path)
        kind, robot, joints, rate, notes = "data set", data.robot, data.joints, data.rate, []
        episodes = range(len(data))
        fetch = data.__getitem__
    else:
        source = open_source(path, Units())
        if isinstance(source, LeRobotSet) and not source.ours:
            return _describe_foreign(console, source)
        first = source.recording(0)
        kind, robot, joints, rate, notes = source.kind, first.robot, first.joints, first.rate, source.notes
        episodes, fetch = range(len(source)), source.recording
    for episode in episodes:
        try:
            survey.see(fetch(episode))
        except RecordingError as problem:
            survey.fail(problem)
    frames = sum(task.frames for task in survey.by_task.values())
    console.print(
        f"{path}: {kind}, {robot}, {len(episodes)} episodes, {frames} frames at {rate:.4g} Hz", highlight=False
    )
    console.print(f"joints: {', '.join(joints)}", highlight=False)
    for note in [*notes, *(f"there is no column {name}" for name in sorted(survey.missing))]:
        console.print(f"note: {note}", highlight=False)
    for table in (survey.tasks(), survey.columns(), survey.faults()):
        if table is not None:
            console.print()
            console.print(table)
    if not survey.wrong:
        console.print("\nNothing is wrong with it.")
    return survey.errors == 0


def _describe_foreign(console: Console, source: LeRobotSet) -> bool:
    """A LeRobot set whose unit nobody has named: its raw numbers, which help to tell, and how to import it."""
    table = Table("column", "joint", box=None)
    for header in ("lowest", "highest", "not a number"):
        table.add_column(header, justify="right")
    raw = [source.raw(episode) for episode in range(len(source))]
    bad = 0
    for name in MIRRORS:
        values = np.concatenate([columns[name] for columns in raw])
        for joint, column in zip(source.joints, values.T, strict=True):
            finite = column[np.isfinite(column)]
            lost = len(column) - len(finite)
            span = [f"{finite.min():.4g}", f"{finite.max():.4g}"] if finite.size else ["", ""]
            table.add_row(name, joint, *span, str(lost or ""))
            bad += lost
    frames = sum(len(columns["timestamp"]) for columns in raw)
    what = f"{source.kind}, {source.robot}, {len(source)} episodes, {frames} frames at {source.rate:.4g} Hz"
    console.print(f"{source.folder}: {what}", highlight=False)
    for note in source.notes:
        console.print(f"note: {note}", highlight=False)
    console.print(table)
    command = os.environ.get("COURSE_COMMAND", "bench")
    console.print(
        f"Its unit is not written in it: {command} import {source.folder} --units UNIT -o FOLDER", highlight=False
    )
    return bad == 0
