"""A few short trials of a virtual OpenManipulator-X, a small training, and how far a rollout goes astray.

    tracks = performed(LEARN, ("train", "validation"), 300, labels)      # labels: solutions.nad.labels
    params, seconds = learned(loss, setting, params, batches, steps=400)
    errors(angles, tests)                                                # degrees, at HORIZONS

The trials are those of `bench record openmanipulator_x`; here are the beginnings of a few. Seconds of arm, seconds of
training: enough to see what matters, far from what a model trained on the whole set can do.
"""

import sys
import time
from collections.abc import Callable, Collection, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from rich.progress import track as progress

from bench.networks import TOKENS
from bench.payload_set import ROBOT, episodes
from bench.recording import Recording
from bench.scoring.paper import paper_tables
from bench.tracks import Array, Track, track_of
from bench.training import Batches, adamw, begin, update_of
from bench.xla import compiled, jax

__all__ = ["HORIZONS", "LEARN", "ROBOT", "TABLE_III", "TEST", "TICKS", "Batches", "errors", "learned", "performed"]

LEARN = (
    *("circular_cw", "joint_sweep_1", "joint_sweep_2", "joint_sweep_3", "joint_sweep_4"),
    *("backward_forward", "pick_place_empty", "go_up_stay_still_300g", "pick_place_300g"),
)
TEST = ("circular_cw", "backward_forward", "pick_place_empty")  # rows of table III
RATE = 3e-3  # the highest learning rate
HORIZONS = (100, 300, 600)  # ticks: those of table III
TICKS = max(HORIZONS)
# Of the NeuralActuator paper, table III: joint error in degrees, mean of J1 to J4, on its own arm.
TABLE_III = {
    line.task: tuple(np.mean([float(line.printed[h, f"J{j}"]) for j in (1, 2, 3, 4)]) for h in HORIZONS)
    for line in next(table for table in paper_tables() if table.number == "III").lines
    if line.task in TEST
}


def performed(tasks: Collection[str], splits: Collection[str], frames: int, labels: Callable) -> list[Track]:
    """The first frames of one trial of each task and split. labels(force, force_valid): as track_of() wants them."""
    return [_track(r, labels) for split in splits for r in episodes(tasks, split=split, frames=frames)]


def _track(recording: Recording, labels: Callable) -> Track:
    names = ("q_cmd", "q", "qd", "voltage", "temperature", "condition")
    columns = {name: recording[name].astype(float) for name in names}
    read = SimpleNamespace(robot=recording.robot, rate=recording.rate, u=recording["effort"].astype(float), **columns)
    return track_of(read, labels(recording["force"].astype(float), recording["force_valid"]))


def learned(
    loss: Callable, setting: Any, params: Any, batches: Callable[[int], tuple], steps: int, hurry: bool = False
) -> tuple[Any, float]:
    """Parameters after `steps` steps, their moving average, and how many seconds that took, compiling not counted.

    loss(params, setting, *batches(step)): a number. It is compiled once for all settings of one kind. hurry: compile it
    in a third of the time, for steps that take twice as long: right for a hundred steps.
    """
    optimizer, update = _tools(loss, steps, hurry)
    state, spent, met = begin(params, optimizer), 0.0, set()
    for step in progress(range(steps), "training", transient=True, disable=not sys.stdout.isatty()):
        batch = batches(step)
        started = time.perf_counter()
        state, _ = jax.block_until_ready(update(state, (setting, *batch)))
        if (shape := batch[0].q.shape) in met:
            spent += time.perf_counter() - started
        met.add(shape)
    return state.average, spent


@cache
def _tools(loss: Callable, steps: int, hurry: bool) -> tuple[Any, Callable]:
    optimizer = adamw(RATE, steps, warm_up=min(50, steps // 10))
    update = update_of(lambda params, batch: (loss(params, *batch), {}), optimizer, decay=0.99)
    return optimizer, compiled(update) if hurry else update


def errors(angles: Sequence[Array], tracks: Sequence[Track]) -> np.ndarray:
    """Mean absolute error of the arm's joints in degrees, (tracks, HORIZONS): the metric of table III.

    angles: for each track, rad, (at least 600, m), the first for the frame TOKENS; the last joint is the gripper's and
    does not count. They are judged by what the registers said. A track has TOKENS + 600 frames or more.
    """
    off = [np.asarray(a[:TICKS] - t.seen_q[TOKENS:][:TICKS]) for a, t in zip(angles, tracks, strict=True)]
    return np.array([[np.degrees(np.abs(e[:h, :-1]).mean()) for h in HORIZONS] for e in off])
