"""Checks of module 03, stage by stage. The judge is MuJoCo with every other stage of the same model taken out."""

import copy

import mujoco
import numpy as np

from bench.pendulum import build
from course.testing import agree, check, exercise, fields, text, wrong

ex = exercise("clamping")

TOL = 1e-9  # rounding over these sizes stays below 1e-13
GENERAL = '<general joint="{}" biastype="affine"/>'
ARM = """
<mujoco>
  <worldbody>
    <body>
      <joint name="shoulder" axis="0 -1 0"/>
      <geom size="0.03" mass="0.5" pos="0 0 -0.4"/>
      <body pos="0 0 -0.4">
        <joint name="elbow" axis="0 -1 0"/>
        <geom size="0.03" mass="0.5" pos="0 0 -0.3"/>
      </body>
    </body>
  </worldbody>
  <actuator>{}</actuator>
</mujoco>
"""
BARE = mujoco.MjModel.from_xml_string(
    ARM.format("".join(GENERAL.format(name) for name in ("elbow", "shoulder", "elbow", "shoulder")))
)
ONE = build(GENERAL.format("hinge"))
NAMES = ("ctrl", "force", "joint")


def ranges(rng, n, reach):
    """n ranges around zero, not symmetrical."""
    return np.stack([-rng.uniform(0.3, 1.0, n), rng.uniform(0.3, 1.0, n)], axis=1) * reach


def dressed(rng, bare=BARE):
    """A copy of this model with a random law, gear and range everywhere; no clamp is on yet."""
    model = copy.copy(bare)
    model.actuator_gainprm[:, 0] = rng.uniform(2.0, 9.0, model.nu)
    model.actuator_biasprm[:, :3] = rng.uniform(-4.0, 4.0, (model.nu, 3))
    model.actuator_gear[:, 0] = rng.uniform(1.5, 4.0, model.nu) * rng.choice([-1.0, 1.0], model.nu)
    model.actuator_ctrlrange[:] = ranges(rng, model.nu, 3.0)
    model.actuator_forcerange[:] = ranges(rng, model.nu, 4.0)
    model.jnt_actfrcrange[:] = ranges(rng, model.njnt, 8.0)
    for limited in (model.actuator_ctrllimited, model.actuator_forcelimited, model.jnt_actfrclimited):
        limited[:] = False
    return model


def mujoco_says(model, ctrl, q=0.0, qd=0.0):
    """MuJoCo's own forces for this command and state."""
    data = mujoco.MjData(model)
    data.ctrl[:], data.qpos[:], data.qvel[:] = ctrl, q, qd
    mujoco.mj_forward(model, data)
    return data


def passing(model):
    """The same model with motors that hand their command on unchanged: it shows what enters the force clamp."""
    motors = copy.copy(model)
    motors.actuator_gainprm[:, 0], motors.actuator_biasprm[:] = 1.0, 0.0
    return motors


def short(values):
    """These numbers in one line."""
    return "[" + ", ".join(f"{x:.4g}" for x in values) + "]"


def spans(pairs, enforced):
    """These ranges in one line; those that nobody enforces are marked."""
    texts = (
        f"{low:.4g} to {high:.4g}{'' if on else ' (off)'}" for (low, high), on in zip(pairs, enforced, strict=True)
    )
    return "[" + ", ".join(texts) + "]"


# ---- used_ctrl ----


def asked_used(model, written):
    on, where = short(model.actuator_ctrllimited.astype(int)), spans(model.actuator_ctrlrange, [True] * model.nu)
    return f"used_ctrl(model, written={short(written)}), ctrllimited {on}, ctrlrange {where}"


def offsets(rng, enforced):
    """How far from the middle of its range each command lies. Of those that are clamped, one is above and one below."""
    if all(enforced):
        return np.array([rng.choice([-99.0, 99.0]), *rng.permutation([0.1, 5.0, -9.0])])  # one is inside its range
    far = rng.permutation([5.0, 9.0, 20.0, 99.0]) * rng.choice([-1, 1], 4)
    one, other = np.flatnonzero(enforced)
    far[other] = -np.sign(far[one]) * abs(far[other])
    return far


