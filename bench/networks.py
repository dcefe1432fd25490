"""Given parts of networks that read nine tokens, and the three that the paper compares its Transformer with.

    network = NETWORKS["gru"]
    params = network.init(key, features=35, joints=5, size=network.sizes["paper"])
    outputs = network.apply(params, tokens)   # tokens: (..., 9, features); jit, vmap, grad and scan take it as it is

The same two functions, with the same outputs, as in solutions/encoder.py, which adds the Transformer. A network is a
pure function of a tree of arrays; nothing else remembers anything.

Sizes are those of table 20 in the appendix on architectures of the NeuralActuator paper. It gives two widths each,
hidden and latent, and the number of parameters, and no layout. Ours: all four networks end in the same heads (see
`read_out`); the MLP has four hidden layers, each with LayerNorm and SiLU; GRU and LSTM lift a frame to the hidden
width, then come two recurrent layers, whose initial state is learned, and the last one's state after the newest frame
goes to the heads. The paper trains with a dropout of 0.1. There is none here: in a rollout it would be torque noise.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from bench.xla import compiled, jax, jnp

__all__ = [
    "NETWORKS",
    "TOKENS",
    "Array",
    "Network",
    "Outputs",
    "Params",
    "Width",
    "count",
    "init_heads",
    "init_linear",
    "init_norm",
    "layer_norm",
    "linear",
    "read_out",
    "sliding",
]

TOKENS = 9  # eight frames of history and the current one, which is the last
Array: TypeAlias = np.ndarray | jax.Array
Params = Any  # a tree of arrays


class Outputs(NamedTuple):
    """What every network here says, for tokens of shape (..., 9, features)."""

    tau: jax.Array  # (..., joints): torque surrogate, in the unit that training gives it
    force: jax.Array  # (..., 3): raw force, in the unit that training gives it; the estimate is sigmoid(gate) * force
    gate: jax.Array  # (...): logit of "something touches the arm"
    condition: jax.Array  # (..., joints): logit of "this joint moves normally"


# Parts


def init_linear(key: jax.Array, inputs: int, outputs: int, dtype=jnp.float32) -> Params:
    """Weights drawn so that outputs are about as large as inputs (LeCun 1998), no bias yet."""
    w = jax.random.normal(key, (inputs, outputs), dtype) / jnp.sqrt(jnp.asarray(inputs, dtype))
    return {"w": w, "b": jnp.zeros(outputs, dtype)}


def linear(p: Params, x: Array) -> jax.Array:
    """x @ w + b, along the last axis of x."""
    return x @ p["w"] + p["b"]


def init_norm(width: int, dtype=jnp.float32) -> Params:
    return {"scale": jnp.ones(width, dtype), "shift": jnp.zeros(width, dtype)}


def layer_norm(p: Params, x: Array) -> jax.Array:
    """Each vector along the last axis with mean 0 and variance 1, then scaled and shifted (Ba, Kiros, Hinton 2016)."""
    return jax.nn.standardize(x, axis=-1, epsilon=1e-6) * p["scale"] + p["shift"]


def init_heads(key: jax.Array, hidden: int, latent: int, joints: int, dtype=jnp.float32) -> Params:
    """See read_out()."""
    shapes = {
        "tau": [(hidden, hidden), (hidden, latent), (latent, joints)],
        "feature": [(hidden, latent)],
        "force": [(latent, 3)],
        "gate": [(latent, 1)],
        "condition": [(hidden, latent), (latent, joints)],
    }
    keys = iter(jax.random.split(key, sum(map(len, shapes.values()))))
    return {name: [init_linear(next(keys), *shape, dtype) for shape in layers] for name, layers in shapes.items()}


def read_out(p: Params, h: Array) -> Outputs:
    """The heads, with SiLU between their layers, on one vector (..., hidden) for the whole history.

    Torque: hidden, latent, joints. Force: one feature of the latent width, read by two layers without a bend in
    between, for the raw force and for the gate. Condition: latent, joints. (III-D of the paper; the number of hidden
    layers in a head is not in it, and these make the Transformer as large as the paper says.)
    """
    feature = jax.nn.silu(_mlp(p["feature"], h))
    return Outputs(
        tau=_mlp(p["tau"], h),
        force=_mlp(p["force"], feature),
        gate=_mlp(p["gate"], feature)[..., 0],
        condition=_mlp(p["condition"], h),
    )


def _mlp(layers: Params, x: Array) -> jax.Array:
    for layer in layers[:-1]:
        x = jax.nn.silu(linear(layer, x))
    return linear(layers[-1], x)


def count(params: Params) -> int:
    """How many numbers a tree of parameters holds."""
    return sum(prod(leaf.shape) for leaf in jax.tree.leaves(params))


def sliding(apply: Callable[[Params, Array], Outputs], params: Params) -> Callable[[np.ndarray], np.ndarray]:
    """A function of a whole recording, (ticks, features): torques, (ticks, joints), of the nine tokens up to each tick.

    The first eight ticks have no nine tokens yet; theirs are NaN.
    """
    fast = compiled(lambda tokens: apply(params, tokens).tau)

    def estimate(frames: np.ndarray) -> np.ndarray:
        tau = fast(np.lib.stride_tricks.sliding_window_view(frames, TOKENS, axis=0).swapaxes(1, 2))
        return np.concatenate([np.full((TOKENS - 1, tau.shape[1]), np.nan), tau])

    return estimate


# The alternatives


@dataclass(frozen=True)
class Width:
    """hidden: width of the trunk; layers: how many it has; latent: width of the heads' last hidden layer."""

    hidden: int
    layers: int
    latent: int


