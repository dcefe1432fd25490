"""Graded checks of module 14, the encoder. The expected values are those of loops in NumPy."""

import math

import numpy as np

from course.testing import agree, array, check, exercise, wrong

ex = exercise("encoder")

TOKENS, D, HEADS, D_FF = 9, 8, 2, 12
WIDTH = D // HEADS
ROOT = math.sqrt(WIDTH)
TOL = 1e-9  # of numbers about 1; right answers were within 2e-14 of the loops in 200 draws
SINGLE = 2e-5  # the same in float32: attention 2e-6, torque of the whole network 1e-5 (it gets 20 times this)


# The same network in NumPy


def block_of(rng, dtype=np.float64):
    """A block's parameters, large enough that the softmax has opinions and the norms have effects."""

    def draw(*shape):
        return (1.3 * rng.normal(size=shape) / math.sqrt(shape[0])).astype(dtype)

    def norm():
        return {"scale": rng.uniform(0.5, 2, D).astype(dtype), "shift": rng.normal(size=D).astype(dtype)}

    return {
        "norm_attention": norm(),
        "qkvg": draw(D, 4, HEADS, WIDTH),
        "out": draw(D, D),
        "norm_ffn": norm(),
        "up": {"w": draw(D, D_FF), "b": draw(D_FF)},
        "down": {"w": draw(D_FF, D), "b": draw(D)},
    }


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def weights_of(p, U, scale=ROOT, across=False):
    """Who listens to whom, (heads, tokens, tokens), for one window U. across: sums to one the other way."""
    weights = np.zeros((HEADS, TOKENS, TOKENS))
    for head in range(HEADS):
        queries, keys = U @ p["qkvg"][:, 0, head], U @ p["qkvg"][:, 1, head]
        for i in range(TOKENS):
            if across:
                weights[head, :, i] = softmax(np.array([queries[j] @ keys[i] / scale for j in range(TOKENS)]))
            else:
                weights[head, i] = softmax(np.array([queries[i] @ keys[j] / scale for j in range(TOKENS)]))
    return weights


def heard_by(p, U, weights, gate=lambda i, j, logits: sigmoid(logits[i])):
    """What the heads bring each token, gated, (heads, tokens, width). gate(i, j, logits): the gate on value j for i."""
    heard = np.zeros((HEADS, TOKENS, WIDTH))
    for head in range(HEADS):
        values, logits = U @ p["qkvg"][:, 2, head], U @ p["qkvg"][:, 3, head]
        for i in range(TOKENS):
            for j in range(TOKENS):
                heard[head, i] += weights[head, i, j] * values[j] * gate(i, j, logits)
    return heard


def merged(heard):
    """Heads side by side, (tokens, d)."""
    return np.concatenate(list(heard), axis=-1)


def attention(p, U, **gate):
    return merged(heard_by(p, U, weights_of(p, U), **gate)) @ p["out"]


def norm(p, x):
    spread = np.sqrt(x.var(axis=-1, keepdims=True) + 1e-6)
    return (x - x.mean(axis=-1, keepdims=True)) / spread * p["scale"] + p["shift"]


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def feed_forward(p, x):
    return gelu(x @ p["up"]["w"] + p["up"]["b"]) @ p["down"]["w"] + p["down"]["b"]


def block(p, H):
    Z = H + attention(p, norm(p["norm_attention"], H))
    return Z + feed_forward(p, norm(p["norm_ffn"], Z))


def each(function, windows):
    """function of each window, stacked."""
    return np.array([function(window) for window in windows])


# gated_attention

ASKED = "gated_attention(p, U)"


def both(got, asked=ASKED):
    """The two arrays that gated_attention() returns."""
    if not isinstance(got, (tuple, list)) or len(got) != 2:
        kind = "nothing (None)" if got is None else "one array" if isinstance(got, np.ndarray) else "something else"
        wrong(asked, kind, "two arrays: what the tokens learn, and the weights", "return both, the weights second")
    return got


