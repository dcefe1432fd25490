"""The second back end against C, and module 13's dynamics against both: values and gradients."""

import mujoco
import numpy as np
import pytest

pytest.importorskip("jax")
pytest.importorskip("mujoco.mjx")

from bench import mjx
from bench.arms import ARMS
from bench.kinematics import links_of
from bench.locked import model_of
from bench.xla import compiled, jax, jnp
from solutions import rnea, rollouts

SECONDS, SUBSTEPS = 0.015, 5
# Whole arms take MJX a minute to compile; benchmarks/rollouts.py compares those.
TWO_LINKS = """<mujoco><worldbody><body euler="20 30 0">
    <joint axis="1 0.2 0" damping="0.3" armature="0.02"/>
    <inertial pos="0.1 0 -0.2" mass="0.5" diaginertia="0.004 0.003 0.002"/>
    <body pos="0.1 0 -0.4" euler="40 0 70">
      <joint axis="0 1 0.3" damping="0.2" armature="0.03"/>
      <inertial pos="0 0.1 -0.1" mass="0.4" diaginertia="0.002 0.003 0.004"/>
      <site name="effector" pos="0 0.1 -0.2"/>
    </body></body></worldbody></mujoco>"""


def in_c(model, q, qd, taus):
    """MuJoCo's C engine: q and qd after each tick."""
    model.opt.timestep = SECONDS / SUBSTEPS
    data, rows = mujoco.MjData(model), []
    data.qpos[:], data.qvel[:] = q, qd
    for tau in taus:
        data.qfrc_applied[:] = tau
        for _ in range(SUBSTEPS):
            mujoco.mj_step(model, data)
        rows.append((data.qpos.copy(), data.qvel.copy()))
    return [np.array(x) for x in zip(*rows, strict=True)]


def drawn(name, ticks):
    model, rng = model_of(name), np.random.default_rng(0)
    taus = rng.normal(size=(ticks, model.nv)) * (5.0 if name == "panda" else 0.3)
    return model, np.array(ARMS[name].home), np.zeros(model.nv), taus


@pytest.mark.parametrize("name", ARMS)
def test_own_rollout_is_mujocos(name):
    model, q, qd, taus = drawn(name, 128)
    mine = rollouts.fast_rollout(links_of(model), q, qd, taus, SECONDS, SUBSTEPS)
    for x, y in zip(mine, in_c(model, q, qd, taus), strict=True):
        assert np.abs(x - y).max() < 1e-10


def test_mjx_agrees_in_values_and_gradient():
    model = mujoco.MjModel.from_xml_string(TWO_LINKS)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    arm = links_of(model)
    q, qd, *rows = np.random.default_rng(1).normal(size=(18, 2))
    taus, weights = np.array(rows[:8]), np.array(rows[8:])

    def own(taus, seconds):
        return jnp.sum(weights * rollouts.rollout(arm, q, qd, taus, seconds, SUBSTEPS)[0])

    def theirs(taus, seconds):
        return jnp.sum(weights * mjx.rollout(model, SUBSTEPS)(q, qd, taus, seconds)[0])

    (value, slope), (other, by_mjx) = (compiled(jax.value_and_grad(f))(taus, SECONDS) for f in (own, theirs))
    assert value == pytest.approx(other, abs=1e-10)
    assert value == pytest.approx(np.sum(weights * in_c(model, q, qd, taus)[0]), abs=1e-10)
    assert np.abs(slope - by_mjx).max() < 1e-10


def test_the_adjoint_is_what_autodiff_finds(monkeypatch):
    arm = links_of(model_of("openmanipulator_x"))
    n = len(arm.mass)
    q, qd, tau, g = np.random.default_rng(0).normal(size=(4, n))
    push = np.random.default_rng(1).normal(size=6)

    def plain(arm, q, qd, tau, push):
        M = rnea.mass_matrix(arm, q)
        pushed = tau + rnea.jacobian(arm, q).T @ push
        return jnp.linalg.solve(M, pushed - rnea.bias(arm, q, qd))

    def slopes(function):
        return compiled(lambda *x: jax.vjp(function, *x)[1](jnp.asarray(g)))(arm, q, qd, tau, push)

    for mine, other in zip(*map(jax.tree.leaves, map(slopes, (rollouts.forward_dynamics, plain))), strict=True):
        assert np.abs(mine - other).max() <= 1e-8 * max(1.0, np.abs(other).max())


@pytest.mark.parametrize("state", ["at a joint's limit", "at rest", "stretched"])
def test_no_gradient_is_nan(state):
    model = model_of("so101")
    arm, q, qd = links_of(model), np.array(ARMS["so101"].home), np.ones(5)
    if state == "at a joint's limit":
        q = np.array([model.joint(name).range[1] for name in ARMS["so101"].joints])
    if state == "at rest":
        qd = 0 * qd
    if state == "stretched":
        q, qd = 0 * q, 0 * qd
    slope = compiled(
        jax.grad(lambda *x: jnp.sum(rollouts.control_step(arm, *x, SECONDS, SUBSTEPS)[0]), argnums=(0, 1, 2))
    )
    assert all(np.isfinite(x).all() for x in slope(q, qd, np.zeros(5)))
    push = compiled(jax.grad(lambda f: jnp.sum(rollouts.forward_dynamics(arm, q, qd, jnp.zeros(5), f))))
    assert np.isfinite(push(np.zeros(6))).all()


@pytest.mark.parametrize("change", ["constraints", "integrator"])
def test_other_models_are_refused(change):
    model = model_of("so101")
    if change == "constraints":
        model.opt.disableflags = 0
    else:
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    with pytest.raises(ValueError, match="reverse" if change == "constraints" else "Euler"):
        mjx.rollout(model, SUBSTEPS)
