"""JAX, prepared in one place before its first use.

    from bench.xla import jax, jnp
    fast = compiled(function)   # NumPy in, NumPy out

Take jax and jnp from here, never from JAX itself: it reads its settings when it computes something for the first time,
and half of them cannot be changed later. (Libraries that import JAX, such as optax, may come before.) What is set, why:

- Numbers have 64 bits. Newton's laws are checked to nine digits in this course; networks ask for float32 themselves.
- One compiler flag, for exactly the jaxlib that it was measured with (an unknown flag ends the process). Without it,
  XLA's fused loops on the CPU compute the same chain of joint frames again and again: ten to a hundred times slower.
- On a GPU, memory is taken as it is needed, not three quarters of it at the start.
- What has been compiled once is kept in the folder `.course` of this copy of the course, if that may be written. In the
  sandbox of the checks it may not: there, one's own file gets a folder of its own, and files that are graded get none,
  so nothing that a checked file compiles is ever run for somebody else.
"""

import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

__all__ = ["NETWORK", "compiled", "jax", "jnp"]

FLAG, JAXLIB = "--xla_cpu_use_fusion_emitters=false", "0.10.2"
CACHE = Path(__file__).parent.parent / ".course" / "xla"

started = getattr(sys.modules.get("jax._src.xla_bridge"), "backends_are_initialized", bool)
if started() and not sys.modules["jax"].config.jax_enable_x64:
    raise ImportError("jax was used before bench.xla, with 32-bit numbers; write `from bench.xla import jax` first")

try:
    found = version("jaxlib")
except PackageNotFoundError:
    raise ImportError("JAX is not installed; `python3 -m course doctor` says how to install it") from None
if found == JAXLIB and FLAG not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {FLAG}".strip()
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

# For jax.jit(..., compiler_options=NETWORK) of a network alone, which has no chain of frames: with those fused loops it
# is a twentieth quicker.
NETWORK = {"xla_cpu_use_fusion_emitters": True} if found == JAXLIB else {}

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

jax.config.update("jax_enable_x64", True)


def _keep_compiled(folder: Path) -> None:
    """Keep compiled functions in this folder from now on, or nowhere if it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    if os.access(folder, os.W_OK):
        jax.config.update("jax_compilation_cache_dir", str(folder))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.1)  # below that, reading is no faster


_keep_compiled(CACHE)


# What JAX raises, at length, where code asks for numbers that are not there yet, and what to do about it.
_TOO_EARLY = {
    jax.errors.TracerArrayConversionError: "NumPy got an array of JAX's that has no numbers yet: use jnp, not np",
    jax.errors.TracerIntegerConversionError: "a place in a list cannot depend on an array of JAX's",
    jax.errors.NonConcreteBooleanIndexError: "a mask cannot cut places out of an array of JAX's: use jnp.where",
    jax.errors.ConcretizationTypeError: "no float(), int(), if or while about an array of JAX's: it has no numbers yet",
}


def compiled(function: Callable) -> Callable:
    """The same function, compiled at its first call with arguments of these shapes. NumPy arrays come out of it.

    It is compiled in a hurry, in half the time: right where somebody waits for a few answers. For thousands of states
    at once use jax.jit, whose loops are up to eight times faster. Raises TypeError, in one line, where the function
    wants to see numbers while it is being compiled.
    """
    fast = jax.jit(function, compiler_options={"xla_backend_optimization_level": 0})

    @wraps(function)
    def call(*args: Any) -> Any:
        try:
            return jax.tree.map(np.asarray, fast(*args))
        except tuple(_TOO_EARLY) as problem:
            said = next(text for kind, text in _TOO_EARLY.items() if isinstance(problem, kind))
            raise TypeError(said).with_traceback(problem.__traceback__) from None

    return call
