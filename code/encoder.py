"""Nine tokens, gated attention: a network that finds out which past ticks matter.

Run it:     python code/encoder.py
Check it:   python3 -m course check encoder
The lesson: lessons/14_encoder.ipynb

Later modules train what stands here: `from solutions.encoder import ENCODER`, or `SIZES`, `init` and `apply`. It is the
encoder of the NeuralActuator paper, section III-D, equations 6 to 9, as pure functions of a tree of arrays.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bench.networks import (
    NETWORKS,
    TOKENS,
    Array,
    Network,
    Outputs,
    Params,
    Width,
    count,
    init_heads,
    init_linear,
    init_norm,
    layer_norm,
    linear,
    read_out,
    sliding,
)
from bench.script import part, run_script
from bench.stiction import TICK, arrival, drag, draw, learn
from bench.xla import compiled, jax, jnp


@dataclass(frozen=True)
class Size:
    """How large an encoder is."""

    d: int  # numbers in a token
    layers: int  # encoder blocks
    heads: int  # of attention; they divide d among them
    d_ff: int  # numbers inside the feed-forward part
    latent: int  # numbers in the last hidden layer of the output heads


SIZES = {"small": Size(64, 2, 4, 128, 32), "paper": Size(192, 4, 4, 384, 96)}


# Given: parameters, projections, feed-forward part


def init(key: jax.Array, features: int, joints: int, size: Size, dtype=jnp.float32) -> Params:
    """Parameters drawn at random. features: numbers in a frame. joints: channels of torque and of condition.

    dtype: float32 for training, float64 for comparisons. apply() computes in it.
    Raises ValueError unless the width of a token can be divided among the heads.
    """
    if size.d % size.heads:
        raise ValueError(f"{size.heads} heads cannot share a token of {size.d} numbers: the one must divide the other")
    into, places, heads, *blocks = jax.random.split(key, 3 + size.layers)
    return {
        "input": init_linear(into, features, size.d, dtype)["w"],
        "positions": 0.02 * jax.random.normal(places, (TOKENS, size.d), dtype),
        "blocks": [init_block(block, size, dtype) for block in blocks],
        "norm": init_norm(size.d, dtype),
        "heads": init_heads(heads, size.d, size.latent, joints, dtype),
    }


def init_block(key: jax.Array, size: Size, dtype=jnp.float32) -> Params:
    """The parameters of one block. The shape of "qkvg", (d, 4, heads, d / heads), says how many heads there are."""
    d, keys = size.d, jax.random.split(key, 4)
    return {
        "norm_attention": init_norm(d, dtype),
        "qkvg": init_linear(keys[0], d, 4 * d, dtype)["w"].reshape(d, 4, size.heads, d // size.heads),
        "out": init_linear(keys[1], d, d, dtype)["w"],
        "norm_ffn": init_norm(d, dtype),
        "up": init_linear(keys[2], d, size.d_ff, dtype),
        "down": init_linear(keys[3], size.d_ff, d, dtype),
    }


def projections(p: Params, U: Array) -> list[jax.Array]:
    """Queries, keys, values and gate logits of all heads, each (..., tokens, heads, d / heads), of U (..., tokens, d).

    One product for all four: the gate is produced alongside the query (equation 7), and one large product is quicker.
    """
    d, four, heads, width = p["qkvg"].shape
    mixed = U @ p["qkvg"].reshape(d, -1)
    return [mixed.reshape(*U.shape[:-1], four, heads, width)[..., i, :, :] for i in range(four)]


def feed_forward(p: Params, x: Array) -> jax.Array:
    """Two layers with GELU between them, on each token by itself."""
    return linear(p["down"], jax.nn.gelu(linear(p["up"], x), approximate=False))


# Yours: attention and the block, then two questions put to any estimator


def gated_attention(p: Params, U: Array) -> tuple[jax.Array, jax.Array]:
    """Equation 7: what each token learns from all nine, (..., tokens, d), and the weights with which it listened.

    p: a block's parameters. U: normalised tokens, (..., tokens, d). The weights are (..., heads, tokens, tokens):
    [h, i, j] says how much of token j's value goes into token i in head h; each row sums to one.
    """
    # TODO(you): projections() gives q, k, v and the gate's logits g, each (..., tokens, heads, width). A query is
    # compared with all keys of its own head. By what are the products divided, and which axis must the softmax make sum
    # to one? The gate belongs to the token that asks, and works before the heads are mixed by p["out"].
    raise NotImplementedError("TODO(you): gated_attention")


def encoder_block(p: Params, H: Array) -> Array:
    """Equations 6, 8 and 9: tokens H, (..., tokens, d), after one block; the same shape.

    p: its parameters, with p["norm_attention"] and p["norm_ffn"] for layer_norm(), and all that gated_attention() and
    feed_forward() want.
    """
    # TODO(you): two things are added to the tokens, one after the other. What does each of them get to see: the tokens
    # as they are or normalised, and as they were before the first addition or after it?
    raise NotImplementedError("TODO(you): encoder_block")


def encode(params: Params, tokens: Array) -> jax.Array:
    """Given: one vector for the whole history, (..., d): blocks, a last norm, and the mean over the nine tokens."""
    H = jnp.asarray(tokens) @ params["input"] + params["positions"]
    for block in params["blocks"]:
        H = encoder_block(block, H)
    return jnp.mean(layer_norm(params["norm"], H), axis=-2)


def apply(params: Params, tokens: Array) -> Outputs:
    """Given: what the network says about tokens of shape (..., 9, features), normalised, the oldest first.

    tau (..., joints), force (..., 3) raw, gate (...) logit, condition (..., joints) logits. Leading axes are free.
    """
    return read_out(params["heads"], encode(params, tokens))


def causality_probe(estimate: Callable, frames: np.ndarray, kick: np.ndarray) -> np.ndarray:
    """Which frames each estimate depends on: booleans (ticks, ticks), [t, s] true if frame s has a say at tick t.

    estimate: takes a whole recording, (ticks, features), and returns its estimates, (ticks,) or (ticks, outputs), with
    NaN where it has none yet. frames: such a recording. kick: what to add to a frame to see who notices, (features,).
    """
    # TODO(you): kick one frame at a time and ask again. Which estimates are not what they were, in any output, by
    # however little? Beware of NaN, which differs from itself.
    raise NotImplementedError("TODO(you): causality_probe")


def token_ablation(estimate: Callable, tokens: np.ndarray, target: np.ndarray, order: np.ndarray) -> np.ndarray:
    """What the estimate loses without token k: by how much its root mean square error rises, for each k, (tokens,).

    estimate: takes (n, tokens, features), returns (n,). target: the truth, (n,). order: a permutation of n. "Without"
    means: sample i gets token k of sample order[i], so that token k still looks like a token k and tells nothing.
    """

    # TODO(you): one token at a time, all others as they are. A rise needs something that it rises from.
    raise NotImplementedError("TODO(you): token_ablation")


# Given


def reach(depends: np.ndarray) -> tuple[int, int]:
    """How many ticks back and how many ahead of its own an estimate looks at most; (8, 0) is nine tokens, causal."""
    t, s = np.nonzero(depends)
    return int(max(t - s, default=0)), int(max(s - t, default=0))


fast_attention, fast_block, fast_apply = map(compiled, (gated_attention, encoder_block, apply))

ENCODER = Network(init, apply, SIZES, 1e-4)  # beside those of bench.networks.NETWORKS
LITTLE = {"encoder": (ENCODER, Size(32, 1, 4, 64, 16)), "mlp": (NETWORKS["mlp"], Width(64, 3, 16))}  # for one joint


def parameters(network: Network, size: str, features: int = 35, joints: int = 5) -> int:
    """How many parameters a network has. Nothing is drawn for it: shapes are enough."""
    return count(
        jax.eval_shape(lambda key: network.init(key, features, joints, network.sizes[size]), jax.random.key(0))
    )


def main() -> None:
    rng = np.random.default_rng(0)
    part("A", "A joint that sticks: which of nine ticks has a say in the drag, if it turned round at tick 4?")
    test = draw(rng, 4000)
    q = test.q[test.turn == 4]
    for k, angle in enumerate(np.eye(TOKENS) * TICK):
        moved = np.abs(drag(q + angle, arrival(q)) - drag(q, arrival(q)))[:, -1].mean()
        print(f"tick {k}: {1e3 * moved:6.3f} mN m for one encoder step")

    part("B", "Parameters, for frames of 35 numbers and five channels; the paper's encoder has 1.44 million")
    networks = {"encoder": ENCODER} | NETWORKS
    for size in SIZES:
        print(f"{size:6}:", ", ".join(f"{n} {net.parameters(size):,}" for n, net in networks.items()))

    part("C", "How far back and ahead of its own tick an estimate looks")
    estimate = sliding(apply, init(jax.random.key(0), 3, 1, SIZES["small"]))
    pipelines = {"nine tokens": estimate, "less the recording's mean": lambda x: estimate(x - x.mean(axis=0))}
    for name, asked in pipelines.items():
        print(f"{name}:", reach(causality_probe(asked, rng.normal(size=(24, 3)), np.ones(3))))

    part("D", "Trained on 20,000 histories: error in mN m, and its rise without token 0 to 8")
    training, order = draw(rng, 20_000), rng.permutation(len(test.q))
    print(f"saying zero: {1e3 * np.sqrt(np.mean(test.torque**2)):.1f}")
    for name, (network, of) in LITTLE.items():
        ask = learn(network, of, training)
        rises = token_ablation(ask, test.q[..., None], test.torque, order)
        error = np.sqrt(np.mean((ask(test.q[..., None]) - test.torque) ** 2))
        print(f"{name:7}: {1e3 * error:.1f};", *(f"{1e3 * x:.1f}" for x in rises))


if __name__ == "__main__":
    run_script(main)