def ask_attention(rng, windows=2):
    p, U = block_of(rng), rng.normal(size=(windows, TOKENS, D))
    return p, U, *both(ex.fast_attention(p, U))


@check(todo="gated_attention", points=2, seconds=20)
def test_who_listens_to_whom(rng):
    """The weights of two heads, for windows drawn at random."""
    for _ in range(3):
        p, U, _, weights = ask_attention(rng)
        asked = f"the weights of {ASKED}, [window, head, token that listens, token that is heard]"
        weights = array(weights, (len(U), HEADS, TOKENS, TOKENS), asked)
        right = each(lambda u, p=p: weights_of(p, u), U)
        agree(asked, weights, right, TOL, slips=weight_slips(p, U, right))


def weight_slips(p, U, right):
    def of(function):
        return lambda: each(function, U)

    return {
        "queries and keys have changed places": of(lambda u: weights_of(exchanged(p), u)),
        "the softmax runs over the tokens that listen: each row [head, i, :] must sum to one": of(
            lambda u: weights_of(p, u, across=True)
        ),
        "listener and heard are exchanged: rows are the tokens that ask": right.swapaxes(-1, -2),
        f"the products are divided by the root of d = {D}; a head's width is {WIDTH}": of(
            lambda u: weights_of(p, u, math.sqrt(D))
        ),
        f"the products are divided by the width {WIDTH}, not by its root": of(lambda u: weights_of(p, u, WIDTH)),
        "the products are not divided by the root of a head's width": of(lambda u: weights_of(p, u, 1.0)),
        "the products are multiplied by the root of the width, not divided": of(lambda u: weights_of(p, u, 1 / ROOT)),
        "these are the scores; the softmax is missing": of(lambda u: scores_of(p, u)),
        "later tokens are masked: but the window ends now, and all its tokens are past": of(lambda u: masked(p, u)),
    }


def exchanged(p):
    """The parameters with queries for keys and keys for queries."""
    return p | {"qkvg": p["qkvg"][:, [1, 0, 2, 3]]}


def scores_of(p, U):
    q, k = (np.einsum("td,dhc->htc", U, p["qkvg"][:, i]) for i in (0, 1))
    return q @ k.swapaxes(1, 2) / ROOT


def masked(p, U):
    hidden = np.where(np.tril(np.ones((TOKENS, TOKENS))) > 0, scores_of(p, U), -np.inf)
    e = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@check(todo="gated_attention", points=3, seconds=20)
def test_what_a_token_learns(rng):
    """The first array: values, weighted, gated by the token that asks, heads mixed."""
    for _ in range(3):
        p, U, learned, _ = ask_attention(rng)
        agree(
            f"what {ASKED} says the tokens learn",
            learned,
            each(lambda u, p=p: attention(p, u), U),
            TOL,
            slips=attention_slips(p, U),
        )


def attention_slips(p, U):
    def slip(gate=lambda i, j, logits: sigmoid(logits[i]), merge=merged, out=True, turned=False, transposed=False):
        def one(u):
            weights = weights_of(p, u)
            heard = merge(heard_by(p, u, weights.swapaxes(1, 2) if turned else weights, gate))
            return heard @ (p["out"].T if transposed else p["out"]) if out else heard

        return lambda: each(one, U)

    def gated_late(u):
        plain = merged(heard_by(p, u, weights_of(p, u), lambda i, j, logits: 1.0)) @ p["out"]
        return plain * sigmoid(np.concatenate([u @ p["qkvg"][:, 3, h] for h in range(HEADS)], axis=-1))

    return {
        "the gate is missing": slip(lambda i, j, logits: 1.0),
        "the gate's logits went in without the sigmoid": slip(lambda i, j, logits: logits[i]),
        "the gate is a SiLU of its logits; equation 7 has the sigmoid alone": slip(
            lambda i, j, logits: logits[i] * sigmoid(logits[i])
        ),
        "the gate is a softmax; it is a sigmoid, for each number by itself": slip(
            lambda i, j, logits: softmax(logits[i])
        ),
        "the gate is a tanh; equation 7 has the sigmoid": slip(lambda i, j, logits: np.tanh(logits[i])),
        "the gate of the token that speaks; it belongs to the token that asks": slip(
            lambda i, j, logits: sigmoid(logits[j])
        ),
        "the gate works after p['out']; it works on the heads' values, before they are mixed": lambda: each(
            gated_late, U
        ),
        "p['out'], which mixes the heads, is missing": slip(out=False),
        "the tokens are added already here; that is the block's part (equation 8)": lambda: each(
            lambda u: u + attention(p, u), U
        ),
        "p['out'] is transposed": slip(transposed=True),
        "the values are summed over the tokens that listen; sum over those that are heard": slip(turned=True),
        "heads and width are interleaved: put each head's numbers side by side": slip(
            merge=lambda heard: heard.transpose(1, 2, 0).reshape(TOKENS, D)
        ),
        "token and head are mixed up: move heads behind tokens before the reshape": slip(
            merge=lambda heard: heard.reshape(TOKENS, D)
        ),
    }


