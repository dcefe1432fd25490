"""One step of gradient descent: AdamW, a learning rate that falls to a floor, and an average of the parameters."""

from collections.abc import Callable
from typing import Any, NamedTuple

import optax

from bench.xla import jax, jnp

Tree = Any  # a pytree of arrays
Loss = Callable[[Tree, Tree], tuple[jax.Array, dict[str, jax.Array]]]


class State(NamedTuple):
    """All that a run needs to go on."""

    step: jax.Array  # steps taken
    params: Tree
    average: Tree  # exponential moving average of params
    optimizer: Tree


def cosine_with_floor(peak: float, steps: int, floor: float = 0.05, warm_up: int = 0) -> optax.Schedule:
    """A learning rate that rises to its peak, falls along a cosine, and stays at floor * peak after `steps`.

    So a run may be made longer without a jump (NeuralActuator, appendix B: a floor, no restart).
    """
    return optax.warmup_cosine_decay_schedule(peak if not warm_up else 0.0, peak, warm_up, steps, floor * peak)


def adamw(
    peak: float, steps: int, floor: float = 0.05, warm_up: int = 0, weight_decay: float = 1e-4, clip: float = 1.0
) -> optax.GradientTransformation:
    """AdamW with that schedule. clip: largest norm of a gradient; a diverging rollout gives huge ones."""
    rate = cosine_with_floor(peak, steps, floor, warm_up)
    return optax.chain(optax.clip_by_global_norm(clip), optax.adamw(rate, weight_decay=weight_decay))


def begin(params: Tree, optimizer: optax.GradientTransformation) -> State:
    """The state before the first step."""
    return State(jnp.zeros((), jnp.int32), params, params, optimizer.init(params))


def update_of(
    loss: Loss, optimizer: optax.GradientTransformation, decay: float = 0.999
) -> Callable[[State, Tree], tuple[State, dict[str, jax.Array]]]:
    """The compiled step (state, batch) -> (state, terms): what `loss` calls its terms, and "loss", their total.

    decay: of the average, per step; it begins shorter, so that an early average is not one of the random beginning.
    A step whose gradient is not finite changes nothing but the count, and says so by a loss that is NaN.
    """

    def update(state: State, batch: Tree) -> tuple[State, dict[str, jax.Array]]:
        (value, terms), gradient = jax.value_and_grad(loss, has_aux=True)(state.params, batch)
        change, optimizer_state = optimizer.update(gradient, state.optimizer, state.params)
        params = optax.apply_updates(state.params, change)
        remember = jnp.minimum(decay, (1 + state.step) / (10 + state.step))
        average = optax.incremental_update(params, state.average, 1 - remember)
        moved = State(state.step + 1, params, average, optimizer_state)
        stayed = state._replace(step=state.step + 1)
        finite = jnp.isfinite(optax.tree.norm(gradient))
        return jax.tree.map(lambda a, b: jnp.where(finite, a, b), moved, stayed), {"loss": value} | terms

    return jax.jit(update)
