"""The networks that read nine tokens: sizes, shapes, kinds of numbers, and cells against NumPy's equations."""

from importlib.util import find_spec

import numpy as np
import pytest

if find_spec("jax") is None:
    pytest.skip("needs the extra learn", allow_module_level=True)

from bench.networks import NETWORKS, TOKENS, count, layer_norm, read_out, sliding
from bench.stiction import BEND, DRAG, TICK, arrival, drag, draw, learn
from bench.xla import compiled, jax, jnp
from solutions.encoder import ENCODER, SIZES, Size, apply, causality_probe, encoder_block, init, reach

ALL = NETWORKS | {"encoder": ENCODER}
EVERY = pytest.mark.parametrize("network", ALL.values(), ids=ALL.keys())
KEY = jax.random.key(0)
FEATURES, JOINTS = 4, 2


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def shapes_of(network, dtype=jnp.float32):
    """Its parameters without numbers."""
    return jax.eval_shape(lambda key: network.init(key, FEATURES, JOINTS, network.sizes["small"], dtype), KEY)


def drawn_for(network, rng, dtype=np.float64):
    """Parameters none of which is zero, so that a forgotten one shows."""
    return jax.tree.map(lambda x: rng.normal(size=x.shape).astype(dtype) / 8, shapes_of(network, dtype))


# Sizes


@pytest.mark.parametrize("features", [28, 35, 49])
def test_the_encoder_is_as_large_as_the_papers(features):
    assert abs(ENCODER.parameters("paper", features, 5) / 1.44e6 - 1) < 0.005


@pytest.mark.parametrize(("name", "millions"), [("mlp", 1.14), ("gru", 1.43), ("lstm", 1.44)])
def test_the_alternatives_are_as_large_as_table_20_says(name, millions):
    parameters = NETWORKS[name].parameters("paper")
    assert abs(parameters / 1e6 / millions - 1) < 0.09
    assert abs(parameters / 1.44e6 - 1) < 0.25


def test_the_small_ones_are_as_large_as_each_other():
    sizes = [network.parameters("small") for network in ALL.values()]
    assert max(sizes) < 1.15 * min(sizes)


def test_parameters_are_counted_as_they_are_drawn():
    assert ENCODER.parameters("small", FEATURES, JOINTS) == count(init(KEY, FEATURES, JOINTS, SIZES["small"]))


def test_heads_must_share_a_token():
    with pytest.raises(ValueError, match="3 heads cannot share a token of 8 numbers"):
        init(KEY, FEATURES, JOINTS, Size(8, 1, 3, 8, 4))


# Shapes and kinds


@EVERY
@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
def test_every_output_has_its_shape_and_the_kind_of_the_parameters(network, dtype):
    params = shapes_of(network, dtype)
    assert {x.dtype for x in jax.tree.leaves(params)} == {np.dtype(dtype)}
    said = jax.eval_shape(network.apply, params, jax.ShapeDtypeStruct((3, 2, TOKENS, FEATURES), dtype))
    assert {x.dtype for x in said} == {np.dtype(dtype)}
    shapes = {"tau": (3, 2, JOINTS), "force": (3, 2, 3), "gate": (3, 2), "condition": (3, 2, JOINTS)}
    assert {name: x.shape for name, x in said._asdict().items()} == shapes


@EVERY
def test_a_window_gives_the_same_alone_and_in_any_batch(network, rng):
    params, apply = drawn_for(network, rng, np.float32), compiled(network.apply)
    tokens = rng.normal(size=(5, TOKENS, FEATURES)).astype("f4")
    together = apply(params, tokens)
    for one, many in zip(apply(params, tokens[3]), together, strict=True):
        np.testing.assert_allclose(one, many[3], atol=2e-5)
    mapped = compiled(jax.vmap(network.apply, in_axes=(None, 0)))(params, tokens)
    for one, many in zip(mapped, together, strict=True):
        np.testing.assert_allclose(one, many, atol=2e-5)


@EVERY
def test_every_parameter_and_every_token_is_used(network, rng):
    params, tokens = drawn_for(network, rng), rng.normal(size=(TOKENS, FEATURES))
    draws = [rng.normal(size=shape) for shape in ((JOINTS,), (3,), (), (JOINTS,))]

    def total(params, tokens):
        return sum(jnp.sum(a * b) for a, b in zip(network.apply(params, tokens), draws, strict=True))

    by_params, by_tokens = compiled(jax.grad(total, argnums=(0, 1)))(params, tokens)
    assert all(np.abs(g).max() > 0 for g in jax.tree.leaves(by_params))
    assert (np.abs(by_tokens).max(axis=1) > 0).all()


# Against NumPy


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def affine(p, x):
    return x @ np.asarray(p["w"]) + np.asarray(p["b"])


def dense(p, x):
    return x @ np.asarray(p["kernel"]) + np.asarray(p.get("bias", 0.0))


def after_all(params, tokens, cell, parts):
    """The state after the newest frame, by these equations."""
    series = affine(params["lift"], tokens)
    for layer in params["trunk"]:
        state = [np.asarray(s) for s in layer["start"]]
        assert len(state) == parts
        out = []
        for x in series:
            state = cell(layer["cell"], state, x)
            out.append(state[-1])
        series = np.array(out)
    return series[-1]


