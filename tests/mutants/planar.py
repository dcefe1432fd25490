"""Known-wrong answers of module 06, with the check that must catch each and a word of what the student then reads."""

from course.mutants import Mutant

MATRIX, PUSH = "test_agrees_with_the_mass_matrix_of_mujoco", "test_a_push_accelerates_both_joints"
BIAS, HELD = "test_agrees_with_the_bias_forces_of_mujoco", "test_one_joint_moves_and_the_other_feels_it"
TWO, THREE = "test_two_links_agree_with_the_inverse_dynamics_of_mujoco", "test_three_links_need_no_new_line"
MEAN, SLOPE = "test_is_the_mean_square_over_all_rows_and_joints", "test_its_derivative_tells_the_payload"

M = "np.array([[2 * shoulder, mixed], [mixed, 2 * elbow]])"
MIXED = "both - shoulder - elbow"
SHAPE = "np.array([[2.0, 1.0], [1.0, 0.0]])"
SECOND = "np.array([0.0, qd @ slope @ qd / 2])"
CORIOLIS = f"qd[1] * slope @ qd - {SECOND}"
NUMERIC = """    h = 1e-6
    slope = (mass_matrix(arm, q + [0, h]) - mass_matrix(arm, q - [0, h])) / (2 * h)
"""
SLOPE_LINE = f"    slope = -arm.mass[1] * arm.length[0] * arm.centre[1] * np.sin(q[1]) * {SHAPE}\n"
CHANGE = "_, change = jax.jvp(lambda q, qd: momentum(arm, q, qd), (q, qd), (qd, qdd))"
LAGRANGE = "change - force(arm, q, qd)"
SINGLE = "*jax.tree.map(jnp.float32, (arm, q, qd))"
ERROR = '(every_row(arm, log["q"], log["qd"], log["qdd"]) - log["tau"])'
MISFIT = f"jnp.mean({ERROR} ** 2)"

