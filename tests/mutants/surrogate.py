"""Known-wrong answers of module 15, with the check that must catch each and a word of what the student then reads."""

from course.mutants import Mutant

WITHIN, EDGES = "test_base_and_network_within_the_limit", "test_slope_and_limits"
DRIVES, SAID = "test_the_network_drives_the_arm", "test_what_the_network_said"
BLIND, OTHER = "test_the_answer_is_not_looked_at", "test_somebody_else_drives"
BACK, HOME = "test_the_torque_that_brings_it_back", "test_a_strayed_arm_comes_home"
STAGE, LAST = "test_the_stage_of_a_step", "test_the_last_stage_goes_on"

WANTED = "wanted = setting.rated * u + setting.typical * raw"
BOUND = "return jnp.tanh(wanted / setting.limit) * setting.limit"
NINE = "tokens = jnp.concatenate([memory, token(setting, q, qd, row)[None]])"
OWN = "token(setting, q, qd, row)"
LAW = "return drive(setting, q, outputs, row), tokens[1:], outputs"
PAST = "memory = token(setting, past.seen_q, past.seen_qd, past)"
START = "(jnp.asarray(x[HISTORY], float) for x in (track.q, track.qd))"
RUN = "return closed_loop("
TARGET = "return inverse_dynamics(arm, q + dq, qd + dqd, qdd - PULL**2 * dq - 2 * PULL * dqd)"
SPRING = "- PULL**2 * dq"
DAMPER = "- 2 * PULL * dqd"

