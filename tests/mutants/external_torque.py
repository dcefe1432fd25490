"""Known-wrong answers of module 08, with the check that must catch each and a word of what the student then reads."""

from course.mutants import Mutant

PERFECT, LINE = "test_a_perfect_motor", "test_the_line_of_least_error_in_torque"
FRICTION, SIX = "test_a_motor_with_friction", "test_six_numbers_of_least_error"
TICK, FILTER = "test_one_tick", "test_a_filter_of_the_truth"
BACK, BLIND = "test_gives_the_force_back", "test_says_what_it_cannot_see"
ERROR, CLAIMS = "test_the_error_where_the_force_is_known", "test_claims_without_a_contact"

FIT = '        kt, b = np.polyfit(free["current"][:, j], free["tau_id"][:, j], 1)\n'
USE = 'run["tau_id"][:, j] - (kt * run["current"][:, j] + b)'
COLUMNS = '[of["current"][:, j], np.ones(len(qd)), s, stribeck, qd, of["flank"][:, j]]'
NUMBERS = 'np.linalg.lstsq(columns(free, j), free["tau_id"][:, j], rcond=None)[0]'
REST = 'run["tau_id"][:, j] - columns(run, j) @ numbers'
R = "gain * (mass_matrix(arm, q) @ qd - expected)"
NEXT = "expected + dt * (tau + swing - gravity + r)"
GRAVITY = "inverse_dynamics(arm, q, still, still)"
SVD = "np.linalg.svd(jacobian.swapaxes(1, 2), full_matrices=False)"
ALONG = 'np.einsum("fnk,fn->fk", U, tau) * shows / np.where(shows, levers, 1.0)'
KNOWN = "np.abs(estimate - force)[valid]"
CLAIMED = "np.linalg.norm(estimate, axis=1)[~contact] > FALSE"

