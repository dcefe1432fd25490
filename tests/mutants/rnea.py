"""Known-wrong answers of module 07, with the check that must catch each and a word of what the student then reads."""

from course.mutants import Mutant

ZERO, MOVED = "test_links_of_an_arm_at_its_zero", "test_links_of_an_arm_that_moved"
TURN, REST, CENTRE = (
    "test_how_links_turn",
    "test_an_arm_at_rest_feels_gravity",
    "test_how_centres_of_mass_accelerate",
)
HOLD, ANY, ARMS = (
    "test_what_it_takes_to_hold_still",
    "test_what_any_motion_takes",
    "test_every_arm_agrees_with_mujoco",
)
MASS, MOVES, TURNS = "test_is_the_mass_matrix_of_mujoco", "test_moves_the_effector", "test_turns_the_effector"

ON_PARENT = "            R.append(R[parent] @ local[link])\n"
PLACED = "            p.append(p[parent] + R[parent] @ arm.offset[link])\n"
ALPHA = "outward(arm, axis * qdd[:, None] + jnp.cross(carrier, spin))"
ORIGIN = "outward(arm, riding(carrier, of_parent(arm, alpha), p - of_parent(arm, p))) - arm.gravity"
SUM = "outward(arm, riding(carrier, of_parent(arm, alpha), p - of_parent(arm, p)))"
CENTRES = "origin + riding(w, alpha, in_base(R, arm.com))"
INERTIA = "R @ arm.inertia @ R.swapaxes(1, 2)"
EULER = "in_base(inertia, alpha) + jnp.cross(w, in_base(inertia, w))"
CARRIED = "inward(arm, about_base) - jnp.cross(p, inward(arm, force))"
ASKED = "inverse_dynamics(arm, q, still, qdd)"
PUT = "jax.jacfwd(lambda qdd: inverse_dynamics(arm, q, still, qdd))(still)"
QUESTIONS = "jax.vmap(lambda qdd: inverse_dynamics(arm, q, still, qdd))(jnp.eye(len(q)))"
PASSES = """jax.vmap(
        lambda qdd: backward_pass(arm, *frames(arm, q), *forward_pass(weightless, *frames(arm, q), still, qdd))
    )(jnp.eye(len(q)))"""
WEIGHTLESS = "    weightless = replace(arm, gravity=jnp.zeros(3))\n    return "
EFFECTOR = "p[arm.tip] + R[arm.tip] @ arm.effector"
CARRIES = "in_base(R, arm.axis) * arm.moves[arm.tip][:, None]"
COLUMNS = "jnp.concatenate([jnp.cross(axis, effector - p).T, axis.T])"

