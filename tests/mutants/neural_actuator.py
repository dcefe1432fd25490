"""Known-wrong answers of module 16."""

from course.mutants import Mutant

MEAN, NAN, NONE = "test_the_mean_over_known_samples", "test_what_nobody_knows_is_harmless", "test_nothing_known_at_all"
WHERE, FORCE, YES, FELT = (
    "test_where_the_arm_is",
    "test_the_force",
    "test_yes_or_no",
    "test_what_the_network_feels_of_it",
)
ACTS, CLOSED = "test_the_force_acts_at_the_effector", "test_a_closed_gate_leaves_the_surrogate"
NINE, KEPT = "test_nine_tokens_are_read", "test_the_memory_for_the_next_tick"
LIVE, LATER = "test_live_is_what_a_recording_would_say", "test_nothing_of_later_is_used"

HARMLESS = "jnp.where(known[..., None], error, 0.0)"
KNOWN = "jnp.maximum(jnp.sum(known), 1)"
PENALTY = "jnp.mean(huber(harmless, beta), axis=-1)"
LOSS = f"return jnp.sum(weight * {PENALTY}) / {KNOWN}"
JOINT = 'jnp.mean(huber(error[..., :-1], 1.0)),\n        "grip"'
GRIP = "jnp.mean(huber(grip * error[..., -1], 1.0))"
FOCUSED = "jnp.where(rows.gate > 0, FOCUS, 1.0)"
SAID = "force_of(outputs) - rows.force"
GATE = "rows.mask * cross_entropy(outputs.gate, rows.gate)"
GATES = "jnp.sum(gate) / jnp.maximum(jnp.sum(rows.mask), 1)"
NORMAL = "jnp.mean(cross_entropy(outputs.condition[..., BANDED], rows.condition[..., BANDED]))"
PUSH = "jacobian(setting.arm, q)[:3].T @ force_of(outputs)"
SUM = f"direct(setting, q, outputs, row) + {PUSH}"
NOW = "token(setting, frame.seen_q, frame.seen_qd, frame)"
BOTH = f"[memory, {NOW}[None]]"
RETURN = "return tokens[1:], ask(setting, params, tokens)"

