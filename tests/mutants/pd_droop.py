"""Known-wrong answers of module 04, with the check that must catch each and a word of what the student then reads."""

from course.mutants import Mutant

BALANCE, SETTLED = "test_balances_gravity", "test_rests_where_mujoco_rests"
SOFT = "test_finds_the_rest_of_a_soft_servo"
MUJOCO, WINDUP, UNWIND = "test_agrees_with_the_pid_of_mujoco", "test_does_not_wind_up", "test_comes_down_again"
LIFTED = "test_rises_and_stays_when_it_is_let_go"
ANGLE, GONE = "test_asks_for_gravity_as_an_angle", "test_the_droop_is_gone"
TWO, ONE = "test_a_weak_motor_has_two_intervals", "test_a_strong_motor_has_one"
UNEVEN, SIGN = "test_heat_of_an_uneven_record", "test_heat_has_no_sign"

SEARCH = """    low, high = -np.pi, np.pi
    for _ in range(60):
        q = (low + high) / 2
        if kp * (target - q) > peak * np.sin(q):  # the servo is still stronger than gravity: rest lies above
            low = q
        else:
            high = q
    return target - q
"""
TICK = """    tau = min(max(wanted, -limit), limit)
    if tau == wanted or error * wanted < 0:
        integral = integral + error * dt
"""
QUESTION = "    if tau == wanted or error * wanted < 0:\n"
FORWARD = "    mujoco.mj_forward(model, data)\n"
ANSWER = "target + data.qfrc_bias[0] / model.actuator_gainprm[0, 0]"
OLD_DROOP = (
    "target + droop(model.actuator_gainprm[0, 0], "
    "abs(model.body_mass[1] * model.opt.gravity[2] * model.body_ipos[1, 2]), target)"
)
GENERATOR = "(pair for pair in [(0.0, edge), (np.pi - edge, np.pi)])"
PAIR = "[(0.0, edge), (np.pi - edge, np.pi)]"
STRONG = "    if limit >= peak:\n        return [(0.0, np.pi)]\n"
POWER = 'power = R * (np.asarray(trace["tau"]) / Kt) ** 2'
TOTAL = 'float(np.trapezoid(power, trace["t"]))'

FIXED_POINT = """    q = target
    for _ in range(60):
        q = target - peak * np.sin(q) / kp
    return target - q
"""

