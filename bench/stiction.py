"""Histories of a joint that sticks: nine angles, and the friction that they leave behind.

    histories = draw(rng, 6000)
    histories.q, histories.torque, histories.turn

The shaft of an STS3215 drags with a few hundredths of a newton metre. When it turns round, bearing and seal first bend
the other way before they slide again, so that the torque depends on where the joint came from. This is the drag of
bench.servo (`Gear`), alone and without a motor. A network that is to find it is trained by `learn`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bench.networks import TOKENS, Network
from bench.servo import load
from bench.xla import jax, jnp

__all__ = ["BEND", "DRAG", "RATE", "TICK", "Histories", "arrival", "drag", "draw", "learn"]

_GEAR = load("sts3215").gear
DRAG, BEND = _GEAR.drag, _GEAR.drag_angle  # N m, rad
RATE = 60.0  # Hz, of the bus
TICK = 2 * np.pi / 4096  # rad, of the encoder


def drag(q: np.ndarray, start: float | np.ndarray = 0.0) -> np.ndarray:
    """The drag at each tick, N m, (..., ticks), against motion in the positive direction.

    q: rad, (..., ticks). start: the drag at the first of them. Dahl's model (1968) with exponent 0: it grows by DRAG
    for each BEND of travel, and no further than DRAG.
    """
    q = np.asarray(q, float)
    torque = np.empty(q.shape)
    torque[..., 0] = start
    for t in range(1, q.shape[-1]):
        bent = torque[..., t - 1] + DRAG / BEND * (q[..., t] - q[..., t - 1])
        torque[..., t] = np.clip(bent, -DRAG, DRAG)
    return torque


def arrival(q: np.ndarray) -> np.ndarray:
    """The drag at the first tick, N m, (...), of a joint that was sliding then, the way it goes on. q: (..., ticks)."""
    step = np.diff(q, axis=-1)
    first = np.argmax(step != 0, axis=-1)[..., None]
    return DRAG * np.sign(np.take_along_axis(step, first, axis=-1)[..., 0])


@dataclass(frozen=True)
class Histories:
    """q: what the encoder said, rad, (n, 9). torque: the true drag at the newest tick, N m, (n,).

    turn: which tick, 1 to 7, is the only one at which the joint turned round, or 0 where there is none or several.
    """

    q: np.ndarray
    torque: np.ndarray
    turn: np.ndarray


def draw(rng: np.random.Generator, count: int, runs: int = 64) -> Histories:
    """So many histories from random smooth motions: three waves of 0.8 to 3 Hz each, up to about 1 rad/s.

    Neighbours in the arrays are no neighbours in time.
    """
    before = 60  # ticks, for the drag to forget how it began
    t = np.arange(-before, -(-count // runs) + TOKENS - 1) / RATE
    frequency = 2 * np.pi * rng.uniform(0.8, 3, (runs, 3, 1))  # rad/s
    speed, phase = rng.uniform(0.1, 0.6, (runs, 3, 1)), rng.uniform(0, 2 * np.pi, (runs, 3, 1))
    q = (speed / frequency * np.sin(frequency * t + phase)).sum(axis=1)
    torque = drag(q)[:, before + TOKENS - 1 :].ravel()
    read = TICK * np.round(q[:, before:] / TICK)
    windows = np.lib.stride_tricks.sliding_window_view(read, TOKENS, axis=1).reshape(-1, TOKENS)
    step = np.diff(windows, axis=1)
    turns = step[:, :-1] * step[:, 1:] < 0
    turn = np.where(turns.sum(axis=1) == 1, 1 + np.argmax(turns, axis=1), 0)
    kept = rng.permutation(len(windows))[:count]
    return Histories(windows[kept], torque[kept], turn[kept])


def learn(
    network: Network, size, histories: Histories, seed: int = 0, steps: int = 600, batch: int = 64, rate: float = 7e-3
) -> Callable[[np.ndarray], np.ndarray]:
    """An estimator of the drag: a function from angles (n, 9, 1) in rad to N m, (n,).

    network, size: what is trained on these histories, by `steps` steps of Adam on the mean square error, with `batch`
    histories each and a learning rate that falls from `rate` to zero along a cosine. Same seed, same estimator.
    """
    import optax  # here, because checking an exercise that imports this file does not train

    optimizer = optax.adam(optax.cosine_decay_schedule(rate, steps))
    spread = np.float32(histories.q.std())
    tokens, target = jnp.float32(histories.q[..., None] / spread), jnp.float32(histories.torque / DRAG)
    params = network.init(jax.random.key(seed), 1, 1, size)

    def loss(params, seen, torque):
        return jnp.mean((network.apply(params, seen).tau[..., 0] - torque) ** 2)

    def step(state, batch):
        params, memory = state
        change, memory = optimizer.update(jax.grad(loss)(params, *batch), memory)
        return (optax.apply_updates(params, change), memory), None

    # The samples are arguments, no constants of the program, so that the next training finds it compiled.
    chosen = np.random.default_rng(seed).integers(0, len(tokens), (steps, batch))
    train = jax.jit(lambda state, batches: jax.lax.scan(step, state, batches)[0])
    params, _ = train((params, optimizer.init(params)), (tokens[chosen], target[chosen]))
    fast = jax.jit(lambda q: DRAG * network.apply(params, jnp.float32(q / spread)).tau[..., 0])
    return lambda q: np.asarray(fast(q))
