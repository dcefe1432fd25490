"""Graded checks of module 02, every actuator is one expression.

Expected forces and names come from MuJoCo; what identify should find is what was put into the samples.
"""

import mujoco
import numpy as np

from bench.pendulum import build, mjcf
from course.testing import agree, check, exercise, fields, number, text, wrong

ex = exercise("gain_bias")

# Elements with two controls, with three forces, or with a law of their own.
PID = '<pid joint="hinge" kp="3" kv="0.4"/>'
SERVO_3D = '<orientation joint="ball" kp="3" kv="0.4"/>'
MUSCLE = '<muscle joint="hinge" lengthrange="-2 2" force="3"/>'
DCMOTOR = '<dcmotor joint="hinge" resistance="{:.2f}" motorconst="{:.2f}"/>'
PLUGIN = '<plugin joint="hinge" plugin="mujoco.pid"><config key="kp" value="{:.2f}"/></plugin>'
LAW = 'biastype="affine" gainprm="{:.2f}" biasprm="{:.2f} {:.2f} {:.2f}"'
STATEFUL = '<general joint="hinge" dyntype="{}" ' + LAW + ' gear="{:.2f}"/>'


def stand(*elements):
    """The pendulum with a ball joint beside it and the plugin declared: every element finds its place here."""
    ball = '<body name="head"><joint name="ball" type="ball"/><geom type="sphere" size="0.03" pos="0 0 -0.4"/></body>'
    text = mjcf(*elements).replace("<worldbody>", '<extension><plugin plugin="mujoco.pid"/></extension><worldbody>')
    return mujoco.MjModel.from_xml_string(text.replace("</worldbody>", ball + "</worldbody>"))


def elements_of_the_engine():
    """The elements that MuJoCo's own schema lists inside <actuator>."""
    lines = mujoco.mj_printSchema(False, False).splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("   actuator (*)"))
    names = []
    for line in lines[start + 1 :]:
        depth = len(line) - len(line.lstrip())
        if depth <= 3 and line.strip():
            return names
        if depth == 6:
            names.append(line.split()[0])
    raise AssertionError("the schema ends inside <actuator>")


def test_the_table_of_elements_is_complete():
    """Not graded: the lesson's table has every element of the pinned engine, and each compiles to one actuator."""
    from solutions.gain_bias import ELEMENTS

    assert sorted(ELEMENTS) == sorted(elements_of_the_engine())
    for name, (element, _) in ELEMENTS.items():
        assert element.startswith(f"<{name} ")
        assert stand(element).nactuator == 1


# ---- force ----


def a_general(rng, gain_type, bias_type, gear=None):
    """A <general> of these types with six random numbers, whether its types read them or not."""
    numbers = [f"{x:.2f}" for x in rng.choice([-1, 1], 6) * rng.uniform(0.5, 6.0, 6)]
    gear = gear or rng.choice([-1, 1]) * rng.uniform(1.5, 3.0)
    return (
        f'<general joint="hinge" gear="{gear:.2f}" gaintype="{gain_type}" biastype="{bias_type}" '
        f'gainprm="{" ".join(numbers[:3])}" biasprm="{" ".join(numbers[3:])}"/>'
    )


def a_question(model, i, rng):
    """A random state, and the force (N m, gear 1) of actuator i in it. What the law does not need is wiped out."""
    data = mujoco.MjData(model)
    data.qpos[0], data.qvel[0] = rng.uniform(0.3, 1.2), rng.uniform(0.3, 2.0)
    # Beyond 1 as well: no range bites here, and clipping must show.
    data.ctrl[:], data.act[:] = rng.uniform(1.1, 2.5, model.nu), rng.uniform(0.1, 2.5, model.na)
    mujoco.mj_forward(model, data)
    expected = data.actuator_force[model.actuator_outadr[i]]
    # The answer is wiped out, and the state is another one, so that simulating it again does not help.
    data.actuator_force[:] = 777.0
    data.qpos[0], data.qvel[0] = rng.uniform(-1.2, -0.3), rng.uniform(-2.0, -0.3)
    return data, expected


def law(model, i, x, length, velocity, types=("fixed", "affine")):
    """The law written down once more, as it would be with these types: for diagnoses only."""
    state = np.array([1.0, length, velocity])
    gain = model.actuator_gainprm[i, :3] @ state if types[0] == "affine" else model.actuator_gainprm[i, 0]
    return gain * x + (model.actuator_biasprm[i, :3] @ state if types[1] == "affine" else 0.0)


