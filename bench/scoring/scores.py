"""The headline numbers as plain data, for a file or a test."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from bench.scoring.metrics import false_positives, faults, force_mae, joint_mae, methods
from bench.scoring.outcome import COMMAND, MODEL, ZERO, Outcome, row_of
from bench.teleop.nad import Row

HORIZONS = (100, 300, 500)  # steps
ALL = "all"


def group_of(row: Row) -> str:
    """What an episode of this row is about."""
    if row.restricted:
        return "restricted"
    if row.category == "gauge":
        return "gauge"
    if row.twin:
        return "reference"
    return "payload" if row.payload else "push" if row.category == "sensor" else "free"


# payload: a weight is held. push: on the force sensor; reference: the same motion without contact. gauge: on the force
# gauge. free: nothing is held or touched. restricted: a rubber band around a joint.
GROUPS = ("payload", "push", "reference", "gauge", "free", "restricted")


def scores(outcomes: Iterable[Outcome], groups: Mapping[str, Collection[str]] | None = None) -> dict[str, Any]:
    """Errors of the model, and of no model beside it, by group of tasks: strings, numbers and None, ready for JSON.

    groups: names and their tasks; if not given, those of GROUPS in which an episode is. Group "all" is there besides.

        found["groups"]["payload"]["force_mae"]["500"]["predict zero"]  # N, a mean of the episodes'
        found["groups"]["payload"]["joint_mae"]["300"]["q = q_cmd"]  # degrees, mean of the arm's joints
        found["groups"]["all"]["false_positives"]["500"]["NeuralActuator"]  # share of frames, 0 to 1

    Beside them in a group: "episodes", "shortest" (frames; a horizon beyond it is scored over what there is) and
    "not_finite", a list of lines. None stands where no label is, and where a prediction is not finite.
    Raises ValueError for no episode, several robots, or a group without an episode.
    """
    outcomes = list(outcomes)
    robots = sorted({outcome.robot for outcome in outcomes})
    if len(robots) != 1:
        raise ValueError(f"Scores are of one robot, not of {', '.join(robots) or 'no episode'}")
    if groups is None:
        kinds = {outcome.task: group_of(row_of(outcome.robot, outcome.task)) for outcome in outcomes}
        groups = {name: [task for task in kinds if kinds[task] == name] for name in GROUPS if name in kinds.values()}
    found = {}
    for name, tasks in groups.items():
        members = [outcome for outcome in outcomes if outcome.task in tasks]
        if not members:
            raise ValueError(f"Group {name!r} has no episode; its tasks: {', '.join(tasks) or 'none'}")
        found[name] = _scores(members)
    return {"robot": robots[0], "groups": found | {ALL: _scores(outcomes)}}


def _scores(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    forces = (MODEL, ZERO, *methods(outcomes))
    found: dict[str, Any] = {"episodes": len(outcomes), "shortest": min(map(len, outcomes))}
    found["not_finite"] = faults(outcomes, max(HORIZONS))
    for name, asked, metric in (
        ("joint_mae", (MODEL, COMMAND), _joints),
        ("force_mae", forces, force_mae),
        ("false_positives", forces, false_positives),
    ):
        found[name] = {str(T): {method: _plain(metric(outcomes, T, method)) for method in asked} for T in HORIZONS}
    return found


def _joints(outcomes: Sequence[Outcome], horizon: int, method: str) -> float:
    return float(joint_mae(outcomes, horizon, method)[:-1].mean())


def _plain(number: float | None) -> float | None:
    return number if number is not None and np.isfinite(number) else None
