"""Links as plain arrays: against MuJoCo for trees with every oddity, and the dynamics that stands on them."""

from dataclasses import replace
from importlib.util import find_spec

import mujoco
import numpy as np
import pytest

if find_spec("jax") is None:
    pytest.skip("needs the extra learn", allow_module_level=True)

from bench import arms
from bench.kinematics import links_of, with_gripper_motor
from bench.locked import MOTORS, ask_mujoco, locked, model_of
from bench.xla import jax, jnp
from solutions.rnea import (
    bias,
    fast_frames,
    fast_inverse_dynamics,
    fast_jacobian,
    fast_mass_matrix,
    forward_kinematics,
    inverse_dynamics,
    mass_matrix,
)

# A tree that branches, with hinges off their body's origin, angles that do not start at zero, bodies without a joint on
# the base, between joints and at the end, and the effector on one of those.
ODD = """
<mujoco>
  <compiler angle="radian"/>
  <option gravity="1 -2 -9"><flag constraint="disable"/></option>
  <worldbody>
    <body pos="0.1 0.2 0.3" quat="1 2 3 4">
      <geom size="0.05" mass="3"/>
      <body pos="0.1 0 0" quat="4 -1 2 1">
        <joint name="a" axis="1 2 3" pos="0.02 -0.05 0.04" ref="0.3" damping="0.4" armature="0.02"/>
        <geom type="box" size="0.1 0.2 0.05" pos="0.1 0 0" mass="0.7"/>
        <body pos="0 0.3 0.1" euler="0.4 0.2 0.1">
          <geom type="capsule" size="0.03 0.1" pos="0 0.1 0" mass="0.4"/>
          <body pos="0.05 0 0.2" quat="1 1 0 2">
            <joint name="b" axis="0 1 -1" pos="0 0.03 0" ref="-0.5" damping="0.1"/>
            <geom type="ellipsoid" size="0.1 0.05 0.03" pos="0.05 0.02 0" euler="0.3 0 0" mass="0.5"/>
          </body>
          <body pos="-0.2 0 0.1">
            <joint name="c" axis="1 0 1" armature="0.05"/>
            <geom type="cylinder" size="0.03 0.1" pos="0.05 0.02 0" euler="0.3 0 0" mass="0.9"/>
            <body pos="0.1 0 0" euler="0 0 1">
              <geom type="box" size="0.02 0.03 0.04" mass="0.2"/>
              <site name="effector" pos="0.01 0.02 0.03" quat="2 1 0 0"/>
            </body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
MODELS = {
    "odd": lambda: mujoco.MjModel.from_xml_string(ODD),
    **{name: (lambda name=name: model_of(name)) for name in arms.ARMS},
    "loaded": lambda: model_of("so101", 0.3),
}


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]()


def states(model, count=50):
    """Angles, speeds and accelerations, (count, 3, n)."""
    return np.random.default_rng(1).normal(size=(count, 3, model.nv)) * [[1.0], [2.0], [5.0]]


def test_links_stand_where_mujoco_has_them(model):
    arm, data = links_of(model), mujoco.MjData(model)
    for q, _, _ in states(model, 10):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        turned, places = fast_frames(arm, q)
        assert places == pytest.approx(data.xanchor, abs=1e-12)
        assert turned == pytest.approx(data.xmat[model.jnt_bodyid].reshape(-1, 3, 3), abs=1e-12)
        axes, effector = forward_kinematics(arm, q)
        assert np.array(effector) == pytest.approx(data.site("effector").xpos, abs=1e-12)
        assert np.array(axes).ravel() == pytest.approx(data.site("effector").xmat, abs=1e-12)


def test_dynamics_agrees_with_mujoco(model):
    """1e-9 is the promise; the arms are further inside it than that."""
    arm = links_of(model)
    for q, qd, qdd in states(model):
        tau, mass, jacobian = ask_mujoco(model, q, qd, qdd)
        assert np.abs(fast_inverse_dynamics(arm, q, qd, qdd) - tau).max() < 1e-9
        assert np.abs(fast_mass_matrix(arm, q) - mass).max() < 1e-9
        assert np.abs(fast_jacobian(arm, q) - jacobian).max() < 1e-9


def test_a_force_on_the_effector_takes_torques_off_the_motors(model):
    """Against MuJoCo, where the same force pushes the effector's body."""
    arm, data, rng = links_of(model), mujoco.MjData(model), np.random.default_rng(2)
    for q, qd, qdd in states(model, 5):
        wrench = rng.normal(size=6) * 10
        data.qpos[:], data.qvel[:] = q, qd
        mujoco.mj_forward(model, data)
        site, pushed = data.site("effector"), np.zeros(model.nv)
        body = model.site("effector").bodyid[0]
        mujoco.mj_applyFT(model, data, wrench[:3], wrench[3:], site.xpos, body, pushed)
        tau, _, _ = ask_mujoco(model, q, qd, qdd)
        assert np.abs(fast_inverse_dynamics(arm, q, qd, qdd, wrench) - (tau - pushed)).max() < 1e-9
        mujoco.mj_applyFT(model, data, -wrench[:3], np.zeros(3), site.xpos, body, pushed := np.zeros(model.nv))
        assert np.abs(fast_inverse_dynamics(arm, q, qd, qdd, -wrench[:3]) - (tau - pushed)).max() < 1e-9


