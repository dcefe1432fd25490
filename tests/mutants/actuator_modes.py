"""Known-wrong answers of module 01, with the check that must catch each and a word of what the student then reads."""

from course.mutants import Mutant

CLOCK, PATH = "test_simulates_the_time_asked", "test_ends_where_mujoco_ends"
INSIDE, LIMIT = "test_agrees_with_mujoco_at_every_step", "test_stops_at_the_limit"
FREE, BLOCKED = "test_a_free_joint_only_carries", "test_a_blocked_joint_also_pushes"

STEPS = """    for _ in range(round(seconds / model.opt.timestep)):
        mujoco.mj_step(model, data)
"""
COUNT = "round(seconds / model.opt.timestep)"
LAW = "KP * (target - q) - KV * qd"
CLIPPED = "float(np.clip(KP * (target - q) - KV * qd, -FORCE_LIMIT, FORCE_LIMIT))"
WEIGHT = "MASS * GRAVITY * LENGTH * np.sin(q)"

MUTANTS = [
    Mutant("run", "a step of 1 ms assumed", COUNT, "round(seconds * 1000)", check=CLOCK, says="steps of 1 ms"),
    Mutant("run", "one step only", COUNT, "1", check=CLOCK, says="one step: make them"),
    Mutant("run", "one step too many", COUNT, f"{COUNT} + 1", check=CLOCK, says="too many"),
    Mutant("run", "one step too few", COUNT, f"1, {COUNT}", check=CLOCK, says="too few"),
    Mutant("run", "times the step, not by it", COUNT, "int(seconds * model.opt.timestep)", check=CLOCK, says="no step"),
    Mutant("run", "seconds taken for steps", COUNT, "int(seconds)", check=CLOCK, says="number of steps"),
    Mutant("run", "forces computed, time not advanced", "mj_step", "mj_forward", check=CLOCK, says="no step was made"),
    Mutant("run", "the command is never written", "data.ctrl[0] = ctrl", "pass", check=PATH, says="as if ctrl were 0"),
    Mutant(
        "run",
        "the command is written after the steps",
        "    data.ctrl[0] = ctrl\n" + STEPS,
        STEPS + "    data.ctrl[0] = ctrl\n",
        check=PATH,
        says="before the steps",
    ),
    Mutant(
        "run",
        "the command is cleared by the loop",
        "        mujoco.mj_step(model, data)\n",
        "        mujoco.mj_step(model, data)\n        data.ctrl[:] = 0.0\n",
        check=PATH,
        says="one step only",
    ),
    Mutant(
        "run",
        "the command converted from degrees",
        "= ctrl",
        "= np.deg2rad(ctrl)",
        check=PATH,
        says="only the actuator",
    ),
    Mutant("run", "the pose set instead", "data.ctrl[0]", "data.qpos[0]", check=PATH, says="not a pose"),
    Mutant(
        "run", "the data of another model", "MjData(model)", "MjData(build(MOTOR))", check=CLOCK, says="another model"
    ),
    Mutant(
        "run",
        "new data at every step",
        "        mujoco.mj_step(model, data)\n",
        "        data = mujoco.MjData(model)\n        data.ctrl[0] = ctrl\n        mujoco.mj_step(model, data)\n",
        check=CLOCK,
        says="before the loop",
    ),
    Mutant(
        "run",
        "the model's step changed",
        STEPS,
        "    model.opt.timestep = 0.001\n" + STEPS,
        check=PATH,
        says="changed its argument",
    ),
    Mutant("run", "degrees", "= ctrl", "= np.rad2deg(ctrl)", check=PATH, says="degrees"),
    Mutant(
        "run", "a torque on the joint", "data.ctrl[0]", "data.qfrc_applied[0]", check=PATH, says="past the actuator"
    ),
    Mutant("run", "nothing returned", "return data", "del data", check=CLOCK, says="return statement"),
    Mutant("run", "one fixed command", "= ctrl", "= 1.0", check=PATH, says="qpos"),
    Mutant("run", "the angle instead of the data", "return data", "return data.qpos[0]", check=CLOCK, says="MjData"),
    Mutant("pd_force", "derivative added", "- KV * qd", "+ KV * qd", check=INSIDE, says="derivative"),
    Mutant("pd_force", "derivative forgotten", " - KV * qd", "", check=INSIDE, says="missing"),
    Mutant("pd_force", "error backwards", "(target - q)", "(q - target)", check=INSIDE, says="sign of the error"),
    Mutant("pd_force", "degrees", LAW, f"np.deg2rad({LAW})", check=INSIDE, says="already in rad"),
    Mutant(
        "pd_force", "degrees the other way", LAW, f"np.rad2deg({LAW})", check=INSIDE, says="nothing here is in degrees"
    ),
    Mutant(
        "pd_force",
        "the sides of the limit exchanged",
        "-FORCE_LIMIT, FORCE_LIMIT",
        "FORCE_LIMIT, -FORCE_LIMIT",
        check=INSIDE,
        says="lower one first",
    ),
    Mutant("pd_force", "gains exchanged", LAW, "KV * (target - q) - KP * qd", check=INSIDE, says="changed places"),
    Mutant(
        "pd_force",
        "gravity carried as well",
        LAW,
        f"{LAW} + MASS * GRAVITY * LENGTH * np.sin(q)",
        check=INSIDE,
        says="does not know gravity",
    ),
    Mutant("pd_force", "the law of <velocity>", LAW, "KV * (target - qd)", check=INSIDE, says="<velocity>"),
    Mutant("pd_force", "no limit", CLIPPED, f"float({LAW})", check=LIMIT, says="limit is missing"),
    Mutant(
        "pd_force",
        "limit on the spring only",
        CLIPPED,
        "float(np.clip(KP * (target - q), -FORCE_LIMIT, FORCE_LIMIT) - KV * qd)",
        check=LIMIT,
        says="on the sum",
    ),
    Mutant("pd_force", "no lower limit", CLIPPED, f"min({LAW}, FORCE_LIMIT)", check=LIMIT, says="limit is missing"),
    Mutant("pd_force", "speed of the target", "KV * qd", "KV * (target - qd)", check=INSIDE, says="N m"),
    Mutant("pd_force", "a variation left in", "-FORCE_LIMIT, FORCE_LIMIT", "-1.0, 1.0", check=LIMIT, says="variation"),
    Mutant(
        "explain", "the limit forgotten", "pd_force(ctrl, q, 0.0)", "KP * (ctrl - q)", check=BLOCKED, says="pd_force"
    ),
    Mutant("explain", "angle for speed", "(ctrl, q, 0.0)", "(ctrl, q, q)", check=FREE, says="at rest"),
    Mutant(
        "explain",
        "always at the limit",
        "pd_force(ctrl, q, 0.0)",
        "FORCE_LIMIT",
        check=FREE,
        says="only where the error",
    ),
    Mutant("explain", "cosine for sine", "np.sin(q)", "np.cos(q)", check=FREE, says="lever arm"),
    Mutant("explain", "the arm taken as horizontal", " * np.sin(q)", "", check=FREE, says="shrinks"),
    Mutant("explain", "the angle for its sine", "np.sin(q)", "q", check=FREE, says="q is not sin(q)"),
    Mutant("explain", "the command as a torque", "pd_force(ctrl, q, 0.0)", "ctrl", check=FREE, says="ctrl is an angle"),
    Mutant("explain", "a plain tuple", "return Balance", "return ", check=FREE, says="side by side"),
    Mutant(
        "explain",
        "gravity first",
        "Balance(actuator, float(gravity)",
        "Balance(float(gravity), actuator",
        check=BLOCKED,
        says="this is gravity",
    ),
    Mutant(
        "explain",
        "contact second",
        "float(gravity), float(actuator - gravity)",
        "float(actuator - gravity), float(gravity)",
        check=BLOCKED,
        says="this is the contact",
    ),
    Mutant(
        "explain",
        "a free arm simulated instead",
        "pd_force(ctrl, q, 0.0)",
        "run(build(POSITION), ctrl, 6.0).actuator_force[0]",
        check=BLOCKED,
        says="a free arm",
    ),
    Mutant(
        "explain",
        "never negative",
        "float(actuator - gravity)",
        "max(0.0, actuator - gravity)",
        check=BLOCKED,
        says="may be negative",
    ),
    Mutant(
        "explain",
        "the sign lost",
        "float(actuator - gravity)",
        "abs(actuator - gravity)",
        check=BLOCKED,
        says="keeps its sign",
    ),
    Mutant("explain", "sine of degrees", "np.sin(q)", "np.sin(np.deg2rad(q))", check=FREE, says="radians"),
    Mutant(
        "explain", "gravity at the commanded angle", "np.sin(q)", "np.sin(ctrl)", check=FREE, says="where the arm is"
    ),
    Mutant("explain", "gravity with its own sign", WEIGHT, f"-{WEIGHT}", check=FREE, says="spends"),
    Mutant("explain", "a force for a torque", " * LENGTH", "", check=FREE, says="times an arm"),
    Mutant(
        "explain", "sum for difference", "actuator - gravity", "actuator + gravity", check=BLOCKED, says="difference"
    ),
    Mutant(
        "explain", "push on the arm", "actuator - gravity", "gravity - actuator", check=BLOCKED, says="pushes it back"
    ),
    Mutant("explain", "all of it pushes", "actuator - gravity", "actuator", check=BLOCKED, says="carries the bob"),
    Mutant(
        "explain", "nothing ever touches", "float(actuator - gravity)", "0.0", check=BLOCKED, says="taking the rest"
    ),
    Mutant(
        "explain",
        "contact only at the limit",
        "float(actuator - gravity)",
        "float(actuator - gravity) if abs(actuator) == FORCE_LIMIT else 0.0",
        check=BLOCKED,
        says="taking the rest",
    ),
]