MUTANTS = [
    Mutant(
        "frames",
        "the joint's turn before the fixed one",
        "arm.rotation @ turn(arm.axis, q)",
        "turn(arm.axis, q) @ arm.rotation",
        MOVED,
        "stands on the right of rotation",
    ),
    Mutant(
        "frames",
        "the parent on the right",
        ON_PARENT,
        ON_PARENT.replace("R[parent] @ local[link]", "local[link] @ R[parent]"),
        ZERO,
        "parent's axes stand on the left",
    ),
    Mutant(
        "frames",
        "the link before for the parent",
        "        if parent < 0:",
        "        parent = link - 1\n        if parent < 0:",
        ZERO,
        "arm.parent says",
    ),
    Mutant(
        "frames",
        "only in the parent's frame",
        ON_PARENT,
        "            R.append(local[link])\n",
        ZERO,
        "through all links before",
    ),
    Mutant("frames", "always at zero", "turn(arm.axis, q)", "turn(arm.axis, 0 * q)", MOVED, "q is missing"),
    Mutant("frames", "the fixed rotation forgotten", "arm.rotation @ ", "", ZERO, "rotation is missing"),
    Mutant("frames", "axes as rows", "jnp.stack(R)", "jnp.stack(R).swapaxes(1, 2)", ZERO, "transposed"),
    Mutant("frames", "turned the wrong way", "turn(arm.axis, q)", "turn(arm.axis, -q)", MOVED, "wrong way round"),
    Mutant(
        "frames",
        "degrees",
        "turn(arm.axis, q)",
        "turn(arm.axis, jnp.degrees(q))",
        MOVED,
        "radians already",
    ),
    Mutant("frames", "offsets never turned", PLACED, PLACED.replace("R[parent] @ ", ""), ZERO, "turn it by the parent"),
    Mutant(
        "frames",
        "offset along the link's own axes",
        PLACED,
        PLACED.replace("R[parent]", "R[link]"),
        ZERO,
        "along the axes of its parent",
    ),
    Mutant("frames", "offsets for places", "jnp.stack(p)", "jnp.asarray(arm.offset)", ZERO, "offsets themselves"),
    Mutant("frames", "the axes alone", "jnp.stack(R), jnp.stack(p)", "jnp.stack(R)", ZERO, "2 arrays"),
    Mutant("forward_pass", "own joint only", "w = outward(arm, spin)", "w = spin", TURN, "its parent's w too"),
    Mutant(
        "forward_pass",
        "axes left in the links' frames",
        "axis = in_base(R, arm.axis)",
        "axis = arm.axis",
        TURN,
        "axes of the base",
    ),
    Mutant(
        "forward_pass",
        "inwards for outwards",
        "w = outward(arm, spin)",
        "w = inward(arm, spin)",
        TURN,
        "motion outwards",
    ),
    Mutant(
        "forward_pass",
        "a chain without branches",
        "w = outward(arm, spin)",
        "w = jnp.cumsum(spin, axis=0)",
        TURN,
        "arm.parent says",
    ),
    Mutant(
        "forward_pass",
        "the parent's w",
        "return w, alpha",
        "return carrier, alpha",
        TURN,
        "own joint turns it as well",
    ),
    Mutant("forward_pass", "the swung axis forgotten", " + jnp.cross(carrier, spin)", "", TURN, "a term is missing"),
    Mutant(
        "forward_pass",
        "the cross product turned round",
        "jnp.cross(carrier, spin)",
        "jnp.cross(spin, carrier)",
        TURN,
        "wrong way round",
    ),
    Mutant("forward_pass", "own alpha only", ALPHA, ALPHA[len("outward(arm, ") : -1], TURN, "parent's alpha too"),
    Mutant("forward_pass", "qd for qdd", "axis * qdd[:, None]", "axis * qd[:, None]", TURN, "qd where qdd"),
    Mutant("forward_pass", "qdd forgotten", "axis * qdd[:, None] + ", "", TURN, "qdd is missing"),
    Mutant("forward_pass", "gravity forgotten", " - arm.gravity", "", REST, "gravity is missing"),
    Mutant("forward_pass", "gravity downwards", " - arm.gravity", " + arm.gravity", REST, "wrong sign"),
    Mutant("forward_pass", "gravity at every link", ORIGIN, SUM[:-1] + " - arm.gravity)", REST, "once"),
    Mutant("forward_pass", "origins for centres", CENTRES, "origin", CENTRE, "origins"),
    Mutant(
        "forward_pass",
        "riding on itself",
        "riding(carrier, of_parent(arm, alpha), p",
        "riding(w, alpha, p",
        CENTRE,
        "rides on its parent",
    ),
    Mutant("forward_pass", "lever from the base", "p - of_parent(arm, p)", "p", CENTRE, "starts at the origin"),
    Mutant(
        "forward_pass",
        "centripetal part forgotten",
        "return w, alpha, origin + riding(w, alpha, in_base(R, arm.com))",
        """lever, com = p - of_parent(arm, p), in_base(R, arm.com)
    origin = outward(arm, jnp.cross(of_parent(arm, alpha), lever)) - arm.gravity
    return w, alpha, origin + jnp.cross(alpha, com)""",
        CENTRE,
        "centripetal",
    ),
    Mutant("forward_pass", "centres in the links' frames", "in_base(R, arm.com)", "arm.com", CENTRE, "turn them into"),
    Mutant("forward_pass", "no acceleration from the parent", SUM, SUM[len("outward(arm, ") : -1], CENTRE, "too"),
    Mutant(
        "backward_pass",
        "each joint its own link",
        CARRIED,
        CARRIED.replace("inward(arm, about_base)", "about_base").replace("inward(arm, force)", "force"),
        HOLD,
        "all links beyond",
    ),
    Mutant(
        "backward_pass",
        "the turning body forgotten",
        " + jnp.cross(w, in_base(inertia, w))",
        "",
        ANY,
        "cross(w, inertia @ w)",
    ),
    Mutant(
        "backward_pass",
        "that term with the other sign",
        " + jnp.cross(w, in_base(inertia, w))",
        " - jnp.cross(w, in_base(inertia, w))",
        ANY,
        "wrong sign",
    ),
    Mutant("backward_pass", "inertia never turned", INERTIA, "arm.inertia", ANY, "R @ inertia @ R^T"),
    Mutant(
        "backward_pass",
        "inertia turned the wrong way",
        INERTIA,
        "R.swapaxes(1, 2) @ arm.inertia @ R",
        ANY,
        "wrong way round",
    ),
    Mutant("backward_pass", "about the base's origin", " - jnp.cross(p, inward(arm, force))", "", HOLD, "its own"),
    Mutant(
        "backward_pass",
        "forces without a lever",
        CARRIED,
        "inward(arm, moment)",
        HOLD,
        "have a lever",
    ),
    Mutant(
        "backward_pass", "force at the origin", "p + in_base(R, arm.com), force", "p, force", HOLD, "centre of mass"
    ),
    Mutant(
        "backward_pass",
        "axes left in the links' frames",
        "in_base(R, arm.axis)",
        "arm.axis",
        HOLD,
        "links' own frames",
    ),
    Mutant(
        "backward_pass",
        "centres left in the links' frames",
        "p + in_base(R, arm.com)",
        "p + arm.com",
        HOLD,
        "centres of mass are known",
    ),
    Mutant(
        "backward_pass",
        "outwards for inwards",
        CARRIED,
        CARRIED.replace("inward", "outward"),
        HOLD,
        "forces inwards",
    ),
    Mutant("backward_pass", "the sign", "return jnp.sum(", "return -jnp.sum(", HOLD, "the sign is turned"),
    Mutant(
        "backward_pass",
        "the whole moment",
        "jnp.sum(in_base(R, arm.axis) * about_joint, axis=1)",
        "about_joint",
        HOLD,
        "shape (5, 3)",
    ),
    Mutant(
        "backward_pass",
        "rotors in it twice",
        "about_joint, axis=1)",
        "about_joint, axis=1) + arm.armature * jnp.sum(in_base(R, arm.axis) * alpha, axis=1)",
        ARMS,
        "inverse_dynamics",
    ),
    Mutant("mass_matrix", "gravity in it", PUT, QUESTIONS, MASS, "gravity is in every column"),
    Mutant("mass_matrix", "gravity in it, as columns", PUT, QUESTIONS + ".T", MASS, "plus gravity"),
    Mutant(
        "mass_matrix",
        "speeds for accelerations",
        PUT,
        QUESTIONS.replace("still, qdd", "qdd, still"),
        MASS,
        "these are speeds",
    ),
    Mutant(
        "mass_matrix",
        "speeds for accelerations, without weight",
        "    return " + PUT,
        WEIGHTLESS + QUESTIONS.replace("still, qdd", "qdd, still").replace("(arm", "(weightless"),
        MASS,
        "these are speeds",
    ),
    Mutant("mass_matrix", "speeds too", PUT, QUESTIONS.replace("still, qdd", "qdd, qdd"), MASS, "joints move as well"),
    Mutant(
        "mass_matrix", "the slope by the speeds", ASKED, ASKED.replace("still, qdd", "qdd, still"), MASS, "friction"
    ),
    Mutant(
        "mass_matrix",
        "links without rotors",
        "    return " + PUT,
        WEIGHTLESS + PASSES,
        MASS,
        "rotors are missing",
    ),
    Mutant("mass_matrix", "rotors twice", PUT, PUT + " + jnp.diag(arm.armature)", MASS, "in it twice"),
    Mutant(
        "mass_matrix",
        "all joints at once",
        "    return " + PUT,
        WEIGHTLESS + QUESTIONS.replace("(arm", "(weightless").replace("jnp.eye(len(q))", "jnp.ones((len(q), len(q)))"),
        MASS,
        "one question for each",
    ),
    Mutant(
        "mass_matrix", "the arm at its zero", ASKED, "inverse_dynamics(arm, still, still, qdd)", MASS, "at its zero"
    ),
    Mutant("mass_matrix", "one column", PUT, "inverse_dynamics(arm, q, still, jnp.eye(len(q))[0])", MASS, "(5, 5)"),
    Mutant("jacobian", "every joint", " * arm.moves[arm.tip][:, None]", "", MOVES, "does not carry the effector"),
    Mutant(
        "jacobian", "every joint turns it", " * arm.moves[arm.tip][:, None]", "", TURNS, "does not carry the effector"
    ),
    Mutant(
        "jacobian",
        "joints that the tip carries",
        "arm.moves[arm.tip][:, None]",
        "arm.moves[:, arm.tip][:, None]",
        MOVES,
        "row of the tip",
    ),
    Mutant(
        "jacobian",
        "the cross product turned round",
        "jnp.cross(axis, effector - p)",
        "jnp.cross(effector - p, axis)",
        MOVES,
        "wrong way round",
    ),
    Mutant(
        "jacobian",
        "turning above",
        COLUMNS,
        COLUMNS.replace("jnp.cross(axis, effector - p).T, axis.T", "axis.T, jnp.cross(axis, effector - p).T"),
        MOVES,
        "come first",
    ),
    Mutant("jacobian", "lever from the base", "effector - p)", "0 * p + effector)", MOVES, "not at the base"),
    Mutant("jacobian", "the last link's origin", EFFECTOR, "p[arm.tip]", MOVES, "arm.effector in its frame"),
    Mutant("jacobian", "the effector's place not turned", "R[arm.tip] @ ", "", MOVES, "axes of its link"),
    Mutant("jacobian", "axes left in the links' frames", "in_base(R, arm.axis)", "arm.axis", TURNS, "own frames"),
    Mutant("jacobian", "a row for each joint", COLUMNS, COLUMNS + ".T", MOVES, "shape (5, 6)"),
    Mutant("jacobian", "velocity alone", COLUMNS, "jnp.cross(axis, effector - p).T", MOVES, "shape (3, 5)"),
]
