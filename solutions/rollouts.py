"""A simulator that you can differentiate: forward dynamics, steps, rollouts, and the way back through them.

Run it:     python code/rollouts.py
Check it:   python3 -m course check rollouts
The lesson: lessons/13_rollouts.ipynb

Later modules train networks through closed_loop(). Every function is about one arm in one state or on one run, with
64 bits; jax.vmap makes many of it, jax.jit makes it fast, jax.grad goes back through it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import optax

from bench.arms import ARMS
from bench.asked import compiled_for
from bench.kinematics import Array, Links, links_of
from bench.locked import model_of
from bench.script import part, run_script
from bench.servo_runs import BRAKE, SUBSTEPS, TICK, as_read, cosine, felt, in_c, recording, servo_arm
from bench.xla import compiled, jax, jnp
from solutions.rnea import fast_mass_matrix, inverse_dynamics

RATE = 0.1  # of Adam: by how much a logarithm changes in a step, at most or so

# A torque law: (memory, q, qd, input) -> (tau, memory, output). What it remembers and tells is up to it.
Law = Callable[[Any, Array, Array, Any], tuple[Array, Any, Any]]


# Given: forward dynamics, the torques' side of Newton and Euler


def solve(M: Array, torque: Array) -> jax.Array:
    """M^-1 torque, for a mass matrix: symmetric and positive, so by Cholesky's factors."""
    return jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(M), torque)


def accelerate(arm, q, qd, tau, f_ext):
    """qdd, and with it what adjoint() will want to know."""
    # One walk along the arm for both: the bias is what inverse dynamics says without qdd, M its slope by qdd.
    bias, ask = jax.linearize(lambda qdd: inverse_dynamics(arm, q, qd, qdd, f_ext), jnp.zeros_like(q))
    M = jax.vmap(ask)(jnp.eye(len(q)))
    qdd = solve(M, tau - bias)
    return qdd, (arm, M, q, qd, qdd, f_ext)


accelerations = jax.custom_vjp(lambda *arguments: accelerate(*arguments)[0])
accelerations.defvjp(accelerate, lambda kept, g: adjoint(*kept, g))  # JAX takes this for its derivative


def forward_dynamics(arm: Links, q: Array, qd: Array, tau: Array, f_ext: Array | None = None) -> jax.Array:
    """Given: how the joints accelerate under these torques, rad/s^2, (n,): M^-1 (tau + J^T f_ext - bias).

    q, qd, tau: rad, rad/s, N m, (n,). f_ext: what the environment does to the effector, in the base frame: a force in
    N, (3,), or force and moment in N and N m, (6,). All of them with 64 bits inside, whatever comes in.
    """
    return accelerations(*jax.tree.map(partial(jnp.asarray, dtype=jnp.float64), (arm, q, qd, tau, f_ext)))


def position_servo(kp: Array) -> Law:
    """Given: servos that are told an angle each tick; they give kp (target - angle). kp: N m/rad, (n,).

    They know their angle late: the memory holds those of so many ticks before, rad, (delay, n), the oldest first. Their
    output is that torque.
    """

    def torque(memory, q, qd, target):
        angles = jnp.concatenate([memory, q[None]])
        tau = kp * (target - angles[0])
        return tau, angles[1:], tau

    return torque


# Yours: a step, a run, the way back, a loss, a fit


def control_step(
    arm: Links, q: Array, qd: Array, tau: Array, seconds: float, substeps: int
) -> tuple[jax.Array, jax.Array]:
    """The state after one tick of the controller, whose torque tau stays the same meanwhile: q and qd, (n,).

    The tick lasts `seconds` and is made of `substeps` equal steps of MuJoCo's Euler integrator: the speed first, by the
    acceleration of now; then the angle, by the new speed. Damping, too, acts at the new speed, so it cannot overshoot.
    """
    # TODO(you): damping at the new speed turns M qdd on the left side into (M + h D) qdd. Which arm has that matrix for
    # its M, and all the rest as before? Then, `substeps` times: accelerate, change the speed, change the angle.
    ### BEGIN SOLUTION
    h = seconds / substeps
    heavier = replace(arm, armature=arm.armature + h * arm.damping)

    def step(state, _):
        q, qd = state
        qd = qd + h * forward_dynamics(heavier, q, qd, tau)
        return (q + h * qd, qd), None

    return jax.lax.scan(step, (q, qd), length=substeps)[0]
    ### END SOLUTION