MUTANTS = [
    Mutant(
        "torque_of",
        "only the network within the limit",
        BOUND,
        "return setting.rated * u + setting.limit * jnp.tanh(setting.typical * raw / setting.limit)",
        WITHIN,
        "only the network's part",
    ),
    Mutant(
        "torque_of",
        "only the base within the limit",
        BOUND,
        "return setting.typical * raw + setting.limit * jnp.tanh(setting.rated * u / setting.limit)",
        WITHIN,
        "only the base",
    ),
    Mutant("torque_of", "no limit", BOUND, "return wanted", WITHIN, "nothing bounds"),
    Mutant("torque_of", "cut off", BOUND, "return jnp.clip(wanted, -setting.limit, setting.limit)", WITHIN, "no slope"),
    Mutant("torque_of", "no base", "setting.rated * u + ", "", WITHIN, "base is missing"),
    Mutant("torque_of", "no typical torque", "setting.typical * raw", "raw", WITHIN, "raw has no unit"),
    Mutant(
        "torque_of", "base subtracted", WANTED, "wanted = setting.typical * raw - setting.rated * u", WITHIN, "adds"
    ),
    Mutant(
        "torque_of", "exchanged", WANTED, "wanted = setting.typical * u + setting.rated * raw", WITHIN, "belongs to u"
    ),
    Mutant(
        "torque_of",
        "the least limit for all",
        BOUND,
        BOUND.replace("setting.limit", "jnp.min(setting.limit)"),
        EDGES,
        "smallest",
    ),
    Mutant("torque_of", "tanh of a torque", "(wanted / setting.limit)", "(wanted)", WITHIN, "without a unit"),
    Mutant("torque_of", "up to one", " * setting.limit", "", EDGES, "up to 1"),
    Mutant(
        "actuated_rollout", "reads the recorded angles", OWN, "token(setting, row.q, row.qd, row)", BLIND, "recorded"
    ),
    Mutant("actuated_rollout", "a past that stays", "tokens[1:]", "memory", DRIVES, "same past"),
    Mutant(
        "actuated_rollout",
        "newest first",
        NINE,
        "tokens = jnp.concatenate([token(setting, q, qd, row)[None], memory])",
        DRIVES,
        "newest token",
    ),
    Mutant(
        "actuated_rollout",
        "starts a frame early",
        START,
        START.replace("HISTORY", "HISTORY - 1"),
        DRIVES,
        "last frame of the past",
    ),
    Mutant(
        "actuated_rollout",
        "starts where the registers say",
        START,
        START.replace("(track.q, track.qd)", "(track.seen_q, track.seen_qd)"),
        DRIVES,
        "from q and qd",
    ),
    Mutant("actuated_rollout", "no past", PAST, f"{PAST} * 0", DRIVES, "zeros"),
    Mutant("actuated_rollout", "starts at rest", START, START.replace("track.qd)", "0 * track.qd)"), DRIVES, "at rest"),
    Mutant("actuated_rollout", "all frames are ticks", "track[HISTORY:]", "track", DRIVES, "shape"),
    Mutant(
        "actuated_rollout", "drives by the recorded angles", "drive(setting, q,", "drive(setting, row.q,", OTHER, "told"
    ),
    Mutant("actuated_rollout", "drive ignored", "drive(setting", "direct(setting", OTHER, "whoever"),
    Mutant(
        "actuated_rollout",
        "tells the torques alone",
        "tokens[1:], outputs",
        "tokens[1:], outputs.tau",
        SAID,
        "4 of them",
    ),
    Mutant(
        "actuated_rollout",
        "the effort in place of what was said",
        LAW,
        "return drive(setting, row.q, outputs, row), tokens[1:], outputs._replace(tau=row.u)",
        SAID,
        "tau",
    ),
    Mutant(
        "one_step_target",
        "both signs",
        TARGET,
        TARGET.replace("- PULL", "+ PULL").replace("- 2", "+ 2"),
        BACK,
        "further astray",
    ),
    Mutant("one_step_target", "the damper drives", DAMPER, "+ 2 * PULL * dqd", BACK, "against dqd"),
    Mutant("one_step_target", "the spring pushes", SPRING, "+ PULL**2 * dq", BACK, "against dq"),
    Mutant("one_step_target", "no damper", f" {DAMPER}", "", BACK, "for ever"),
    Mutant(
        "one_step_target",
        "a stiffness",
        f"{SPRING} {DAMPER}",
        "- PULL * dq - 2 * PULL**0.5 * dqd",
        BACK,
        "no stiffness",
    ),
    Mutant("one_step_target", "all of the speed", DAMPER, "- 2 * PULL * (qd + dqd)", BACK, "not on all of the speed"),
    Mutant(
        "one_step_target",
        "no gravity",
        TARGET,
        f"{TARGET} - inverse_dynamics(arm, q + dq, 0 * q, 0 * q)",
        HOME,
        "accelerate so",
    ),
    Mutant("one_step_target", "nothing brings it back", f" {SPRING} {DAMPER}", "", HOME, "brings this arm back"),
    Mutant("one_step_target", "no acceleration", "qdd - PULL", "0 * qdd - PULL", BACK, "own acceleration"),
    Mutant("one_step_target", "the real arm's state", "q + dq, qd + dqd", "q, qd", BACK, "real arm's state"),
    Mutant("one_step_target", "the real arm's speed", "qd + dqd", "qd", BACK, "torque at qd"),
    Mutant("one_step_target", "no mass", TARGET, f"return qdd {SPRING} {DAMPER}", BACK, "no torque"),
    Mutant("curriculum", "a step late", "step < steps", "step <= steps", STAGE, "late"),
    Mutant("curriculum", "a step early", "step < steps", "step + 1 < steps", STAGE, "early"),
    Mutant("curriculum", "counted from the beginning", "step -= steps", "pass", STAGE, "counted from"),
    Mutant("curriculum", "steps for ticks", "return horizon", "return steps", STAGE, "how many steps"),
    Mutant(
        "curriculum",
        "the stage's number",
        "return horizon",
        "return stages.index((horizon, steps))",
        STAGE,
        "number of",
    ),
    Mutant("curriculum", "the first for ever", "if step < steps:", "if True:", STAGE, "the first stage ends"),
    Mutant("curriculum", "the last at once", "step -= steps", "break", STAGE, "waits"),
    Mutant("curriculum", "begins again", "stages[-1][0]", "stages[0][0]", LAST, "began again"),
    Mutant("curriculum", "ends with nothing", "return stages[-1][0]", "return 0", LAST, "no rollout"),
    Mutant("curriculum", "no answer in the end", "return stages[-1][0]", "return None", LAST, "nothing"),
]
