"""The units of other programs' joint angles, turned into radians. What a file does not say, the user must."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bench.importing.files import read_json
from bench.recording.errors import RecordingError

KINDS = ("radians", "degrees", "range")
TURN = 4096  # ticks of an encoder in one turn
GRIPPER = "gripper"  # LeRobot records it as 0 to 100 of its range, whatever the unit of the other joints
TOO_FAR = {"radians": 4 * np.pi, "degrees": 720.0, "range": 101.0}


@dataclass(frozen=True)
class Units:
    """How a LeRobot set writes angles. kind: radians, degrees, range (-100 to 100 of the arm's), or "".

    Until version 0.4.0 LeRobot recorded the range, from 0.4.4 degrees; its files do not say which.
    calibration: LeRobot's file for the arm, {joint: {range_min, range_max, drive_mode}} in ticks. Zero is the middle of
    the calibrated range, in degrees and in the range alike.
    """

    kind: str = ""
    calibration: dict[str, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def named(cls, kind: str, calibration: Path | None = None) -> "Units":
        """Raises RecordingError for a file that is not a calibration, and where one is needed."""
        ranges = read_json(calibration) if calibration else {}
        for joint, entry in ranges.items():
            if not isinstance(entry, dict) or not {"range_min", "range_max"} <= set(entry):
                raise RecordingError(
                    str(calibration), f"{joint} has no range_min and range_max", "is it a calibration file?"
                )
            if not all(isinstance(entry[key], int) for key in ("range_min", "range_max")):
                raise RecordingError(str(calibration), f"the range of {joint} is not in whole ticks")
            if entry["range_max"] <= entry["range_min"]:
                raise RecordingError(str(calibration), f"the range of {joint} is empty", "calibrate the arm again")
        if kind == "range" and not ranges:
            raise RecordingError("--units range", "means a share of each joint's range", "name it: --calibration FILE")
        return cls(kind, ranges)

    def convertible(self, joint: str) -> bool:
        """Whether radians can be had for this joint."""
        needs_range = self.kind == "range" or (joint == GRIPPER and self.kind == "degrees")
        return not needs_range or joint in self.calibration

    def radians(self, joint: str, values: np.ndarray, where: str) -> np.ndarray:
        """values of one joint in rad. Raises RecordingError for values that the named unit cannot have."""
        share = self.kind == "range" or (self.kind == "degrees" and joint == GRIPPER)
        limit = TOO_FAR["range" if share else self.kind]
        if (reached := np.nanmax(np.abs(values), initial=0.0)) > limit:
            text = f"reaches {reached:.4g} for {joint}, too far for {'a share of its range' if share else self.kind}"
            raise RecordingError(where, text, "name the right unit: --units " + " or ".join(KINDS))
        if not share:
            return np.radians(values) if self.kind == "degrees" else values
        entry = self.calibration[joint]
        low, high = entry["range_min"], entry["range_max"]
        from_low = values / 100 if joint == GRIPPER else (values + 100) / 200
        if entry.get("drive_mode"):
            from_low = 1 - from_low
        ticks = low + from_low * (high - low)
        return (ticks - (low + high) / 2) * 2 * np.pi / TURN
