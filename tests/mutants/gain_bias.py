"""Known-wrong answers of module 02, with the check that must catch each and a word of what the student then reads."""

from course.mutants import Mutant

TYPES, STATE = "test_the_types_say_which_numbers_are_read", "test_an_activation_takes_the_place_of_ctrl"
PLACES, OUTSIDE = "test_places_are_looked_up", "test_none_where_the_law_does_not_hold"
EVERY, LABEL, ALMOST = (
    "test_names_every_element_of_the_engine",
    "test_the_label_does_not_count",
    "test_almost_a_preset_is_general",
)
BOTH, NOISE, CANNOT = "test_recovers_both_arrays", "test_uses_every_sample", "test_says_what_the_samples_cannot_tell"

INPUT = "data.ctrl[model.actuator_ctrladr[i]] if act < 0 else data.act[act]"
STATE_OF = "np.array([1.0, data.actuator_length[out], data.actuator_velocity[out]])"
GAIN = 'model.actuator_gainprm[i, :3] @ state if gain_type == "affine" else model.actuator_gainprm[i, 0]'
BIAS = 'model.actuator_biasprm[i, :3] @ state if bias_type == "affine" else 0.0'
KNOWN = "np.linalg.matrix_rank(np.delete(columns, j, axis=1), tol) < rank"
FIT = "np.linalg.lstsq(columns, measured)[0]"
RESIDUAL = "np.sqrt(np.mean((measured - columns @ fit) ** 2))"
NUMBERS = "[float(value) if sure else None for value, sure in zip(fit, known, strict=True)]"