MUTANTS = [
    Mutant("masked_huber", "NaN times nothing", HARMLESS, "error", NAN, "times 0"),
    Mutant(
        "masked_huber",
        "chosen after the penalty",
        f"    harmless = {HARMLESS}\n    {LOSS}",
        "    each = jnp.where(known, jnp.mean(huber(error, beta), axis=-1), 0.0)\n"
        f"    return jnp.sum(weight * each) / {KNOWN}",
        NAN,
        "before huber",
    ),
    Mutant("masked_huber", "divided by all", KNOWN, "weight.size", MEAN, "all samples"),
    Mutant("masked_huber", "divided by the weights", KNOWN, "jnp.maximum(jnp.sum(weight), 1)", MEAN, "of the weights"),
    Mutant("masked_huber", "a sum", f" / {KNOWN}", "", MEAN, "this is a sum"),
    Mutant("masked_huber", "squared", "huber(harmless, beta)", "harmless**2", MEAN, "squared"),
    Mutant(
        "masked_huber",
        "left out, too late for the slope",
        f"    harmless = {HARMLESS}\n    {LOSS}",
        f"    return jnp.nansum(weight * jnp.mean(huber(error, beta), axis=-1)) / {KNOWN}",
        NONE,
        "its slope is not",
    ),
    Mutant("masked_huber", "all the same", "jnp.sum(weight *", "jnp.sum(known *", MEAN, "its weight"),
    Mutant(
        "masked_huber",
        "weights inside",
        f"jnp.sum(weight * {PENALTY})",
        "jnp.sum(jnp.mean(huber(weight[..., None] * harmless, beta), axis=-1))",
        MEAN,
        "multiplies the penalty",
    ),
    Mutant("masked_huber", "zero by zero", KNOWN, "jnp.sum(known)", NONE, "at least 1"),
    Mutant("losses", "the gripper among the joints", JOINT, JOINT.replace("[..., :-1]", ""), WHERE, "loss of its own"),
    Mutant("losses", "four joints", JOINT, JOINT.replace(":-1", ":4"), WHERE, "another arm"),
    Mutant("losses", "the gripper is joint 4", GRIP, GRIP.replace("-1", "4"), WHERE, "the last of 7"),
    Mutant("losses", "the frame before", "error = q - after", "error = q - rows.q", WHERE, "`after`"),
    Mutant("losses", "the gripper in rad", GRIP, GRIP.replace("grip * ", ""), WHERE, "grip is missing"),
    Mutant("losses", "the raw force", SAID, "outputs.force - rows.force", FORCE, "raw force"),
    Mutant("losses", "no focus", FOCUSED, "1.0", FORCE, "counts as much as none"),
    Mutant("losses", "no mask for forces", f"rows.mask * {FOCUSED}", FOCUSED, FORCE, "may hold anything"),
    Mutant("losses", "no mask for the gate", GATE, GATE.removeprefix("rows.mask * "), YES, "frames count"),
    Mutant("losses", "all joints' condition", NORMAL, NORMAL.replace("[..., BANDED]", ""), YES, "all joints"),
    Mutant("losses", "a frame for a joint", NORMAL, NORMAL.replace("..., B", ":, B"), YES, "the last axis"),
    Mutant(
        "losses",
        "labels first",
        "cross_entropy(outputs.gate, rows.gate)",
        "cross_entropy(rows.gate, outputs.gate)",
        YES,
        "the logits first",
    ),
    Mutant("losses", "joint 3 counted from 0", NORMAL, NORMAL.replace("BANDED", "3"), YES, "BANDED is 2"),
    Mutant(
        "losses",
        "a mask for the condition",
        NORMAL,
        NORMAL.replace("jnp.mean(", "jnp.sum(rows.mask * ") + " / jnp.maximum(jnp.sum(rows.mask), 1)",
        YES,
        "in every frame",
    ),
    Mutant("losses", "no gate without labels", GATES, "jnp.sum(gate) / jnp.sum(rows.mask)", FELT, "at least 1"),
    Mutant(
        "losses",
        "a gate that learns nothing from forces",
        SAID,
        "force_of(outputs._replace(gate=jax.lax.stop_gradient(outputs.gate))) - rows.force",
        FELT,
        "its own loss alone",
    ),
    Mutant("explicit", "the surrogate alone", f" + {PUSH}", "", ACTS, "force is missing"),
    Mutant("explicit", "the force alone", SUM, PUSH, ACTS, "surrogate is missing"),
    Mutant("explicit", "subtracted", f"+ {PUSH}", f"- {PUSH}", ACTS, "the sign"),
    Mutant("explicit", "the raw force", "force_of(outputs)", "outputs.force", ACTS, "raw force"),
    Mutant("explicit", "a logit", "force_of(outputs)", "(outputs.gate * outputs.force)", ACTS, "as a logit"),
    Mutant("explicit", "the rows that turn", "[:3]", "[3:]", ACTS, "3 to 5"),
    Mutant("explicit", "where it is to be", PUSH, PUSH.replace("arm, q", "arm, row.q_cmd"), ACTS, "row.q_cmd"),
    Mutant(
        "explicit", "no effort", SUM, f"torque_of(setting, outputs.tau, 0 * row.u) + {PUSH}", ACTS, "effort is missing"
    ),
    Mutant(
        "explicit", "no springs", SUM, f"torque_of(setting, outputs.tau, row.u) + {PUSH}", ACTS, "position actuators"
    ),
    Mutant("explicit", "a gate that never closes", "force_of(outputs)", "outputs.force", CLOSED, "raw force"),
    Mutant("step", "the smoothed state", NOW, "token(setting, frame.q, frame.qd, frame)", NINE, "frames to come"),
    Mutant("step", "the smoothed state, once more", NOW, "token(setting, frame.q, frame.qd, frame)", LATER, "later"),
    Mutant("step", "the newest first", BOTH, f"[{NOW}[None], memory]", NINE, "newest token comes last"),
    Mutant(
        "step",
        "a tick late",
        "ask(setting, params, tokens)",
        "ask(setting, params, jnp.concatenate([memory[:1], memory]))",
        NINE,
        "of this tick is missing",
    ),
    Mutant("step", "a memory that grows", "return tokens[1:]", "return tokens", KEPT, "nine tokens"),
    Mutant("step", "the newest lost", "return tokens[1:]", "return tokens[:-1]", KEPT, "this tick is not in it"),
    Mutant("step", "a memory of the start", "return tokens[1:]", "return memory", LIVE, "handed on"),
    Mutant("step", "the network's word alone", RETURN, "return ask(setting, params, tokens)", NINE, "of them"),
    Mutant(
        "step",
        "in the other order",
        RETURN,
        "return ask(setting, params, tokens), tokens[1:]",
        KEPT,
        "then what the network says",
    ),
    Mutant("step", "64 bits", "return tokens[1:]", "return tokens[1:].astype(float)", KEPT, "32 bits"),
]
