"""The metrics of the NeuralActuator paper's section IV-A, and the share of false alarms.

Every episode counts the same, however long it is: a mean over episodes of means over frames. An episode that is shorter
than the horizon counts with the frames that it has.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from bench.arm.setups import SETUPS
from bench.scoring.outcome import MODEL, Outcome

CONTACT = 0.01  # N: a label up to this is no contact (the paper's epsilon, section III-D)
FALSE = 0.5  # N: an estimate above it claims a contact; our choice, for the paper gives shares without a threshold


def joint_mae(outcomes: Iterable[Outcome], horizon: int, method: str = MODEL) -> np.ndarray:
    """Mean absolute error of each motor over the first `horizon` frames, (m,): degrees, the gripper's in mm.

        MAE_j(T) = 1/N sum_n 1/T sum_t |q_jt - qhat_jt|

    outcomes: of one robot, at least one. method: a key of `Outcome.positions`. mm are those of one finger's slide; they
    mean nothing for a gripper that turns. NaN where a prediction is.
    """
    errors, robots = [], set()
    for outcome in outcomes:
        predicted, real = outcome.positions[method][:horizon], outcome.q_real[:horizon]
        errors.append(np.abs(predicted - real).mean(axis=0))
        robots.add(outcome.robot)
    (robot,) = robots
    mae = np.rad2deg(np.mean(errors, axis=0))
    mae[-1] = np.deg2rad(mae[-1]) * SETUPS[robot].finger * 1000
    return mae


def force_mae(outcomes: Iterable[Outcome], horizon: int, method: str = MODEL) -> float | None:
    """Mean absolute error of a force's components over the first `horizon` frames, N.

        MAE_F(T) = 1/(3 N T) sum_n sum_t sum_k |f_tk - fhat_tk|

    Only frames with a label count, and an episode without one there does not; None if no episode has one.
    method: a key of `Outcome.forces`. NaN where an estimate is.
    """
    errors = []
    for outcome in outcomes:
        known = outcome.known[:horizon]
        if known.any():
            estimate, real = outcome.forces[method][:horizon], outcome.force_real[:horizon]
            errors.append(np.abs(estimate[known] - real[known]).mean())
    return float(np.mean(errors)) if errors else None


def false_positives(outcomes: Iterable[Outcome], horizon: int, method: str = MODEL) -> float | None:
    """Share, 0 to 1, of the frames without contact, of all episodes together, in which the estimate exceeds FALSE.

    Only frames with a label count; None if none of them is without contact. method: a key of `Outcome.forces`. NaN if
    an estimate in one of the frames is, because it claims neither the one nor the other.
    """
    lengths = []
    for outcome in outcomes:
        known = outcome.known[:horizon]
        alone = np.linalg.norm(outcome.force_real[:horizon][known], axis=1) <= CONTACT
        lengths.append(np.linalg.norm(outcome.forces[method][:horizon][known][alone], axis=1))
    length = np.concatenate(lengths) if lengths else np.zeros(0)
    if not length.size:
        return None
    return float((length > FALSE).mean()) if np.isfinite(length).all() else float("nan")


def methods(outcomes: Sequence[Outcome]) -> list[str]:
    """The other methods that went through every one of the episodes: only they can be compared with the model."""
    return [name for name in outcomes[0].others if all(name in outcome.others for outcome in outcomes)]


def faults(outcomes: Iterable[Outcome], horizon: int) -> list[str]:
    """What a reader of the numbers must know: predictions that are not finite, from which frame on."""
    found = []
    for outcome in outcomes:
        arrays = {f"{MODEL}'s angles": outcome.q, **{f"the force of {k}": v for k, v in outcome.forces.items()}}
        for name, array in arrays.items():
            bad = ~np.isfinite(array[:horizon]).all(axis=1)
            if bad.any():
                found.append(f"{outcome.task}: {name} not finite in {bad.sum()} frames, first in {bad.argmax()}")
    return found
