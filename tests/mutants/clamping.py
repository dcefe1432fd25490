"""Known-wrong answers of module 03."""

from course.mutants import Mutant

ENFORCED = "test_clamps_where_a_range_is_enforced"
SWITCH = "test_obeys_the_master_switch"
LAW = "test_gain_and_bias_without_a_clamp"
GEAR = "test_on_the_far_side_of_the_gear"
OWN = "test_each_actuator_looks_at_its_own_joint"
FORCE = "test_the_force_range_comes_before_the_gear"
SUM = "test_actuators_on_one_joint_add_up"
LAST = "test_the_joint_range_comes_last"
BOTH = "test_with_both_readings"
MEET = "test_limits_that_meet_and_limits_that_are_off"
LESS = "test_says_so_when_it_cannot_tell"

CLIPPED = "np.clip(written, low, high)"
FORCE_STAGE = "np.where(model.actuator_forcelimited, np.clip(raw, *model.actuator_forcerange.T), raw)"
GEAR_STAGE = "np.add.at(torque, model.actuator_trnid[:, 0], model.actuator_gear[:, 0] * force)"
JOINT_STAGE = "np.where(model.jnt_actfrclimited, np.clip(torque, *model.jnt_actfrcrange.T), torque)"
EACH_CLAMPED = """at = model.actuator_trnid[:, 0]
    sent = model.actuator_gear[:, 0] * force
    np.add.at(torque, at, np.where(model.jnt_actfrclimited[at], np.clip(sent, *model.jnt_actfrcrange[at].T), sent))
    return torque"""
GROWING = """for i in range(model.nu):
        j = model.actuator_trnid[i, 0]
        torque[j] += model.actuator_gear[i, 0] * force[i]
        torque[j] = np.clip(torque[j], *model.jnt_actfrcrange[j]) if model.jnt_actfrclimited[j] else torque[j]"""
FIRST_ONLY = f"""first = np.arange(model.nu) == 0
    return np.where(limited & first, {CLIPPED}, written)"""
MIXED_UP = """np.array([
        np.clip(f, *model.actuator_forcerange[j]) if model.actuator_forcelimited[j] else f
        for f, j in zip(raw, model.actuator_trnid[:, 0], strict=True)
    ])"""
GIVE_UP = """if joint_torque is None:
        return dict.fromkeys(("ctrl", "force", "joint"), "cannot tell")
    stories = []"""
BACK_THROUGH_THE_GEAR = """if actuator_force is None and joint_torque is not None:
        actuator_force = joint_torque / limits["gear"]
    stories = []"""
AT_AN_END = 'limits["joint"] is not None and any(same(torque, end) for end in limits["joint"])'