def test_batches_and_derivatives(model):
    """A batch by vmap; slopes against central differences of MuJoCo's own inverse dynamics."""
    arm, some = links_of(model), states(model, 4)
    batch = jax.jit(jax.vmap(inverse_dynamics, in_axes=(None, 0, 0, 0)))(arm, *some.swapaxes(0, 1))
    slopes = jax.jit(jax.vmap(jax.jacrev(inverse_dynamics, argnums=(1, 2, 3)), in_axes=(None, 0, 0, 0)))
    by_argument = [np.array(s) for s in slopes(arm, *some.swapaxes(0, 1))]
    for k, state in enumerate(some):
        assert np.abs(batch[k] - ask_mujoco(model, *state)[0]).max() < 1e-9
        for argument in range(3):
            for joint in range(model.nv):
                step = np.zeros_like(state)
                step[argument, joint] = 1e-5
                up, down = ask_mujoco(model, *(state + step))[0], ask_mujoco(model, *(state - step))[0]
                slope = by_argument[argument][k][:, joint]
                assert slope == pytest.approx((up - down) / 2e-5, abs=2e-5 * (1 + np.abs(slope).max()))


def test_an_arm_is_a_pytree_that_can_be_differentiated():
    """The torque is linear in the masses, so its slope by them is a difference of two answers."""
    model = model_of("openmanipulator_x")
    arm, (q, qd, qdd) = links_of(model), states(model, 1)[0]

    def torque(mass):
        return inverse_dynamics(replace(arm, mass=mass), q, qd, qdd)

    slope = jax.jacfwd(torque)(jnp.array(arm.mass))
    one_more = np.array([torque(arm.mass + row) - torque(arm.mass) for row in np.eye(4)]).T
    assert np.array(slope) == pytest.approx(one_more, abs=1e-12)


def test_one_compilation_serves_all_arms_with_the_same_tree():
    traced = []
    bare = links_of(model_of("so101"))

    @jax.jit
    def holding(arm, q):
        traced.append(arm.parent)
        return bias(arm, q, jnp.zeros_like(q))

    holding(bare, np.zeros(5))
    holding(links_of(model_of("so101", 0.5)), np.ones(5))
    assert traced == [(-1, 0, 1, 2, 3)]
    assert hash(traced[0]) == hash(bare.parent), "the tree is the static part"


def test_which_joint_moves_which_link():
    arm = links_of(MODELS["odd"]())
    assert arm.parent == (-1, 0, 0) and arm.tip == 2
    assert arm.moves.tolist() == [[1, 0, 0], [1, 1, 0], [1, 0, 1]]


