"""The operator reaches what is asked, moves smoothly and never twice the same; fixture and table are passive."""

from itertools import pairwise

import numpy as np
import pytest

from bench import arms
from bench.teleop.contact import Fixture, Table
from bench.teleop.hand import STATIONS, Hand
from bench.teleop.nad import plans, trials
from bench.teleop.trial import lead

RATE = {"panda": 200.0}


@pytest.fixture(scope="module", params=list(STATIONS))
def hand(request):
    return Hand(request.param)


def test_the_hand_goes_where_it_is_sent(hand):
    """Against MuJoCo's forward kinematics, in a model of its own."""
    rng = np.random.default_rng(2)
    station = hand.station
    model = arms.load(next(name for name, arm in arms.ARMS.items() if arm is hand.arm))
    data = arms.mujoco.MjData(model)
    for _ in range(20):
        radius, azimuth = rng.uniform(station.near, station.far), rng.uniform(-0.6, 0.6)
        target = np.array([radius * np.cos(azimuth), radius * np.sin(azimuth), rng.uniform(station.low, station.high)])
        q = hand.at(target)
        for joint, angle in zip(hand.joints, q, strict=True):
            data.joint(joint).qpos = angle
        arms.mujoco.mj_forward(model, data)
        np.testing.assert_allclose(data.site("effector").xpos, target, atol=2e-3)
        assert (q >= hand.limits[:, 0]).all()
        assert (q <= hand.limits[:, 1]).all()
    with pytest.raises(ValueError, match="does not reach"):
        hand.at(np.array([2.0, 0, 2.0]))


def test_every_trial_of_every_set_can_be_led():
    """Inside the joints' ranges, without jumps, the object held only where there is one to hold."""
    for plan in plans().values():
        rate, limits = RATE.get(plan.robot, 60.0), Hand(plan.robot).limits
        for trial in trials(plan, 3, only=2):
            performance = lead(trial, rate)
            assert performance.q_cmd.shape == (trial.frames, len(limits))
            assert (performance.q_cmd >= limits[:, 0] - 1e-9).all()
            assert (performance.q_cmd <= limits[:, 1] + 1e-9).all()
            speed = np.abs(np.diff(performance.q_cmd, axis=0)) * rate
            assert np.quantile(speed, 0.999) < 4, trial.row.task
            assert performance.held.any() == (trial.lead.script in ("go_up", "pick_and_place"))
            assert (performance.fixture is not None) == (trial.row.script == "push")


def test_a_twin_is_told_the_same():
    plan = plans()["openmanipulator_x"]
    for twin in trials(plan, 1, ["force_y_plus_reference"], only=2):
        original = next(t for t in trials(plan, 1, ["force_y_plus"]) if t.number == twin.number)
        np.testing.assert_array_equal(lead(twin, 60.0).q_cmd, lead(original, 60.0).q_cmd)
        assert lead(twin, 60.0).fixture is None


def test_no_two_trials_are_the_same():
    plan = plans()["openmanipulator_x"]
    ten = [lead(trial, 60.0).q_cmd[:400] for trial in trials(plan, 0, ["pick_place_200g"])]
    for i in range(10):
        for j in range(i):
            assert np.abs(ten[i] - ten[j]).max() > 0.02


def test_a_sweep_covers_nine_tenths_of_its_range():
    plan = plans()["openmanipulator_x"]
    for joint in range(5):
        trial = trials(plan, 0, [f"joint_sweep_{joint + 1}"], only=1)[0]
        q = lead(trial, 60.0).q_cmd
        low, high = Hand(plan.robot).limits[joint]
        assert 0.8 < np.ptp(q[:, joint]) / (high - low) < 0.95
        others = np.delete(q, joint, axis=1)
        assert np.ptp(others, axis=0).max() < 0.12


@pytest.mark.parametrize(("task", "sense"), [("circular_cw", -1), ("circular_ccw", 1)])
def test_a_circle_turns_as_it_is_called(task, sense):
    plan = plans()["openmanipulator_x"]
    hand = Hand(plan.robot)
    q = lead(trials(plan, 0, [task], only=1)[0], 60.0).q_cmd
    path = np.array([hand.position(row)[:2] for row in q[::5]])
    path -= path.mean(axis=0)
    turned = np.unwrap(np.arctan2(path[:, 1], path[:, 0]))
    assert sense * (turned[-1] - turned[0]) > 2 * np.pi


def test_the_fixture_only_pushes_sticks_and_slides():
    pad = Fixture(np.array([0.2, 0.0, 0.1]), np.array([0.0, 0.0, 1.0]))
    touch, still = np.array([0.2, 0.0, 0.095]), np.zeros(3)
    assert (pad(np.array([0.2, 0.0, 0.11]), np.array([0.0, 0.0, -1.0])) == 0).all()
    np.testing.assert_allclose(pad(touch, still), [0, 0, 600 * 0.005])
    np.testing.assert_allclose(pad(touch, np.array([0, 0, 9.0])), 0)  # leaving fast, it does not pull
    np.testing.assert_allclose(pad(touch + [0.001, 0, 0], still), [-0.6, 0, 3.0])  # it shears and holds
    np.testing.assert_allclose(pad(touch + [0.1, 0, 0], still), [-0.9, 0, 3.0])  # it slides at 0.3 of the pressure
    np.testing.assert_allclose(pad(touch + [0.099, 0, 0], still), [-0.3, 0, 3.0])  # and holds again where it came to
    pad(np.array([0.2, 0.0, 0.2]), still)
    np.testing.assert_allclose(pad(touch, still), [0, 0, 3.0])  # taken off, it has forgotten


def test_the_fixture_takes_energy_and_never_gives_any():
    """Round trips of the effector, from and to the air, in random directions."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        pad = Fixture(np.zeros(3), np.array([1.0, 0.0, 0.0]))
        ways = rng.normal(0, 0.01, (4, 3))
        corners = np.vstack([[0.01, 0, 0], ways, [0.01, 0, 0]])
        path = np.concatenate([np.linspace(a, b, 500) for a, b in pairwise(corners)])
        speed = np.gradient(path, 1e-3, axis=0)
        power = [pad(p, v) @ v for p, v in zip(path, speed, strict=True)]
        assert sum(power) * 1e-3 < 1e-4


def test_the_table_carries_what_is_not_lifted():
    table = Table(4.905)
    shares = [table(np.array([0.2, 0, 0.05 + dz]), np.zeros(3))[2] / 4.905 for dz in (0, -0.01, 0.0015, 0.003, 0.1, 0)]
    np.testing.assert_allclose(shares, [1, 1, 0.5, 0, 0, 1], atol=1e-9)