@check(todo="used_ctrl", points=2)
def test_clamps_where_a_range_is_enforced(rng):
    """Your command against the one that MuJoCo multiplies by the gain. Some ranges are written down, not enforced."""
    for enforced in ([1, 1, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]):
        model = dressed(rng)
        model.actuator_ctrllimited[:] = enforced
        model.actuator_ctrlrange[2] += 4.0  # a range need not contain zero
        written = model.actuator_ctrlrange.mean(axis=1) + offsets(rng, enforced)
        if not enforced[1]:
            model.actuator_ctrlrange[1] = 0.0  # what MuJoCo stores where no ctrlrange was given
        low, high = model.actuator_ctrlrange.T

        def clamped(least, most, written=written, enforced=enforced):
            return np.where(enforced, np.minimum(np.maximum(written, least), most), written)

        first = clamped(low, high).copy()
        first[1:] = written[1:]
        beyond = np.array(enforced, bool) & ((written < low) | (written > high))
        agree(
            asked_used(model, written),
            ex.used_ctrl(model, written),
            mujoco_says(passing(model), written).actuator_force,
            tol=TOL,
            slips={
                "nothing was clamped": written,
                "only the first actuator was clamped; if there is a loop, is the return inside it?": first,
                "every range was enforced, also where ctrllimited is 0": np.clip(written, low, high),
                "a command beyond its range became 0, but a clamp moves it to the nearer end": np.where(
                    beyond, 0.0, written
                ),
                "actuator_forcerange was used; a command has actuator_ctrlrange": clamped(*model.actuator_forcerange.T),
                "only the upper end was enforced": clamped(-np.inf, high),
                "only the lower end was enforced": clamped(low, np.inf),
                "the range was taken as -high to +high, but it has a lower end of its own": clamped(-high, high),
                "the first actuator's range was used for all of them": clamped(low[0], high[0]),
            },
        )


@check(todo="used_ctrl", points=1)
def test_obeys_the_master_switch(rng):
    """<flag clampctrl="disable"/> switches the control clamp of every actuator off."""
    for off in rng.permutation([True, True, False]):
        model = dressed(rng)
        model.actuator_ctrllimited[:] = True
        if off:
            model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL
        written = rng.uniform(5.0, 20.0, 4) * rng.choice([-1, 1], 4)
        agree(
            f"clampctrl {'disabled' if off else 'enabled'}, " + asked_used(model, written),
            ex.used_ctrl(model, written),
            mujoco_says(passing(model), written).actuator_force,
            tol=TOL,
            slips={
                "the commands were clamped although control_clamp_on(model) is False": np.clip(
                    written, *model.actuator_ctrlrange.T
                ),
                "nothing was clamped although control_clamp_on(model) is True": written,
            },
        )


# ---- raw_force ----


def law(model, used, q, qd, of=slice(None)):
    """gain * ctrl + bias for all actuators at once: what a slip would have given. of: whose gain and bias."""
    gain, bias = model.actuator_gainprm[of, 0], model.actuator_biasprm[of]
    return gain * used + bias[:, 0] + bias[:, 1] * q + bias[:, 2] * qd


def check_raw(model, rng, where, slips):
    """One question to raw_force. slips(used, q, qd, gear) gives the usual wrong answers."""
    used, q, qd = rng.uniform(-2, 2, model.nu), rng.uniform(-2, 2, model.nv), rng.uniform(-4, 4, model.nv)
    if model.nu == 1:
        where += f", gain {model.actuator_gainprm[0, 0]:.4g}, bias {short(model.actuator_biasprm[0, :3])}"
    free = copy.copy(model)
    free.actuator_forcelimited[:] = False
    agree(
        f"{where}: raw_force(model, used={short(used)}, q={short(q)}, qd={short(qd)})",
        ex.raw_force(model, used, q, qd),
        mujoco_says(free, used, q, qd).actuator_force,
        tol=TOL,
        slips=slips(used, q, qd, model.actuator_gear[:, 0]),
    )


