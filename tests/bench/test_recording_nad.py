"""The plan of the virtual data set: the paper's tables, row by row, and trials that do not depend on one another."""

from collections import Counter

import numpy as np
import pytest

from bench.teleop.nad import plans, trials

# As printed in the paper: section III-C, table 1 and appendix A (frames of whole categories; minutes of table 1).
FREE, PAYLOAD_FROM_200G, SENSOR, CONDITION, SO101 = 119_933, 88_611, 74_020, 49_898, 65_916
MINUTES = {"free": 34.15, "labelled": 46.24, "condition": 14.13}


@pytest.fixture(scope="module")
def omx():
    return plans()["openmanipulator_x"]


def frames(rows):
    return sum(row.frames for row in rows)


def test_the_rows_add_up_to_the_totals_of_the_paper(omx):
    by_category = {
        category: [row for row in omx.rows if row.category == category] for category in MINUTES | {"sensor": 0}
    }
    payload = [row for row in omx.rows if row.category == "payload"]
    assert len(omx.rows) == 35
    assert frames(by_category["free"]) == FREE
    assert frames(row for row in payload if row.payload >= 0.2) == PAYLOAD_FROM_200G
    assert frames(by_category["sensor"]) == SENSOR
    assert frames(by_category["condition"]) == CONDITION
    assert frames(plans()["so101"].rows) == SO101
    seconds = {category: sum(row.seconds for row in rows) for category, rows in by_category.items()}
    assert seconds["free"] / 60 == pytest.approx(MINUTES["free"], abs=0.01)
    labelled = seconds["sensor"] + sum(row.seconds for row in payload if row.payload >= 0.2)
    assert labelled / 60 == pytest.approx(MINUTES["labelled"], abs=0.01)
    assert seconds["condition"] / 60 == pytest.approx(MINUTES["condition"], abs=0.01)
    assert sum(row.seconds for row in plans()["so101"].rows) == pytest.approx(1037.7, abs=0.1)


def test_there_are_430_trajectories_in_splits_of_8_1_1(omx):
    both = trials(omx, 0) + trials(plans()["so101"], 0)
    assert len(trials(omx, 0)) == 330
    assert len(both) == 430
    for plan in (omx, plans()["so101"]):
        for row in plan.rows:
            mine = [trial for trial in trials(plan, 0) if trial.row.task == row.task]
            assert Counter(trial.split for trial in mine) == {"train": 8, "validation": 1, "test": 1}
            assert sum(trial.frames for trial in mine) == row.frames
            assert min(trial.frames for trial in mine) > 0.08 * row.frames
    splits = [trial.split for trial in trials(omx, 0)]
    assert splits == sorted(splits, key=["train", "validation", "test"].index)


def test_a_trial_is_the_same_whatever_else_is_recorded(omx):
    all_of_them = {(trial.row.task, trial.number): trial for trial in trials(omx, 7)}
    for trial in trials(omx, 7, ["pick_place_200g", "force_z_minus_reference"], only=3):
        assert trial == all_of_them[trial.row.task, trial.number]
    few = trials(omx, 7, ["circular_cw"], only=3)
    assert sorted(trial.split for trial in few) == ["test", "train", "validation"]
    assert trials(omx, 7)[0].frames != trials(omx, 8)[0].frames


def test_a_twin_has_the_leader_of_its_row_and_noise_of_its_own(omx):
    for trial in trials(omx, 0):
        if not trial.row.twin:
            continue
        lead = next(t for t in trials(omx, 0, [trial.row.twin]) if t.number == trial.number)
        assert (trial.frames, trial.split) == (lead.frames, lead.split)
        assert trial.rng("leader").normal() == lead.rng("leader").normal()
        assert trial.rng("arm").normal() != lead.rng("arm").normal()


def test_draws_are_independent(omx):
    draws = [trial.rng(purpose).normal() for trial in trials(omx, 0) for purpose in ("arm", "sensor")]
    assert len(set(draws)) == len(draws)
    assert abs(np.mean(draws)) < 4 / np.sqrt(len(draws))


def test_an_unknown_task_names_the_nearest(omx):
    with pytest.raises(ValueError, match="openmanipulator_x has no task 'pick_place_250g'; did you mean pick_place_"):
        trials(omx, 0, ["pick_place_250g"])