def judge_force(model, data, i, expected, what, slips=None):
    """Ask for the force of actuator i and compare. The slips of this question come before the usual ones."""
    gain_type = "affine" if model.actuator_gaintype[i] == mujoco.mjtGain.mjGAIN_AFFINE else "fixed"
    bias_type = "affine" if model.actuator_biastype[i] == mujoco.mjtBias.mjBIAS_AFFINE else "none"
    act, out = model.actuator_actadr[i], model.actuator_outadr[i]
    x = data.ctrl[model.actuator_ctrladr[i]] if act < 0 else data.act[act]
    at = model, i, x, data.actuator_length[out], data.actuator_velocity[out]
    no_bias = law(*at, (gain_type, "none"))
    gear = model.actuator_gear[out, 0]
    asked = f"force(model, data, i={i}), {what}: gaintype {gain_type}, biastype {bias_type}, gear {gear:.2f}"
    answer = ex.force(model, data, i)
    if answer is None:
        outside = "None is for actuators outside the law, and this one is inside; or the return statement is missing"
        wrong(asked, "None", f"{expected:.4g} N m", outside)
    here, (length, velocity) = (gain_type, bias_type), at[3:]
    from_joint = law(model, i, x, data.qpos[0], data.qvel[0], here)
    still, at_zero = law(model, i, x, length, 0.0, here), law(model, i, x, 0.0, velocity, here)
    usual = {
        "data.actuator_force is what you explain, so it is blank in the question: compute it": 777.0,
        "the law wants the actuator's length and velocity, which are the joint's for gear 1 only": from_joint,
        "that is MuJoCo's answer for another state: take data as it is and apply the law to it": again(model, data, i),
        "the bias is missing": no_bias,
        "biastype none means that biasprm is not read, whatever stands in it": law(*at, (gain_type, "affine")),
        "gaintype fixed means that one number of gainprm is read": law(*at, ("affine", bias_type)),
        "gaintype affine means that the gain, too, depends on length and velocity": law(*at, ("fixed", bias_type)),
        "the types say which numbers are read; not every number in the arrays counts": law(*at, ("affine", "affine")),
        "the bias is added: the minus signs stand in biasprm already": 2 * no_bias - expected,
        "length and velocity have changed places": law(*at[:3], velocity, length, here),
        "the velocity is missing": still,
        "the length is missing": at_zero,
        "the velocity is missing in the bias": no_bias + still - law(model, i, x, length, 0.0, (gain_type, "none")),
        "the length is missing in the bias": no_bias + at_zero - law(model, i, x, 0.0, velocity, (gain_type, "none")),
        "the velocity is missing in the gain": expected - no_bias + law(model, i, x, length, 0.0, (gain_type, "none")),
        "the length is missing in the gain": expected - no_bias + law(model, i, x, 0.0, velocity, (gain_type, "none")),
        "the velocity, too, is the actuator's: data.actuator_velocity": law(model, i, x, length, data.qvel[0], here),
        "take the length that data has, data.actuator_length: qpos may have moved on": law(
            model, i, x, gear * data.qpos[0], velocity, here
        ),
        "the gear comes later: this is the force on the actuator's own side": gear * expected,
        "a force has a sign, and this one is the wrong way round": -expected,
        "0 is what a clamp to an unused range would give: no range bites here": 0.0,
        "the input is missing, or clamped to an unused range; no range bites here": law(
            model, i, 0, length, velocity, here
        ),
        "the input counts as it is: no range bites here": law(model, i, np.clip(x, -1, 1), length, velocity, here),
        "the gain multiplies the input": expected - no_bias + no_bias / x + x,
    }
    given = {**(slips or {}), **usual}
    # What happens to be right in this question, or all but right, explains no mistake.
    told = {why: value for why, value in given.items() if abs(value - expected) > 1e-5 * abs(expected)}
    agree(asked, answer, expected, tol=1e-9, unit="N m", slips=told)


def again(model, data, i):
    """What actuator_force would be if the state in data were simulated anew."""
    other = mujoco.MjData(model)
    for name in ("qpos", "qvel", "ctrl", "act"):
        getattr(other, name)[:] = getattr(data, name)
    mujoco.mj_forward(model, other)
    return other.actuator_force[model.actuator_outadr[i]]