MUTANTS = [
    Mutant(
        "mass_matrix", "the half forgotten", M, "np.array([[shoulder, mixed / 2], [mixed / 2, elbow]])", MATRIX, "HALF"
    ),
    Mutant(
        "mass_matrix",
        "the half forgotten, pushed",
        M,
        "np.array([[shoulder, mixed / 2], [mixed / 2, elbow]])",
        PUSH,
        "HALF",
    ),
    Mutant(
        "mass_matrix",
        "the half forgotten on the diagonal",
        M,
        "np.array([[shoulder, mixed], [mixed, elbow]])",
        MATRIX,
        "diagonal",
    ),
    Mutant("mass_matrix", "the half on the other side", MIXED, f"2 * ({MIXED})", MATRIX, "stands twice"),
    Mutant("mass_matrix", "nothing taken away", MIXED, "both", MATRIX, "take them away"),
    Mutant("mass_matrix", "one entry taken away", MIXED, "both - shoulder", MATRIX, "BOTH"),
    Mutant("mass_matrix", "whole entries taken away", MIXED, "both - 2 * shoulder - 2 * elbow", MATRIX, "half of each"),
    Mutant("mass_matrix", "the diagonal alone", MIXED, f"0 * ({MIXED})", MATRIX, "not zero"),
    Mutant("mass_matrix", "the diagonal alone, pushed", MIXED, f"0 * ({MIXED})", PUSH, "not zero"),
    Mutant("mass_matrix", "a sign", "[1.0, 1.0])", "[1.0, -1.0])", MATRIX, "sign of the off-diagonal"),
    Mutant(
        "mass_matrix",
        "joints exchanged",
        M,
        "np.array([[2 * elbow, mixed], [mixed, 2 * shoulder]])",
        MATRIX,
        "exchanged",
    ),
    Mutant(
        "mass_matrix", "half of the matrix", M, "np.array([[2 * shoulder, mixed], [0, 2 * elbow]])", MATRIX, "symmetric"
    ),
    Mutant("mass_matrix", "the whole energy", "np.array(qd))[0] for", "np.array(qd)) for", MATRIX, "tuple"),
    Mutant("mass_matrix", "the potential energy", "np.array(qd))[0]", "np.array(qd))[1]", MATRIX, "kinetic one alone"),
    Mutant(
        "mass_matrix",
        "the sum of the energies",
        "energies(arm, q, np.array(qd))[0]",
        "sum(energies(arm, q, np.array(qd)))",
        MATRIX,
        "kinetic one alone",
    ),
    Mutant("mass_matrix", "the lesson's arm", "energies(arm,", "energies(ARM,", MATRIX, "arm is an argument"),
    Mutant("mass_matrix", "hanging down", "energies(arm, q,", "energies(arm, 0 * q,", MATRIX, "q is an argument"),
    Mutant("mass_matrix", "a list of numbers", M, "[2 * shoulder, mixed, 2 * elbow]", MATRIX, "(2, 2)"),
    Mutant("coriolis", "the first term alone", f" - {SECOND}", "", BIAS, "that term is missing"),
    Mutant("coriolis", "the first term alone, held", f" - {SECOND}", "", HELD, "in a circle"),
    Mutant("coriolis", "the second term alone", CORIOLIS, f"-{SECOND}", BIAS, "Mdot qd is missing"),
    Mutant("coriolis", "the second term added", f"- {SECOND}", f"+ {SECOND}", BIAS, "takes it away"),
    Mutant(
        "coriolis", "the second term at the shoulder", SECOND, "np.array([qd @ slope @ qd / 2, 0.0])", BIAS, "ELBOW's"
    ),
    Mutant("coriolis", "the second term at both", SECOND, "qd @ slope @ qd / 2", BIAS, "both joints"),
    Mutant("coriolis", "the half forgotten", " / 2])", "])", BIAS, "half"),
    Mutant("coriolis", "the sign of the cosine's slope", "-arm.mass", "arm.mass", BIAS, "-sin"),
    Mutant("coriolis", "the sign, held", "-arm.mass", "arm.mass", HELD, "-sin"),
    Mutant(
        "coriolis",
        "not differentiated",
        "-arm.mass[1] * arm.length[0] * arm.centre[1] * np.sin",
        "arm.mass[1] * arm.length[0] * arm.centre[1] * np.cos",
        BIAS,
        "the sine",
    ),
    Mutant("coriolis", "the shoulder's angle", "np.sin(q[1])", "np.sin(q[0])", BIAS, "elbow's angle"),
    Mutant("coriolis", "the forearm's angle in space", "np.sin(q[1])", "np.sin(q[0] + q[1])", BIAS, "counted from"),
    Mutant("coriolis", "the shoulder's speed", "qd[1] * slope", "qd[0] * slope", BIAS, "fast as the elbow"),
    Mutant("coriolis", "no speed", "qd[1] * slope @ qd", "slope @ qd", BIAS, "not yet Mdot"),
    Mutant("coriolis", "the first entry", "[[2.0, 1.0]", "[[1.0, 1.0]", BIAS, "twice in the first"),
    Mutant("coriolis", "the last entry", "[1.0, 0.0]])", "[1.0, 1.0]])", BIAS, "last entry"),
    Mutant("coriolis", "the forearm's length", "arm.length[0]", "arm.length[1]", BIAS, "upper arm's"),
    Mutant("coriolis", "the upper arm's centre", "arm.centre[1]", "arm.centre[0]", BIAS, "arm.centre[1]"),
    Mutant("coriolis", "the upper arm's mass", "arm.mass[1]", "arm.mass[0]", HELD, "arm.mass[1]"),
    Mutant("coriolis", "gravity with it", CORIOLIS, f"{CORIOLIS} + gravity(arm, q)", BIAS, "own function"),
    Mutant(
        "coriolis",
        "the lesson's arm",
        "-arm.mass[1] * arm.length[0] * arm.centre[1]",
        "-ARM.mass[1] * ARM.length[0] * ARM.centre[1]",
        BIAS,
        "arm is an argument",
    ),
    Mutant("coriolis", "a difference quotient", SLOPE_LINE, NUMERIC, BIAS, "difference quotient"),
    Mutant("torques", "the momentum's change alone", LAGRANGE, "change", TWO, "dL/dq is missing"),
    Mutant("torques", "a sign", LAGRANGE, "change + force(arm, q, qd)", TWO, "takes it away"),
    Mutant("torques", "dL/dq alone", LAGRANGE, "-force(arm, q, qd)", TWO, "is missing"),
    Mutant("torques", "the angles stand still", "(qd, qdd))", "(0 * qd, qdd))", TWO, "q moves at qd"),
    Mutant("torques", "nothing accelerates", "(qd, qdd))", "(qd, 0 * qdd))", TWO, "qd moves at qdd"),
    Mutant("torques", "the direction turned round", "(qd, qdd))", "(qdd, qd))", TWO, "turned round"),
    Mutant("torques", "the place as direction", "(qd, qdd))", "(q, qdd))", TWO, "not by itself"),
    Mutant("torques", "the momentum itself", "_, change", "change, _", TWO, "not differentiated by time"),
    Mutant(
        "torques",
        "the angles exchanged",
        "argnums=2), jax.grad(lagrangian, argnums=1)",
        "argnums=1), jax.grad(lagrangian, argnums=2)",
        TWO,
        "derivatives are exchanged",
    ),
    Mutant("torques", "the whole sign", LAGRANGE, f"-({LAGRANGE})", TWO, "wrong sign"),
    Mutant("torques", "the whole sign, three links", LAGRANGE, f"-({LAGRANGE})", THREE, "wrong sign"),
    Mutant("torques", "the lesson's arm", "momentum(arm, q, qd)", "momentum(ARM, q, qd)", TWO, "answered"),
    Mutant(
        "torques",
        "the lesson's arm throughout",
        "momentum, force =",
        "arm = ARM\n    momentum, force =",
        TWO,
        "arm is an argument",
    ),
    Mutant(
        "torques",
        "without gravity",
        LAGRANGE,
        f"{LAGRANGE} - jax.grad(potential, argnums=1)(arm, q)",
        TWO,
        "gravity is missing",
    ),
    Mutant("torques", "32 bits", f"return {LAGRANGE}", f"return jnp.float32({LAGRANGE})", TWO, "32 bits"),
    Mutant("torques", "two links", LAGRANGE, f"({LAGRANGE})[:2]", THREE, "(3,)"),
    Mutant("torques", "NumPy inside", LAGRANGE, f"np.array({LAGRANGE})", TWO, "use jnp, not np"),
    Mutant("misfit", "the sum", "jnp.mean(", "jnp.sum(", MEAN, "the sum was taken"),
    Mutant("misfit", "the sum, with its slope", "jnp.mean(", "jnp.sum(", SLOPE, "the sum was taken"),
    Mutant(
        "misfit", "the sum over the joints", MISFIT, f"jnp.mean(jnp.sum({ERROR} ** 2, axis=1))", MEAN, "over the joints"
    ),
    Mutant("misfit", "the root", MISFIT, f"jnp.sqrt({MISFIT})", MEAN, "root"),
    Mutant("misfit", "no square", " ** 2)", ")", MEAN, "cancel"),
    Mutant("misfit", "the sizes", MISFIT, f"jnp.mean(jnp.abs({ERROR}))", MEAN, "square the errors"),
    Mutant("misfit", "the mean first", MISFIT, f"jnp.mean({ERROR}) ** 2", MEAN, "before the square"),
    Mutant("misfit", "a mean for each joint", " ** 2)", " ** 2, axis=0)", MEAN, "over the joints is missing"),
    Mutant("misfit", "no mean at all", MISFIT, f"{ERROR} ** 2", MEAN, "mean is missing"),
    Mutant("misfit", "the measured torques forgotten", ' - log["tau"]', "", MEAN, "not taken away"),
    Mutant("misfit", "the torques added", '- log["tau"]', '+ log["tau"]', MEAN, "added"),
    Mutant("misfit", "the lesson's arm", "every_row(arm,", "every_row(ARM,", MEAN, "arm is an argument"),
    Mutant("misfit", "the lesson's arm, with its slope", "every_row(arm,", "every_row(ARM,", SLOPE, "depend on arm"),
    Mutant(
        "misfit",
        "speeds and accelerations exchanged",
        'log["qd"], log["qdd"]',
        'log["qdd"], log["qd"]',
        MEAN,
        "exchanged",
    ),
    Mutant("misfit", "a row for each arm", "in_axes=(None, 0, 0, 0)", "in_axes=0", MEAN, "vmap"),
    Mutant("misfit", "a Python number", MISFIT, f"float({MISFIT})", MEAN, "float"),
    Mutant("misfit", "the first row", MISFIT, f"jnp.mean({ERROR}[0] ** 2)", MEAN, "first row"),
    Mutant("misfit", "half of it", MISFIT, f"{MISFIT} / 2", MEAN, "half"),
]
