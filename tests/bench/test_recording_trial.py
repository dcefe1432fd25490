"""A recorded trial tells what happened: the labels follow from what was held and touched."""

from functools import cache

import numpy as np
import pytest

from bench.arm import VirtualArm
from bench.teleop.nad import plans, trials
from bench.teleop.trial import record


@cache
def recorded(task, plan="openmanipulator_x"):
    return record(trials(plans()[plan], 2, [task], only=1)[0])


def test_free_motion_has_no_force():
    one = recorded("backward_forward")
    assert not one["force"].any()
    assert one["force_valid"].all()
    assert not one["contact"].any()
    assert one["condition"].all()
    assert one.effort_unit == "A"


def test_the_follower_follows():
    """It lags and droops by some degrees, and moves as far as the leader."""
    one = recorded("backward_forward")
    error = np.degrees(np.abs(one["q"] - one["q_cmd"])[:, :4])
    assert 0.3 < error.mean() < 5
    assert error.max() < 15
    arm = slice(1, 4)  # the base and the gripper have nothing to do here
    assert (np.ptp(one["q"], axis=0)[arm] > 0.8 * np.ptp(one["q_cmd"], axis=0)[arm]).all()


def test_a_weight_is_labelled_while_it_hangs():
    one = recorded("pick_place_300g")
    held, known = one["contact"], one["force_valid"]
    assert set(np.unique(one["force"][:, 2])) == {0.0, np.float32(-0.3 * 9.81)}
    assert not one["force"][:, :2].any()
    assert (one["force"][held & known, 2] < 0).all()
    assert not one["force"][~held | ~known].any()
    assert 0.35 < held.mean() < 0.65  # about half of the time
    assert 0.8 < known.mean() < 1
    begin, end = np.flatnonzero(held)[[0, -1]]
    assert not known[begin]  # on the table
    assert not known[end]
    assert held[begin:end].all()


def test_a_weight_costs_effort():
    """The elbow's current with the weight up, against the empty twin's of the same phase: more, and in proportion."""
    light, heavy = recorded("go_up_stay_still_100g"), recorded("go_up_stay_still_400g")
    current = [np.abs(one["effort"][-300:, 2]).mean() for one in (light, heavy)]
    assert current[1] > current[0] + 0.15


@pytest.mark.parametrize(
    ("task", "axis", "sign"), [("force_x_plus", 0, 1), ("force_y_minus", 1, -1), ("force_z_plus", 2, 1)]
)
def test_a_fixture_pushes_along_its_axis(task, axis, sign):
    one = recorded(task)
    pushed = one["contact"]
    strongest = one["force"][np.argmax(np.abs(one["force"]).max(axis=1))]
    assert np.argmax(np.abs(strongest)) == axis
    assert np.sign(strongest[axis]) == sign
    assert 2 < abs(strongest[axis]) < 12
    assert not one["force"][~pushed].any()
    assert 0.15 < pushed.mean() < 0.85
    assert one["force_valid"].all()


def test_a_twin_without_contact():
    push, twin = recorded("force_x_minus"), recorded("force_x_minus_reference")
    np.testing.assert_array_equal(push["q_cmd"], twin["q_cmd"])
    assert not twin["contact"].any()
    assert not twin["force"].any()
    free = ~push["contact"]
    first = np.argmax(push["contact"])
    assert np.abs(push["q"] - twin["q"])[:first].max() < 0.02  # the same until they meet the fixture
    assert np.abs(push["q"] - twin["q"])[~free].max() > 0.03


def test_a_gauge_has_one_axis():
    one = recorded("mid_push_top", "gauge")
    assert not one["force"][:, :2].any()
    assert one["force"][:, 2].max() > 2


def test_a_restricted_joint_works_harder():
    free, held = recorded("pick_place_empty"), recorded("pick_place_empty_restricted")
    joint = free.joints.index("joint3")
    assert free["condition"].all()
    assert not held["condition"][:, joint].any()
    assert held["condition"][:, :joint].all()
    assert np.abs(held["effort"][:, joint]).mean() > 1.5 * np.abs(free["effort"][:, joint]).mean()


def test_the_other_arms():
    so101 = recorded("pick_place_300g", "so101")
    assert (so101.effort_unit, so101.rate, so101["q"].shape[1]) == ("duty", 60.0, 6)
    assert np.abs(so101["effort"]).max() <= 1
    panda = record(trials(plans()["panda"], 0, ["lift_hold_600g"], only=1)[0])
    assert (panda.effort_unit, panda.rate, panda["q"].shape[1]) == ("N m", 200.0, 8)
    assert panda["force"][-1, 2] == pytest.approx(-0.6 * 9.81)


def test_the_label_is_of_the_frames_own_moment(monkeypatch):
    """Where the label is valid, it is what acts on the effector when the registers are read, not a tick later."""
    rows, step = [], VirtualArm.step
    monkeypatch.setattr(VirtualArm, "step", lambda *args: rows.append(step(*args)) or rows[-1])
    one = record(trials(plans()["openmanipulator_x"], 2, ["pick_place_300g"], only=1)[0])
    known = one["force_valid"]
    np.testing.assert_allclose(
        one["force"][known], np.array([row.force for row in rows])[known], atol=0.03 * 0.3 * 9.81
    )