MUTANTS = [
    Mutant(
        "droop",
        "the resting angle instead of the droop",
        "return target - q",
        "return q",
        BALANCE,
        "at which the arm rests",
    ),
    Mutant("droop", "the sign turned", "return target - q", "return q - target", BALANCE, "q - target"),
    Mutant("droop", "gravity at the target", SEARCH, "    return peak * np.sin(target) / kp\n", BALANCE, "hangs lower"),
    Mutant("droop", "every target is level", SEARCH, "    return peak / kp\n", BALANCE, "whatever the target"),
    Mutant("droop", "sin q taken for q", "peak * np.sin(q):", "peak * q:", BALANCE, "small angles"),
    Mutant("droop", "degrees", "return target - q", "return np.degrees(target - q)", BALANCE, "degrees"),
    Mutant("droop", "a fixed point that jumps", SEARCH, FIXED_POINT, SOFT, "never settles"),
    Mutant("droop", "one side only", "-np.pi, np.pi", "0.0, np.pi", BALANCE, "below 0"),
    Mutant("droop", "one side only, soft", "-np.pi, np.pi", "0.0, np.pi", SOFT, "below 0"),
    Mutant("droop", "the other half kept", "> peak", "< peak", BALANCE, "wrong half"),
    Mutant("droop", "the other half kept, soft", "> peak", "< peak", SOFT, "wrong half"),
    Mutant("droop", "stopped early", "range(60)", "range(14)", BALANCE, "early"),
    Mutant("droop", "cosine", "np.sin(q):", "np.cos(q):", BALANCE, "sine of q"),
    Mutant("droop", "the size only", "return target - q", "return abs(target - q)", BALANCE, "the other way"),
    Mutant(
        "droop", "clipped to the limit", "kp * (target - q) >", "min(kp * (target - q), LIMIT) >", BALANCE, "no part"
    ),
    Mutant("droop", "the lesson's kp", "kp * (target - q)", "KP * (target - q)", BALANCE, "kp is an argument"),
    Mutant("droop", "the lesson's kp, soft", "kp * (target - q)", "KP * (target - q)", SOFT, "kp is an argument"),
    Mutant("droop", "gravity of the lesson's bob", "peak * np.sin(q):", "PEAK * np.sin(q):", SETTLED, "peak is an arg"),
    Mutant("pid_step", "derivative added", "- kv * qd", "+ kv * qd", MUJOCO, "backwards"),
    Mutant("pid_step", "no integral in the torque", " + ki * integral", "", MUJOCO, "comes in is not used"),
    Mutant("pid_step", "ki forgotten", "ki * integral", "integral", MUJOCO, "ki is missing"),
    Mutant("pid_step", "dt in the derivative", "kv * qd", "kv * qd * dt", MUJOCO, "so no dt"),
    Mutant("pid_step", "the lesson's time step", "error * dt", "error * DT", MUJOCO, "dt is an argument"),
    Mutant("pid_step", "the torque alone", "tau, integral\n", "tau\n", MUJOCO, "returned as well"),
    Mutant("pid_step", "a dict", "tau, integral\n", '{"tau": tau, "integral": integral}\n', MUJOCO, "two numbers"),
    Mutant("pid_step", "winds up on one side", QUESTION, "    if wanted <= limit or error < 0:\n", WINDUP, "winds up"),
    Mutant("pid_step", "the rule backwards", "error * wanted < 0", "error * wanted > 0", UNWIND, "stuck"),
    Mutant("pid_step", "the torque before the clip", "tau, integral\n", "wanted, integral\n", UNWIND, "not clipped"),
    Mutant("pid_step", "dt forgotten", "error * dt", "error", MUJOCO, "dt is missing"),
    Mutant("pid_step", "integral advanced first", "ki * integral ", "ki * (integral + error * dt) ", MUJOCO, "first"),
    Mutant("pid_step", "gains of the lesson", "kp * error", "KP * error", MUJOCO, "torque"),
    Mutant("pid_step", "returned in the other order", "tau, integral\n", "integral, tau\n", MUJOCO, "other order"),
    Mutant("pid_step", "no anti-windup", QUESTION, "    if True:\n", WINDUP, "winds up"),
    Mutant("pid_step", "no anti-windup, seen from outside", QUESTION, "    if True:\n", LIFTED, "lurches"),
    Mutant("pid_step", "no clip", "min(max(wanted, -limit), limit)", "wanted", WINDUP, "not clipped"),
    Mutant(
        "pid_step", "clipped to the lesson's limit", "-limit), limit)", "-LIMIT), LIMIT)", WINDUP, "top of the file"
    ),
    Mutant(
        "pid_step",
        "clipped on one side",
        "min(max(wanted, -limit), limit)",
        "min(wanted, limit)",
        WINDUP,
        "not clipped",
    ),
    Mutant("pid_step", "asks only for the sign of the error", "error * wanted < 0", "error < 0", WINDUP, "winds up"),
    Mutant("pid_step", "frozen whenever clipped", " or error * wanted < 0", "", UNWIND, "stuck"),
    Mutant("pid_step", "emptied when clipped", TICK, TICK + "    else:\n        integral = 0.0\n", WINDUP, "emptied"),
    Mutant(
        "pid_step",
        "the integral is clipped instead",
        QUESTION + "        integral = integral + error * dt\n",
        "    integral = min(max(integral + error * dt, -limit / ki), limit / ki)\n",
        WINDUP,
        "integral",
    ),
    Mutant("pid_step", "never integrates", "integral = integral + error * dt", "pass", LIFTED, "droop"),
    Mutant("gravity_feedforward", "wrong sign", "target + data", "target - data", ANGLE, "wrong sign"),
    Mutant("gravity_feedforward", "the old droop", ANSWER, OLD_DROOP, ANGLE, "old droop"),
    Mutant(
        "gravity_feedforward", "the lesson's arm", ANSWER, "target + PEAK * np.sin(target) / KP", ANGLE, "lesson's arm"
    ),
    Mutant("gravity_feedforward", "degrees", "] = target\n", "] = np.degrees(target)\n", ANGLE, "in rad"),
    Mutant("gravity_feedforward", "no mj_forward", FORWARD, "", ANGLE, "mj_forward"),
    Mutant("gravity_feedforward", "forces of the hanging arm", "    data.qpos[0] = target\n", "", ANGLE, "mj_forward"),
    Mutant(
        "gravity_feedforward", "torque added to an angle", " / model.actuator_gainprm[0, 0]", "", ANGLE, "divide by kp"
    ),
    Mutant("gravity_feedforward", "correction alone", "target + data", "data", ANGLE, "correction alone"),
    Mutant("gravity_feedforward", "a torque", ANSWER, "data.qfrc_bias[0]", ANGLE, "takes an angle"),
    Mutant("gravity_feedforward", "the lesson's kp", "model.actuator_gainprm[0, 0]", "KP", ANGLE, "kp is in the model"),
    Mutant(
        "gravity_feedforward", "the lesson's bob", "data.qfrc_bias[0]", "PEAK * np.sin(target)", ANGLE, "lesson's bob"
    ),
    Mutant(
        "gravity_feedforward",
        "the bias gain, which is -kp",
        "model.actuator_gainprm[0, 0]",
        "model.actuator_biasprm[0, 1]",
        GONE,
        "settle",
    ),
    Mutant("holdable_angles", "lower interval only", PAIR, "[(0.0, edge)]", TWO, "near the top"),
    Mutant(
        "holdable_angles",
        "degrees",
        "edge = np.arcsin(limit / peak)",
        "edge = np.degrees(np.arcsin(limit / peak))",
        TWO,
        "expected",
    ),
    Mutant(
        "holdable_angles", "all in degrees", PAIR, "np.degrees([(0.0, edge), (np.pi - edge, np.pi)])", TWO, "radians"
    ),
    Mutant("holdable_angles", "descending", PAIR, "[(np.pi - edge, np.pi), (0.0, edge)]", TWO, "ascend"),
    Mutant("holdable_angles", "high before low", PAIR, "[(0.0, edge), (np.pi, np.pi - edge)]", TWO, "lower end"),
    Mutant("holdable_angles", "the whole turn", PAIR, "[(-edge, edge), (np.pi - edge, np.pi)]", TWO, "0 to pi only"),
    Mutant("holdable_angles", "the middle", PAIR, "[(edge, np.pi - edge)]", TWO, "cannot hold"),
    Mutant("holdable_angles", "the edge alone", PAIR, "edge", TWO, "two ends"),
    Mutant(
        "holdable_angles", "no sine", "np.arcsin(limit / peak)", "limit / peak * np.pi / 2", TWO, "not with the angle"
    ),
    Mutant("holdable_angles", "a bare pair", "return [(0.0, np.pi)]", "return (0.0, np.pi)", ONE, "in a list, too"),
    Mutant("holdable_angles", "equal is not enough", "limit >= peak", "limit > peak", ONE, "touch"),
    Mutant("holdable_angles", "the lesson's limit", "limit >= peak", "LIMIT >= peak", TWO, "both are arguments"),
    Mutant("holdable_angles", "cosine", "np.arcsin", "np.arccos", TWO, "cosine"),
    Mutant("holdable_angles", "turned, not mirrored", "np.pi - edge", "np.pi / 2 + edge", TWO, "mirror"),
    Mutant("holdable_angles", "the lesson's bob", "limit / peak", "limit / PEAK", TWO, "argument"),
    Mutant("holdable_angles", "compared with the lesson's bob", "limit >= peak", "limit >= PEAK", TWO, "both are arg"),
    Mutant("holdable_angles", "a generator", PAIR, GENERATOR, TWO, "generator"),
    Mutant("holdable_angles", "nothing for the strong", "return [(0.0, np.pi)]", "return None", ONE, "branch"),
    Mutant(
        "holdable_angles", "what it cannot hold", PAIR, "[(edge, np.pi / 2), (np.pi / 2, np.pi - edge)]", TWO, "cannot"
    ),
    Mutant(
        "holdable_angles",
        "two halves for a strong motor",
        STRONG,
        "    limit = min(limit, peak)\n",
        ONE,
        "one interval",
    ),
    Mutant("holdable_angles", "no strong motor", STRONG, "", ONE, "beyond 1"),
    Mutant("stall_heat", "the power at every sample", TOTAL, "power", UNEVEN, "one number"),
    Mutant("stall_heat", "no times", TOTAL, "float(np.trapezoid(power))", UNEVEN, "times are missing"),
    Mutant("stall_heat", "times first", TOTAL, 'float(np.trapezoid(trace["t"], power))', UNEVEN, "values first"),
    Mutant("stall_heat", "R squared", POWER, 'power = (R * np.asarray(trace["tau"]) / Kt) ** 2', UNEVEN, "not R"),
    Mutant("stall_heat", "the lesson's time step", TOTAL, "float(np.sum(power) * DT)", UNEVEN, "0.001 s"),
    Mutant("stall_heat", "a constant", TOTAL, "1.0", UNEVEN, "expected"),
    Mutant(
        "stall_heat",
        "summed, then squared",
        TOTAL,
        'float(R * np.trapezoid(trace["tau"] / Kt, trace["t"]) ** 2)',
        UNEVEN,
        "summed before it was squared",
    ),
    Mutant(
        "stall_heat",
        "mean of the samples",
        TOTAL,
        'float(np.mean(power) * (trace["t"][-1] - trace["t"][0]))',
        UNEVEN,
        "equally far",
    ),
    Mutant(
        "stall_heat",
        "first time step for all",
        TOTAL,
        'float(np.sum(power) * (trace["t"][1] - trace["t"][0]))',
        UNEVEN,
        "expected",
    ),
    Mutant(
        "stall_heat",
        "averaged, then squared",
        POWER,
        'power = 0 * trace["t"] + R * (np.trapezoid(trace["tau"], trace["t"]) / np.ptp(trace["t"]) / Kt) ** 2',
        UNEVEN,
        "before it was squared",
    ),
    Mutant("stall_heat", "torque times Kt", '["tau"]) / Kt', '["tau"]) * Kt', UNEVEN, "not torque * Kt"),
    Mutant("stall_heat", "Kt ignored", " / Kt", "", UNEVEN, "Kt was not used"),
    Mutant(
        "stall_heat",
        "current not squared",
        POWER,
        'power = R * np.abs(trace["tau"]) / Kt',
        UNEVEN,
        "must be squared",
    ),
    Mutant("stall_heat", "no resistance", "power = R * ", "power = ", UNEVEN, "resistance is missing"),
    Mutant(
        "stall_heat",
        "the constants of the file",
        'R * (np.asarray(trace["tau"]) / Kt)',
        '2.75 * (np.asarray(trace["tau"]) / KT)',
        UNEVEN,
        "arguments",
    ),
    Mutant(
        "stall_heat",
        "power instead of heat",
        TOTAL,
        'float(np.trapezoid(power, trace["t"]) / np.ptp(trace["t"]))',
        UNEVEN,
        "power",
    ),
    Mutant("stall_heat", "a sign kept", "** 2", '** 2 * np.sign(trace["tau"])', SIGN, "no sign"),
    Mutant(
        "stall_heat", "the record starts at 0", TOTAL, 'float(np.mean(power) * trace["t"][-1])', SIGN, "start at t = 0"
    ),
]
