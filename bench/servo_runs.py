"""Recordings of an SO-101 under position servos, and what the loss of a differentiable rollout feels there.

    model = servo_arm()
    log = recording(model, kp=10.0, ticks=500)      # MuJoCo's C engine moved it
    slopes = felt(closed_loop, links_of(model), 10.0, log)

The servos here are springs that brake: kp (target - q), held for a control tick, and the motor's back-EMF, which is a
damping. Friction, gaps and heat are left out; bench.arm has them.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import mujoco
import numpy as np

from bench.arms import ARMS
from bench.kinematics import Links
from bench.locked import model_of
from bench.xla import jax, jnp

TICK, SUBSTEPS = 1 / 60, 5  # s: a control tick; Euler steps in it
BRAKE = 1.275**2 / 2.75  # N m s/rad: torque constant squared over resistance, of the STS3215 in bench.servo


def servo_arm(brake: float = BRAKE) -> mujoco.MjModel:
    """The SO-101 of bench.locked, braked by its motors. With brake=0 it is as if they were unplugged."""
    model = model_of("so101")
    model.dof_damping[:] += brake
    return model


def in_c(model: mujoco.MjModel, q: np.ndarray, torque: Callable, ticks: int) -> tuple[np.ndarray, np.ndarray]:
    """A run by MuJoCo from rest: q and qd, (ticks + 1, n). torque(k, q): that of tick k, N m, (n,)."""
    model.opt.timestep = TICK / SUBSTEPS
    data = mujoco.MjData(model)
    data.qpos[:] = q
    rows = [(data.qpos.copy(), data.qvel.copy())]
    for k in range(ticks):
        data.qfrc_applied[:] = torque(k, data.qpos)
        mujoco.mj_step(model, data, SUBSTEPS)
        rows.append((data.qpos.copy(), data.qvel.copy()))
    angles, speeds = zip(*rows, strict=True)
    return np.array(angles), np.array(speeds)


def recording(model: mujoco.MjModel, kp: float, ticks: int) -> dict[str, np.ndarray]:
    """A lively motion about home under servos of stiffness kp, N m/rad: "target" (T, n), "q" and "qd" (T + 1, n)."""
    joint = np.arange(model.nv)
    angle = np.outer(TICK * np.arange(ticks), 2 * np.pi / (1 + 0.3 * joint)) + joint
    target = np.array(ARMS["so101"].home) + 0.4 * np.sin(angle)
    q, qd = in_c(model, target[0], lambda k, q: kp * (target[k] - q), ticks)
    return {"target": target, "q": q, "qd": qd}


def as_read(log: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The same recording as encoders of 4096 steps a turn tell it: rounded angles, and speeds by their differences."""
    step = 2 * np.pi / 4096
    q = step * np.round(log["q"] / step)
    return log | {"q": q, "qd": np.diff(q, axis=0, prepend=q[:1]) / TICK}


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Of the angle between two vectors, (n,): 1 where they point the same way."""
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def felt(closed_loop: Callable, arm: Links, kp: float, log: dict) -> Callable:
    """What the loss of one long run feels: a function of the weights of its ticks, (T,).

    closed_loop: that of module 13. The loss is the weighted sum of the ticks' mean square errors. The function returns
    its slopes by the logarithms of all damping and all stiffness, (2 n,), and by the torques of all ticks, (T, n).
    """
    n = log["q"].shape[1]

    def loss(z, extra, weights):
        def torque(memory, q, qd, row):
            target, more = row
            return jnp.exp(z[n:]) * kp * (target - q) + more, memory, None

        braked = replace(arm, damping=arm.damping * jnp.exp(z[:n]))
        inputs = log["target"], extra
        q, _, _ = closed_loop(braked, log["q"][0], log["qd"][0], torque, None, inputs, TICK, SUBSTEPS)
        return weights @ jnp.mean((q - log["q"][1:]) ** 2, axis=1)

    return partial(jax.jit(jax.grad(loss, argnums=(0, 1))), np.zeros(2 * n), np.zeros_like(log["target"]))
