"""A torque nobody measured: a network drives a simulated arm, and is right if the arm goes where the real one went.

Run it:     python code/surrogate.py
Check it:   python3 -m course check surrogate
The lesson: lessons/15_surrogate.ipynb

Module 16 trains what stands here. Source: the NeuralActuator paper, III-B and III-D, equations 5, 10 to 14.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from bench.arms import ARMS
from bench.kinematics import Array, Links, links_of
from bench.locked import model_of
from bench.networks import NETWORKS, TOKENS, Outputs
from bench.script import part, run_script
from bench.setting import Setting, setting_of
from bench.tracks import Track
from bench.xla import compiled, jax, jnp
from solutions.encoder import ENCODER
from solutions.nad import features, labels, normalise
from solutions.rnea import inverse_dynamics
from solutions.rollouts import closed_loop

KINDS = {"transformer": ENCODER} | NETWORKS
HISTORY = TOKENS - 1  # frames before the present one
Drive = Callable[[Setting, Array, Outputs, Track], Array]
PULL = 15.0  # rad/s: how fast a one-step target wants a strayed arm back
ASTRAY = 0.05, 0.5, 10.0  # rad, rad/s, rad/s^2: spread of the angles, speeds and accelerations of arms led astray


def setting_for(robot: str, tracks: Sequence[Track], network: str = "transformer", residual: bool = False) -> Setting:
    """Given: the setting in which a network learns from these tracks, and from no others."""
    seen = normalise(np.concatenate([features(t.q_cmd, t.q, t.qd, t.u, t.voltage, t.temperature) for t in tracks]))
    blank = setting_of(robot, network, residual, seen.mean, seen.scale, np.ones(tracks[0].q.shape[1]))
    some = np.random.default_rng(0).permutation(sum(map(len, tracks)))[:4000]
    names = ("q", "qd", "qdd", "q_cmd")
    *motion, q_cmd = (np.concatenate([getattr(t, name) for t in tracks])[some].astype(float) for name in names)
    torques = jax.jit(jax.vmap(partial(inverse_dynamics, blank.arm)))(*motion) - blank.stiffness * (q_cmd - motion[0])
    return replace(blank, typical=2 * np.std(torques, axis=0) + 0.05)


def token(setting: Setting, q: Array, qd: Array, row: Track) -> jax.Array:
    """Given: what the network sees of one tick, (..., features): this state, and what was commanded and read then."""
    raw = features(row.q_cmd, q, qd, row.u, row.voltage, row.temperature)
    return ((raw - setting.mean) / setting.scale).astype(jnp.float32)


def ask(setting: Setting, params: Any, tokens: Array) -> Outputs:
    """Given: what the network says about nine tokens."""
    return KINDS[setting.network].apply(params, tokens)


# Yours: from the network's numbers to a torque, from a torque to a run, and what to learn from


def torque_of(setting: Setting, raw: Array, u: Array) -> jax.Array:
    """The torque surrogate in N m, (..., m): equation 5, and never more than the motors have.

    raw: what the network says, (..., m), of the order of one: raw * setting.typical is a torque. u: effort, (..., m).
    setting.rated * u is what a linear motor would give: zero in a direct surrogate, the base of a residual one.
    """
    # TODO(you): a network that has not learned yet may say anything, and a rollout believes it. limit * tanh(x / limit)
    # is x while x is small and never exceeds the limit. What must go into it: the network's part, or the sum?
    raise NotImplementedError("TODO(you): torque_of")


def direct(setting: Setting, q: Array, outputs: Outputs, row: Track) -> jax.Array:
    """Given: implicit coupling. The surrogate alone drives the body, whatever the network says of forces.

    Where the arm has position actuators (Panda), it bends their goal: stiffness (q_cmd + torque / stiffness - q).
    """
    return torque_of(setting, outputs.tau, row.u) + setting.stiffness * (row.q_cmd - q)


def weightless(setting: Setting, q: Array, outputs: Outputs, row: Track) -> jax.Array:
    """Given: no network at all. What a linear motor would give, and something else carries the arm's weight."""
    return torque_of(setting, 0 * outputs.tau, row.u) + inverse_dynamics(setting.arm, q, 0 * q, 0 * q)