MUTANTS = [
    Mutant("force", "no bias", "gain * x + bias", "gain * x", check=TYPES, says="bias is missing"),
    Mutant("force", "bias subtracted", "gain * x + bias", "gain * x - bias", check=TYPES, says="minus signs"),
    Mutant("force", "biastype ignored", BIAS, BIAS.split(" if ")[0], check=TYPES, says="biastype none"),
    Mutant("force", "gaintype ignored, one number", GAIN, GAIN.split(" else ")[1], check=TYPES, says="gaintype affine"),
    Mutant("force", "gaintype ignored, three numbers", GAIN, GAIN.split(" if ")[0], check=TYPES, says="gaintype fixed"),
    Mutant(
        "force",
        "the joint's state instead of the actuator's",
        STATE_OF,
        "np.array([1.0, data.qpos[0], data.qvel[0]])",
        check=TYPES,
        says="gear 1 only",
    ),
    Mutant(
        "force",
        "length and velocity swapped",
        STATE_OF,
        "np.array([1.0, data.actuator_velocity[out], data.actuator_length[out]])",
        check=TYPES,
        says="changed places",
    ),
    Mutant(
        "force",
        "read off the engine",
        "float(gain * x + bias)",
        "float(data.actuator_force[out])",
        check=TYPES,
        says="blank",
    ),
    Mutant(
        "force",
        "simulated again",
        "    return float(gain * x + bias)",
        "    mujoco.mj_forward(model, data)\n    return float(data.actuator_force[out])",
        check=TYPES,
        says="another state",
    ),
    Mutant("force", "activation ignored", INPUT, INPUT.split(" if ")[0], check=STATE, says="data.act"),
    Mutant(
        "force",
        "control at place i",
        "data.ctrl[model.actuator_ctrladr[i]]",
        "data.ctrl[i]",
        check=PLACES,
        says="ctrladr",
    ),
    Mutant("force", "activation at place i", "data.act[act]", "data.act[i]", check=PLACES, says="actadr"),
    Mutant("force", "length at place i", "model.actuator_outadr[i]", "i", check=PLACES, says="outadr"),
    Mutant("force", "the plugin overlooked", " or model.actuator_plugin[i] >= 0", "", check=OUTSIDE, says="plugin"),
    Mutant("force", "0 for None", "return None", "return 0.0", check=OUTSIDE, says="expected  None"),
    Mutant(
        "force",
        "only the bias type looked at",
        'gain_type not in ("fixed", "affine") or ',
        "",
        check=OUTSIDE,
        says="gain type",
    ),
    Mutant(
        "force",
        "only fixed gains taken for the law",
        '("fixed", "affine")',
        '("fixed",)',
        check=TYPES,
        says="this one is inside",
    ),
    Mutant("preset_of", "the plugin overlooked", ">= 0", ">= 99", check=EVERY, says="actuator_plugin"),
    Mutant(
        "preset_of",
        "body and joint not told apart",
        '"adhesion": on_body',
        '"adhesion": False',
        check=EVERY,
        says="body",
    ),
    Mutant("preset_of", "any gain is a motor", "g0 == 1 and not on_body", "not on_body", check=ALMOST, says="gain 1"),
    Mutant(
        "preset_of",
        "sign of the feedback",
        "target_angle = b0 == 0 and b1 == -g0",
        "target_angle = b0 == 0 and b1 == g0",
        check=EVERY,
        says="target angle",
    ),
    Mutant(
        "preset_of",
        "some feedback is enough",
        "target_angle = b0 == 0 and b1 == -g0",
        "target_angle = b0 == 0 and b1 < 0",
        check=ALMOST,
        says="feedback",
    ),
    Mutant(
        "preset_of",
        "the constant overlooked",
        "target_angle = b0 == 0 and b1 == -g0",
        "target_angle = b1 == -g0",
        check=ALMOST,
        says="all the time",
    ),
    Mutant(
        "preset_of",
        "no position feedback is a velocity servo",
        "b0 == 0 and b1 == 0 and b2 == -g0",
        "b0 == 0 and b1 == 0",
        check=ALMOST,
        says="too strong",
    ),
    Mutant("preset_of", "any affine gain is a damper", "g0 == g1 == 0", "True", check=ALMOST, says="at rest a damper"),
    Mutant(
        "preset_of",
        "an integrator is always an intvelocity",
        '"intvelocity": target_angle',
        '"intvelocity": True',
        check=ALMOST,
        says="integrator",
    ),
    Mutant(
        "preset_of",
        "believes the label",
        "target_speed = b0 == 0 and b1 == 0 and b2 == -g0",
        "target_speed = model.actuator_ctrlspec[i] == mujoco.mjtCtrlInput.mjINPUT_VEL",
        check=LABEL,
        says="label",
    ),
    Mutant(
        "preset_of",
        "goes by the types alone",
        "target_angle = b0 == 0 and b1 == -g0",
        "target_angle = True",
        check=ALMOST,
        says="so no shortcut",
    ),
    Mutant(
        "identify",
        "no products",
        "np.hstack([x[:, None] * state, state])",
        "np.hstack([np.column_stack([x, 0 * x, 0 * x]), state])",
        check=BOTH,
        says="in",
    ),
    Mutant(
        "identify",
        "bias before gain",
        "np.hstack([x[:, None] * state, state])",
        "np.hstack([state, x[:, None] * state])",
        check=BOTH,
        says="changed places",
    ),
    Mutant(
        "identify",
        "biasprm taken for what is subtracted",
        "numbers[3:]",
        "[-b for b in fit[3:]]",
        check=BOTH,
        says="sign",
    ),
    Mutant(
        "identify",
        "six samples are enough",
        FIT,
        "np.linalg.lstsq(columns[:6], measured[:6])[0]",
        check=NOISE,
        says="identify",
    ),
    Mutant("identify", "residual without the root", RESIDUAL, RESIDUAL[8:-1], check=NOISE, says="root is missing"),
    Mutant(
        "identify",
        "sum instead of mean",
        "np.mean((measured - columns @ fit) ** 2)",
        "np.sum((measured - columns @ fit) ** 2)",
        check=NOISE,
        says="not the sum",
    ),
    Mutant("identify", "always sure", KNOWN, "True", check=CANNOT, says="None"),
    Mutant(
        "identify",
        "jitter taken for motion",
        "EXCITED * np.sqrt(len(x))",
        "None",
        check=CANNOT,
        says="less than EXCITED",
    ),
    Mutant("identify", "all or nothing", KNOWN, "rank == 6", check=CANNOT, says="no other column"),
    Mutant(
        "identify",
        "a column that is not 0 is known",
        KNOWN,
        "np.sqrt(np.mean(columns[:, j] ** 2)) > EXCITED",
        check=CANNOT,
        says="expected  None",
    ),
    Mutant("identify", "0 for unknown", "else None", "else 0.0", check=CANNOT, says="None"),
    Mutant("identify", "nan for unknown", "else None", "else np.nan", check=CANNOT, says="NaN"),
]
