"""Known-wrong answers of module 13."""

from course.mutants import Mutant

ONE, SEVERAL = "test_one_step_is_mujocos", "test_a_tick_of_several_substeps"
RUN, OUT = "test_states_after_each_tick", "test_what_the_law_put_out"
TORQUE, STATE = "test_how_torques_are_felt", "test_how_the_state_is_felt"
ARM = "test_how_the_arm_and_a_push_are_felt"
NONE, ANEW = "test_no_loss_on_a_recording_of_the_arm_itself", "test_runs_start_anew_from_the_recording"
FIT = "test_walks_down_as_adam_does"

HEAVIER = "arm.armature + h * arm.damping"
FASTER = "        qd = qd + h * forward_dynamics(heavier, q, qd, tau)\n        return (q + h * qd, qd), None"
SUBSTEP = "h = seconds / substeps"
TABLE = "return (q, qd, memory), (q, qd, output)"
STEPPED = "        q, qd = control_step(arm, q, qd, tau, seconds, substeps)\n        "
LAM = "by_tau = solve(M, g)"
ASKED = "q, qd, qdd, f_ext), arm"
ALL = "return by_arm, by_q, by_qd, by_tau, by_force"
STARTS = '(log["q"][:-1:horizon], log["qd"][:-1:horizon]'
MEAN = "jnp.mean((runs - after) ** 2)"
TOLD = "(jnp.exp(z), value"