def test_a_locked_arm_weighs_what_it_weighed():
    for name in arms.ARMS:
        whole, model = arms.load(name), locked(arms.spec(name))
        assert [model.joint(j).name for j in range(model.njnt)] == list(arms.ARMS[name].joints)
        assert model.body_mass.sum() == pytest.approx(whole.body_mass.sum(), abs=1e-12)
        moving = whole.body_mass[whole.body_weldid != 0].sum()
        assert links_of(model).mass.sum() == pytest.approx(moving, abs=1e-12)


def test_a_locked_gripper_changes_little_for_the_arm():
    """The torques of the arm's joints with the fingers at zero, as in the whole model: the same."""
    for name in arms.ARMS:
        whole, model, n = arms.load(name), locked(arms.spec(name)), len(arms.ARMS[name].joints)
        whole.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        arm = replace(links_of(model), armature=np.zeros(n), damping=np.zeros(n))
        for state in states(model, 5):
            full = np.zeros((3, whole.nv))
            full[:, :n] = state
            data = mujoco.MjData(whole)
            data.qpos[:], data.qvel[:], data.qacc[:] = full
            mujoco.mj_inverse(whole, data)
            assert np.abs(fast_inverse_dynamics(arm, *state) - data.qfrc_inverse[:n]).max() < 1e-9


def test_motors_are_on_every_joint():
    for name, (rotor, friction) in MOTORS.items():
        arm = links_of(model_of(name))
        assert set(arm.armature) == {rotor} and set(arm.damping) == {friction}
        assert np.linalg.eigvalsh(mass_matrix(arm, jnp.array(arms.ARMS[name].home))).min() > rotor


@pytest.mark.parametrize(
    ("joint", "says"),
    [
        ('<joint name="a" type="slide"/>', "Joint a is no hinge"),
        ("<freejoint/>", "Joint number 0 is no hinge"),
        ('<joint name="a"/><joint name="b" axis="1 0 0"/>', "Joint a shares its body"),
        ('<joint name="a" stiffness="1"/>', "Joint a has a spring"),
        ('<joint name="a" damping="1 2"/>', "Joint a has a spring or a damping that is not proportional"),
    ],
)
def test_what_links_cannot_hold_is_refused_in_one_line(joint, says):
    body = f'<body>{joint}<geom size="0.1"/><site name="effector"/></body>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    with pytest.raises(ValueError, match=says) as refused:
        links_of(model)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("site", ["", '<site name="effector"/>'])
def test_an_effector_belongs_on_a_link(site):
    body = '<body><joint name="a"/><geom size="0.1"/></body>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{site}{body}</worldbody></mujoco>")
    with pytest.raises(ValueError, match="No link carries a site called 'effector'"):
        links_of(model)


def test_the_whole_arm_is_refused():
    with pytest.raises(ValueError, match="Joint finger_joint1 is no hinge"):
        links_of(arms.load("panda"))


def test_the_gripper_motor_turns_by_itself():
    """The arm's rows are as before, and the motor's is a rotor with friction."""
    from solutions.rnea import fast_inverse_dynamics, fast_mass_matrix

    rng = np.random.default_rng(3)
    arm = links_of(model_of("openmanipulator_x"))
    more = with_gripper_motor(arm, armature=0.012, damping=0.3)
    q, qd, qdd = rng.normal(size=(3, 5))
    tau = fast_inverse_dynamics(more, q, qd, qdd)
    np.testing.assert_allclose(tau[:4], fast_inverse_dynamics(arm, q[:4], qd[:4], qdd[:4]), atol=1e-12)
    assert tau[4] == pytest.approx(0.012 * qdd[4] + 0.3 * qd[4])
    np.testing.assert_allclose(fast_mass_matrix(more, q)[4], [0, 0, 0, 0, 0.012], atol=1e-15)