def actuated_rollout(
    setting: Setting, params: Any, track: Track, drive: Drive = direct
) -> tuple[jax.Array, jax.Array, Outputs]:
    """Where the arm goes when the network drives it: q and qd, (T, m), after each tick, and what it said, T rows each.

    track: HISTORY + T frames. The first HISTORY are the past as it was read; the run starts in the state (q, qd) of the
    next frame, and from then on q and qd are the run's own: track.q is the answer, and nobody may look at it. What was
    commanded and read in a tick (q_cmd, u, voltage, temperature) comes from the track, tick by tick.
    drive(setting, q, outputs, row): the torque, N m, (m,).
    """

    # TODO(you): closed_loop() of module 13 wants a law (memory, q, qd, row) -> (tau, memory, output). The memory is the
    # last HISTORY tokens; the row's token is made of the run's own q and qd. Which token leaves, and which does the
    # network read? A track has numbers of 32 bits, a run has 64: start from jnp.asarray(..., float).
    raise NotImplementedError("TODO(you): actuated_rollout")


def one_step_target(arm: Links, q: Array, qd: Array, qdd: Array, dq: Array, dqd: Array) -> jax.Array:
    """The torque that a network should give without any rollout, N m, (m,).

    q, qd, qdd: how the real arm moved, (m,). dq, dqd: how far the simulated arm is astray, in rad and rad/s: it is at
    q + dq and moves at qd + dqd. It is to come back as if by a critically damped spring of PULL rad/s.
    """
    # TODO(you): two questions. How should a strayed arm accelerate, so that its distance dq dies away and does not
    # swing? And which torque makes an arm in *that* state accelerate so?
    raise NotImplementedError("TODO(you): one_step_target")


def curriculum(step: int, stages: Sequence[tuple[int, int]]) -> int:
    """How many ticks a rollout lasts at this training step.

    stages: (horizon, steps) one after the other, as ((128, 2000), (256, 1000), (320, 500)); the last goes on for ever.
    """
    # TODO(you): which stage is the step in? The first step is step 0.
    raise NotImplementedError("TODO(you): curriculum")


# Given: two losses to train by, for a batch of tracks (batch, frames, ...)


def huber(error: Array, beta: float) -> jax.Array:
    """Square below beta, straight above: error^2 / (2 beta), then |error| - beta / 2."""
    size = jnp.abs(error)
    return jnp.where(size < beta, 0.5 * size**2 / beta, size - 0.5 * beta)


def one_step_loss(
    setting: Setting,
    params: Any,
    tracks: Track,
    draws: dict[str, Array],
    bend: float = ASTRAY[2],
    drive: Drive = direct,
) -> tuple[jax.Array, Outputs]:
    """How far the torques are from one_step_target(), in units of typical torques, and all that the network said.

    tracks: nine frames each. draws: random numbers, "kind" (batch,) uniform, "angle" and "speed" (batch, m) normal.
    Three in five tracks are led astray, by up to three times ASTRAY, along a past that bends: a straight one would
    teach that the speed of old tokens is the speed of now. One in five stays as read: that is what a real arm gives.
    """
    kind = draws["kind"][:, None, None]
    astray = 3 * setting.leash * jnp.maximum(0, (kind - 0.4) / 0.6) ** 2
    before = setting.seconds * jnp.arange(-HISTORY, 1)[:, None]
    dqd = ASTRAY[1] * astray * draws["speed"][:, None]
    curve = bend * astray * jnp.roll(draws["angle"], 1, axis=0)[:, None]  # another track's draw, so independent of both
    dq = ASTRAY[0] * astray * draws["angle"][:, None] + dqd * before + curve * before**2 / 2
    q = jnp.where(kind < 0.2, tracks.seen_q, tracks.q + dq)
    qd = jnp.where(kind < 0.2, tracks.seen_qd, tracks.qd + dqd + curve * before)
    outputs = ask(setting, params, token(setting, q, qd, tracks))
    now = jax.tree.map(lambda column: jnp.asarray(column[:, -1], float), tracks)
    wanted = jax.vmap(partial(one_step_target, setting.arm))(now.q, now.qd, now.qdd, dq[:, -1], dqd[:, 0])
    error = jax.vmap(partial(drive, setting))(now.q + dq[:, -1], outputs, now) - wanted
    return jnp.mean(huber(error / setting.typical, 0.3)), outputs