@dataclass(frozen=True)
class Network:
    """init(key, features, joints, size, dtype=float32) -> params; apply(params, tokens) -> Outputs.

    learning_rate: table 20's.
    """

    init: Callable[..., Params]
    apply: Callable[[Params, Array], Outputs]
    sizes: dict[str, Any]  # "small", for a laptop, and "paper"
    learning_rate: float

    def parameters(self, size: str, features: int = 35, joints: int = 5) -> int:
        """How many numbers its parameters are. Nothing is drawn for that: shapes are enough."""
        drawn = partial(self.init, features=features, joints=joints, size=self.sizes[size])
        return count(jax.eval_shape(drawn, jax.random.key(0)))


def _init_mlp(key: jax.Array, features: int, joints: int, size: Width, dtype=jnp.float32) -> Params:
    heads, *keys = jax.random.split(key, size.layers + 1)
    inputs = [TOKENS * features] + [size.hidden] * (size.layers - 1)
    return {
        "trunk": [
            {"linear": init_linear(k, n, size.hidden, dtype), "norm": init_norm(size.hidden, dtype)}
            for k, n in zip(keys, inputs, strict=True)
        ],
        "heads": init_heads(heads, size.hidden, size.latent, joints, dtype),
    }


def _apply_mlp(params: Params, tokens: Array) -> Outputs:
    h = jnp.reshape(tokens, (*tokens.shape[:-2], -1))
    for layer in params["trunk"]:
        h = jax.nn.silu(layer_norm(layer["norm"], linear(layer["linear"], h)))
    return read_out(params["heads"], h)


def _cell(kind: str, hidden: int, dtype=None):
    """One of flax's cells, imported here, because who wants a Transformer need not wait for flax."""
    from flax import linen

    return getattr(linen, kind)(hidden, param_dtype=dtype or jnp.float32)


def _init_recurrent(kind: str, parts: int, key, features: int, joints: int, size: Width, dtype=jnp.float32) -> Params:
    lift, heads, *keys = jax.random.split(key, size.layers + 2)
    blank = jnp.zeros(size.hidden, dtype)
    unit = _cell(kind, size.hidden, dtype)
    start = [blank] * parts
    return {
        "lift": init_linear(lift, features, size.hidden, dtype),
        "trunk": [
            {"cell": unit.init(k, tuple(start) if parts > 1 else blank, blank)["params"], "start": list(start)}
            for k in keys
        ],
        "heads": init_heads(heads, size.hidden, size.latent, joints, dtype),
    }


def _apply_recurrent(kind: str, params: Params, tokens: Array) -> Outputs:
    batch = tokens.shape[:-2]
    series = jnp.moveaxis(linear(params["lift"], tokens), -2, 0)  # time first, as scan wants it
    for layer in params["trunk"]:
        start = tuple(jnp.broadcast_to(s, (*batch, s.shape[-1])) for s in layer["start"])
        step = partial(_cell(kind, start[0].shape[-1]).apply, {"params": layer["cell"]})
        _, series = jax.lax.scan(step, start if len(start) > 1 else start[0], series)
    return read_out(params["heads"], series[-1])


def _recurrent(kind: str, parts: int, **about: Any) -> Network:
    """parts: of a cell's state, one array in a GRU, two in an LSTM."""
    return Network(partial(_init_recurrent, kind, parts), partial(_apply_recurrent, kind), **about)


NETWORKS = {
    "mlp": Network(_init_mlp, _apply_mlp, {"small": Width(96, 4, 32), "paper": Width(416, 4, 208)}, 3e-5),
    "gru": _recurrent("GRUCell", 1, sizes={"small": Width(72, 2, 36), "paper": Width(325, 2, 162)}, learning_rate=1e-4),
    "lstm": _recurrent(
        "OptimizedLSTMCell", 2, sizes={"small": Width(64, 2, 32), "paper": Width(275, 2, 137)}, learning_rate=1e-4
    ),
}