def closed_loop(
    arm: Links, q: Array, qd: Array, torque: Law, memory: Any, inputs: Any, seconds: float, substeps: int
) -> tuple[jax.Array, jax.Array, Any]:
    """A run under a torque law that sees the run's own state: q and qd after each tick, (T, n), and the law's outputs.

    torque(memory, q, qd, input) -> (tau, memory, output): asked at the start of each tick for the torque of that tick.
    memory: what it keeps from tick to tick, arrays in any nest. inputs: the same, a row of each array for each tick.
    """
    # TODO(you): jax.lax.scan over the rows of inputs. What has to go round from tick to tick, and what is collected?
    # Ask jax.checkpoint(torque, prevent_cse=False) in place of torque: what a law computes on its way to tau is then
    # computed again on the way back, not kept. For a network that saves gigabytes.
    ### BEGIN SOLUTION
    law = jax.checkpoint(torque, prevent_cse=False)

    def tick(carry, row):
        q, qd, memory = carry
        tau, memory, output = law(memory, q, qd, row)
        q, qd = control_step(arm, q, qd, tau, seconds, substeps)
        return (q, qd, memory), (q, qd, output)

    return jax.lax.scan(tick, (q, qd, memory), inputs)[1]
    ### END SOLUTION


def rollout(arm: Links, q: Array, qd: Array, taus: Array, seconds: float, substeps: int) -> tuple[jax.Array, jax.Array]:
    """Given: a run under given torques, N m, (T, n): q and qd after each tick, (T, n)."""
    return closed_loop(arm, q, qd, lambda memory, q, qd, tau: (tau, memory, None), None, taus, seconds, substeps)[:2]


def adjoint(
    arm: Links, M: Array, q: Array, qd: Array, qdd: Array, f_ext: Array | None, g: Array
) -> tuple[Links, jax.Array, jax.Array, jax.Array, jax.Array | None]:
    """What a loss feels of the arm, q, qd, tau and f_ext through qdd = forward_dynamics(arm, q, qd, tau, f_ext).

    M: the arm's mass matrix at q. g: the loss's slope by qdd, (n,). Returns its slopes by arm, q, qd, tau and f_ext,
    each of the kind and shape of what it is a slope by (a Links for the arm; None where f_ext is None).
    """
    # TODO(you): inverse_dynamics(arm, q, qd, qdd, f_ext) is tau, always. Move tau a little: how does qdd move, and with
    # it the loss? Move q instead, while tau stays: what must qdd make good? Use jax.vjp of inverse_dynamics.
    ### BEGIN SOLUTION
    by_tau = solve(M, g)
    _, back = jax.vjp(lambda arm, q, qd, f_ext: inverse_dynamics(arm, q, qd, qdd, f_ext), arm, q, qd, f_ext)
    by_arm, by_q, by_qd, by_force = back(-by_tau)
    return by_arm, by_q, by_qd, by_tau, by_force
    ### END SOLUTION


def rollout_loss(arm: Links, kp: Array, log: dict, seconds: float, substeps: int, horizon: int) -> jax.Array:
    """How far runs of `horizon` ticks stray from a recording: the mean square over runs, ticks and joints, in rad^2.

    log: "target" (T, n), what position_servo(kp), without delay, was told; "q" and "qd" (T + 1, n), the states before
    each tick and after the last. It is cut into T / horizon runs; each starts from the recording's own state.
    """
    # TODO(you): from which rows does run k start, which targets does it follow, and which angles should it have after
    # each of its ticks? Cut the recording with reshape, then jax.vmap over the runs.
    ### BEGIN SOLUTION
    n = log["q"].shape[1]

    def angles(q, qd, target):
        return closed_loop(arm, q, qd, position_servo(kp), jnp.zeros((0, n)), target, seconds, substeps)[0]

    targets, after = (x.reshape(-1, horizon, n) for x in (log["target"], log["q"][1:]))
    runs = jax.vmap(angles)(log["q"][:-1:horizon], log["qd"][:-1:horizon], targets)
    return jnp.mean((runs - after) ** 2)
    ### END SOLUTION