@check(todo="gated_attention", points=1, seconds=20)
def test_numbers_keep_their_kind_and_windows_are_alone(rng):
    """float32 in, float32 out; one window alone gives what it gives among others."""
    p, U = block_of(rng, np.float32), rng.normal(size=(2, TOKENS, D)).astype(np.float32)
    learned, weights = both(ex.fast_attention(p, U))
    keeps_float32(f"{ASKED} of float32", learned, weights)
    agree(f"{ASKED} of float32, both windows", learned, each(lambda u: attention(p, u), U.astype(float)), SINGLE)
    alone, _ = both(ex.fast_attention(p, U[1]))
    agree(
        f"{ASKED} of one window alone, U of shape {U[1].shape}; then what it gives among others",
        alone,
        array(learned, U.shape, ASKED)[1],
        SINGLE,
    )


def keeps_float32(asked, *answers):
    for got in answers:
        if isinstance(got, np.ndarray) and got.dtype == np.float64:
            why = "a NumPy number such as np.sqrt(2) has 64 bits and takes all others with it; math.sqrt(2) does not"
            wrong(asked, "numbers of 64 bits (float64)", "float32, as the parameters are", why)


# encoder_block

BLOCK = "encoder_block(p, H)"


def block_slips(p, H):
    def of(function):
        return lambda: each(function, H)

    def n1(x):
        return norm(p["norm_attention"], x)

    def n2(x):
        return norm(p["norm_ffn"], x)

    def att(x):
        return attention(p, x)

    def ff(x):
        return feed_forward(p, x)

    def after(h):
        z = n1(h + att(h))
        return n2(z + ff(z))

    return {
        "the norms stand after the additions; equations 6 to 9 normalise what a branch sees, not the sum": of(after),
        "the tokens themselves are not added to what attention says (equation 8)": of(
            lambda h: att(n1(h)) + ff(n2(att(n1(h))))
        ),
        "Z is not added to what the feed-forward part says (equation 9)": of(lambda h: ff(n2(h + att(n1(h))))),
        "attention sees the tokens without their norm (equation 6)": of(lambda h: h + att(h) + ff(n2(h + att(h)))),
        "the feed-forward part sees Z without its norm (equation 9)": of(lambda h: h + att(n1(h)) + ff(h + att(n1(h)))),
        "the feed-forward part sees the tokens before attention; it comes after (equation 9)": of(
            lambda h: h + att(n1(h)) + ff(n2(h))
        ),
        "the second addition starts from the tokens of the beginning, and attention's part is lost": of(
            lambda h: h + ff(n2(h + att(n1(h))))
        ),
        "the normalised tokens are added, not the tokens (equation 8)": of(
            lambda h: n1(h) + att(n1(h)) + ff(n2(n1(h) + att(n1(h))))
        ),
        "the normalised Z is added, not Z (equation 9)": of(lambda h: n2(h + att(n1(h))) + ff(n2(h + att(n1(h))))),
        "the two norms are exchanged": of(lambda h: h + att(n2(h)) + ff(n1(h + att(n2(h))))),
        "both norms are that of attention": of(lambda h: h + att(n1(h)) + ff(n1(h + att(n1(h))))),
        "the feed-forward part is missing": of(lambda h: h + att(n1(h))),
        "attention is missing": of(lambda h: h + ff(n2(h))),
    }


