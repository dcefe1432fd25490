"""Episodes as a rollout wants them: smooth states to start from and to be judged by, and labels of the next tick.

    tracks = [track_of(episode, labels) for ...]
    bank, starts = joined(tracks, before=8, after=129)
    batch = cut(bank, starts[:16] - 8, 8 + 129)      # (16, 137, ...) of every column

All joints are there, the gripper as the angle of its motor, whatever its fingers do. float32.
"""

from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np

from bench.arm.setups import SETUPS
from bench.smoothing import smooth
from bench.xla import jax

Array: TypeAlias = np.ndarray | jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Track:
    """(frames, m) for m joints, unless said otherwise. rad, rad/s, rad/s^2, V, degrees C, N."""

    q_cmd: Array
    u: Array  # effort, in the unit of its register
    voltage: Array
    temperature: Array
    seen_q: Array  # as the register says
    seen_qd: Array
    q: Array  # the same without its steps and its noise (bench.smoothing)
    qd: Array
    qdd: Array
    force: Array  # (frames, 3): at the next frame
    gate: Array  # (frames,): 1 if that is a contact
    mask: Array  # (frames,): 1 if that is known
    condition: Array  # 1 where the joint moves freely

    def __len__(self) -> int:
        return len(self.q)

    def __getitem__(self, frames: Any) -> "Track":
        """These frames of every column."""
        return jax.tree.map(lambda column: column[frames], self)


def track_of(episode: Any, labels: Any) -> Track:
    """The track of one episode. episode: a solutions.nad.Episode; labels: what solutions.nad.labels makes of it."""
    turned = _turned(episode.robot, episode.q.shape[1])
    q, qd, qdd = smooth(episode.q * turned, episode.rate)
    columns = {
        "q_cmd": episode.q_cmd * turned,
        "u": episode.u,
        "voltage": episode.voltage,
        "temperature": episode.temperature,
        "seen_q": episode.q * turned,
        "seen_qd": episode.qd * turned,
        "q": q,
        "qd": qd,
        "qdd": qdd,
        "force": labels.force,
        "gate": labels.gate,
        "mask": labels.mask,
        "condition": episode.condition,
    }
    return Track(**{name: np.asarray(column, np.float32) for name, column in columns.items()})


def row_of(robot: str, telemetry: Any) -> Track:
    """One frame of what a bench.arm.Telemetry says, with nothing known of what it should be: those columns are zero."""
    turned = _turned(robot, len(telemetry.q))
    q, qd = telemetry.q * turned, telemetry.qd * turned
    zero = np.zeros_like(q)
    columns = {
        "q_cmd": telemetry.q_cmd * turned,
        "u": telemetry.effort,
        "voltage": telemetry.voltage,
        "temperature": telemetry.temperature,
        "seen_q": q,
        "seen_qd": qd,
        "q": q,
        "qd": qd,
        "qdd": zero,
        "force": np.zeros(3),
        "gate": np.zeros(()),
        "mask": np.zeros(()),
        "condition": zero,
    }
    return Track(**{name: np.asarray(column, np.float32) for name, column in columns.items()})


def _turned(robot: str, joints: int) -> np.ndarray:
    """What makes angles of motors of recorded coordinates: the gripper's finger may slide."""
    return np.append(np.ones(joints - 1), 1 / SETUPS[robot].finger)


def joined(tracks: list[Track], before: int, after: int) -> tuple[Track, np.ndarray]:
    """All tracks one below the other, and every frame that has so many frames of its own track before and after it."""
    bank = Track(*(np.concatenate([getattr(t, column.name) for t in tracks]) for column in fields(Track)))
    ends = np.cumsum([len(track) for track in tracks])
    ranges = [np.arange(end - len(t) + before, end - after) for t, end in zip(tracks, ends, strict=True)]
    return bank, np.concatenate(ranges)


def cut(bank: Track, first: np.ndarray, frames: int) -> Track:
    """Pieces of a bank, (pieces, frames, ...) of every column. first: the first frame of each, (pieces,)."""
    return bank[first[:, None] + np.arange(frames)]
