"""Functions in JAX as a check or a cell asks them: compiled, with plain numbers in and out.

fast_step = compiled_for(control_step, 5)      # fast_step(arm, q, qd, tau, seconds, 4): five arrays, then whole numbers
fast_loss = with_slope(loss)                   # value, slope = fast_loss(error, weight)
fast_step = built(step, setting)               # fast_step(("so101", "mlp"), {"mean": ...}, memory, frame)

What decides how a program is built, such as how often a loop runs or which arm moves, cannot be an array of JAX's: each
choice is a program of its own, compiled once.
"""

from collections.abc import Callable
from functools import cache

from bench.xla import compiled, jax, jnp


def compiled_for(function: Callable, arrays: int) -> Callable:
    """Asks for function(*args): first so many arrays, then whole numbers; other whole numbers are compiled anew."""

    @cache
    def quick(*whole):
        return compiled(lambda *args: function(*args, *whole))

    return lambda *args: quick(*args[arrays:])(*args[:arrays])


def with_slope(function: Callable) -> Callable:
    """Asks for the function's answer, and for the slope of all of it together by the first argument."""

    def both(first, *rest):
        value, back = jax.vjp(lambda first: function(first, *rest), first)
        return value, back(jax.tree.map(jnp.ones_like, value))[0]

    return compiled(both)


def built(function: Callable, build: Callable) -> Callable:
    """Asks for function(build(*names, **numbers), *args) by (names, numbers, *args); other names are compiled anew."""

    @cache
    def quick(*names):
        return compiled(lambda numbers, *args: function(build(*names, **numbers), *args))

    return lambda names, numbers, *args: quick(*names)(numbers, *args)
