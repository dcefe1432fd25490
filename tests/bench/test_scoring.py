"""Metrics of a model against loops written by hand, and what odd episodes do to them."""

import json
import math
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from bench.scoring import COMMAND, MODEL, ZERO, Outcome, false_positives, force_mae, joint_mae, scores

MM = 1.762662179e-5 / (2 * math.pi / 4096) * 1000  # mm of the OpenManipulator-X's finger for each rad of its motor


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def episode(
    rng: np.random.Generator, task: str = "pick_place_300g", frames: int = 40, robot: str = "openmanipulator_x", **other
) -> Outcome:
    """Random numbers; a third of the labels is unknown, a third of the others without contact."""
    payload = float(task.split("_")[-1][:-1]) / 1000 if task.endswith("g") else 0.0
    motors = {"openmanipulator_x": 5, "so101": 6, "panda": 8}[robot]
    known = rng.random(frames) > 1 / 3
    known[:2] = True
    force = rng.normal(size=(frames, 3)) * (rng.random((frames, 1)) > 1 / 3)
    force[0], force[1] = 0, [0, 0, -3]
    arrays = {
        "q": rng.normal(size=(frames, motors)),
        "q_real": rng.normal(size=(frames, motors)),
        "q_cmd": rng.normal(size=(frames, motors)),
        "force": rng.normal(size=(frames, 3)),
        "force_real": np.where(known[:, None], force, np.nan),
        "known": known,
        "others": {"ID-Linear": rng.normal(size=(frames, 3))},
    }
    return Outcome(robot=robot, task=task, payload=payload, rate=60.0, **arrays | other)


@pytest.mark.parametrize("horizon", [1, 7, 25, 60])
def test_joint_errors_are_those_of_a_loop(rng, horizon):
    outcomes = [episode(rng, frames=frames) for frames in (40, 25, 60)]
    for method, name in ((MODEL, "q"), (COMMAND, "q_cmd")):
        expected = np.zeros(5)
        for j in range(5):
            for outcome in outcomes:
                steps = min(horizon, len(outcome))
                total = sum(abs(getattr(outcome, name)[t, j] - outcome.q_real[t, j]) for t in range(steps))
                expected[j] += total / steps / len(outcomes)
        expected *= [180 / math.pi] * 4 + [MM]
        np.testing.assert_allclose(joint_mae(outcomes, horizon, method), expected, rtol=1e-12)


@pytest.mark.parametrize("horizon", [2, 7, 25, 60])
def test_force_errors_and_false_positives_are_those_of_a_loop(rng, horizon):
    outcomes = [episode(rng, frames=frames) for frames in (40, 25, 60)]
    for method in (MODEL, ZERO, "ID-Linear"):
        mae, claimed, alone = 0.0, 0, 0
        for outcome in outcomes:
            estimate = {MODEL: outcome.force, ZERO: np.zeros((len(outcome), 3))} | outcome.others
            total, labels = 0.0, 0
            for t in range(min(horizon, len(outcome))):
                if outcome.known[t]:
                    labels += 1
                    total += sum(abs(estimate[method][t, k] - outcome.force_real[t, k]) for k in range(3)) / 3
                    if math.hypot(*outcome.force_real[t]) <= 0.01:
                        alone += 1
                        claimed += math.hypot(*estimate[method][t]) > 0.5
            mae += total / labels / len(outcomes)
        assert force_mae(outcomes, horizon, method) == pytest.approx(mae, rel=1e-12)
        assert false_positives(outcomes, horizon, method) == pytest.approx(claimed / alone, rel=1e-12)


def test_predicting_zero_a_held_weight_costs_a_third_of_it(rng):
    """Over three components, as the paper counts."""
    frames = 30
    weight = np.tile([0, 0, -0.3 * 9.81], (frames, 1))
    outcome = episode(rng, frames=frames, force_real=weight, known=np.ones(frames, dtype=bool))
    assert force_mae([outcome], 100, ZERO) == pytest.approx(0.3 * 9.81 / 3)
    assert false_positives([outcome], 100, ZERO) is None  # no frame is without contact


def test_an_episode_without_labels_counts_for_joints_only(rng):
    blind = episode(rng, known=np.zeros(40, dtype=bool))
    seen = episode(rng)
    assert force_mae([blind], 30) is None
    assert false_positives([blind], 30) is None
    assert force_mae([blind, seen], 30) == force_mae([seen], 30)
    assert not np.allclose(joint_mae([blind, seen], 30), joint_mae([seen], 30))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_prediction_that_is_not_finite_is_never_dropped(rng, bad):
    whole = episode(rng)
    q, force = whole.q.copy(), whole.force.copy()
    q[12, 1] = bad
    force[0] = bad  # a frame without contact
    broken = replace(whole, q=q, force=force)
    assert np.isfinite(joint_mae([whole, broken], 12)).all()
    assert not np.isfinite(joint_mae([whole, broken], 13)[1])
    assert not np.isfinite(force_mae([whole, broken], 20))
    assert math.isnan(false_positives([whole, broken], 20))
    found = scores([whole, broken])["groups"]["payload"]
    assert found["joint_mae"]["100"][MODEL] is None
    assert found["force_mae"]["100"][MODEL] is None
    assert found["false_positives"]["100"][MODEL] is None
    assert found["force_mae"]["100"][ZERO] > 0
    assert len(found["not_finite"]) == 2
    assert found["not_finite"][0] == "pick_place_300g: NeuralActuator's angles not finite in 1 frames, first in 12"