@check(todo="raw_force", points=1)
def test_gain_and_bias_without_a_clamp(rng):
    """One actuator without a gear: your force against MuJoCo's with the force range taken away."""
    for _ in range(4):
        model = dressed(rng, ONE)
        model.actuator_gear[:, 0], model.actuator_forcelimited[:] = 1.0, True
        low, high = model.actuator_forcerange[0]

        def slips(used, q, qd, gear, model=model, low=low, high=high):
            return {
                "the force clamp belongs to the next stage": np.clip(law(model, used, q, qd), low, high),
                "the bias is missing": model.actuator_gainprm[:, 0] * used,
                "this is the law of a position servo; law() knows every actuator": model.actuator_gainprm[:, 0]
                * (used - q)
                + model.actuator_biasprm[:, 2] * qd,
                "the velocity is missing from the bias": law(model, used, q, 0.0),
                "q and qd are swapped": law(model, used, qd, q),
            }

        check_raw(model, rng, f"gear 1, force range {low:.2f} to {high:.2f}", slips)


@check(todo="raw_force", points=2)
def test_on_the_far_side_of_the_gear(rng):
    """One actuator behind a gear: its length and velocity are not the joint's."""
    for _ in range(5):
        model = dressed(rng, ONE)
        gear = model.actuator_gear[0, 0]

        def slips(used, q, qd, gear, model=model):
            return {
                "the actuator's length is not q: a gear stands between them": law(model, used, q, qd),
                "the length went through the gear, the velocity did not": law(model, used, gear * q, qd),
                "the length was multiplied by the gear, but the velocity was divided": law(
                    model, used, gear * q, qd / gear
                ),
                "length and velocity were divided by the gear; it multiplies them": law(
                    model, used, q / gear, qd / gear
                ),
                "the command is a target for the actuator's own length: the gear does not touch it": law(
                    model, gear * used, gear * q, gear * qd
                ),
                "the gear multiplies length and velocity here; the force meets it in the next stage": gear
                * law(model, used, gear * q, gear * qd),
                "the sign of the gear is lost": law(model, used, abs(gear) * q, abs(gear) * qd),
            }

        check_raw(model, rng, f"gear {gear:.4g}", slips)


@check(todo="raw_force", points=1)
def test_each_actuator_looks_at_its_own_joint(rng):
    """Four actuators on two joints, not in the joints' order."""
    for _ in range(3):
        model = dressed(rng)
        model.actuator_trnid[:, 0] = rng.permutation([0, 1, 1, 0])
        own = model.actuator_trnid[:, 0]

        def slips(used, q, qd, gear, model=model, own=own):
            return {
                "every actuator looked at joint 0": law(model, used, gear * q[0], gear * qd[0]),
                "the first actuator's gear was used for all": law(model, used, gear[0] * q[own], gear[0] * qd[own]),
                "law() was asked about actuator 0 each time": law(
                    model, used, gear * q[own], gear * qd[own], np.zeros(4, int)
                ),
                "actuator i does not sit on joint i; see actuator_trnid": law(
                    model, used, gear * np.resize(q, 4), gear * np.resize(qd, 4)
                ),
            }

        check_raw(model, rng, f"actuators on joints {short(own)}, gears {short(model.actuator_gear[:, 0])}", slips)


# ---- joint_torque ----


def check_torque(model, raw, where, slips):
    """One question to joint_torque. MuJoCo gets the raw forces through motors that hand them on."""
    agree(
        f"{where}: joint_torque(model, raw={short(raw)})",
        ex.joint_torque(model, raw),
        mujoco_says(passing(model), raw).qfrc_actuator,
        tol=TOL,
        unit="N m",
        slips=slips,
    )


