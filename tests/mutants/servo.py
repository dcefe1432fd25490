"""Known-wrong answers of module 05, with the check that must catch each and a word of what the student then reads."""

from course.mutants import Mutant

COUNTS, MINUS, OVERLOAD = (
    "test_reads_counts_above_zero",
    "test_a_bit_says_minus",
    "test_overload_is_one_bit_among_others",
)
LAWFUL, UNLAWFUL = "test_finds_gain_and_start", "test_leaves_out_what_the_law_does_not_rule"
PLAIN, SWAPPED = "test_plain_is_covariance_over_variance", "test_swapped_is_turned_back_into_kt"
MOVING = "test_friction_takes_the_moving_rows_only"
FOUR, FAR = "test_finds_the_four_numbers", "test_finds_a_fade_far_from_the_usual"
HALF, WIGGLES = "test_friction_is_half_the_swing", "test_the_gap_is_what_no_push_would_show"
SILENT = "test_says_when_it_cannot_tell"

WORD = "block[address - FIRST] + 256 * block[address - FIRST + 1]"
MAGNITUDE = "magnitude = word % (1 << bit)"
SIGNED = "count[address] = -magnitude if word & (1 << bit) else magnitude"
TWO = "count[address] = word - 65536 if word > 32767 else word"
LATE = "count[address] = magnitude"
STATUS = "bool(block[STATUS - FIRST] & (1 << OVERLOAD_BIT))"
LAW = "(np.abs(error) > DEAD_ZONE) & (np.abs(duty) < CLIPPED)"
CALL = "least_squares([error[lawful], np.sign(error[lawful])], duty[lawful])"
EVERY = "least_squares([error, np.sign(error)], duty)"
COLUMNS = "(current, one, np.sign(qd), qd)"
MOVES = "moving = np.abs(qd) > STILL"
FRICTION = "(friction[0], friction_r2)"
BACK = "(1 / swapped[0], swapped_r2)"
GRID = "np.geomspace(0.01, 3, 200)"
BEST = "max(tried)[1]"
WEIGHTS = "(float(coulomb), float(extra), float(fade), float(viscous))"
LINE = "float(np.polyfit(push[held], moved[held], 1)[1])"
ENOUGH = "len(np.unique(push[held])) >= 2"

