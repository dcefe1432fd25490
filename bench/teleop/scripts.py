"""What the operator does in each task of the Neural Actuation Dataset. One function a task; `nad.toml` names them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bench.teleop.contact import STIFFNESS, Fixture
from bench.teleop.hand import Hand
from bench.teleop.motion import Strokes, trembling

OPEN, SHUT = 0.55, 0.3  # of the gripper's range, empty and around an object
STRONGEST = 8.0  # N: of a push; the paper's go up to 9
AXES = {"x": np.array([1.0, 0, 0]), "y": np.array([0, 1.0, 0]), "z": np.array([0, 0, 1.0])}


@dataclass
class Performance:
    """What the leader did. q_cmd: (frames, n), rad. held: (frames,), the gripper is closed around the object, if any.

    fixture: what stands in the way. measured: the axis that the force gauge measures, None if all three are.
    """

    q_cmd: np.ndarray
    held: np.ndarray
    fixture: Fixture | None = None
    measured: str | None = None


@dataclass
class Operator:
    """A person at the leader arm: its kinematics, the ticks there are to fill, and a random state."""

    hand: Hand
    rate: float
    frames: int
    rng: np.random.Generator
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        return self.frames / self.rate

    def somewhere(self, radius: float, height: float, azimuth: float = 0.0) -> np.ndarray:
        """About there: a point at that distance from the base's axis, give or take a centimetre or two, m, (3,)."""
        spread = 0.25 * self.hand.station.size
        r, z = radius + self.rng.normal(0, spread), height + abs(self.rng.normal(0, spread))
        a = azimuth + self.rng.normal(0, 0.06)
        return np.array([r * np.cos(a), r * np.sin(a), z])

    def finish(self, strokes: Strokes, **more: Any) -> Performance:
        q, marks = strokes.played(self.frames)
        held = marks.get("held", np.zeros(self.frames, dtype=bool))
        return Performance(trembling(q, self.rate, self.hand.station.tick, self.hand.limits, self.rng), held, **more)


def circle(op: Operator) -> Performance:
    """Circles of the effector in a tilted plane. option sense: 1 counter-clockwise seen from above, -1 clockwise."""
    station, tilt = op.hand.station, op.rng.uniform(0.2, 0.9)
    centre = op.somewhere(station.work, station.middle)
    angle = np.linspace(0, 2 * np.pi, 49) * op.options["sense"] + op.rng.uniform(-0.5, 0.5)
    radius = station.size * op.rng.uniform(0.85, 1.15)
    offsets = [np.cos(angle), np.sin(angle), tilt * np.sin(angle)]
    lap = op.hand.through(centre + radius * np.stack(offsets, axis=1))
    strokes = Strokes(lap[0], op.rng)
    strokes.stay(0.5)
    for _ in range(max(2, round(op.seconds / 4.5))):
        strokes.follow(lap, 4)
    strokes.stay(0.5)
    return op.finish(strokes)


def joint_sweep(op: Operator) -> Performance:
    """One joint to and fro over nine tenths of its range. option joint: its index, the gripper's is the last."""
    station, joint = op.hand.station, op.options["joint"]
    home = op.hand.at(np.array([station.work, 0.0, station.middle]))
    low, high = op.hand.limits[joint]
    middle, reach = (low + high) / 2, 0.45 * (high - low)
    strokes = Strokes(home, op.rng)
    ends = [home.copy(), home.copy()]
    seconds = np.clip(2 * reach / 1.1, 1.5, 6.0)  # about 1.1 rad/s on average
    strokes.stay(0.4)
    for i in range(max(2, round(op.seconds / seconds))):
        ends[i % 2][joint] = middle + (reach if i % 2 else -reach) * op.rng.uniform(0.92, 1)
        strokes.move(ends[i % 2].copy(), seconds)
    strokes.move(home, seconds / 2)
    return op.finish(strokes)


