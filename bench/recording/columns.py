"""What a frame holds: the columns of a recording, their types, shapes and units, and the ecosystem's own beside."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np


@dataclass(frozen=True)
class Column:
    """One column. per: one number a frame, one for each joint, or one for each axis of the base frame."""

    name: str
    per: Literal["frame", "joint", "axis"]
    dtype: str
    unit: str
    about: str
    required: bool = False

    def width(self, joints: int) -> int:
        """Numbers in a frame."""
        return {"frame": 1, "joint": joints, "axis": 3}[self.per]

    def shape(self, frames: int, joints: int) -> tuple[int, ...]:
        """Shape of the column's array: (frames,), (frames, joints) or (frames, 3)."""
        return (frames,) if self.per == "frame" else (frames, self.width(joints))

    def names(self, joints: Sequence[str]) -> list[str] | None:
        """What its numbers are called in meta/info.json."""
        return {"frame": None, "joint": list(joints), "axis": ["x", "y", "z"]}[self.per]


# float32 holds a tick of a 4096-tick encoder 500 times over, and the ecosystem's readers expect it.
COLUMNS = {
    column.name: column
    for column in (
        Column("timestamp", "frame", "float32", "s", "since the episode began", required=True),
        Column("q_cmd", "joint", "float32", "rad", "commanded angle (m for a sliding gripper)", required=True),
        Column("q", "joint", "float32", "rad", "measured angle", required=True),
        Column("qd", "joint", "float32", "rad/s", "measured speed"),
        Column("effort", "joint", "float32", "", "what the servo reports of its effort, in the unit of its register"),
        Column("voltage", "joint", "float32", "V", "supply at the servo"),
        Column("temperature", "joint", "float32", "degC", "of the servo"),
        Column("force", "axis", "float32", "N", "environment on robot at the effector, base frame; 0 where not valid"),
        Column("force_valid", "frame", "bool", "", "whether force is known in this frame"),
        Column("contact", "frame", "bool", "", "whether something but gravity acts on the effector"),
        Column("condition", "joint", "bool", "", "true: the joint moves freely; false: it is held back"),
        Column(
            "tau_true", "joint", "float32", "N m", "torque on the link side of the joint; only a virtual arm knows it"
        ),
    )
}

# The ecosystem's columns (LeRobot v3.0), computed when a set is written. action is q_cmd and observation.state is q.
MIRRORS = {"action": "q_cmd", "observation.state": "q"}
COUNTERS = ("frame_index", "episode_index", "index", "task_index")


def prepared(name: str, values: object, frames: int, joints: int) -> np.ndarray:
    """The values as an array of the column's dtype and shape.

    Integers and wider floats are converted; anything else (text, objects, complex numbers, a wrong shape) raises
    ValueError with a clause that says what is wrong.
    """
    column = COLUMNS[name]
    array = np.asarray(values)
    wanted = column.shape(frames, joints)
    if array.shape == (frames,) and wanted == (frames, 1):
        array = array.reshape(wanted)  # an arm of one joint is a plain column on disk
    if array.shape != wanted:
        raise ValueError(f"has the shape {array.shape} instead of {wanted}")
    allowed = "b" if column.dtype == "bool" else "fiu"
    if array.dtype.kind not in allowed:
        raise ValueError(f"holds {array.dtype} instead of {column.dtype}")
    return np.ascontiguousarray(array, dtype=column.dtype)