@check(todo="encoder_block", points=3, seconds=20)
def test_two_additions(rng):
    """Equations 6, 8 and 9, for windows drawn at random."""
    for _ in range(3):
        p, H = block_of(rng), 2 * rng.normal(size=(2, TOKENS, D)) + 1
        needs_attention(p, each(lambda h, p=p: norm(p["norm_attention"], h), H))
        agree(BLOCK, ex.fast_block(p, H), each(lambda h, p=p: block(p, h), H), TOL, slips=block_slips(p, H))


def needs_attention(p, U):
    """A block can only be right with a right gated_attention(); say so, rather than blame the block."""
    right = each(lambda u: attention(p, u), U)
    learned = array(both(ex.fast_attention(p, U))[0], right.shape, ASKED)
    if np.abs(learned - right).max() > TOL:
        wrong(
            f"{BLOCK}, which calls gated_attention()",
            "an attention that is not that of equation 7",
            "a gated_attention() that passes its own checks",
            "finish gated_attention first; this check looks at it before it looks at your block",
        )


@check(todo="encoder_block", points=1, seconds=20)
def test_the_order_of_tokens_is_a_matter_of_positions(rng):
    """The whole network: float32; without positions it cannot tell the order of tokens, with them it can."""
    layers = [block_of(rng, np.float32) for _ in range(2)]
    params = {
        "input": rng.normal(size=(3, D)).astype(np.float32),
        "positions": rng.normal(size=(TOKENS, D)).astype(np.float32),
        "blocks": layers,
        "norm": {"scale": np.ones(D, np.float32), "shift": np.zeros(D, np.float32)},
        "heads": heads_of(rng),
    }
    blind = params | {"positions": np.zeros((TOKENS, D), np.float32)}
    tokens = rng.normal(size=(2, TOKENS, 3)).astype(np.float32)
    shuffled = tokens[:, rng.permutation(TOKENS)]
    tau = {
        (name, order): ex.fast_apply(p, x)[0]
        for name, p in (("with", params), ("without", blind))
        for order, x in (("in order", tokens), ("shuffled", shuffled))
    }
    keeps_float32("apply(params, tokens) of float32", *tau.values())
    tau = {key: array(value, (2, 2), "apply(params, tokens).tau") for key, value in tau.items()}
    agree(
        "apply().tau without positions, tokens shuffled; then the same in order",
        tau["without", "shuffled"],
        tau["without", "in order"],
        20 * SINGLE,
        slips={},
    )
    if np.abs(tau["with", "shuffled"] - tau["with", "in order"]).max() < 1e-3:
        wrong("apply().tau with positions, tokens shuffled", "as if they were in order", "another torque")
    expected = np.array([whole(params, x) for x in tokens.astype(float)])
    agree("apply(params, tokens).tau of two blocks", tau["with", "in order"], expected, 20 * SINGLE)


def heads_of(rng):
    shapes = {"tau": [(D, D), (D, 3), (3, 2)], "feature": [(D, 3)], "force": [(3, 3)], "gate": [(3, 1)]}
    shapes["condition"] = [(D, 3), (3, 2)]
    return {
        name: [{"w": rng.normal(size=s).astype("f4"), "b": rng.normal(size=s[1]).astype("f4")} for s in layers]
        for name, layers in shapes.items()
    }


def whole(params, tokens):
    """The torque of one window, (joints,)."""
    H = tokens @ params["input"] + params["positions"]
    for p in params["blocks"]:
        H = block(p, H)
    x = norm(params["norm"], H).mean(axis=0)
    *hidden, last = params["heads"]["tau"]
    for layer in hidden:
        x = x @ layer["w"] + layer["b"]
        x = x * sigmoid(x)
    return x @ last["w"] + last["b"]


