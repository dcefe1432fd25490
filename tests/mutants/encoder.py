"""Known-wrong answers of module 14, with the check that must catch each and a word of what the student then reads."""

from course.mutants import Mutant

WEIGHTS, LEARNS, KIND = (
    "test_who_listens_to_whom",
    "test_what_a_token_learns",
    "test_numbers_keep_their_kind_and_windows_are_alone",
)
ADDITIONS, WHOLE = "test_two_additions", "test_the_order_of_tokens_is_a_matter_of_positions"
FINDS, FAINT, NAN = (
    "test_finds_what_an_estimate_looks_at",
    "test_notices_faint_and_partial_changes",
    "test_no_estimate_yet_is_no_change",
)
LOST, ANY = "test_what_is_lost_without_a_token", "test_any_number_of_tokens_and_numbers_without_fraction"

SCORES = 'jnp.einsum("...ihc,...jhc->...hij", q, k)'
ROOT = "math.sqrt(q.shape[-1])"
SOFTMAX = "jax.nn.softmax(scores, axis=-1)"
HEARD = 'jnp.einsum("...hij,...jhc->...ihc", weights, v)'
GATED = "(heard * jax.nn.sigmoid(g)).reshape(U.shape)"
RETURN = f'return {GATED} @ p["out"], weights'

HEARS = 'heard, _ = gated_attention(p, layer_norm(p["norm_attention"], H))'
Z = "Z = H + heard"
FEEDS = 'return Z + feed_forward(p, layer_norm(p["norm_ffn"], Z))'

BEFORE = "before = np.asarray(estimate(frames)).reshape(len(frames), -1)"
COPY = "kicked = np.array(frames)"
KICK = "kicked[s] += kick"
SAME = "same = (after == before) | (np.isnan(after) & np.isnan(before))"
COLUMN = "depends[:, s] = ~same.all(axis=1)"

ERROR = "return float(np.sqrt(np.mean((np.asarray(estimate(seen)) - target) ** 2)))"
FRESH = "without = np.array(tokens)"
SWAP = "without[:, k] = tokens[order, k]"
RISE = "rises[k] = error(without) - error(tokens)"


def attention(slip, old, new, check, says):
    return Mutant("gated_attention", slip, old, new, check, says)


def block(slip, old, new, says, check=ADDITIONS):
    return Mutant("encoder_block", slip, old, new, check, says)


def probe(slip, old, new, check, says):
    return Mutant("causality_probe", slip, old, new, check, says)


def ablation(slip, old, new, says, check=LOST):
    return Mutant("token_ablation", slip, old, new, check, says)