def lean_and_extend(op: Operator) -> Performance:
    """Lean back, extend forward, and so on."""
    station = op.hand.station
    strokes = Strokes(op.hand.at(op.somewhere(station.work, station.middle)), op.rng)
    for _ in range(max(2, round(op.seconds / 5))):
        strokes.move(op.hand.at(op.somewhere(station.near, station.high)), 2)
        strokes.stay(0.4)
        strokes.move(op.hand.at(op.somewhere(station.far, station.middle)), 2)
        strokes.stay(0.4)
    return op.finish(strokes)


def go_up(op: Operator) -> Performance:
    """With the gripper closed around what is on the table, go up and stay still."""
    station, azimuth = op.hand.station, op.rng.uniform(-0.3, 0.3)
    strokes = Strokes(op.hand.at(op.somewhere(station.work, station.low, azimuth), SHUT), op.rng)
    strokes.mark("held", True)
    strokes.stay(0.5)
    strokes.move(op.hand.at(op.somewhere(station.work, station.high, azimuth), SHUT, strokes.pose), 2)
    strokes.stay(max(4.0, op.seconds - 2.5))
    return op.finish(strokes)


def pick_and_place(op: Operator) -> Performance:
    """From above an object: pick it up, put it down on the other side, go home."""
    station = op.hand.station
    side = op.rng.choice([-1, 1]) * op.rng.uniform(0.35, 0.6)
    above = op.somewhere(station.work, station.middle, side)
    below = np.array([above[0], above[1], op.somewhere(station.work, station.low)[2]])
    strokes = Strokes(op.hand.at(above, OPEN), op.rng)
    strokes.stay(0.2)
    strokes.follow(op.hand.line(above, below, OPEN), 1)
    strokes.move(op.hand.at(below, SHUT, strokes.pose), 0.6)
    strokes.mark("held", True)
    strokes.stay(0.3)
    strokes.move(op.hand.at(op.somewhere(station.work, station.high, side), SHUT, strokes.pose), 2)
    across = op.somewhere(station.work, station.high, -side)
    strokes.move(op.hand.at(across, SHUT, strokes.pose), 3)
    strokes.stay(0.5)
    down = np.array([across[0], across[1], below[2]])
    strokes.follow(op.hand.line(across, down, SHUT), 2)
    strokes.stay(0.4)
    strokes.mark("held", False)
    strokes.move(op.hand.at(down, OPEN, strokes.pose), 0.8)
    strokes.move(op.hand.at(across, OPEN, strokes.pose), 1.5)
    strokes.move(op.hand.at(op.somewhere(station.work, station.middle), OPEN), 2)
    strokes.stay(1)
    return op.finish(strokes)


def push(op: Operator) -> Performance:
    """Press against a fixture again and again, each time until about some force is felt.

    options axis: x, y or z; sign: of the force on the arm; height: low or high; contact: False leaves the fixture away.
    """
    station = op.hand.station
    normal = op.options["sign"] * AXES[op.options["axis"]]
    height = {"low": station.low + station.size, "high": station.high}.get(op.options.get("height", ""), station.middle)
    start = op.somewhere(station.far if normal[0] > 0 else station.work, height)  # far out where it has to pull
    gap = op.rng.uniform(0.015, 0.025)  # m, between the effector and the pad
    give = op.hand.compliance(op.hand.at(start), normal) + 1 / STIFFNESS  # m/N, of arm and pad together
    path = op.hand.line(start, start - normal * (gap + give * STRONGEST), SHUT, points=40)
    strokes = Strokes(path[0], op.rng)
    strokes.stay(0.6)
    for _ in range(max(2, round(op.seconds / 3.2))):
        depth = (gap + give * op.rng.uniform(0.2, 1.0) * STRONGEST) / (gap + give * STRONGEST)
        stroke = path[: max(2, round(depth * len(path)))]
        strokes.follow(stroke, 1)
        strokes.stay(op.rng.uniform(0.2, 1.0))
        strokes.follow(stroke[::-1], 0.8)
        strokes.stay(0.4)
    fixture = Fixture(start - normal * gap, normal) if op.options.get("contact", True) else None
    return op.finish(strokes, fixture=fixture, measured=op.options.get("measured"))


SCRIPTS: dict[str, Callable[[Operator], Performance]] = {
    script.__name__: script for script in (circle, joint_sweep, lean_and_extend, go_up, pick_and_place, push)
}
