"""Record one trial: the operator leads, the virtual arm follows, and the labels are what the laboratory would know."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np

from bench.arm import EFFECTS, RubberBand, VirtualArm
from bench.recording import Recording
from bench.teleop.contact import Table
from bench.teleop.hand import Hand
from bench.teleop.nad import Trial
from bench.teleop.scripts import AXES, SCRIPTS, Operator, Performance

GRAVITY = 9.81  # m/s^2
SENSOR_NOISE, SENSOR_STEP = 0.02, 0.01  # N: of the fixture's six-axis sensor, and of the force gauge
WARM = (26.0, 42.0)  # degrees C of the motors when a trial begins: from a cold start to an hour of trials
CONTACT = 0.01  # N: less is no contact
LIFTED = 0.02  # a weight of which the table carries less than this share is lifted


@cache
def hand(robot: str) -> Hand:
    """The leader's kinematics; one for each process is enough."""
    return Hand(robot)


def lead(trial: Trial, rate: float) -> Performance:
    """What the operator does in this trial."""
    options = dict(trial.lead.options)
    if trial.row.twin:
        options["contact"] = False
    operator = Operator(hand(trial.robot), rate, trial.frames, trial.rng("leader"), options)
    return SCRIPTS[trial.lead.script](operator)


def record(trial: Trial) -> Recording:
    """The recording of one trial, labelled as the laboratory labels it. The same trial gives the same numbers."""
    recording, performance, table = perform(trial)
    labels = _labels(trial, performance, table, recording["force"])
    return replace(recording, columns={**recording.columns, **labels})


def perform(
    trial: Trial, effects: Iterable[str] = EFFECTS, frames: int | None = None
) -> tuple[Recording, Performance, np.ndarray]:
    """What happens in a trial: a recording with the force that really acts in every frame; what the operator did; and
    the share of the weight that the table carries, (frames,), NaN while nothing is held.

    effects: of the arm. frames: only so many. Raises ValueError for an unknown effect.
    """
    rng = trial.rng("arm")
    arm = VirtualArm(trial.robot, rng=rng, effects=effects)
    warmth = rng.uniform(*WARM)
    for servo in getattr(arm.drives, "servos", ()):  # the Panda's joints have no temperature
        servo.winding.set_temperature(warmth + rng.normal(0, 1.5))
    performance = lead(trial, arm.rate)
    if trial.row.restricted:
        arm.restrict(RubberBand(trial.row.restricted))
    arm.reset(performance.q_cmd[0])
    rows, carried = [], []
    table: Table | None = None
    for q_cmd, held in zip(performance.q_cmd[:frames], performance.held & (trial.row.payload > 0), strict=False):
        if held and table is None:
            table = Table(trial.row.payload * GRAVITY)
            arm.hold(trial.row.payload)
        elif table is not None and not held:
            table = None
            arm.release()
        row = arm.step(q_cmd, table or performance.fixture)
        rows.append(row)
        carried.append(1 + row.force[2] / table.weight if table else np.nan)
    columns = {name: np.array([getattr(row, name) for row in rows]) for name in rows[0].__dataclass_fields__}
    columns["condition"] = columns["condition"] > 0
    recording = Recording(
        robot=trial.robot,
        joints=tuple(arm.joints),
        task=trial.row.task,
        columns=columns,
        payload=trial.row.payload,
        seed=trial.seed,
        split=trial.split,
        rate=arm.rate,
        effort_unit=arm.effort_unit,
        parameters={"trial": trial.number},
    )
    return recording, performance, np.array(carried)


def _labels(trial: Trial, performance: Performance, table: np.ndarray, force: np.ndarray) -> dict[str, np.ndarray]:
    """force, force_valid and contact as the laboratory labels them (section III-C and appendix A of the paper).

    table: share of the weight that the table carries, NaN while nothing is held. force: what really acts, N.
    With a weight the label is its gravity while it is held and lifted, and unknown while the table carries part of it.
    With a fixture it is what the sensor reads, in whole steps, and zero without contact; the gauge reads one axis.
    """
    if trial.row.payload:
        held, lifted = ~np.isnan(table), table < LIFTED
        label = np.zeros_like(force)
        label[lifted, 2] = -trial.row.payload * GRAVITY
        return {"force": label, "force_valid": lifted | ~held, "contact": held}
    contact = np.linalg.norm(force, axis=1) > CONTACT
    noise = trial.rng("sensor").normal(0, SENSOR_NOISE, force.shape)
    label = SENSOR_STEP * np.round((force + noise) / SENSOR_STEP) * contact[:, None]
    if performance.measured:
        label *= AXES[performance.measured]
    return {"force": label, "force_valid": np.ones(len(force), dtype=bool), "contact": contact}
