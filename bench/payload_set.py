"""Episodes in which an OpenManipulator-X moves freely, lifts weights and is pushed, with the true force in every frame.

    recording = episode("pick_place_300g")                                    # the test trial, its first 500 frames
    recording = episode("pick_place_300g", effects=EFFECTS - FRICTION)        # by an arm that has no friction
    recording = episode("force_z_plus_reference")                             # the same pushes into the air

The trials are those of `bench record openmanipulator_x`, commands and all. Two things differ: an effect of the arm can
be switched off, and the force is what really acts, where the data set has what a laboratory knows (nothing while the
table still carries a part of the weight). Thirty seconds of arm take about one second.
"""

import sys
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np
from rich.progress import track

from bench.arm import EFFECTS, Telemetry, VirtualArm
from bench.arm.setups import SETUPS
from bench.recording import Recording
from bench.teleop.hand import STATIONS
from bench.teleop.nad import plans, trials
from bench.teleop.trial import perform

ROBOT = "openmanipulator_x"
FREE = ("circular_cw", "joint_sweep_1", "joint_sweep_2", "joint_sweep_3", "joint_sweep_4", "backward_forward")
LIFTS = tuple(f"go_up_stay_still_{g}g" for g in (200, 300, 400))
PLACES = tuple(f"pick_place_{g}g" for g in (200, 300, 400, 500))
PUSHES = tuple(f"force_{axis}_{sign}" for axis in "xyz" for sign in ("plus", "minus"))
FRICTION = frozenset({"friction", "load friction", "hysteresis"})  # of EFFECTS: all that resists motion without a motor
SENSING = frozenset({"noise", "ticks", "delay"})  # of EFFECTS: all that stands between the arm and what is read
TABLE_VII = {  # of the NeuralActuator paper: force error in N on its own arm, over 100 steps; columns LIFTS and PLACES
    "ID-Linear": (1.37, 1.81, 2.30, 0.72, 0.95, 1.22, 1.47),
    "ID-Friction": (1.06, 1.59, 2.15, 0.62, 0.82, 1.10, 1.31),
    "momentum observer": (0.58, 0.66, 1.23, 0.33, 0.47, 0.63, 0.75),
    "NeuralActuator": (0.12, 0.20, 0.07, 0.24, 0.00, 0.19, 0.05),
}
RATE = SETUPS[ROBOT].rate  # Hz
SEED, FRAMES = 0, 500
CLOSED = 0.005  # m: of the gripper's slide, about


def episode(
    task: str, split: str = "test", frames: int = FRAMES, seed: int = SEED, effects: Iterable[str] = EFFECTS
) -> Recording:
    """The first frames of a task's first trial of that split, which may be shorter. Same arguments, same numbers.

    task: a row of `bench record --list openmanipulator_x`. split: train, validation or test. Raises ValueError for an
    unknown task or effect. What was performed once is remembered.
    """
    return _performed(task, split, frames, seed, frozenset(effects))


def episodes(tasks: Collection[str], **how: Any) -> Iterator[Recording]:
    """episode() of each task, with a bar of progress where there is a terminal. how: its further arguments."""
    for task in track(tasks, "performing", transient=True, disable=not sys.stdout.isatty()):
        yield episode(task, **how)


@cache
def _performed(task: str, split: str, frames: int, seed: int, effects: frozenset[str]) -> Recording:
    trial = next(trial for trial in trials(plans()[ROBOT], seed, [task], only=3) if trial.split == split)
    return perform(trial, effects, frames)[0]


def pressed(force: float, effects: Iterable[str] = EFFECTS) -> tuple[np.ndarray, list[Telemetry]]:
    """The arm holds still while somebody presses down on its effector, lets go, lifts, lets go: twice in 12 s.

    force: N, the most. Returns the push on the effector, N, downwards, (frames,), and the rows of the arm.
    """
    arm = VirtualArm(ROBOT, rng=np.random.default_rng(0), effects=effects)
    command = arm.reset((*STATIONS[ROBOT].rest, CLOSED)).q_cmd.tolist()
    push = force * np.sin(2 * np.pi * np.arange(12 * arm.rate) / (6 * arm.rate))
    return push, [arm.step(command, (0.0, 0.0, -f)) for f in push]