@check(todo="force", points=2)
def test_the_types_say_which_numbers_are_read(rng):
    """Random gains and biases of all four combinations of types, against MuJoCo's actuator_force."""
    for gain_type in ("fixed", "affine"):
        for bias_type in ("none", "affine"):
            for _ in range(2):
                model = build(a_general(rng, gain_type, bias_type))
                data, expected = a_question(model, 0, rng)
                judge_force(model, data, 0, expected, "a stateless actuator")


@check(todo="force", points=1)
def test_an_activation_takes_the_place_of_ctrl(rng):
    """Integrated and filtered actuators: the gain multiplies what they remember."""
    for dyntype in ("integrator", "filter", "filterexact"):
        for _ in range(2):
            model = build(STATEFUL.format(dyntype, *rng.uniform(1, 6, 4), rng.uniform(1.5, 3.0)))
            data, expected = a_question(model, 0, rng)
            by_ctrl = law(model, 0, data.ctrl[0], data.actuator_length[0], data.actuator_velocity[0])
            slips = {"this actuator has an activation: the gain multiplies data.act, not data.ctrl": by_ctrl}
            judge_force(model, data, 0, expected, f"an actuator with dyntype {dyntype}", slips)


@check(todo="force", points=1)
def test_places_are_looked_up(rng):
    """Several actuators in one model: actuator i's control, activation and length need not stand at place i."""
    for dyntype in ("none", "none", "filterexact", "filterexact"):
        own = STATEFUL.format(dyntype, *rng.uniform(1, 6, 4), rng.uniform(1.5, 3.0))
        i = int(rng.integers(2, 4))
        behind = [STATEFUL.format("integrator", *rng.uniform(1, 6, 4), 1.0)] * (i + 1)
        model = stand(PID, SERVO_3D, *[PID] * (i - 2), own, *behind)
        data, expected = a_question(model, i, rng)
        act, ctrl, out = model.actuator_actadr[i], model.actuator_ctrladr[i], model.actuator_outadr[i]
        length, velocity = data.actuator_length, data.actuator_velocity
        x = data.ctrl[ctrl] if act < 0 else data.act[act]
        misread = (
            "its control stands at actuator_ctrladr[i]" if act < 0 else "its activation stands at actuator_actadr[i]"
        )
        slips = {
            "this actuator has no activation (actuator_actadr[i] is -1): the gain multiplies its control"
            if act < 0
            else "this actuator has an activation: the gain multiplies data.act, not data.ctrl": law(
                model, i, data.act[-1] if act < 0 else data.ctrl[ctrl], length[out], velocity[out]
            ),
            f"{misread}, not at i": law(model, i, (data.ctrl if act < 0 else data.act)[i], length[out], velocity[out]),
            "its length and velocity stand at actuator_outadr[i], not at i": law(model, i, x, length[i], velocity[i]),
        }
        judge_force(model, data, i, expected, f"behind {i} other actuators", slips)


@check(todo="force", points=1)
def test_none_where_the_law_does_not_hold(rng):
    """Muscle, DC motor, PID, orientation, plugin and a user's bias: None, whatever their numbers look like."""
    outside = {
        "a muscle": MUSCLE,
        "a DC motor": DCMOTOR.format(*rng.uniform(1, 3, 2)),
        "a pid": PID,
        "an orientation servo": SERVO_3D,
        "a plugin": PLUGIN.format(rng.uniform(2, 9)),
        "a fixed gain with a bias of the user's own": '<general joint="hinge" biastype="user"/>',
    }
    reasons = {
        "a plugin": "its types look ordinary, but model.actuator_plugin[i] is not -1: the plugin computes the force",
        "a fixed gain with a bias of the user's own": "its bias type is one of its own: both types count",
    }
    for i in map(int, rng.permutation(len(outside))):
        model = stand(*outside.values())
        what = list(outside)[i]
        data, _ = a_question(model, i, rng)
        if (answer := ex.force(model, data, i)) is not None:
            why, expected = reasons.get(what, "its gain type is one of its own"), "None"
            if isinstance(answer, str):
                answer, expected = f"the text {answer!r}", "None, not as a text"
                why = "None itself, without quotation marks"
            elif isinstance(answer, float) and np.isnan(answer):
                why = "None itself, not NaN"
            wrong(f"force(model, data, i={i}), {what}", answer, expected, why)