def asked_of(model):
    """What the model says about its actuators."""
    forces = spans(model.actuator_forcerange, model.actuator_forcelimited)
    joints = f"actuators on joints {short(model.actuator_trnid[:, 0])}"
    return f"{joints}, gears {short(model.actuator_gear[:, 0])}, force ranges {forces}"


def growing(model, force):
    """The sum of gear * force per joint, clamped to the joint's range after each actuator."""
    torque = np.zeros(model.nv)
    for sent, j in zip(model.actuator_gear[:, 0] * force, model.actuator_trnid[:, 0], strict=True):
        torque[j] += sent
        if model.jnt_actfrclimited[j]:
            torque[j] = np.clip(torque[j], *model.jnt_actfrcrange[j])
    return torque


def added(model, force):
    """The sum of gear * force per joint."""
    sent, joints = model.actuator_gear[:, 0] * force, model.actuator_trnid[:, 0]
    return np.array([sent[joints == j].sum() for j in range(model.nv)])


@check(todo="joint_torque", points=1)
def test_the_force_range_comes_before_the_gear(rng):
    """One actuator with a force range and a gear; in some models nobody enforces the range."""
    inside, below, above = rng.uniform(-0.2, 0.2), -5.0, 5.0  # in units of the range's width, from its middle
    questions = [(inside, True), (below, True), (above, True), (rng.choice([below, above]), False)]
    for k, sign in zip([0, *rng.permutation([1, 2, 3])], rng.permutation([1, 1, -1, -1]), strict=True):
        place, enforced = questions[k]
        model = dressed(rng, ONE)
        model.actuator_gear[:] = sign * abs(model.actuator_gear)
        model.actuator_forcelimited[:] = enforced
        gear, (low, high) = model.actuator_gear[0, 0], model.actuator_forcerange[0]
        raw = np.array([(low + high) / 2 + place * (high - low)])
        force = np.clip(raw, low, high) if enforced else raw
        check_torque(
            model,
            raw,
            f"gear {gear:.4g}, force range {low:.4g} to {high:.4g}, forcelimited {int(enforced)}, joint range off",
            {
                "the force range was not enforced": gear * raw,
                "the force range was enforced although forcelimited is 0": gear * np.clip(raw, low, high),
                "the gear came first, but the force range is the actuator's own": np.clip(gear * raw, low, high),
                "the gear is missing": force,
                "the force was divided by the gear, but a gear multiplies it": force / gear,
                "the sign of the gear is lost": abs(gear) * force,
                "the range was taken as -high to +high, but it has a lower end of its own": gear
                * np.clip(raw, -high, high),
                "the joint's range was enforced although jnt_actfrclimited is 0": np.clip(
                    gear * force, *model.jnt_actfrcrange.T
                ),
            },
        )


@check(todo="joint_torque", points=2)
def test_actuators_on_one_joint_add_up(rng):
    """Four actuators on two joints, each with a gear and a force range."""
    for _ in range(4):
        model = dressed(rng)
        model.actuator_trnid[:, 0] = rng.permutation([0, 1, 1, 0]) if rng.random() < 0.7 else [1, 1, 0, 1]
        model.actuator_forcelimited[:] = rng.permutation([1, 1, 1, 0])
        raw = rng.uniform(-9, 9, 4)
        force = np.where(model.actuator_forcelimited, np.clip(raw, *model.actuator_forcerange.T), raw)
        last = np.zeros(2)
        last[model.actuator_trnid[:, 0]] = model.actuator_gear[:, 0] * force
        of_joint = model.actuator_trnid[:, 0]  # whose range is whose: i belongs to actuators, j to joints
        mixed = np.clip(raw, *model.actuator_forcerange[of_joint].T)
        check_torque(
            model,
            raw,
            f"{asked_of(model)}, joint ranges off",
            {
                "two actuators share a joint, and only the last one counted (a[index] += b adds once per index)": last,
                "every actuator was put on every joint": np.full(2, (model.actuator_gear[:, 0] * force).sum()),
                "the force ranges were not enforced": added(model, raw),
                "some force ranges are not enforced (forcelimited 0)": added(
                    model, np.clip(raw, *model.actuator_forcerange.T)
                ),
                "the gear is missing": added(model, force / model.actuator_gear[:, 0]),
                "actuator_forcerange was read at the joint's index; its row i belongs to actuator i": added(
                    model, np.where(model.actuator_forcelimited[of_joint], mixed, raw)
                ),
                "the joint ranges were enforced although jnt_actfrclimited is 0": np.clip(
                    added(model, force), *model.jnt_actfrcrange.T
                ),
            },
        )


