"""The virtual Panda's torque sensors, beside closed forms and a real Panda's log."""

import gzip
from pathlib import Path

import mujoco
import numpy as np
import pytest

from bench import arms
from bench.arm import EFFECTS, VirtualArm

LOG = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "panda_gaz" / "trajectory_1.csv.gz"
# Gaz and others, RA-L 2019, table I.
PHI1 = np.array([0.54615, 0.87224, 0.64068, 1.2794, 0.83904, 0.30301, 0.56489])
PHI2 = np.array([5.1181, 9.0657, 10.136, 5.5903, 8.3469, 17.133, 10.336])
PHI3 = np.array([0.039533, 0.025882, -0.04607, 0.036194, 0.026226, -0.021047, 0.0035526])
# What rigid-body dynamics leaves of the real log, N m rms, without friction and with the friction above.
REAL_RIGID = np.array([0.347, 0.613, 0.338, 0.595, 0.340, 0.193, 0.281])
REAL_FRICTION = np.array([0.238, 0.568, 0.228, 0.283, 0.145, 0.095, 0.064])


def sigmoid_friction(qd: np.ndarray) -> np.ndarray:
    return PHI1 / (1 + np.exp(-PHI2 * (qd + PHI3))) - PHI1 / (1 + np.exp(-PHI2 * PHI3))


def residuals(arm: VirtualArm, commands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Measured torque less inverse dynamics of the rigid arm at the true motion, and true speeds; (ticks, 7) each."""
    rigid = arms.load("panda")
    rigid.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(rigid)
    arm.reset([*commands[0], 0.02])
    left, speeds = [], []
    for q_cmd in commands:
        plant = arm.data
        qd = plant.qvel - 1e-3 * plant.qacc
        data.qpos[:8], data.qvel[:8], data.qacc[:8] = plant.qpos - 1e-3 * plant.qvel, qd, plant.qacc
        mujoco.mj_inverse(rigid, data)
        left.append(arm.step([*q_cmd, 0.02]).effort[:7] - data.qfrc_inverse[:7])
        speeds.append(qd[:7])
    return np.array(left), np.array(speeds)


def wave(arm: VirtualArm, seconds: float) -> np.ndarray:
    time = np.arange(int(seconds * arm.rate)) / arm.rate
    return np.array(arms.ARMS["panda"].home) + 0.4 * np.sin(2 * np.pi * 0.2 * time[:, None] * (1 + np.arange(7) / 10))


def test_what_the_ideal_sensor_sees_beside_rigid_dynamics_is_the_published_friction():
    """The rotor's inertia is in front of the sensor, so it is not in what is read."""
    arm = VirtualArm("panda", rng=np.random.default_rng(0), effects={"friction"})
    left, qd = residuals(arm, wave(arm, 4))
    assert left == pytest.approx(sigmoid_friction(qd), abs=0.02)


def test_without_any_effect_the_sensor_is_inverse_dynamics():
    arm = VirtualArm("panda", rng=np.random.default_rng(0), effects={})
    left, _ = residuals(arm, wave(arm, 2))
    assert np.abs(left).max() < 0.02


def test_a_steady_push_moves_it_as_its_stiffness_says():
    arm = VirtualArm("panda", rng=np.random.default_rng(0), effects={})
    arm.reset()
    before = arm.data.qpos.copy()
    force = np.array([0.0, 5.0, 0.0])
    for _ in range(600):
        arm.step(arm.q_cmd, force)
    jacobian = np.zeros((3, arm.model.nv))
    mujoco.mj_jacSite(arm.model, arm.data, jacobian, None, arm.model.site(arms.EFFECTOR).id)
    moved = (arm.data.qpos - before)[:7]
    assert [600, 600, 600, 600, 250, 150, 50] * moved == pytest.approx((force @ jacobian)[:7], abs=0.02)


@pytest.mark.skipif(not LOG.is_file(), reason="the log of the real arm is not here")
def test_its_residuals_are_as_large_as_a_real_pandas():
    """Along the real arm's own trajectory, median of three units, within 45 percent. The real one carried no hand."""
    with gzip.open(LOG) as file:
        log = np.genfromtxt(file, delimiter=",", names=True)
    time = np.arange(0, log["t"][-1], 1 / 200)
    commands = np.stack([np.interp(time, log["t"], log[f"q{joint}"]) for joint in range(1, 8)], axis=1)
    rigid, friction = [], []
    for unit in range(3):
        arm = VirtualArm("panda", rng=np.random.default_rng(0), unit=unit, effects=EFFECTS - {"noise", "delay"})
        left, qd = residuals(arm, commands)
        rigid.append(np.sqrt(np.mean(left**2, axis=0)))
        friction.append(np.sqrt(np.mean((left - sigmoid_friction(qd)) ** 2, axis=0)))
    assert np.median(rigid, axis=0) == pytest.approx(REAL_RIGID, rel=0.45)
    assert np.mean(np.median(friction, axis=0) / REAL_FRICTION) == pytest.approx(1.0, abs=0.35)
