"""Loading an arm: names, limits, home, payload, and what happens when one of them is wrong."""

import mujoco
import numpy as np
import pytest

from bench import arms
from bench.arms import ARMS, EFFECTOR, PAYLOAD


@pytest.fixture(params=ARMS)
def name(request):
    return request.param


def at(model, q, qd=0.0):
    """Data of the model in that state."""
    data = mujoco.MjData(model)
    data.qpos[:] = q
    data.qvel[:] = qd
    mujoco.mj_forward(model, data)
    return data


def random_state(model, rng):
    low, high = model.jnt_range.T
    return rng.uniform(low, high), rng.normal(size=model.nv)


def test_the_table_of_arms_agrees_with_the_files(name):
    model, arm = arms.load(name), ARMS[name]
    joints = [model.joint(j).name for j in range(model.njnt)]
    assert joints[: len(arm.joints) + 1] == [*arm.joints, arm.gripper], "the motors come first, from base to gripper"
    assert model.nq == model.nv == model.njnt
    assert model.site(EFFECTOR).bodyid[0] > 0
    assert sorted(path.stem for path in arms.MODELS.glob("*.xml")) == sorted([*ARMS, "pendulum", "planar"])


def test_home_is_well_inside_the_limits_and_above_the_table(name):
    limits, home = arms.limits(name), np.array(ARMS[name].home)
    assert limits.shape == (len(ARMS[name].joints), 2)
    assert np.all(limits[:, 0] + 0.2 < home) and np.all(home < limits[:, 1] - 0.2)
    model = arms.load(name)
    data = at(model, [*home, *[0.0] * (model.nq - len(home))])
    assert data.site(EFFECTOR).xpos[2] > ARMS[name].table + 0.05


def test_the_drawing_stands_on_the_table(name):
    model = arms.load(name)
    data = at(model, 0)
    own = np.flatnonzero(model.body_parentid[model.geom_bodyid] == 0)
    lowest = min(
        data.geom_xpos[g, 2]
        + data.geom_xmat[g].reshape(3, 3)[2] @ model.geom_aabb[g, :3]
        - np.abs(data.geom_xmat[g].reshape(3, 3)[2]) @ model.geom_aabb[g, 3:]
        for g in own
    )
    assert lowest == pytest.approx(ARMS[name].table, abs=1e-3)


def test_an_unknown_arm_gets_one_line_with_the_names():
    for call in (arms.spec, arms.load, arms.limits, lambda name: arms.with_payload(name, 0.1)):
        with pytest.raises(ValueError, match="No arm is called 'so100'; there are: so101, openmanipulator_x, panda"):
            call("so100")


@pytest.mark.parametrize("mass", [0, -0.1, float("nan"), float("inf")])
def test_a_payload_without_a_mass_is_refused(mass):
    with pytest.raises(ValueError, match=r"mass above 0 kg, not .* kg"):
        arms.with_payload("so101", mass)


def test_a_payload_is_a_ball_in_the_gripper(name):
    """Against the point-mass formulas: weight through the Jacobian, and a ball's inertia added to the mass matrix."""
    rng = np.random.default_rng(3)
    bare, loaded, mass = arms.load(name), arms.with_payload(name, 0.3), 0.3
    assert bare.nq == loaded.nq and PAYLOAD not in [bare.body(b).name for b in range(bare.nbody)]
    radius = loaded.geom(PAYLOAD).size[0]
    assert 4 / 3 * np.pi * radius**3 * 7850 == pytest.approx(mass)
    for _ in range(5):
        q, _ = random_state(bare, rng)
        before, after = at(bare, q), at(loaded, q)
        assert after.body(PAYLOAD).xpos == pytest.approx(before.site(EFFECTOR).xpos, abs=1e-12)
        linear, angular = np.zeros((3, bare.nv)), np.zeros((3, bare.nv))
        mujoco.mj_jacSite(bare, before, linear, angular, bare.site(EFFECTOR).id)
        weight = -linear.T @ [0, 0, -9.81 * mass]
        assert after.qfrc_bias - before.qfrc_bias == pytest.approx(weight, abs=1e-10)
        ball = mass * linear.T @ linear + 0.4 * mass * radius**2 * angular.T @ angular
        assert mass_matrix(loaded, after) - mass_matrix(bare, before) == pytest.approx(ball, abs=1e-10)


def mass_matrix(model, data):
    matrix = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, matrix)
    return matrix


def test_a_description_is_the_callers_own():
    arms.attach_payload(arms.spec("so101"), 0.5)
    assert arms.load("so101").nbody == arms.with_payload("so101", 0.5).nbody - 1


@pytest.mark.parametrize("name", ["openmanipulator_x", "panda"])
def test_one_motor_moves_both_fingers(name):
    """A push on the driven finger moves the other one by the same way."""
    model = arms.load(name)
    model.opt.gravity[:] = 0
    model.dof_damping[:] = 0.1
    data = at(model, [*ARMS[name].home, 0.0, 0.0])
    driven = model.joint(ARMS[name].gripper).id
    data.qfrc_applied[driven] = 0.01
    mujoco.mj_step(model, data, nstep=100)
    assert 0.001 < data.qpos[driven] < model.jnt_range[driven, 1]
    assert data.qpos[driven + 1] == pytest.approx(data.qpos[driven], abs=1e-4)