# ---- preset_of ----

# One row for each element: MJCF with a place for each random number.
WRITTEN = {
    "motor": '<motor joint="hinge" gear="{:.2f}" ctrlrange="0 {:.2f}"/>',
    "position": '<position joint="hinge" kp="{:.2f}" kv="{:.2f}"/>',
    "velocity": '<velocity joint="hinge" kv="{:.2f}"/>',
    "intvelocity": '<intvelocity joint="hinge" kp="{:.2f}" kv="{:.2f}"/>',
    "damper": '<damper joint="hinge" kv="{:.2f}" ctrlrange="0 1"/>',
    "cylinder": '<cylinder joint="hinge" area="{:.2f}" timeconst="{:.2f}" bias="{:.2f} 0 {:.2f}"/>',
    "adhesion": '<adhesion body="link" gain="{:.2f}" ctrlrange="0 1"/>',
    "general": '<general joint="hinge" gainprm="{:.2f}" biastype="affine" biasprm="{:.2f} -9 -{:.2f}"/>',
    "muscle": '<muscle joint="hinge" lengthrange="-2 2" force="{:.2f}"/>',
    "dcmotor": DCMOTOR,
    "pid": '<pid joint="hinge" kp="{:.2f}" kv="{:.2f}" ki="{:.2f}"/>',
    "orientation": '<orientation joint="ball" kp="{:.2f}" kv="{:.2f}"/>',
    "plugin": PLUGIN,
}
MEANING = {
    "motor": "ctrl is the torque itself: gain 1, no bias",
    "position": "bias[1] is minus the gain, so ctrl - length is what counts: ctrl is a target angle",
    "velocity": "bias[2] is minus the gain and bias[1] is 0, so ctrl - velocity is what counts: ctrl is a target speed",
    "intvelocity": "position's numbers, but an integrator in front of them: the dyntype decides",
    "damper": "only gain[2] is not 0: no velocity, no force",
    "cylinder": "a filter in front and a bias of its own: the dyntype decides",
    "adhesion": "it acts on a body, not on a joint: model.actuator_trntype[i]",
    "general": "no preset compiles to these numbers",
    "plugin": "model.actuator_plugin[i] is not -1",
}


def judge_preset(model, i, name, slip=""):
    gain, bias = ([f"{x:.3g}" for x in prm[i, :3]] for prm in (model.actuator_gainprm, model.actuator_biasprm))
    dyn, *pair = (
        kind(codes[i]).name.split("_")[1].lower()
        for kind, codes in (
            (mujoco.mjtDyn, model.actuator_dyntype),
            (mujoco.mjtGain, model.actuator_gaintype),
            (mujoco.mjtBias, model.actuator_biastype),
        )
    )
    asked = (
        f"preset_of(model, i={i}): types {dyn}, {', '.join(pair)}; gainprm {', '.join(gain)}; biasprm {', '.join(bias)}"
    )
    answer = text(ex.preset_of(model, i), asked, among=tuple(WRITTEN))
    if answer != name:
        wrong(asked, answer, name, slip or MEANING.get(name, "its gain type has that name"))


@check(todo="preset_of", points=2)
def test_names_every_element_of_the_engine(rng):
    """One of each element in MuJoCo's schema, with random numbers, in random order in one model."""
    names = rng.permutation(elements_of_the_engine())
    model = stand(*(WRITTEN[name].format(*rng.uniform(1.5, 8.0, 4)) for name in names))
    for i, name in enumerate(names):
        judge_preset(model, i, name)
    special = {
        ("position", "a position servo may have a filter in front of it: dyntype filterexact"): (
            '<position joint="hinge" kp="{:.2f}" kv="{:.2f}" timeconst="{:.2f}"/>'
        ),
        ("position", "a position servo need not brake: kv, and with it bias[2], may be 0"): (
            '<position joint="hinge" kp="{:.2f}"/>'
        ),
        ("motor", "any joint will do; only acting on a body makes it something else: model.actuator_trntype[i]"): (
            '<motor joint="ball" gear="0 {:.2f} 0" ctrlrange="0 {:.2f}"/>'
        ),
        ("adhesion", "it acts on a body, even with a gain of 1: model.actuator_trntype[i]"): (
            '<adhesion body="link" gain="1" ctrlrange="0 {:.2f}"/>'
        ),
    }
    for (name, slip), element in special.items():
        judge_preset(stand(element.format(*rng.uniform(1, 8, 3))), 0, name, slip)