def rollout_loss(
    setting: Setting, params: Any, tracks: Track, drive: Drive = direct
) -> tuple[jax.Array, jax.Array, Outputs]:
    """Equation 14: how far a rollout's angles are from the real ones, rad^2 / 2, with the angles and all that was said.

    tracks: HISTORY + T + 1 frames each. The state after the tick of frame t is judged by frame t + 1.
    """
    q, _, outputs = jax.vmap(partial(actuated_rollout, setting, params, drive=drive))(tracks[:, :-1])
    return jnp.mean(huber(q - tracks.q[:, HISTORY + 1 :], 1.0)[..., :-1]), q, outputs


# The same, compiled: the lesson and the checks call these. NumPy arrays come out.
fast_rollout, fast_target = compiled(actuated_rollout), compiled(one_step_target)
fast_weightless_rollout = compiled(partial(actuated_rollout, drive=weightless))
fast_rollouts = compiled(jax.vmap(actuated_rollout, (None, None, 0)))


def main() -> None:
    # Here, not above: who only checks this file need not wait for the laboratory.
    from bench.surrogate_trials import LEARN, ROBOT, TABLE_III, TEST, TICKS, Batches, errors, learned, performed

    part("A", "The same rest, explained twice (N m at the joints)")
    arm, q = links_of(model_of(ROBOT)), np.array(ARMS[ROBOT].home)
    print("nothing pulls:       ", inverse_dynamics(arm, q, 0 * q, 0 * q).round(3))
    print("3 N pull it down too:", inverse_dynamics(arm, q, 0 * q, 0 * q, np.array([0, 0, -3.0])).round(3))

    part("B", "A network drives the arm: joint error in degrees over 100, 300, 600 ticks")
    learn = performed(LEARN, ("train", "validation"), 300, labels)
    tests = performed(TEST, ("test",), TOKENS + TICKS, labels)
    setting, stages = setting_for(ROBOT, learn, "mlp"), ((12, 100), (24, 80))
    start = NETWORKS["mlp"].init(jax.random.key(0), 35, 5, NETWORKS["mlp"].sizes["small"])
    batch = jax.tree.map(lambda *x: np.stack(x), *tests)[:, :-1]

    def row(name: str, loss: Callable, horizon: Callable, steps: int) -> None:
        batches = Batches(learn, horizon, HISTORY, singles=128, rollouts=8)
        params, seconds = learned(loss, setting, start, batches, steps, hurry=steps < 200)
        error = errors(fast_rollouts(setting, params, batch)[0], tests).mean(axis=0)
        print(f"{name:18}", error.round(2), f"after {seconds:.1f} s of training, compiling not counted")

    print("q = q_cmd         ", errors([t.q_cmd[TOKENS:] for t in tests], tests).mean(axis=0).round(2))
    row("one-step targets", lambda p, s, *rest: one_step_loss(s, p, *rest)[0], lambda step: 0, 400)
    row("rollouts", lambda p, s, t, _: 100 * rollout_loss(s, p, t)[0], partial(curriculum, stages=stages), 180)
    print("the paper, its arm", np.mean(list(TABLE_III.values()), axis=0).round(2))


if __name__ == "__main__":
    run_script(main)
