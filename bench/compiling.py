"""Functions of arrays and of a few whole numbers, such as a run's number of substeps, compiled.

    fast_step = compiled_for(control_step, 5)      # five arrays come first, then whole numbers
    q, qd = fast_step(arm, q, qd, tau, seconds, 4)

A whole number that decides how often a loop runs cannot be an array of JAX's: each choice is a program of its own.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from bench.xla import compiled


def compiled_for(function: Callable, arrays: int) -> Callable:
    """bench.xla.compiled, once for each choice of the whole numbers that follow the first `arrays` arguments."""

    @cache
    def program(*whole: int) -> Callable:
        return compiled(lambda *args: function(*args, *whole))

    def call(*args: Any) -> Any:
        return program(*args[arrays:])(*args[:arrays])

    return call
