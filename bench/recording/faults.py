"""What can be wrong with a recording: errors, which nobody should learn from, and notes, which one should know."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from bench.recording.columns import COLUMNS
from bench.recording.episode import Recording
from bench.recording.errors import RecordingError

GAP = 0.05  # s: a longer hole in time is a gap, if it is also longer than three ticks
STILL, MOVED = 2.0, 0.2  # a joint is frozen if q stands still for 2 s while q_cmd moves by 0.2 rad
FAR = {"q": 100.0, "q_cmd": 100.0, "qd": 1000.0, "voltage": 1000.0, "temperature": 1000.0, "force": 1e4}


@dataclass(frozen=True)
class Fault:
    """column: where. text: what, in a clause. remedy: what to do. error: whether the recording is unusable as it is."""

    column: str
    text: str
    remedy: str = ""
    error: bool = True


def faults(recording: Recording) -> list[Fault]:
    """Everything that is wrong with a recording, the worst first."""
    found = [*_not_finite(recording), *_out_of_range(recording)]
    if not any(fault.column == "timestamp" for fault in found):
        found += _time(recording)
    if not found:  # the rest makes sense of numbers that are sound
        found += [*_force(recording), *_frozen(recording), *_repeated(recording)]
    return sorted(found, key=lambda fault: not fault.error)


def refuse(recording: Recording, where: Path | str, remedy: str = "") -> None:
    """Raise RecordingError for the first error. where: file or episode, for the message. remedy: replaces the usual."""
    if wrong := [fault for fault in faults(recording) if fault.error]:
        raise RecordingError(where, f"column {wrong[0].column} {wrong[0].text}", remedy or wrong[0].remedy)


def _not_finite(recording: Recording) -> Iterator[Fault]:
    for name, values in recording.columns.items():
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            frames = np.flatnonzero(~np.isfinite(values.reshape(len(recording), -1)).all(axis=1))
            text = f"is not a number in {len(frames)} of {len(recording)} frames, first in frame {frames[0]}"
            yield Fault(name, text, "cut those frames out or leave the episode out")


def _out_of_range(recording: Recording) -> Iterator[Fault]:
    for name, limit in FAR.items():
        if name in recording and np.nanmax(np.abs(recording[name]), initial=0) > limit:
            unit = COLUMNS[name].unit
            text = f"reaches {np.nanmax(np.abs(recording[name])):.3g} {unit}, which nothing on a desk does"
            yield Fault(name, text, f"look at its unit: it should be {unit}")


def _time(recording: Recording) -> Iterator[Fault]:
    steps = np.diff(recording["timestamp"].astype(float))
    if (steps <= 0).any():
        frame = int(np.flatnonzero(steps <= 0)[0]) + 1
        yield Fault("timestamp", f"does not grow at frame {frame}", "sort the frames and drop those that repeat")
        return
    limit = longest_step(recording.rate)
    if (steps > limit).any():
        frame = int(np.argmax(steps))
        text = f"has {int((steps > limit).sum())} gaps, the longest of {steps[frame]:.3f} s after frame {frame}"
        yield Fault("timestamp", text, "split the episode there")
    elif len(steps) and np.ptp(steps) > 0.2 / recording.rate:
        text = f"is uneven: steps of {1e3 * steps.min():.1f} to {1e3 * steps.max():.1f} ms"
        yield Fault("timestamp", text, error=False)


def longest_step(rate: float) -> float:
    """The longest step in s between two frames that is not a gap."""
    return max(GAP, 3.05 / rate)


def _force(recording: Recording) -> Iterator[Fault]:
    if "force" not in recording:
        return
    if "force_valid" not in recording:
        yield Fault("force_valid", "is missing though there is a force", "say in which frames the force is known")
    elif recording["force"][~recording["force_valid"]].any():
        yield Fault("force", "is not zero in frames where force_valid is false", "set it to zero there")


def _frozen(recording: Recording) -> Iterator[Fault]:
    frames = round(STILL * recording.rate)
    for j, joint in enumerate(recording.joints):
        q, q_cmd = recording["q"][:, j], recording["q_cmd"][:, j]
        for start, stop in _constant_stretches(q, frames):
            if np.ptp(q_cmd[start:stop]) > MOVED:
                text = f"of {joint} stands still from {recording['timestamp'][start]:.1f} s though q_cmd moves"
                yield Fault("q", text, "was the servo off, or its encoder unplugged?", error=False)
                break


def _constant_stretches(values: np.ndarray, least: int) -> Iterator[tuple[int, int]]:
    """(start, stop) of each stretch of at least that many equal values."""
    ends = np.flatnonzero(np.diff(values)) + 1
    bounds = np.concatenate([[0], ends, [len(values)]])
    for start, stop in pairwise(bounds):
        if stop - start >= least:
            yield int(start), int(stop)


def _repeated(recording: Recording) -> Iterator[Fault]:
    """Frames in which no measured column changed although the arm moved: the bus has lost an answer."""
    if "qd" not in recording:
        return
    same = (np.diff(recording["q"], axis=0) == 0).all(axis=1) & (np.diff(recording["qd"], axis=0) == 0).all(axis=1)
    moving = (np.abs(recording["qd"][1:]) > 0.05).any(axis=1)
    if (same & moving).sum() > 0.01 * len(recording):
        text = f"repeats the frame before in {100 * (same & moving).mean():.0f} % of the frames"
        yield Fault("q", text, "answers of the bus were lost", error=False)