def taken(given, shape, asked, whole):
    """What the student's code gave to an estimator, as floats of the shape that an estimator takes."""
    if np.shape(given) != shape:
        wrong(f"{asked}: what estimate() is given", f"shape {np.shape(given)}", f"shape {shape}, {whole}")
    return np.asarray(given, float)


# causality_probe

PROBE = "causality_probe(estimate, frames, kick)"
TICKS, FEATURES = 12, 3


def looks(rng, lags, outputs=2, faint=1.0, feature=None, silent=0):
    """An estimator that looks at the frames these many ticks ago (negative: ahead), and the answer about it.

    faint: the size of what it sees of the last lag. feature: the only one it sees. silent: NaN for so many ticks.
    """
    seen = rng.uniform(0.5, 1.5, (len(lags), FEATURES, outputs))
    seen[-1] *= faint
    if feature is not None:
        seen[:, np.arange(FEATURES) != feature] = 0
    depends = np.zeros((TICKS, TICKS), bool)
    for t in range(silent, TICKS):
        for lag in lags:
            if 0 <= t - lag < TICKS:
                depends[t, t - lag] = True

    def estimate(frames):
        frames = taken(frames, (TICKS, FEATURES), PROBE, "a whole recording")
        out = np.full((TICKS, outputs), np.nan)
        for t in range(silent, TICKS):
            there = [np.tanh(frames[t - lag]) @ s for lag, s in zip(lags, seen, strict=True) if 0 <= t - lag < TICKS]
            out[t] = np.sum(there, axis=0) if there else 0.0
        return out

    return estimate, depends


def verdict(got, depends, about, slips=None):
    """Compare matrices of booleans, and say in words what the worst entry means."""
    asked = f"{PROBE}: {about}"
    if isinstance(got, np.ndarray) and got.dtype.kind != "b":
        wrong(asked, f"an array of {got.dtype}", "booleans: True where the estimate changes", "")
    if not isinstance(got, np.ndarray) or got.shape != depends.shape:
        what = {np.ndarray: f"shape {getattr(got, 'shape', None)}", type(None): "nothing (None)", list: "a list"}
        shape = what.get(type(got), "no array")
        why = "np.array(...) makes one of it; mind which of its axes is which" if isinstance(got, list) else ""
        wrong(asked, shape, f"an array of booleans, {depends.shape}: [tick of the estimate, frame]", why)
    if (got == depends).all():
        return
    t, s = map(int, np.argwhere(got != depends)[0])
    said = f"the estimate at tick {t} {'depends' if got[t, s] else 'does not depend'} on frame {s}"
    truth = "it does" if depends[t, s] else "it does not"
    why = next((why for why, slip in (slips or {}).items() if np.array_equal(got, slip)), "")
    wrong(asked, said, truth, why)


def probe(rng, about, slips=lambda depends: {}, scale=1.0, **kind):
    estimate, depends = looks(rng, **kind)
    frames, kick = 0.5 * rng.normal(size=(TICKS, FEATURES)), scale * rng.uniform(0.3, 1.0, FEATURES)
    verdict(ex.causality_probe(estimate, frames, kick), depends, about, slips(depends))


@check(todo="causality_probe", points=3)
def test_finds_what_an_estimate_looks_at(rng):
    """Estimators that look so many ticks back, and some ahead."""
    for _ in range(3):
        lags = tuple(sorted(rng.choice(np.arange(-3, 6), size=3, replace=False).tolist(), reverse=True))
        ago = ", ".join(f"{lag} ago" if lag >= 0 else f"{-lag} ahead" for lag in lags)
        probe(
            rng,
            f"it looks at the frames {ago}",
            lambda depends: {
                "rows and columns are exchanged: [t, s] is about the estimate at t and the frame s": depends.T,
                "the kicks of earlier frames are still there: start each time from the frames as given": np.cumsum(
                    depends, axis=1
                )
                > 0,
                "this says which estimates stay; asked is which change": ~depends,
            },
            lags=lags,
        )