MUTANTS = [
    Mutant("control_step", "damping at the old speed", HEAVIER, "arm.armature", ONE, "at the old speed"),
    Mutant("control_step", "damping subtracted", HEAVIER, HEAVIER.replace("+", "-"), ONE, "subtracted"),
    Mutant("control_step", "all of the damping", HEAVIER, "arm.armature + arm.damping", ONE, "the whole D"),
    Mutant("control_step", "a tick's damping", "+ h * arm", "+ seconds * arm", SEVERAL, "whole tick's"),
    Mutant(
        "control_step",
        "the angle by the old speed",
        FASTER,
        "        return (q + h * qd, qd + h * forward_dynamics(heavier, q, qd, tau)), None",
        ONE,
        "by the old one",
    ),
    Mutant(
        "control_step",
        "the angle by the mean speed",
        FASTER,
        FASTER.replace("qd = qd", "old, qd = qd, qd").replace("q + h * qd, qd", "q + h / 2 * (old + qd), qd"),
        ONE,
        "mean of old and new",
    ),
    Mutant("control_step", "damping twice", "qd, tau)", "qd, tau - arm.damping * qd)", ONE, "already"),
    Mutant("control_step", "substeps of a tick", SUBSTEP, "h = seconds", SEVERAL, "whole tick each"),
    Mutant("control_step", "one long step", SUBSTEP, "h, substeps = seconds, 1", SEVERAL, "one long step"),
    Mutant(
        "control_step", "speed and angle swapped", "length=substeps)[0]", "length=substeps)[0][::-1]", ONE, "q comes"
    ),
    Mutant(
        "closed_loop",
        "states before the ticks",
        STEPPED + TABLE,
        f"        before = q, qd\n{STEPPED}return (q, qd, memory), (*before, output)",
        RUN,
        "before the ticks",
    ),
    Mutant(
        "closed_loop",
        "memory not handed on",
        "tau, memory, output = law(memory",
        "tau, _, output = law(memory",
        RUN,
        "goes round",
    ),
    Mutant("closed_loop", "the first input for all", "qd, row)", "qd, inputs[0])", RUN, "own row"),
    Mutant("closed_loop", "inputs from the end", "memory), inputs)", "memory), inputs, reverse=True)", RUN, "the end"),
    Mutant("closed_loop", "one substep", "seconds, substeps)", "seconds, 1)", RUN, "handed on"),
    Mutant("closed_loop", "what went round last", "inputs)[1]", "inputs)[0]", RUN, "shape"),
    Mutant("closed_loop", "no outputs", TABLE, "return (q, qd, memory), (q, qd)", RUN, "2 of them"),
    Mutant("closed_loop", "the memory for the output", TABLE, TABLE.replace("output", "memory"), OUT, "shape"),
    Mutant("adjoint", "the slope itself", LAM, "by_tau = g", TORQUE, "g itself"),
    Mutant("adjoint", "times M", LAM, "by_tau = M @ g", TORQUE, "M g"),
    Mutant("adjoint", "each joint by itself", LAM, "by_tau = g / jnp.diag(M)", TORQUE, "by itself"),
    Mutant("adjoint", "the sign of tau's", ALL, ALL.replace("by_tau", "-by_tau"), TORQUE, "more torque"),
    Mutant("adjoint", "the sign of all others", "back(-by_tau)", "back(by_tau)", STATE, "the sign"),
    Mutant("adjoint", "pulled back along g", "back(-by_tau)", "back(-g)", STATE, "M^-1 g"),
    Mutant("adjoint", "at no acceleration", ASKED, ASKED.replace("qdd", "0 * qdd"), STATE, "depend on"),
    Mutant("adjoint", "without the push", ASKED, ASKED.replace("f_ext)", "0 * f_ext)"), STATE, "J^T"),
    Mutant("adjoint", "speed before angle", ALL, ALL.replace("by_q, by_qd", "by_qd, by_q"), STATE, "the order"),
    Mutant("adjoint", "the push left out", ALL, ALL.replace("by_force", "0 * by_force"), ARM, "this is 0"),
    Mutant(
        "adjoint", "the arm left out", ALL, ALL.replace("by_arm", "jax.tree.map(jnp.zeros_like, arm)"), ARM, "this is 0"
    ),
    Mutant("rollout_loss", "compared a row early", 'log["q"][1:])', 'log["q"][:-1])', NONE, "row k + 1"),
    Mutant(
        "rollout_loss",
        "one run through",
        'n = log["q"].shape[1]',
        'n, horizon = log["q"].shape[1], len(log["target"])',
        ANEW,
        "without a break",
    ),
    Mutant("rollout_loss", "started a row late", STARTS, STARTS.replace(":-1", "1:"), NONE, "one row late"),
    Mutant("rollout_loss", "started at its end", STARTS, STARTS.replace(":-1", "horizon:"), NONE, "should end"),
    Mutant("rollout_loss", "from rest", 'log["qd"][:-1', '0 * log["qd"][:-1', NONE, "not at rest"),
    Mutant("rollout_loss", "the sum", MEAN, MEAN.replace("mean", "sum"), ANEW, "the sum"),
    Mutant("rollout_loss", "a sum over joints", MEAN, MEAN.replace("2)", "2) * n"), ANEW, "over the joints too"),
    Mutant("rollout_loss", "the ends alone", MEAN, "jnp.mean((runs - after)[:, -1] ** 2)", ANEW, "every tick"),
    Mutant("rollout_loss", "the root", MEAN, f"jnp.sqrt({MEAN})", ANEW, "root"),
    Mutant("rollout_loss", "the first run alone", MEAN, "jnp.mean((runs - after)[0] ** 2)", ANEW, "first run"),
    Mutant("fit_damping", "uphill", "z + change", "z - change", FIT, "uphill"),
    Mutant("fit_damping", "never moved", "z + change", "z", FIT, "nothing has moved"),
    Mutant("fit_damping", "the logarithms told", TOLD, "(z, value", FIT, "logarithms"),
    Mutant("fit_damping", "the rate", "optax.adam(RATE)", "optax.adam(RATE / 10)", FIT, "RATE"),
    Mutant("fit_damping", "told after the move", TOLD, "(jnp.exp(z + change), value", FIT, "before any step"),
    Mutant("fit_damping", "from one", "z, met = np.log(arm.damping)", "z, met = np.zeros(len(kp))", FIT, "not from 1"),
    Mutant("fit_damping", "a square", "jnp.linalg.norm(gradient)", "jnp.sum(gradient**2)", FIT, "root of"),
    Mutant("fit_damping", "plain descent", "z + change", "z - RATE * gradient", FIT, "not by the gradient"),
    Mutant(
        "fit_damping", "from the damping", "z, met = np.log(arm.damping)", "z, met = arm.damping", FIT, "the logarithm"
    ),
    Mutant("fit_damping", "memory thrown away", "row, z, memory = step", "row, z, _ = step", FIT, "next update"),
]