def fit_damping(
    arm: Links, kp: Array, log: dict, seconds: float, substeps: int, horizon: int, steps: int
) -> dict[str, np.ndarray]:
    """The damping with which rollout_loss() is small, by `steps` steps of Adam at the rate RATE from arm.damping.

    Adam moves the logarithms of the damping, so none turns negative. Returns what was met on the way, the start first:
    "damping" (steps + 1, n), N m s/rad, "loss", rad^2, and "slope", the length of the gradient by the logarithms.
    """
    # TODO(you): which arm does the loss ask about, as a function of z = log(damping)? Compile its value_and_grad once,
    # before the loop. optax.adam(RATE) has init(z) and update(gradient, memory) -> (change, memory).
    ### BEGIN SOLUTION
    adam = optax.adam(RATE)

    def loss(z):
        return rollout_loss(replace(arm, damping=jnp.exp(z)), kp, log, seconds, substeps, horizon)

    @compiled
    def step(z, memory):
        value, gradient = jax.value_and_grad(loss)(z)
        change, memory = adam.update(gradient, memory)
        return (jnp.exp(z), value, jnp.linalg.norm(gradient)), z + change, memory

    z, met = np.log(arm.damping), []
    memory = adam.init(z)
    for _ in range(steps + 1):
        row, z, memory = step(z, memory)
        met.append(row)
    return dict(zip(("damping", "loss", "slope"), map(np.array, zip(*met, strict=True)), strict=True))
    ### END SOLUTION


# The same, compiled: the lesson and the checks call these. NumPy arrays come out.


def servo_run(arm, q, qd, kp, past, *rest):
    """Given: a run of position servos, whose angles before it were past, (delay, n)."""
    return closed_loop(arm, q, qd, position_servo(kp), past, *rest)


def fast_adjoint(arm: Links, q: Array, qd: Array, qdd: Array, f_ext: Array | None, g: Array) -> tuple:
    """Given: what adjoint() returns, with a dict of its arrays for the arm."""
    slopes = compiled_adjoint(arm, fast_mass_matrix(arm, q), q, qd, qdd, f_ext, g)
    return tuple(vars(x) if isinstance(x, Links) else x for x in slopes) if isinstance(slopes, tuple) else slopes


compiled_adjoint = compiled(adjoint)
fast_control_step, fast_rollout = compiled_for(control_step, 5), compiled_for(rollout, 5)
fast_servo_run, fast_rollout_loss = compiled_for(servo_run, 7), compiled_for(rollout_loss, 4)


def main() -> None:
    part("A", "128 ticks of 5 substeps under random torques: how far from MuJoCo's own steps")
    rng = np.random.default_rng(0)
    for name in ARMS:
        model, q = model_of(name), np.array(ARMS[name].home)
        taus = rng.normal(size=(128, model.nv)) * (5.0 if name == "panda" else 0.3)
        theirs, _ = in_c(model, q, lambda k, q, taus=taus: taus[k], 128)
        mine, _ = fast_rollout(links_of(model), q, 0 * q, taus, TICK, SUBSTEPS)
        print(f"{name:18} {np.abs(mine - theirs[1:]).max():.0e} rad")

    part("B", "SO-101, servos of 10 N m/rad; what a loss over H ticks feels, as in the paper's table II")
    arm, log = links_of(servo_arm()), recording(servo_arm(2 * BRAKE), 10.0, 500)
    slopes = felt(closed_loop, arm, 10.0, log)
    found = {H: slopes((np.arange(500) < H) / H) for H in (64, 128, 256, 320, 500)}
    for H, (by_z, by_tau) in found.items():
        sizes = f"torques {np.linalg.norm(by_tau):.1e}, parameters {np.linalg.norm(by_z):.1e}"
        print(f"H = {H:3}: {sizes}, cos {cosine(by_z, found[128][0]):.3f}")

    part("C", "Fitting the damping of five joints, each off by a factor of 3, to what the encoders read")
    start = replace(arm, damping=arm.damping * 3.0 ** np.array([1, -1, 1, -1, 1]))
    for kp, horizon in ((2.0, 4), (2.0, 64), (20.0, 4), (20.0, 64)):
        log = as_read(recording(servo_arm(), kp, 64))
        fit = fit_damping(start, kp * np.ones(5), log, TICK, SUBSTEPS, horizon, 80)
        off = 100 * np.abs(fit["damping"][-1] / arm.damping - 1).max()
        print(f"kp {kp:4}, horizon {horizon:2}: slope at the start {fit['slope'][0]:.1e}, worst error {off:.0f} %")


if __name__ == "__main__":
    run_script(main)