def pushing_together(model, rng):
    """Raw forces that push each joint one way, further than its range."""
    model.actuator_forcelimited[:] = rng.permutation([1, 1, 1, 0])
    model.jnt_actfrcrange[:] *= 0.4  # at most 3.2 N m; the four send at least 1.8 N m each
    sign = np.sign(model.actuator_gear[:, 0]) * rng.choice([-1, 1], 2)[model.actuator_trnid[:, 0]]
    return sign * rng.uniform(6, 9, 4)


def pushing_apart(model, rng):
    """Raw forces, two on each joint: either alone is more than the joint's range, their sum fits into it."""
    sent = np.zeros(4)
    for j, (low, high) in enumerate(model.jnt_actfrcrange):
        first, second = np.flatnonzero(model.actuator_trnid[:, 0] == j)
        sent[first] = rng.choice([-1, 1]) * (high - low + rng.uniform(0.5, 2.0))
        sent[second] = low + rng.uniform(0.1, 0.9) * (high - low) - sent[first]
    return sent / model.actuator_gear[:, 0]


@check(todo="joint_torque", points=2)
def test_the_joint_range_comes_last(rng):
    """The joint's own range holds for the sum of what its actuators send, after their gears."""
    questions = [([1, 1], pushing_together), ([1, 0], pushing_together), ([0, 1], pushing_together)]
    questions += [([1, 1], pushing_apart)]
    for k in rng.permutation(len(questions)):
        enforced, draw = questions[k]
        model = dressed(rng)
        model.actuator_trnid[:, 0] = rng.permutation([0, 1, 1, 0])
        model.jnt_actfrclimited[:] = enforced
        raw = draw(model, rng)
        force = np.where(model.actuator_forcelimited, np.clip(raw, *model.actuator_forcerange.T), raw)
        low, high = model.jnt_actfrcrange.T
        total, gear, at = added(model, force), model.actuator_gear[:, 0], model.actuator_trnid[:, 0]
        alone = added(model, np.clip(gear * force, low[at], high[at]) / gear)
        check_torque(
            model,
            raw,
            f"{asked_of(model)}, joint ranges {spans(model.jnt_actfrcrange, enforced)}",
            {
                "the joint's range was not enforced": total,
                "a joint's range was enforced although jnt_actfrclimited is 0": np.clip(total, low, high),
                "the joint's range holds for the sum, not for each actuator": np.where(enforced, alone, total),
                "the sum was clamped while it was still growing; clamp it once, at the end": growing(model, force),
                "the first joint's range was used for both": np.where(enforced, np.clip(total, low[0], high[0]), total),
            },
        )


# ---- which_clamp_bit ----


def servo(rng):
    """A closed-loop servo; each of its clamps is probably on. Round numbers, so that a question can be typed again."""
    model = dressed(rng, ONE)
    for values in (model.actuator_gainprm, model.actuator_biasprm, model.actuator_gear):
        values[:] = values.round(1)
    for values in (model.actuator_ctrlrange, model.actuator_forcerange, model.jnt_actfrcrange):
        values[:] = values.round(2)
    for limited in (model.actuator_ctrllimited, model.actuator_forcelimited, model.jnt_actfrclimited):
        limited[:] = rng.random() < 0.8
    return model


