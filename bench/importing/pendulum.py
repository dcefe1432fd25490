"""Logs of a servo that swings a pendulum, as the project Rhoban/bam writes them: JSON, one run a file."""

from pathlib import Path
from typing import Any

import numpy as np

from bench.importing.files import read_json
from bench.recording.episode import Recording
from bench.recording.errors import RecordingError

FULL_DUTY = 885  # counts of the register Present PWM at full duty (Dynamixel X series)
ENTRY = {
    "timestamp": "timestamp",
    "goal_position": "q_cmd",
    "position": "q",
    "speed": "qd",
    "load": "effort",
    "input_volts": "voltage",
    "temp": "temperature",
}
HEADER = ("mass", "length", "kp", "vin")


class PendulumLogs:
    """Runs of one servo. Angles are in rad with zero hanging down; the logs say so by their kind."""

    kind = "servo pendulum logs"

    def __init__(self, files: list[Path], robot: str = ""):
        self.files = files
        self.robot = robot
        self.notes: list[str] = []

    def __len__(self) -> int:
        return len(self.files)

    def where(self, episode: int) -> str:
        return str(self.files[episode])

    def recording(self, episode: int) -> Recording:
        """One run. The register of the duty is unsigned 16-bit in these logs; effort is signed, 1 at full duty.

        parameters holds the header and, if the servo is switched off in the end, `let_go`: when, in s.
        """
        file = self.files[episode]
        log = read_json(file)
        entries = log.get("entries")
        if not isinstance(entries, list) or not entries:
            raise RecordingError(file, "has no entries", "is it a pendulum's log?")
        columns = {ours: _column(file, entries, theirs) for theirs, ours in ENTRY.items()}
        load = columns["effort"]
        if (load != np.round(load)).any() or load.min() < -32768 or load.max() > 65535:
            raise RecordingError(file, "column load is not a 16-bit register")
        columns["effort"] = np.where(load > 32767, load - 65536, load) / FULL_DUTY
        columns["timestamp"] -= columns["timestamp"][0]
        steps = np.diff(columns["timestamp"])
        parameters = {key: float(log[key]) for key in HEADER if isinstance(log.get(key), int | float)}
        off = [i for i, entry in enumerate(entries) if entry.get("torque_enable") is False]
        if off:  # the arm is let go, as in lift_and_drop: from there on the command means nothing
            if off != list(range(off[0], len(entries))):
                raise RecordingError(file, "column torque_enable switches off and on again", "cut the log there")
            parameters["let_go"] = float(columns["timestamp"][off[0]])
        return Recording(
            robot=self.robot or f"{log.get('motor', 'servo')}_pendulum",
            joints=("joint",),
            task=str(log.get("trajectory", file.stem)),
            columns=columns,
            rate=float(1 / np.median(steps)) if len(steps) and np.median(steps) > 0 else 1.0,
            effort_unit="duty",
            parameters=parameters,
        )


def _column(file: Path, entries: list[Any], name: str) -> np.ndarray:
    """One number of every entry. Raises RecordingError with the first entry that has none."""
    values = np.empty(len(entries))
    for i, entry in enumerate(entries):
        value = entry.get(name) if isinstance(entry, dict) else None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise RecordingError(file, f"column {name}: entry {i} has no number", "is it a pendulum's log?")
        values[i] = value
    return values