MUTANTS = [
    attention("the softmax over the listeners", SOFTMAX, "jax.nn.softmax(scores, axis=-2)", WEIGHTS, "must sum to one"),
    attention("no softmax", SOFTMAX, "scores", WEIGHTS, "softmax is missing"),
    attention(
        "queries and keys exchanged", '"...ihc,...jhc->...hij"', '"...jhc,...ihc->...hij"', WEIGHTS, "changed places"
    ),
    attention("the root of d", ROOT, "math.sqrt(U.shape[-1])", WEIGHTS, "a head's width is"),
    attention("no division", f" / {ROOT}", "", WEIGHTS, "not divided by the root"),
    attention(
        "a mask",
        SOFTMAX,
        "jax.nn.softmax(jnp.where(jnp.tri(len(scores[0, 0, 0])) > 0, scores, -jnp.inf), axis=-1)",
        WEIGHTS,
        "all its tokens are past",
    ),
    attention("only what is learned", ", weights\n", "\n", WEIGHTS, "return both"),
    attention("no gate", "heard * jax.nn.sigmoid(g)", "heard", LEARNS, "gate is missing"),
    attention("a gate without the sigmoid", "jax.nn.sigmoid(g)", "g", LEARNS, "without the sigmoid"),
    attention(
        "the gate of the token that speaks",
        RETURN,
        'heard = jnp.einsum("...hij,...jhc->...ihc", weights, v * jax.nn.sigmoid(g))\n'
        '    return heard.reshape(U.shape) @ p["out"], weights',
        LEARNS,
        "the token that speaks",
    ),
    attention(
        "the gate after the heads are mixed",
        RETURN,
        'return heard.reshape(U.shape) @ p["out"] * jax.nn.sigmoid(g).reshape(U.shape), weights',
        LEARNS,
        "before they are mixed",
    ),
    attention("the heads are not mixed", ' @ p["out"]', "", LEARNS, "is missing"),
    attention(
        "heads and width interleaved",
        GATED,
        "(heard * jax.nn.sigmoid(g)).swapaxes(-1, -2).reshape(U.shape)",
        LEARNS,
        "interleaved",
    ),
    attention("a NumPy number takes all to 64 bits", ROOT, "np.sqrt(q.shape[-1])", KIND, "64 bits"),
    attention(
        "one axis of windows taken for granted", SCORES, 'jnp.einsum("nihc,njhc->nhij", q, k)', KIND, "gated_attention"
    ),
    block(
        "norms after the additions",
        f"{HEARS}\n    {Z}\n    {FEEDS}",
        'Z = layer_norm(p["norm_attention"], H + gated_attention(p, H)[0])\n'
        '    return layer_norm(p["norm_ffn"], Z + feed_forward(p, Z))',
        "not the sum",
    ),
    block("the tokens are not added", Z, "Z = heard", "themselves are not added"),
    block("Z is not added", "return Z + ", "return ", "Z is not added"),
    block("attention without a norm", 'layer_norm(p["norm_attention"], H)', "H", "equation 6"),
    block("feed-forward without a norm", 'layer_norm(p["norm_ffn"], Z)', "Z", "Z without its norm"),
    block("both branches side by side", 'layer_norm(p["norm_ffn"], Z)', 'layer_norm(p["norm_ffn"], H)', "comes after"),
    block("the second sum from the beginning", "return Z + ", "return H + ", "part is lost"),
    block(
        "the norms exchanged",
        f"{HEARS}\n    {Z}\n    {FEEDS}",
        'Z = H + gated_attention(p, layer_norm(p["norm_ffn"], H))[0]\n'
        '    return Z + feed_forward(p, layer_norm(p["norm_attention"], Z))',
        "exchanged",
    ),
    block("64 bits", Z, "Z = H + heard * np.float64(1)", "64 bits", WHOLE),
    probe("rows and columns exchanged", "depends[:, s] =", "depends[s, :] =", FINDS, "rows and columns"),
    probe(
        "old kicks stay",
        f"{COPY}\n        {KICK}",
        "kicked = np.array(frames)\n        kicked[: s + 1] += kick",
        FINDS,
        "still there",
    ),
    probe("the frames themselves are kicked", COPY, "kicked = frames", FINDS, "frames"),
    probe("what stays instead of what changes", "~same", "same", FINDS, "which change"),
    probe("a tolerance", "(after == before)", "np.isclose(after, before)", FAINT, "it does"),
    probe("all outputs must change", "~same.all(axis=1)", "~same.any(axis=1)", FAINT, "it does"),
    probe("the first feature only", KICK, "kicked[s, 0] += kick[0]", FAINT, "feature"),
    probe("only what rises", SAME, "same = ~(after > before)", FAINT, "it does"),
    probe("NaN differs from NaN", " | (np.isnan(after) & np.isnan(before))", "", NAN, "not equal to itself"),
    probe("NaN is never a change", "(np.isnan(after) & np.isnan(before))", "np.isnan(after)", NAN, "turns into NaN"),
    ablation("no difference", " - error(tokens)", "", "by how much it rises"),
    ablation("the sign", "error(without) - error(tokens)", "error(tokens) - error(without)", "the sign"),
    ablation("mean squares", "float(np.sqrt(", "float((", "root is missing"),
    ablation("set to zero", SWAP, "without[:, k] = 0", "set to zero"),
    ablation("exchanged tokens stay so", FRESH, "without = np.array(tokens) if k == 0 else without", "stay exchanged"),
    ablation("eight tokens are left", SWAP, "without = np.delete(tokens, k, axis=1)", "all their tokens"),
    ablation("whole samples", SWAP, "without = tokens[order]", "whole samples"),
    ablation("the order backwards", SWAP, "without[order, k] = tokens[:, k]", "other way round"),
    ablation("the tokens themselves are changed", FRESH, "without = tokens", "tokens"),
    ablation("nine tokens always", "for k in range(tokens.shape[1])", "for k in range(9)", "token_ablation", ANY),
]