@check(todo="preset_of", points=1)
def test_the_label_does_not_count(rng):
    """<general> elements that spell out a preset's arrays, some with a label that says something else."""
    kp, kv = rng.uniform(1.5, 8.0, 2).round(2)
    affine = 'gaintype="fixed" biastype="affine"'
    spelled = {
        "position": f'{affine} gainprm="{kp}" biasprm="0 -{kp} -{kv}"',
        "velocity": f'{affine} gainprm="{kv}" biasprm="0 0 -{kv}"',
        "intvelocity": f'{affine} dyntype="integrator" gainprm="{kp}" biasprm="0 -{kp} -{kv}"',
        "cylinder": f'{affine} dyntype="filter" gainprm="{kp}" biasprm="0 -{kp} -{kv}"',
        "motor": 'gaintype="fixed"',
    }
    slip = "the engine does not read the label model.actuator_ctrlspec, and it may lie: go by the numbers"
    for name in rng.permutation(list(spelled)):
        label = rng.choice([other for other in ("pos", "vel", "pressure") if (name, other) != ("position", "pos")])
        judge_preset(
            build(f'<general joint="hinge" input="{label}" {spelled[name]}/>'), 0, name, f"{MEANING[name]}; {slip}"
        )


@check(todo="preset_of", points=1)
def test_almost_a_preset_is_general(rng):
    """Arrays that miss a preset by one number: no shortcut compiles to them."""
    kp, kv, off = rng.uniform(2.0, 8.0), rng.uniform(0.3, 1.5), rng.uniform(0.5, 1.5)
    affine = 'biastype="affine"'
    almost = {
        "the position feedback is weaker than the gain": f'{affine} gainprm="{kp}" biasprm="0 {off - kp} -{kv}"',
        "the position feedback pushes away": f'{affine} gainprm="{kp}" biasprm="0 {kp} -{kv}"',
        "bias[0] pushes all the time": f'{affine} gainprm="{kp}" biasprm="{off} -{kp} -{kv}"',
        "bias[0] drives all the time": f'{affine} gainprm="{kv}" biasprm="{off} 0 -{kv}"',
        "the velocity feedback is too strong for the gain": f'{affine} gainprm="{kv}" biasprm="0 0 {-kv - off}"',
        "a <motor> has gain 1": f'gainprm="{1 + off}"',
        "at rest a damper has no force, and this has": f'gaintype="affine" gainprm="{off} 0 -{kv}"',
        "an integrator needs the matching feedback": f'{affine} dyntype="integrator" gainprm="{kp}" biasprm="0 -{kv}"',
        "a filter needs the matching feedback, too": f'{affine} dyntype="filterexact" gainprm="{kp}" biasprm="0 -{kv}"',
        "a damper's gain does not depend on the length": f'gaintype="affine" gainprm="0 {off} -{kv}"',
        "these types are in no row of CANDIDATES": f'gaintype="affine" {affine} gainprm="0 0 -{kv}" biasprm="0 -{kp}"',
    }
    for slip in map(str, rng.permutation(list(almost))):
        model = build(f'<general joint="hinge" {almost[slip]}/>')
        judge_preset(model, 0, "general", f"{slip}, so no preset compiles to this")


# ---- identify ----

NAMES = ("gain[0]", "gain[1]", "gain[2]", "bias[0]", "bias[1]", "bias[2]")


def samples_of(numbers, ctrl, length, velocity, noise=0.0):
    """What an affine actuator with these six numbers would have shown."""
    gain = numbers[0] + numbers[1] * length + numbers[2] * velocity
    bias = numbers[3] + numbers[4] * length + numbers[5] * velocity
    return {"ctrl": ctrl, "length": length, "velocity": velocity, "force": gain * ctrl + bias + noise}


def six_of(rng):
    """Six random numbers, none of them small."""
    return rng.choice([-1, 1], 6) * rng.uniform(0.5, 6.0, 6)


def motion(rng, n):
    """ctrl, length and velocity, all lively and unrelated."""
    return rng.uniform(-2, 2, n), rng.uniform(-1.2, 1.2, n), rng.uniform(-3, 3, n)