def limits_of(model):
    on = (model.actuator_ctrllimited[0], model.actuator_forcelimited[0], model.jnt_actfrclimited[0])
    pairs = (model.actuator_ctrlrange[0], model.actuator_forcerange[0], model.jnt_actfrcrange[0])
    limits = {name: tuple(pair.tolist()) if yes else None for name, yes, pair in zip(NAMES, on, pairs, strict=True)}
    return limits | {"gear": float(model.actuator_gear[0, 0])}


def outside(x, limits):
    return limits is not None and not limits[0] - TOL <= x <= limits[1] + TOL


def deduce_ctrl(limits, written):
    if limits["ctrl"] is None:
        return "no", "there is no control range"
    if outside(written, limits["ctrl"]):
        return "yes", "the command lies outside the control range, and that needs no reading"
    return "no", "the command lies inside the control range, and that needs no reading"


def deduce_joint(limits, force, torque):
    gear, (low, high) = limits["gear"], limits["joint"] or (-np.inf, np.inf)
    least, most = sorted(gear * end for end in limits["force"] or (-np.inf, np.inf))  # what can arrive at the joint
    if limits["joint"] is None:
        return "no", "the joint has no range"
    if force is not None:
        if outside(gear * force, limits["joint"]):
            return "yes", "gear * force is more than the joint's range lets through"
        return "no", "gear * force fits into the joint's range, so the torque is what arrived"
    if least >= low - TOL and most <= high + TOL:
        return "no", "the actuator cannot send more than the joint's range lets through"
    if torque is None:
        return "cannot tell", "nothing was read, and the actuator can send more than the joint's range lets through"
    if (torque >= high - TOL and most > high + TOL) or (torque <= low + TOL and least < low - TOL):
        return "yes", "the torque stands at the end of the joint's range, and the actuator can send more"
    return "no", "the torque does not stand at an end of the joint's range that the actuator can exceed"


def deduce_force(limits, force, torque, joint):
    if limits["force"] is None:
        return "no", "there is no force range"
    shown = "the force"
    if force is None and torque is not None and joint == "no":
        force = torque / limits["gear"]
        shown = "the joint's clamp changed nothing, so torque / gear is the force, and it"
    if force is None:
        return "cannot tell", "a force at its limit and a force below it leave the same readings"
    if min(abs(force - end) for end in limits["force"]) <= TOL:
        return "yes", f"{shown} stands exactly at an end of its range"
    return "no", f"{shown} lies inside its range"


def judge(limits, written, force, torque, happened=None, why=""):
    """Ask which_clamp_bit. The answer must be what happened, where that is known, else what intervals deduce.

    why: the likely slip, where this question is asked for the sake of one.
    """
    because = {"ctrl": deduce_ctrl(limits, written), "joint": deduce_joint(limits, force, torque)}
    because["force"] = deduce_force(limits, force, torque, because["joint"][0])
    expected = happened or {name: because[name][0] for name in NAMES}
    pairs = {name: limits[name] and "({:.10g}, {:.10g})".format(*limits[name]) for name in NAMES}
    sheet = ", ".join(f'"{name}": {pair}' for name, pair in pairs.items()) + f', "gear": {limits["gear"]:.10g}'
    force_read, torque_read = ("None" if x is None else f"{x:.10g}" for x in (force, torque))
    asked = f"which_clamp_bit({{{sheet}}}, {written:.10g}, actuator_force={force_read}, joint_torque={torque_read})"
    got = fields(ex.which_clamp_bit(limits, written, force, torque), asked, *NAMES)
    for name in NAMES:
        text(got[name], f"the entry {name!r} of {asked}", among=("yes", "no", "cannot tell"))
    for name in ("ctrl", "joint", "force"):  # what the joint's clamp did may decide what is known of the force
        if got[name] != expected[name]:
            wrong(asked, f"{name}: {got[name]}", f"{name}: {expected[name]}", why or f"overlooked: {because[name][1]}")