@check(todo="causality_probe", points=1)
def test_notices_faint_and_partial_changes(rng):
    """A frame that matters a millionth; one output of several; one feature of several; no matter how the kick lies."""
    probe(rng, "it looks at now, and at the frame 2 ago by a millionth", lags=(0, 2), faint=1e-6)
    for feature in range(FEATURES):
        probe(rng, f"it looks at feature {feature} alone, now and 1 ago", lags=(0, 1), feature=feature)
    first, depends = looks(rng, lags=(0,), outputs=1)
    second, more = looks(rng, lags=(3,), outputs=1)

    def two(frames):
        return np.concatenate([first(frames), second(frames)], axis=1)

    def falling(frames):
        return first(frames)[:, 0]

    frames, kick = rng.normal(size=(TICKS, FEATURES)), rng.uniform(0.3, 1.0, FEATURES)
    verdict(ex.causality_probe(two, frames, kick), depends | more, "its second output looks 3 ago")
    verdict(ex.causality_probe(falling, frames, -kick), depends, "one number a tick, and a kick that lowers it")


@check(todo="causality_probe", points=1)
def test_no_estimate_yet_is_no_change(rng):
    """NaN for the first ticks, as before nine frames are there; and an estimate that a kick makes NaN."""
    silent = int(rng.integers(2, 5))

    def slips(depends):
        unequal = depends.copy()
        unequal[:silent] = True
        return {"NaN is not equal to itself: where both answers are NaN, nothing changed": unequal}

    probe(rng, f"no estimate (NaN) at its first {silent} ticks", slips, lags=(0, 1, 2), silent=silent)
    limit = float(rng.uniform(2, 3))

    def gives_up(frames):
        x = taken(frames, (TICKS, FEATURES), PROBE, "a whole recording")[:, 0]
        return np.where(np.abs(x) > limit, np.nan, 1.0)  # says 1, or nothing at all

    frames = 0.3 * rng.uniform(-1, 1, size=(TICKS, FEATURES))
    got = ex.causality_probe(gives_up, frames, np.full(FEATURES, 5.0))
    about = "it says 1, and NaN where a kicked frame is too large"
    why = "an estimate that turns into NaN has changed"
    verdict(got, np.eye(TICKS, dtype=bool), about, {why: np.zeros((TICKS, TICKS), bool)})


# token_ablation

ABLATION = "token_ablation(estimate, tokens, target, order)"


def bent(rng, samples, count, features):
    """An estimator of n numbers from (n, tokens, features), whose tokens matter by unequal amounts."""
    w = rng.normal(size=(count, features)) * rng.permutation(np.linspace(0, 2, count))[:, None]

    def estimate(tokens):
        tokens = taken(tokens, (samples, count, features), ABLATION, "all samples with all their tokens")
        return np.tanh(np.einsum("nkf,kf->n", tokens, w)) * 2

    return estimate


def rmse(estimate, tokens, target):
    return float(np.sqrt(np.mean((estimate(tokens) - target) ** 2)))


def rises(estimate, tokens, target, without):
    """The rise for each token k, if without(k) are the tokens without it."""
    return np.array([rmse(estimate, without(k), target) for k in range(tokens.shape[1])]) - rmse(
        estimate, tokens, target
    )


def swapped(tokens, k, rows):
    changed = tokens.copy()
    changed[:, k] = rows
    return changed