def ask_identify(samples, what):
    """The student's answer: six entries, each a number or None, the residual, and the words of the question."""
    asked = f"identify({what}, {len(samples['ctrl'])} samples)"
    told = fields(ex.identify(samples), asked, "gain", "bias", "residual")
    six = []
    for name in ("gain", "bias"):
        three = list(told[name]) if np.iterable(told[name]) and not isinstance(told[name], (str, dict)) else []
        if len(three) != 3:
            wrong(f"{name} of {asked}", told[name], "three entries, each a number or None")
        six += three
    if any(isinstance(x, float) and np.isnan(x) for x in six):
        wrong(asked, "nan", "a number or None", "what the samples cannot tell is None here, not NaN")
    return six, told["residual"], asked


def judge_known(asked, got, expected, tol, why, slips=None):
    """One of the six numbers that these samples do tell. why: how one can see that they do."""
    if got is None:
        wrong(asked, "None", f"{expected:.4g}", why)
    agree(asked, got, expected, tol=tol, slips=slips)


@check(todo="identify", points=2)
def test_recovers_both_arrays(rng):
    """Unknown actuators of MuJoCo's own, in random states: all six numbers come back."""
    for gain_type, bias_type in (("fixed", "affine"), ("affine", "none"), ("affine", "affine")):
        model = build(a_general(rng, gain_type, bias_type, gear=rng.uniform(0.5, 1.5)))
        data, rows = mujoco.MjData(model), []
        for data.ctrl[0], data.qpos[0], data.qvel[0] in np.transpose(motion(rng, rng.integers(30, 50))):
            mujoco.mj_forward(model, data)
            rows.append((data.ctrl[0], data.actuator_length[0], data.actuator_velocity[0], data.actuator_force[0]))
        samples = dict(zip(("ctrl", "length", "velocity", "force"), np.array(rows).T, strict=True))
        gain = model.actuator_gainprm[0, :3] * ([1, 0, 0] if gain_type == "fixed" else [1, 1, 1])
        bias = model.actuator_biasprm[0, :3] * (bias_type == "affine")
        six, residual, asked = ask_identify(samples, f"an actuator with {gain_type} gain and {bias_type} bias")
        x, length, velocity, force = samples.values()
        four = np.linalg.lstsq(np.stack([x, np.ones(len(x)), length, velocity]).T, force)[0]
        no_products = four[0], 0.0, 0.0, *four[1:]
        state = np.stack([np.ones(len(x)), length, velocity])
        no_ones = np.insert(np.linalg.lstsq(np.vstack([x * state, state[1:]]).T, force)[0], 3, 0.0)
        for j, (name, got, expected) in enumerate(zip(NAMES, six, [*gain, *bias], strict=True)):
            slips = {
                "gain and bias have changed places": [*bias, *gain][j],
                "the sign is backwards: biasprm is what is added": -expected,
                "the gain may depend on length and velocity: columns ctrl * length, ctrl * velocity": no_products[j],
                "bias[0] is a column, too: ones": no_ones[j],
                "length and velocity have changed places": [*gain, *bias][(0, 2, 1, 3, 5, 4)[j]],
            }
            known = "everything moved here, so it can be told, even if it is 0"
            judge_known(f"{name} of {asked}", got, expected + 0.0, 1e-6, known, slips)
        agree(f"residual of {asked}", residual, 0.0, tol=1e-6, unit="N m")


@check(todo="identify", points=2)
def test_uses_every_sample(rng):
    """With noise on the force: the least squares answer, from the normal equations, and what it leaves."""
    for _ in range(2):
        n = int(rng.integers(60, 120))
        samples = samples_of(six_of(rng), *motion(rng, n), noise=0.3 * rng.standard_normal(n))
        x, length, velocity = (samples[name] for name in ("ctrl", "length", "velocity"))
        table = np.stack([x, x * length, x * velocity, np.ones(n), length, velocity])
        best = np.linalg.solve(table @ table.T, table @ samples["force"])
        left = samples["force"] - best @ table
        six, residual, asked = ask_identify(samples, "a noisy actuator")
        agree(
            f"residual of {asked}",
            residual,
            np.sqrt(np.mean(left**2)),
            tol=1e-6,
            unit="N m",
            slips={
                "the mean, not the sum, stands under the root": np.sqrt(np.sum(left**2)),
                "the root is missing": np.mean(left**2),
                "this is the sum of the squares": np.sum(left**2),
                "the force is noisy, so something is left; square before you take the mean, or the signs cancel": 0.0,
                "this is the largest of them": np.max(np.abs(left)),
                "root mean square: square what is left, do not take its size": np.mean(np.abs(left)),
                "the mean is over all n samples": np.sqrt(np.sum(left**2) / (n - 6)),
                "what the fit leaves is force minus the fit, not force minus its mean": np.std(samples["force"]),
            },
        )
        for name, got, expected in zip(NAMES, six, best, strict=True):
            judge_known(
                f"{name} of {asked}", got, expected, 1e-6, "noise on the force does not make a number unknowable"
            )