MUTANTS = [
    Mutant("id_linear", "the sign turned", USE, f"-({USE})", PERFECT, "sign is turned"),
    Mutant("id_linear", "the motor's torque", USE, 'kt * run["current"][:, j] + b', PERFECT, "what the motors give"),
    Mutant("id_linear", "fitted on the run", FIT, FIT.replace("free", "run"), PERFECT, "fit was made on"),
    Mutant("id_linear", "no offset", " + b)", ")", LINE, "left out"),
    Mutant(
        "id_linear",
        "through the origin",
        FIT,
        '        i, b = free["current"][:, j], 0.0\n        kt = i @ free["tau_id"][:, j] / (i @ i)\n',
        PERFECT,
        "b is missing",
    ),
    Mutant(
        "id_linear",
        "axes swapped",
        FIT,
        '        a, c = np.polyfit(free["tau_id"][:, j], free["current"][:, j], 1)\n        kt, b = 1 / a, -c / a\n',
        LINE,
        "axes are swapped",
    ),
    Mutant(
        "id_linear",
        "one line for all",
        FIT,
        '        kt, b = np.polyfit(free["current"].ravel(), free["tau_id"].ravel(), 1)\n',
        PERFECT,
        "numbers of its own",
    ),
    Mutant("id_linear", "no answer", "    return external\n", "    return None\n", PERFECT, "return statement"),
    Mutant(
        "id_linear",
        "in place",
        '    external = np.zeros_like(run["tau_id"])\n',
        '    external = run["tau_id"]\n',
        PERFECT,
        "chang",
    ),
    Mutant("id_friction", "no friction", COLUMNS, COLUMNS.split(", s,")[0] + "]", FRICTION, "this is id_linear"),
    Mutant("id_friction", "no Stribeck", COLUMNS, COLUMNS.replace(" stribeck,", ""), FRICTION, "Stribeck's part"),
    Mutant(
        "id_friction", "no flank", COLUMNS, COLUMNS.replace(', of["flank"][:, j]', ""), FRICTION, "flank is missing"
    ),
    Mutant("id_friction", "a sign for s", "np.tanh(qd / SLOW)", "np.sign(qd)", FRICTION, "not the sign"),
    Mutant("id_friction", "Stribeck without direction", "s * np.exp", "np.exp", FRICTION, "has a direction too"),
    Mutant("id_friction", "fitted on the run", NUMBERS, NUMBERS.replace("free", "run"), SIX, "fit was made on"),
    Mutant("id_friction", "the sign turned", REST, f"-({REST})", FRICTION, "sign is turned"),
    Mutant(
        "id_friction",
        "line first, friction after",
        f"        numbers = {NUMBERS}\n",
        """        A, tau = columns(free, j), free["tau_id"][:, j]
        first = np.linalg.lstsq(A[:, :2], tau, rcond=None)[0]
        rest = np.linalg.lstsq(A[:, 2:], tau - A[:, :2] @ first, rcond=None)[0]
        numbers = np.concatenate([first, rest])
""",
        SIX,
        "one problem",
    ),
    Mutant(
        "id_friction",
        "line alone on the run",
        "columns(run, j) @ numbers",
        "columns(run, j)[:, :2] @ numbers[:2]",
        FRICTION,
        "line alone was used",
    ),
    Mutant("momentum_observer", "r turned", R, f"-{R}", TICK, "sign is turned"),
    Mutant("momentum_observer", "momentum for difference", R, R.replace(" - expected", ""), TICK, "difference"),
    Mutant("momentum_observer", "r not expected", NEXT, NEXT.replace(" + r", ""), TICK, "r is missing"),
    Mutant("momentum_observer", "r not expected, filtered", NEXT, NEXT.replace(" + r", ""), FILTER, "grows"),
    Mutant("momentum_observer", "no swing", NEXT, NEXT.replace(" + swing", ""), TICK, "dT/dq is missing"),
    Mutant("momentum_observer", "swing turned", NEXT, NEXT.replace("+ swing", "- swing"), TICK, "wrong sign"),
    Mutant("momentum_observer", "gravity turned", NEXT, NEXT.replace("- gravity", "+ gravity"), TICK, "motors hold it"),
    Mutant(
        "momentum_observer",
        "Newton's bias",
        NEXT,
        "expected + dt * (tau - inverse_dynamics(arm, q, qd, still) + r)",
        TICK,
        "Newton's bias, good",
    ),
    Mutant("momentum_observer", "slope by the speeds", "argnums=1", "argnums=2", TICK, "is the momentum"),
    Mutant("momentum_observer", "r against itself", NEXT, NEXT.replace("+ r", "- r"), TICK, "wrong sign here"),
    Mutant(
        "momentum_observer",
        "from the momentum found",
        NEXT,
        NEXT.replace("expected +", "mass_matrix(arm, q) @ qd +"),
        TICK,
        "starts at what was expected",
    ),
    Mutant("force_from_torque", "the sign turned", "return np.einsum", "return -np.einsum", BACK, "sign is turned"),
    Mutant(
        "force_from_torque", "J for its inverse", ALONG, "levers * " + ALONG.split(" *")[0], BACK, "has to be inverted"
    ),
    Mutant("force_from_torque", "no levers", ALONG, ALONG.split(" /")[0], BACK, "levers are missing"),
    Mutant(
        "force_from_torque", "every lever counts", "levers >= shortest", "levers > 0", BLIND, "small error of torque"
    ),
    Mutant(
        "force_from_torque",
        "a share of the longest",
        "levers >= shortest",
        "levers >= shortest * levers[:, :1]",
        BLIND,
        "not a share",
    ),
    Mutant(
        "force_from_torque",
        "short levers made longer",
        ALONG,
        'np.einsum("fnk,fn->fk", U, tau) / np.maximum(levers, shortest)',
        BLIND,
        "made longer",
    ),
    Mutant(
        "force_from_torque", "the short ones kept", "levers >= shortest", "levers < shortest", BLIND, "long ones left"
    ),
    Mutant("force_from_torque", "always three", "shows.sum(axis=1)", "0 * shows.sum(axis=1) + 3", BLIND, "all three"),
    Mutant("force_from_torque", "the force alone", ", shows.sum(axis=1)", "", BACK, "two answers"),
    Mutant("contact_report", "every frame", KNOWN, KNOWN.removesuffix("[valid]"), ERROR, "nobody knows"),
    Mutant("contact_report", "contact for valid", KNOWN, KNOWN.replace("valid", "contact"), ERROR, "known or not"),
    Mutant(
        "contact_report",
        "length of the error",
        KNOWN,
        "np.linalg.norm(estimate - force, axis=1)[valid]",
        ERROR,
        "length of the error",
    ),
    Mutant("contact_report", "root mean square", "error.mean()", "np.sqrt((error**2).mean())", ERROR, "mean square"),
    Mutant("contact_report", "right claims", CLAIMED, CLAIMED.replace("~", ""), CLAIMS, "those are right"),
    Mutant(
        "contact_report",
        "a share of all",
        CLAIMED,
        "(np.linalg.norm(estimate, axis=1) > FALSE) & ~contact",
        CLAIMS,
        "share of all frames",
    ),
    Mutant(
        "contact_report", "valid only", CLAIMED, CLAIMED.replace("~contact", "~contact & valid"), CLAIMS, "every frame"
    ),
    Mutant(
        "contact_report",
        "largest component",
        CLAIMED,
        "np.abs(estimate).max(axis=1)[~contact] > FALSE",
        CLAIMS,
        "largest component",
    ),
    Mutant(
        "contact_report", "zero for nothing", " if claimed.size else None", " if claimed.size else 0.0", CLAIMS, "None"
    ),
]