def at_a_limit(limits, raw):
    """Is this raw force, or the torque that it becomes, within a hair of a limit? By accident only."""
    ends = [*(limits["force"] or ()), *(end / limits["gear"] for end in limits["joint"] or ())]
    return any(abs(raw - end) < 1e-3 for end in ends)


@check(todo="which_clamp_bit", points=2)
def test_with_both_readings(rng):
    """A closed-loop servo in MuJoCo. What happened is known from the same servo with its clamps taken out."""
    asked = 0
    while asked < 12:
        model = servo(rng)
        written, q, qd = round(rng.uniform(-5, 5), 2), round(rng.uniform(-2, 2), 2), round(rng.uniform(-1, 1), 2)
        data = mujoco_says(model, written, q, qd)
        force, torque = float(data.actuator_force[0]), float(data.qfrc_actuator[0])
        free = copy.copy(model)
        free.actuator_forcelimited[:] = False
        raw = mujoco_says(free, written, q, qd).actuator_force[0]
        if at_a_limit(limits_of(model), raw):
            continue
        free.actuator_ctrllimited[:] = False
        unclamped = mujoco_says(free, written, q, qd).actuator_force[0]
        changed = (abs(raw - unclamped), abs(force - raw), abs(torque - model.actuator_gear[0, 0] * force))
        happened = {name: "yes" if x > TOL else "no" for name, x in zip(NAMES, changed, strict=True)}
        judge(limits_of(model), written, force, torque, happened)
        asked += 1


@check(todo="which_clamp_bit", points=1)
def test_limits_that_meet_and_limits_that_are_off(rng):
    """A joint that takes exactly what its actuator can send, or more than that; and clamps that are switched off."""
    at, below = (-1.0, 1.0), (-0.5, 0.5)  # where the force stands, in units of its limit
    cases = [("meet", at), ("meet", below), ("more", at), ("more", below), ("off", at), ("off", below)]
    for k in rng.permutation(len(cases)):
        case, where = cases[k]
        gear, high = float(rng.choice([-1, 1]) * rng.integers(2, 6)), float(rng.integers(2, 9))
        room = abs(gear) * high * (1.0 if case == "meet" else 1.5)
        limits = {"ctrl": (-1.0, 2.0), "force": (-high, high), "joint": (-room, room), "gear": gear}
        if case == "off":
            limits |= {str(name): None for name in rng.choice(NAMES, 2, replace=False)}
        force = high * float(rng.choice(where))
        torque = gear * force  # never more than the joint takes
        for readings in ((force, torque), (None, torque), (None, None)):
            judge(limits, round(rng.uniform(-3, 4), 2), *readings)


@check(todo="which_clamp_bit", points=2)
def test_says_so_when_it_cannot_tell(rng):
    """Devices that report less: the force alone, the torque alone, nothing. And a reading of 0.0 is a reading."""
    for _ in range(8):
        limits = limits_of(servo(rng))
        raw = round(rng.uniform(-8, 8), 2)
        force = float(np.clip(raw, *(limits["force"] or (-np.inf, np.inf))))
        torque = float(np.clip(limits["gear"] * force, *(limits["joint"] or (-np.inf, np.inf))))
        for readings in ((force, None), (None, torque), (None, None)):
            judge(limits, round(rng.uniform(-5, 5), 2), *readings)
    gear, torque = 2.0, 1.0
    while gear * (torque / gear) == torque:  # until rounding shows
        gear, torque = round(rng.uniform(1.5, 4.0), 1), round(rng.uniform(0.5, 1.5), 2)
    limits = {"ctrl": None, "force": (-3.0, 3.0), "joint": (-4.0, 4.0), "gear": gear}
    judge(limits, 1.0, None, torque, why="compare with fits(): a division may change the last bit of a reading")
    for readings in ((0.0, None), (None, 0.0), (0.0, 0.0)):
        judge(limits, 1.0, *readings, why="a reading of 0.0 is a reading; only None says that nothing was read")