@check(todo="identify", points=3)
def test_says_what_the_samples_cannot_tell(rng):
    """Experiments in which something hardly moved, or two things moved together."""
    n = 60
    (ctrl, length, velocity), rate = motion(rng, n), rng.uniform(1.5, 2.5)

    def still(value, rms=1e-6):
        return value + rms * rng.standard_normal(n)  # an encoder is never quite still

    angle, command, zero = still(rng.uniform(0.3, 1.0)), still(rng.uniform(0.5, 1.5)), still(0.0)
    one_ctrl = {"012345": "with one ctrl, a gain and the bias below it act as one number"}
    at_rest = {"25": "at rest, what multiplies the velocity leaves no trace"}
    one_angle = {"01": "with one length, gain[0] and gain[1] act as one number"}
    one_angle |= {"34": "with one length, bias[0] and bias[1] act as one number"}
    experiments = (  # what was done; what moved; why which of the six are not told
        ("one ctrl held", (command, length, velocity), one_ctrl),
        ("ctrl held at 0", (zero, length, velocity), {"012": "a gain that multiplies nothing leaves no trace"}),
        ("the joint held at an angle", (ctrl, angle, zero), one_angle | at_rest),
        (
            "the joint held at length 0",
            (ctrl, zero, zero),
            at_rest | {"14": "at length 0, what multiplies the length leaves no trace"},
        ),
        ("many angles, always at rest", (ctrl, length, zero), at_rest),
        ("one angle, many speeds", (ctrl, angle, velocity), one_angle),
        (
            "velocity in step with length",
            (ctrl, length, zero + rate * length),
            {"12": "either of gain[1] and gain[2] could do the other's work", "45": "either could do the other's work"},
        ),
        (
            "a lively motion",
            (ctrl[:3], length[:3], velocity[:3]),
            {"012345": "three equations cannot tell six numbers"},
        ),
        # A column of n numbers is sqrt(n) times as long as they are large, and the rank goes by lengths.
        (
            "many angles, trembling by 0.3 EXCITED",
            (ctrl, length, still(0.0, 0.3e-3)),
            {"25": "a velocity of 0.3 EXCITED does not count: the tolerance of the rank is EXCITED * sqrt(n)"},
        ),
        ("many angles, trembling by 4 EXCITED", (ctrl, length, still(0.0, 4e-3)), {}),
    )
    for k in rng.permutation(len(experiments)):
        what, moved, reasons = experiments[k]
        numbers = six_of(rng)
        six, residual, asked = ask_identify(samples_of(numbers, *moved), what)
        known = "no mix of the other columns can imitate its own"
        if "EXCITED" in what:
            known += "; the tolerance of the rank is EXCITED * sqrt(n), and not wider"
        for j, (name, got, expected) in enumerate(zip(NAMES, six, numbers, strict=True)):
            why = next((why for unknown, why in reasons.items() if str(j) in unknown), "")
            if not why:
                judge_known(f"{name} of {asked}", got, expected, 1e-2, known)
            elif got is not None:
                small = (
                    ""
                    if "EXCITED" in why or len(moved[0]) < n
                    else " (what varies by less than EXCITED does not count)"
                )
                wrong(f"{name} of {asked}", f"{number(got, asked):.4g}", "None", why + small)
        fits = "even where a number cannot be told, all six columns together fit these forces"
        if residual is None:
            wrong(f"residual of {asked}", "None", "a number in N m", fits)
        left = number(residual, f"residual of {asked}", "N m")
        agree(f"residual of {asked}", left, 0.0, tol=0.02, unit="N m", slips={fits: left})  # the jitter alone is 0.004
