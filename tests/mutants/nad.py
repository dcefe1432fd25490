"""Known-wrong answers of module 09, with the check that must catch each and a word of what the student then reads."""

from course.mutants import Mutant

SHARE, TOGETHER, DRAWN = (
    "test_each_task_gives_its_share",
    "test_the_same_commands_stay_together",
    "test_is_drawn_once_and_for_all",
)
RUNS, CROSSES, SHORT = (
    "test_every_run_of_one_episode",
    "test_none_crosses_an_episode",
    "test_too_short_for_a_window",
)
SEEN, STILL = "test_mean_and_scale_of_the_training_rows", "test_columns_that_stand_still"
NEXT, KNOWN, GATE = (
    "test_the_force_of_the_next_frame",
    "test_what_is_not_known",
    "test_a_contact_is_longer_than_its_threshold",
)

SEED = "rng = np.random.default_rng(seed)"
SHUFFLED = "rng.permutation(sorted({trial for own, trial in led if own == task}))"
PLACES = '"test" if place < few else "validation" if place < 2 * few else "train"'
LOOP = f"""    share = {{}}
    for task in sorted({{task for task, _ in led}}):
        numbers = {SHUFFLED}
        few = max(1, len(numbers) // 10)
        for place, trial in enumerate(numbers):
            share[task, trial] = {PLACES}
"""
WHOLE = """    share = {}
    numbers = [sorted(set(led))[i] for i in rng.permutation(len(set(led)))]
    few = max(1, len(numbers) // 10)
    for place, one in enumerate(numbers):
        share[one] = "test" if place < few else "validation" if place < 2 * few else "train"
"""
VIEW = "np.lib.stride_tricks.sliding_window_view(x, length, axis=0).swapaxes(1, 2)"
NONE = """    if len(x) < length:
        return np.empty((0, length, x.shape[1]), x.dtype)
"""
SAME = "found[episode[length - 1 :] == episode[: len(x) - length + 1]]"
ROWS = "seen = x if train is None else x[train]"
SCALE = "np.where(np.ptp(seen, axis=0) > 0, seen.std(axis=0), 1.0)"
VALID = "valid = np.append(force_valid[1:], False)"
LATER = "np.where(valid[:, None], np.roll(force, -1, axis=0), 0.0)"
CONTACT = "np.linalg.norm(later, axis=1) > CONTACT"