def ask_ablation(rng, count, about):
    n, features = 30, 2
    tokens = rng.normal(size=(n, count, features)) + rng.normal(size=(count, features))
    estimate, order = bent(rng, n, count, features), rng.permutation(n)
    target = estimate(tokens) + 0.5 * rng.normal(size=n)
    base = rmse(estimate, tokens, target)
    right = rises(estimate, tokens, target, lambda k: swapped(tokens, k, tokens[order, k]))
    squares = (right + base) ** 2 - base**2

    def kept(k):
        alone = tokens[order].copy()
        alone[:, k] = tokens[:, k]
        return alone

    def piled(k):
        return np.concatenate([tokens[order, : k + 1], tokens[:, k + 1 :]], axis=1)

    def absolute(seen):
        return np.abs(estimate(seen) - target).mean()

    agree(
        f"{ABLATION} with {about}",
        ex.token_ablation(estimate, tokens, target, order),
        right,
        TOL,
        slips={
            "this is the error without the token; asked is by how much it rises": right + base,
            "the sign: a loss is the error without the token, less the error with it": -right,
            "these are mean squares; the root is missing": squares,
            "these are lengths of the errors; divide by the number of samples before the root": right * math.sqrt(n),
            "this is a ratio; asked is a difference": (right + base) / base,
            "the rise is divided by the error with all tokens; asked is the rise itself": right / base,
            "the token is set to zero; it should come from another sample": lambda: rises(
                estimate, tokens, target, lambda k: swapped(tokens, k, 0.0)
            ),
            "the token is set to its mean; it should come from another sample": lambda: rises(
                estimate, tokens, target, lambda k: swapped(tokens, k, tokens[:, k].mean(axis=0))
            ),
            "tokens exchanged earlier stay exchanged: take a fresh copy for each": lambda: rises(
                estimate, tokens, target, piled
            ),
            "all tokens but k are exchanged; only k should be": lambda: rises(estimate, tokens, target, kept),
            "whole samples are exchanged; only token k should be": lambda: rises(
                estimate, tokens, target, lambda k: tokens[order]
            ),
            "each sample gets the token of the one before it; `order` says whose": lambda: rises(
                estimate, tokens, target, lambda k: swapped(tokens, k, np.roll(tokens[:, k], 1, axis=0))
            ),
            "`order` is used the other way round: sample i gets the token of sample order[i]": lambda: rises(
                estimate, tokens, target, lambda k: swapped(tokens, k, tokens[np.argsort(order), k])
            ),
            "only the first feature of the token is exchanged": lambda: rises(
                estimate, tokens, target, lambda k: swapped_feature(tokens, order, k)
            ),
            "the difference is taken from the estimate with all tokens, not from the target": lambda: np.array(
                [rmse(estimate, swapped(tokens, k, tokens[order, k]), estimate(tokens)) for k in range(tokens.shape[1])]
            ),
            "these are mean absolute errors; asked are root mean squares": lambda: np.array(
                [absolute(swapped(tokens, k, tokens[order, k])) - absolute(tokens) for k in range(tokens.shape[1])]
            ),
        },
    )


def swapped_feature(tokens, order, k):
    changed = tokens.copy()
    changed[:, k, 0] = tokens[order, k, 0]
    return changed


@check(todo="token_ablation", points=3)
def test_what_is_lost_without_a_token(rng):
    """Estimators whose nine tokens matter by unequal amounts."""
    for _ in range(3):
        ask_ablation(rng, TOKENS, "nine tokens")


@check(todo="token_ablation", points=1)
def test_any_number_of_tokens_and_numbers_without_fraction(rng):
    """Five tokens; and a target and tokens that are whole numbers."""
    ask_ablation(rng, 5, "five tokens")
    tokens, order = rng.integers(-3, 4, size=(20, 4, 1)), rng.permutation(20)

    def estimate(seen):
        return taken(seen, tokens.shape, ABLATION, "all samples with all their tokens")[:, 2, 0]

    target = tokens[:, 2, 0]
    agree(
        f"{ABLATION} of whole numbers, with an estimate that is right and reads token 2 alone",
        ex.token_ablation(estimate, tokens, target, order),
        rises(estimate, tokens, target, lambda k: swapped(tokens, k, tokens[order, k])),
        TOL,
        slips={"a right estimate has no error to divide by: the rise is a difference": np.full(4, np.inf)},
    )