MUTANTS = [
    Mutant(
        "decode", "high byte first", WORD, "256 * block[address - FIRST] + block[address - FIRST + 1]", COUNTS, "order"
    ),
    Mutant("decode", "one byte only", WORD, "block[address - FIRST]", COUNTS, "low byte"),
    Mutant(
        "decode",
        "the centre forgotten",
        "(count[POSITION] - CENTRE) * TICK",
        "count[POSITION] * TICK",
        COUNTS,
        "CENTRE",
    ),
    Mutant(
        "decode", "a centre for the speed", "count[SPEED] * TICK", "(count[SPEED] - CENTRE) * TICK", COUNTS, "speed"
    ),
    Mutant("decode", "percent", "count[LOAD] / 1000", "count[LOAD] / 10", COUNTS, "percent"),
    Mutant("decode", "two's complement", SIGNED, TWO, MINUS, "two's complement"),
    Mutant("decode", "the sign bit as a number", SIGNED, "count[address] = word", MINUS, "says minus and nothing else"),
    Mutant("decode", "the sign forgotten", SIGNED, LATE, MINUS, "forgotten"),
    Mutant(
        "decode",
        "bit 15 for all",
        "for address, bit in SIGN_BIT.items():\n",
        "for address in SIGN_BIT:\n        bit = 15\n",
        MINUS,
        "bit 10",
    ),
    Mutant(
        "decode",
        "the centre before the sign",
        '"q": (count[POSITION] - CENTRE) * TICK',
        '"q": np.sign(count[POSITION]) * (abs(count[POSITION]) - CENTRE) * TICK',
        MINUS,
        "after the sign",
    ),
    Mutant("decode", "any fault is overload", STATUS, "block[STATUS - FIRST] > 0", OVERLOAD, "any other fault"),
    Mutant("decode", "overload alone", STATUS, "block[STATUS - FIRST] == 32", OVERLOAD, "more than one thing"),
    Mutant("fit_law", "all rows", CALL, EVERY, UNLAWFUL, "all rows are in"),
    Mutant("fit_law", "clipped rows", LAW, "np.abs(error) > DEAD_ZONE", UNLAWFUL, "at the limit"),
    Mutant("fit_law", "the edge of the dead zone", "> DEAD_ZONE", ">= DEAD_ZONE", UNLAWFUL, "one tick"),
    Mutant("fit_law", "clipped on one side", "np.abs(duty) < CLIPPED", "duty < CLIPPED", UNLAWFUL, "absolute value"),
    Mutant("fit_law", "an offset for the sign", "np.sign(error[lawful])]", "np.ones(lawful.sum())]", LAWFUL, "sign"),
    Mutant("fit_law", "an amount for the sign", "np.sign(error[lawful])]", "np.abs(error[lawful])]", LAWFUL, "own"),
    Mutant("fit_law", "no start", CALL, "(((error @ duty) / (error @ error), 0.0), 0.0)", LAWFUL, "start is missing"),
    Mutant(
        "fit_law", "the other order", "float(gain), float(start)", "float(start), float(gain)", LAWFUL, "other order"
    ),
    Mutant(
        "fit_law", "rad", "float(gain), float(start)", "float(gain) / TICK, float(start)", LAWFUL, "not for each rad"
    ),
    Mutant(
        "kt_fits",
        "plain without an offset",
        "least_squares([current, one], tau)",
        "least_squares([current], tau)",
        PLAIN,
        "offset is missing",
    ),
    Mutant("kt_fits", "a correlation", "(plain[0], r2)", "(plain[0], np.sqrt(r2))", PLAIN, "correlation"),
    Mutant("kt_fits", "not turned back", BACK, "(swapped[0], swapped_r2)", SWAPPED, "A/(N m)"),
    Mutant("kt_fits", "plain for swapped", BACK, "(plain[0], r2)", SWAPPED, "plain fit again"),
    Mutant(
        "kt_fits",
        "swapped without an offset",
        "least_squares([tau, one], current)",
        "least_squares([tau], current)",
        SWAPPED,
        "offset is missing",
    ),
    Mutant("kt_fits", "standing rows", MOVES, "moving = np.abs(qd) >= 0", MOVING, "standing rows"),
    Mutant("kt_fits", "rows that are not quite zero", MOVES, "moving = qd != 0", MOVING, "STILL"),
    Mutant("kt_fits", "forward only", MOVES, "moving = qd > STILL", MOVING, "backwards"),
    Mutant("kt_fits", "no Coulomb friction", COLUMNS, "(current, one, qd)", MOVING, "Coulomb"),
    Mutant("kt_fits", "no viscous friction", COLUMNS, "(current, one, np.sign(qd))", MOVING, "viscous"),
    Mutant("kt_fits", "the R2 of another fit", FRICTION, "(friction[0], r2)", MOVING, "plain"),
    Mutant("fit_friction", "a fade from the air", GRID, "[0.1]", FOUR, "fade"),
    Mutant("fit_friction", "a coarse grid", GRID, "np.geomspace(0.01, 3, 12)", FOUR, "too far apart"),
    Mutant("fit_friction", "a grid that ends early", GRID, "np.geomspace(0.01, 0.6, 200)", FAR, "fade"),
    Mutant("fit_friction", "the last that was tried", BEST, "tried[-1][1]", FOUR, "end of the range"),
    Mutant(
        "fit_friction",
        "the sum at rest",
        WEIGHTS,
        "(float(coulomb), float(coulomb + extra), float(fade), float(viscous))",
        FOUR,
        "sum of both",
    ),
    Mutant(
        "fit_friction",
        "exchanged",
        WEIGHTS,
        "(float(extra), float(coulomb), float(fade), float(viscous))",
        FOUR,
        "other order",
    ),
    Mutant(
        "fit_friction",
        "no viscous friction",
        "* np.exp(-np.abs(qd) / fade), qd]",
        "* np.exp(-np.abs(qd) / fade), np.sign(qd) * qd**2]",
        FOUR,
        "fade",
    ),
    Mutant("fit_friction", "the exponential without a sign", "np.sign(qd) * np.exp(", "np.exp(", FOUR, "fade"),
    Mutant("fit_friction", "a sign in the exponent", "np.exp(-np.abs(qd) / fade)", "np.exp(-qd / fade)", FOUR, "fade"),
    Mutant("gap_or_stiction", "the whole swing", "stiction = swung / 2", "stiction = swung", HALF, "twice"),
    Mutant("gap_or_stiction", "all pushes", "held = push < stiction", "held = push > 0", WIGGLES, "strong hands"),
    Mutant(
        "gap_or_stiction",
        "pushes up to the swing",
        "held = push < stiction",
        "held = push < swung",
        WIGGLES,
        "half the swing",
    ),
    Mutant("gap_or_stiction", "the slope", LINE, "float(np.polyfit(push[held], moved[held], 1)[0])", WIGGLES, "slope"),
    Mutant("gap_or_stiction", "the mean", LINE, "float(moved[held].mean())", WIGGLES, "mean"),
    Mutant("gap_or_stiction", "the weakest push", LINE, "float(moved.min())", WIGGLES, "no push at all"),
    Mutant("gap_or_stiction", "half of the gap", LINE, LINE + " / 2", WIGGLES, "whole gap"),
    Mutant(
        "gap_or_stiction",
        "never a gap",
        "if enough else None",
        "if False else None",
        WIGGLES,
        "weaker than the stiction",
    ),
    Mutant(
        "gap_or_stiction", "no gap instead of no answer", "if enough else None", "if enough else 0.0", SILENT, "alone"
    ),
    Mutant("gap_or_stiction", "equal pushes are two", ENOUGH, "held.sum() >= 2", SILENT, "twice"),
    Mutant("gap_or_stiction", "one point makes a line", ENOUGH, "held.sum() >= 3", SILENT, "make a line"),
]