def gru(p, state, x):
    """Cho and others 2014, with the reset gate after the product, as cuDNN, PyTorch and flax have it."""
    (h,) = state
    r = sigmoid(dense(p["ir"], x) + dense(p["hr"], h))
    z = sigmoid(dense(p["iz"], x) + dense(p["hz"], h))
    n = np.tanh(dense(p["in"], x) + r * dense(p["hn"], h))
    return [(1 - z) * n + z * h]


def lstm(p, state, x):
    """Hochreiter and Schmidhuber 1997, with the forget gate of Gers 2000. State: memory, output."""
    c, h = state
    i, f, o = (sigmoid(dense(p["i" + g], x) + dense(p["h" + g], h)) for g in "ifo")
    c = f * c + i * np.tanh(dense(p["ig"], x) + dense(p["hg"], h))
    return [c, o * np.tanh(c)]


@pytest.mark.parametrize(("name", "cell", "parts"), [("gru", gru, 1), ("lstm", lstm, 2)])
def test_recurrent_networks_follow_their_equations(name, cell, parts, rng):
    network = NETWORKS[name]
    params, tokens = drawn_for(network, rng), rng.normal(size=(TOKENS, FEATURES))
    expected = read_out(params["heads"], after_all(params, tokens, cell, parts))
    for got, right in zip(network.apply(params, tokens), expected, strict=True):
        np.testing.assert_allclose(got, right, atol=1e-12)


def test_force_and_gate_read_one_feature(rng):
    heads = drawn_for(ENCODER, rng)["heads"]
    h = rng.normal(size=64)
    feature = affine(heads["feature"][0], h)
    feature = feature * sigmoid(feature)
    said = read_out(heads, h)
    np.testing.assert_allclose(said.force, affine(heads["force"][0], feature), atol=1e-12)
    np.testing.assert_allclose(said.gate, affine(heads["gate"][0], feature)[0], atol=1e-12)


def test_a_norm_leaves_mean_and_spread_to_its_parameters(rng):
    x = 3 + 5 * rng.normal(size=(7, 400))
    y = np.asarray(layer_norm({"scale": np.full(400, 2.0), "shift": np.full(400, 1.0)}, x))
    np.testing.assert_allclose(y.mean(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(y.std(axis=1), 2, atol=1e-6)


def test_blocks_pass_gradients_down(rng):
    """Pre-norm: of ten blocks the last one's gradient reaches the first one's tokens."""
    blocks = [init(jax.random.key(n), 1, 1, Size(8, 1, 2, 16, 4), jnp.float64)["blocks"][0] for n in range(10)]

    def through(H):
        for block in blocks:
            H = encoder_block(block, H)
        return jnp.sum(H[0, 0])

    slope = np.abs(compiled(jax.grad(through))(rng.normal(size=(TOKENS, 8)))).max()
    assert 1e-2 < slope < 1e2


# Around a network


def test_sliding_windows_end_at_their_tick():
    params = init(KEY, 3, 1, SIZES["small"])
    estimate = sliding(apply, params)
    frames = np.random.default_rng(1).normal(size=(15, 3))
    said = estimate(frames)
    assert said.shape == (15, 1) and np.isnan(said[:8]).all() and np.isfinite(said[8:]).all()
    np.testing.assert_allclose(said[10], apply(params, frames[2:11]).tau, atol=1e-5)
    assert reach(causality_probe(estimate, frames, np.ones(3))) == (8, 0)


def test_drag_bends_and_slides():
    q = np.array([0, 0.5, 1.5, 3.0, 2.5, 1.0, 1.0]) * BEND
    np.testing.assert_allclose(drag(q) / DRAG, [0, 0.5, 1, 1, 0.5, -1, -1], atol=1e-12)
    assert arrival(np.array([[0, 0, 1, 0], [0, -1, 5, 5], [2, 2, 2, 2]])).tolist() == [DRAG, -DRAG, 0.0]


def test_histories_say_where_they_turned(rng):
    drawn = draw(rng, 500)
    assert drawn.q.shape == (500, TOKENS) and np.abs(drawn.torque).max() <= DRAG
    np.testing.assert_allclose(drawn.q / TICK, np.round(drawn.q / TICK), atol=1e-9)
    for turn in range(1, TOKENS - 1):
        q = drawn.q[drawn.turn == turn]
        assert len(q) and ((q[:, turn] - q[:, turn - 1]) * (q[:, turn + 1] - q[:, turn]) < 0).all()


def test_learning_is_repeatable_and_better_than_nothing(rng):
    drawn = draw(rng, 2000)
    network = NETWORKS["mlp"]
    first, again = (learn(network, network.sizes["small"], drawn, steps=60, batch=32) for _ in range(2))
    said = first(drawn.q[..., None])
    np.testing.assert_array_equal(said, again(drawn.q[..., None]))
    assert np.mean((said - drawn.torque) ** 2) < 0.3 * np.mean(drawn.torque**2)