def test_the_scores_are_of_their_groups_and_fit_into_a_file(rng):
    tasks = ("pick_place_300g", "force_x_plus", "force_x_plus_reference", "circular_cw", "high_push_top")
    outcomes = [episode(rng, task, frames=350) for task in tasks]
    found = json.loads(json.dumps(scores(outcomes), allow_nan=False))
    assert found["robot"] == "openmanipulator_x"
    assert list(found["groups"]) == ["payload", "push", "reference", "gauge", "free", "all"]
    push = found["groups"]["push"]
    assert (push["episodes"], push["shortest"], push["not_finite"]) == (1, 350, [])
    assert push["force_mae"]["500"][ZERO] == pytest.approx(force_mae([outcomes[1]], 350, ZERO))
    assert push["joint_mae"]["300"][COMMAND] == pytest.approx(joint_mae([outcomes[1]], 300, COMMAND)[:4].mean())
    every = found["groups"]["all"]
    assert every["false_positives"]["100"]["ID-Linear"] == pytest.approx(false_positives(outcomes, 100, "ID-Linear"))
    assert every["episodes"] == 5


def test_groups_can_be_chosen(rng):
    outcomes = [episode(rng, task) for task in ("pick_place_300g", "pick_place_400g", "circular_cw")]
    found = scores(outcomes, {"light": ["pick_place_300g"]})
    assert list(found["groups"]) == ["light", "all"]
    assert found["groups"]["light"]["force_mae"]["100"][MODEL] == pytest.approx(force_mae(outcomes[:1], 100))


def test_a_method_that_missed_an_episode_is_not_compared(rng):
    outcomes = [episode(rng), episode(rng, "circular_cw", others={})]
    found = scores(outcomes)["groups"]
    assert "ID-Linear" in found["payload"]["force_mae"]["100"]
    assert "ID-Linear" not in found["all"]["force_mae"]["100"]


def test_scores_say_what_they_cannot_do(rng):
    with pytest.raises(ValueError, match="not of no episode"):
        scores([])
    with pytest.raises(ValueError, match="not of openmanipulator_x, so101"):
        scores([episode(rng), episode(rng, robot="so101")])
    with pytest.raises(ValueError, match="Group 'heavy' has no episode; its tasks: pick_place_500g"):
        scores([episode(rng)], {"heavy": ["pick_place_500g"]})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"robot": "so102"}, "No arm is called 'so102'; there are: so101"),
        ({"task": "pick_place_310g"}, "has no task 'pick_place_310g'; did you mean pick_place_300g"),
        ({"task": "???"}, "has no task '\\?\\?\\?'; circular_cw, "),
        ({"robot": "panda"}, "panda has no task 'pick_place_300g'"),
        ({"payload": 0.2}, "the task's payload is 0.3 kg, not 0.2"),
        ({"rate": float("nan")}, "a number of Hz above 0, not nan"),
        ({"q": np.zeros((40, 4))}, r"q is of numbers and shape \(40, 5\), not float64 and \(40, 4\)"),
        ({"q_cmd": np.zeros((39, 5))}, r"q_cmd is of numbers and shape \(40, 5\)"),
        ({"force": np.zeros(40)}, r"force is of numbers and shape \(40, 3\)"),
        ({"force": np.full((40, 3), "a")}, r"force is of numbers"),
        ({"known": np.ones(40)}, r"known is of bool and shape \(40,\), not float64"),
        ({"known": np.ones(40, dtype=bool)}, "force_real is not finite"),
        ({"q_real": np.full((40, 5), np.nan)}, "q_real is not finite, and nothing can be judged by it"),
        ({"q_real": np.zeros((0, 5))}, "has no frame"),
        ({"others": {"GMO": np.zeros((40, 2))}}, r"GMO is of numbers and shape \(40, 3\)"),
        ({"others": {MODEL: np.zeros((40, 3))}}, "others may not hold 'NeuralActuator'"),
    ],
)
def test_an_episode_that_cannot_be_judged_is_refused_in_one_line(rng, change, says):
    with pytest.raises(ValueError, match=says) as problem:
        replace(episode(rng), **change)
    assert "\n" not in str(problem.value)


def test_an_outcome_is_a_copy_of_what_it_was_given(rng):
    q = np.zeros((40, 5), dtype=np.float32)
    outcome = episode(rng, q=q)
    before = joint_mae([outcome], 40)
    q += 1
    np.testing.assert_array_equal(joint_mae([outcome], 40), before)
    assert outcome.q.dtype == float


def test_it_needs_neither_jax_nor_pyarrow():
    code = "import sys, bench.scoring; sys.exit(bool({'jax', 'pyarrow'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"NO_COLOR": "1"})