MUTANTS = [
    Mutant("split", "twins parted", "task.removesuffix(TWIN)", "task", TOGETHER, "knows the commands"),
    Mutant("split", "over all episodes", LOOP, WHOLE, SHARE, "within each task"),
    Mutant("split", "the last trials are the test's", SHUFFLED, SHUFFLED[16:-1], DRAWN, "shuffle the trials"),
    Mutant("split", "always the same seed", SEED, "rng = np.random.default_rng(0)", DRAWN, "every time"),
    Mutant("split", "another seed at each call", SEED, "rng = np.random.default_rng()", DRAWN, "twice"),
    Mutant(
        "split",
        "in the order of the episodes",
        SHUFFLED,
        "rng.permutation(list(dict.fromkeys(trial for own, trial in led if own == task)))",
        DRAWN,
        "sort tasks and trials",
    ),
    Mutant(
        "split",
        "tasks in the order of the episodes",
        "sorted({task for task, _ in led})",
        "dict.fromkeys(task for task, _ in led)",
        DRAWN,
        "sort tasks and trials",
    ),
    Mutant("split", "rounded", "len(numbers) // 10", "round(len(numbers) / 10)", SHARE, "rounded down"),
    Mutant("split", "as far as the first _", "task.removesuffix(TWIN)", 'task.split("_")[0]', SHARE, "two tasks"),
    Mutant("split", "letters stripped", "removesuffix", "rstrip", SHARE, "two tasks"),
    Mutant("split", "a set's order", "sorted({task for task, _ in led})", "{task for task, _ in led}", DRAWN, "a set"),
    Mutant("split", "none of a few", "max(1, len(numbers) // 10)", "len(numbers) // 10", SHARE, "3 trials of sweep"),
    Mutant("split", "another name", PLACES, PLACES.replace('"validation"', '"val"'), SHARE, "'validation'"),
    Mutant(
        "split",
        "twins dealt as two trials",
        "numbers = rng.permutation(sorted({trial for own, trial in led if own == task}))",
        "numbers = rng.permutation(sorted(trial for own, trial in led if own == task))",
        TOGETHER,
        "each once",
    ),
    Mutant("split", "a dict", "[share[own] for own in led]", "share", SHARE, "in the order of the episodes"),
    Mutant("windows", "axes as they come", VIEW, VIEW.replace(".swapaxes(1, 2)", ""), RUNS, "swap the last two axes"),
    Mutant(
        "windows", "the newest first", "return found if", "found = found[:, ::-1]\n    return found if", RUNS, "oldest"
    ),
    Mutant("windows", "one missing", VIEW, VIEW + "[:-1]", RUNS, "one is missing"),
    Mutant("windows", "no overlap", VIEW, VIEW + "[::length]", RUNS, "windows overlap"),
    Mutant(
        "windows",
        "flat",
        "return found if",
        "found = found.reshape(len(found), -1)\n    return found if",
        RUNS,
        "table",
    ),
    Mutant(
        "windows",
        "a past that nobody saw",
        VIEW,
        VIEW.replace("(x,", "(np.vstack([np.repeat(x[:1], length - 1, axis=0), x]),"),
        RUNS,
        "too short a past",
    ),
    Mutant("windows", "across episodes", f"found if episode is None else {SAME}", "found", CROSSES, "end in the next"),
    Mutant(
        "windows",
        "the first two frames decide",
        SAME,
        "found[episode[1 : len(x) - length + 2] == episode[: len(x) - length + 1]]",
        CROSSES,
        "first frame and at the last",
    ),
    Mutant(
        "windows",
        "each episode lacks its last",
        SAME,
        "found[:-1][episode[length:] == episode[: len(x) - length]]",
        CROSSES,
        "lacks its last",
    ),
    Mutant("windows", "short ones not thought of", NONE, "", SHORT, "larger than"),
    Mutant(
        "windows",
        "nothing at all",
        "np.empty((0, length, x.shape[1]), x.dtype)",
        "np.array([])",
        SHORT,
        "three axes",
    ),
    Mutant(
        "windows", "a short window", "np.empty((0, length, x.shape[1]), x.dtype)", "x[None]", SHORT, "all its tokens"
    ),
    Mutant("windows", "always nine", "(x, length, axis=0)", "(x, LENGTH, axis=0)", RUNS, "length, not LENGTH"),
    Mutant("normalise", "the test's rows too", ROWS, "seen = x", SEEN, "all rows"),
    Mutant("normalise", "the test's spread", SCALE, SCALE.replace("seen.std", "x.std"), SEEN, "all rows"),
    Mutant("normalise", "the variance", "seen.std(axis=0)", "seen.var(axis=0)", SEEN, "variance"),
    Mutant("normalise", "n - 1", "seen.std(axis=0)", "seen.std(axis=0, ddof=1)", SEEN, "n - 1"),
    Mutant("normalise", "the range", "seen.std(axis=0)", "np.ptp(seen, axis=0)", SEEN, "range"),
    Mutant("normalise", "one mean of all", "seen.mean(axis=0)", "seen.mean()", SEEN, "axis=0"),
    Mutant("normalise", "no constants", SCALE, "seen.std(axis=0)", STILL, "divides by zero"),
    Mutant("normalise", "a small number added", SCALE, "seen.std(axis=0) + 1e-8", STILL, "millions"),
    Mutant("normalise", "std compared with 0", "np.ptp(seen, axis=0) > 0", "seen.std(axis=0) > 0", STILL, "np.ptp"),
    Mutant("normalise", "a threshold", "np.ptp(seen, axis=0) > 0", "seen.std(axis=0) > 1e-8", STILL, "no constant"),
    Mutant("normalise", "the test moves it", "np.ptp(seen, axis=0) > 0", "np.ptp(x, axis=0) > 0", STILL, "zero"),
    Mutant(
        "normalise",
        "1 only where nothing ever moves",
        SCALE,
        "np.where(np.ptp(seen, axis=0) > 0, seen.std(axis=0), np.where(np.ptp(x, axis=0) > 0, x.std(axis=0), 1.0))",
        STILL,
        "test only",
    ),
    Mutant(
        "labels",
        "the force at t",
        LATER,
        "np.where(valid[:, None], force, 0.0)",
        NEXT,
        "at t, without the last",
    ),
    Mutant("labels", "shifted the other way", "np.roll(force, -1, axis=0)", "np.roll(force, 1, axis=0)", NEXT, "t - 1"),
    Mutant("labels", "numbers rolled", "np.roll(force, -1, axis=0)", "np.roll(force, -1)", NEXT, "without axis=0"),
    Mutant("labels", "round the corner", VALID, "valid = np.roll(force_valid, -1)", NEXT, "goes round"),
    Mutant(
        "labels",
        "the last repeated",
        f"{VALID}\n    later = {LATER}",
        "valid = np.append(force_valid[1:], True)\n    later = np.vstack([force[1:], force[-1:]])",
        NEXT,
        "repeats the last",
    ),
    Mutant("labels", "a row less", "return Labels(later,", "return Labels(later[:-1],", NEXT, "a row too"),
    Mutant("labels", "the mask at t", "valid.astype(float))", "force_valid.astype(float))", KNOWN, "at t"),
    Mutant("labels", "valid at t", VALID, "valid = np.append(force_valid[:-1], False)", KNOWN, "at t"),
    Mutant("labels", "times the mask", LATER, "np.roll(force, -1, axis=0) * valid[:, None]", KNOWN, "NaN times zero"),
    Mutant("labels", "not masked", LATER, "np.vstack([force[1:], np.zeros(3)])", KNOWN, "come through"),
    Mutant("labels", "the mask where a force is", "valid.astype(float))", f"({CONTACT}).astype(float))", NEXT, "mask"),
    Mutant(
        "labels",
        "a gate of what is not known",
        f"({CONTACT}).astype(float)",
        f"(({CONTACT}) | ~valid).astype(float)",
        KNOWN,
        "where the label is not known",
    ),
    Mutant("labels", "any force is contact", CONTACT, "np.any(later != 0, axis=1)", GATE, "threshold is CONTACT"),
    Mutant("labels", "any component", CONTACT, "np.any(np.abs(later) > CONTACT, axis=1)", GATE, "length of the vector"),
    Mutant("labels", "the sum", CONTACT, "later.sum(axis=1) > CONTACT", GATE, "cancel"),
    Mutant("labels", "the sum of sizes", CONTACT, "np.abs(later).sum(axis=1) > CONTACT", GATE, "sum of the components"),
    Mutant("labels", "a gate for each axis", CONTACT, "np.abs(later) > CONTACT", NEXT, "not for each axis"),
    Mutant(
        "labels",
        "changes the force",
        f"later = {LATER}",
        f"force[~force_valid] = 0.0\n    later = {LATER}",
        KNOWN,
        "force",
    ),
]