MUTANTS = [
    Mutant("used_ctrl", "nothing is clamped", CLIPPED, "written", ENFORCED, "nothing was clamped"),
    Mutant(
        "used_ctrl",
        "ctrllimited is ignored",
        f"np.where(limited, {CLIPPED}, written)",
        CLIPPED,
        ENFORCED,
        "ctrllimited",
    ),
    Mutant(
        "used_ctrl",
        "the range is taken as symmetrical",
        CLIPPED,
        "np.clip(written, -high, high)",
        ENFORCED,
        "lower end",
    ),
    Mutant("used_ctrl", "only the upper end", CLIPPED, "np.minimum(written, high)", ENFORCED, "only the upper end"),
    Mutant(
        "used_ctrl", "one range for all", "actuator_ctrlrange.T", "actuator_ctrlrange[0]", ENFORCED, "first actuator"
    ),
    Mutant(
        "used_ctrl",
        "the switch is ignored",
        " & control_clamp_on(model)",
        "",
        SWITCH,
        "control_clamp_on(model) is False",
    ),
    Mutant(
        "used_ctrl",
        "the written command is changed",
        f"return np.where(limited, {CLIPPED}, written)",
        f"written[limited] = {CLIPPED}[limited]\n    return written",
        ENFORCED,
        "argument",
    ),
    Mutant(
        "used_ctrl",
        "zero beyond the range",
        CLIPPED,
        "np.where((written < low) | (written > high), 0.0, written)",
        ENFORCED,
        "became 0",
    ),
    Mutant("used_ctrl", "the force range", "actuator_ctrlrange.T", "actuator_forcerange.T", ENFORCED, "forcerange"),
    Mutant(
        "used_ctrl",
        "only the first actuator",
        f"return np.where(limited, {CLIPPED}, written)",
        FIRST_ONLY,
        ENFORCED,
        "only the first actuator",
    ),
    Mutant(
        "used_ctrl",
        "the switch is never asked",
        "control_clamp_on(model)",
        "bool(control_clamp_on)",
        SWITCH,
        "control_clamp_on(model) is False",
    ),
    Mutant(
        "raw_force",
        "the joint's length and speed",
        "gear * q[joint], gear * qd[joint]",
        "q[joint], qd[joint]",
        GEAR,
        "stands between",
    ),
    Mutant(
        "raw_force", "the gear is forgotten for the speed", "gear * qd[joint]", "qd[joint]", GEAR, "velocity did not"
    ),
    Mutant(
        "raw_force",
        "divides by the gear",
        "gear * q[joint], gear * qd[joint]",
        "q[joint] / gear, qd[joint] / gear",
        GEAR,
        "divided",
    ),
    Mutant("raw_force", "multiplies the force too", "= law(", "= gear * law(", GEAR, "next stage"),
    Mutant(
        "raw_force",
        "the force range comes too early",
        "return raw",
        "return np.clip(raw, *model.actuator_forcerange.T)",
        LAW,
        "next stage",
    ),
    Mutant(
        "raw_force",
        "angle and speed swapped",
        "gear * q[joint], gear * qd[joint]",
        "gear * qd[joint], gear * q[joint]",
        LAW,
        "swapped",
    ),
    Mutant(
        "raw_force",
        "always the first joint",
        "joint, gear = model.actuator_trnid[i, 0],",
        "joint, gear = 0,",
        OWN,
        "joint 0",
    ),
    Mutant("raw_force", "actuator i on joint i", "model.actuator_trnid[i, 0],", "i % model.nv,", OWN, "actuator_trnid"),
    Mutant(
        "raw_force", "one gear for all", "model.actuator_gear[i, 0]", "model.actuator_gear[0, 0]", OWN, "gear was used"
    ),
    Mutant("raw_force", "one law for all", "law(model, i,", "law(model, 0,", OWN, "actuator 0 each time"),
    Mutant("raw_force", "the gear on the command", "used[i],", "gear * used[i],", GEAR, "does not touch"),
    Mutant("raw_force", "the speed is divided", "gear * qd[joint]", "qd[joint] / gear", GEAR, "velocity was divided"),
    Mutant(
        "raw_force",
        "a position servo everywhere",
        "law(model, i, used[i], gear * q[joint], gear * qd[joint])",
        "model.actuator_gainprm[i, 0] * (used[i] - gear * q[joint]) + model.actuator_biasprm[i, 2] * gear * qd[joint]",
        LAW,
        "position servo",
    ),
    Mutant("joint_torque", "no force clamp", FORCE_STAGE, "raw", FORCE, "force range was not enforced"),
    Mutant(
        "joint_torque",
        "forcelimited is ignored",
        FORCE_STAGE,
        "np.clip(raw, *model.actuator_forcerange.T)",
        FORCE,
        "forcelimited is 0",
    ),
    Mutant(
        "joint_torque",
        "the gear before the force clamp",
        FORCE_STAGE,
        "np.clip(model.actuator_gear[:, 0] * raw, *model.actuator_forcerange.T) / model.actuator_gear[:, 0]",
        FORCE,
        "actuator's own",
    ),
    Mutant("joint_torque", "no gear", "model.actuator_gear[:, 0] * force", "force", FORCE, "gear is missing"),
    Mutant(
        "joint_torque",
        "the last actuator of a joint wins",
        GEAR_STAGE,
        "torque[model.actuator_trnid[:, 0]] += model.actuator_gear[:, 0] * force",
        SUM,
        "only the last one",
    ),
    Mutant("joint_torque", "no joint clamp", JOINT_STAGE, "torque", LAST, "joint's range was not enforced"),
    Mutant(
        "joint_torque",
        "actfrclimited is ignored",
        JOINT_STAGE,
        "np.clip(torque, *model.jnt_actfrcrange.T)",
        LAST,
        "jnt_actfrclimited is 0",
    ),
    Mutant(
        "joint_torque",
        "the joint clamp on each actuator",
        GEAR_STAGE,
        EACH_CLAMPED,
        LAST,
        "not for each actuator",
    ),
    Mutant("joint_torque", "the sum is clamped while it grows", GEAR_STAGE, GROWING, LAST, "still growing"),
    Mutant(
        "joint_torque",
        "the sign of the gear is lost",
        "model.actuator_gear[:, 0] * force",
        "np.abs(model.actuator_gear[:, 0]) * force",
        FORCE,
        "sign of the gear",
    ),
    Mutant(
        "joint_torque",
        "the force range of the joint's index",
        FORCE_STAGE,
        MIXED_UP,
        SUM,
        "at the joint's index",
    ),
    Mutant(
        "joint_torque",
        "the force range is taken as symmetrical",
        "np.clip(raw, *model.actuator_forcerange.T)",
        "np.clip(raw, -model.actuator_forcerange[:, 1], model.actuator_forcerange[:, 1])",
        FORCE,
        "lower end of its own",
    ),
    Mutant("joint_torque", "one joint range for all", "jnt_actfrcrange.T", "jnt_actfrcrange[0]", LAST, "first joint"),
    Mutant("which_clamp_bit", "never in doubt", '"cannot tell" if len(told) > 1 else ', "", LESS, "cannot tell"),
    Mutant(
        "which_clamp_bit",
        "the gear is forgotten",
        "same(arriving, torque)",
        "same(force, torque)",
        BOTH,
        "gear * force fits",
    ),
    Mutant(
        "which_clamp_bit",
        "no reading taken for zero",
        "fits(joint_torque, torque)",
        "same(joint_torque or 0.0, torque)",
        LESS,
        "joint's range",
    ),
    Mutant(
        "which_clamp_bit",
        "a reading of zero taken for none",
        "fits(joint_torque, torque)",
        "(not joint_torque or same(joint_torque, torque))",
        LESS,
        "a reading of 0.0",
    ),
    Mutant(
        "which_clamp_bit",
        "the readings need not agree",
        "fits(actuator_force, force) and fits",
        "fits(actuator_force, force) or fits",
        BOTH,
        "overlooked",
    ),
    Mutant(
        "which_clamp_bit",
        "the force reading is ignored",
        "fits(actuator_force, force) and ",
        "",
        BOTH,
        "answered  force: cannot tell",
    ),
    Mutant(
        "which_clamp_bit",
        "a torque at its limit taken as proof",
        "not same(arriving, torque)",
        AT_AN_END,
        MEET,
        "so the torque is what arrived",
    ),
    Mutant(
        "which_clamp_bit",
        "only the upper end of the control range",
        'clamp(written, limits["ctrl"]) == written',
        'limits["ctrl"] is None or written <= limits["ctrl"][1]',
        BOTH,
        "outside the control range",
    ),
    Mutant(
        "which_clamp_bit",
        "gives up without readings",
        "stories = []",
        GIVE_UP,
        MEET,
        "control range",
    ),
    Mutant(
        "which_clamp_bit",
        "divides a clamped torque by the gear",
        "stories = []",
        BACK_THROUGH_THE_GEAR,
        LESS,
        "the actuator can send more",
    ),
]
