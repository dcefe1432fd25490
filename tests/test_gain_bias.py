"""Graded checks of module 02, every actuator is one expression. Expected values come from MuJoCo or from random arrays."""

import mujoco
import numpy as np
import pytest

from bench.pendulum import build, mjcf
from course.testing import agree, check, exercise, fields, number, text, wrong

ex = exercise("gain_bias")

# Elements that take two controls, or give three forces, or have left the law: what stands before actuator i moves its places.
PID = '<pid joint="hinge" kp="3" kv="0.4"/>'
SERVO_3D = '<orientation joint="ball" kp="3" kv="0.4"/>'
MUSCLE = '<muscle joint="hinge" lengthrange="-2 2" force="3"/>'
DCMOTOR = '<dcmotor joint="hinge" resistance="{:.2f}" motorconst="{:.2f}"/>'
PLUGIN = '<plugin joint="hinge" plugin="mujoco.pid"><config key="kp" value="{:.2f}"/></plugin>'
STATEFUL = '<general joint="hinge" dyntype="{}" gainprm="{:.2f}" biastype="affine" biasprm="{:.2f} {:.2f} {:.2f}" gear="{:.2f}"/>'


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
    data.ctrl[:], data.act[:] = rng.uniform(0.1, 1.0, model.nu), rng.uniform(0.1, 1.0, model.na)
    mujoco.mj_forward(model, data)
    expected = data.actuator_force[model.actuator_outadr[i]]
    data.actuator_force[:] = 777.0  # the answer
    data.qpos[0], data.qvel[0] = rng.uniform(-1.2, -0.3), rng.uniform(-2.0, -0.3)  # so that it cannot be simulated again
    return data, expected


def law(model, i, x, length, velocity, types=("fixed", "affine")):
    """The law written down once more, as it would be with these types: for diagnoses only."""
    state = np.array([1.0, length, velocity])
    gain = model.actuator_gainprm[i, :3] @ state if types[0] == "affine" else model.actuator_gainprm[i, 0]
    return gain * x + (model.actuator_biasprm[i, :3] @ state if types[1] == "affine" else 0.0)


def judge_force(model, data, i, expected, what, types, slips=()):
    """Ask for the force of actuator i and compare."""
    act, out = model.actuator_actadr[i], model.actuator_outadr[i]
    length, velocity = data.actuator_length[out], data.actuator_velocity[out]
    x = data.ctrl[model.actuator_ctrladr[i]] if act < 0 else data.act[act]
    both, neither = ("affine", "affine"), ("fixed", "none")
    known = {
        "data.actuator_force is what you explain, so it is blank in the question: compute it": 777.0,
        "the law wants the actuator's length and velocity, which are the joint's only for gear 1": law(
            model, i, x, data.qpos[0], data.qvel[0], types
        ),
        "biastype says whether biasprm is read at all": law(model, i, x, length, velocity, (types[0], "affine")),
        "gaintype says how many numbers of gainprm are read: one if fixed, three if affine": [
            law(model, i, x, length, velocity, ({"fixed": "affine", "affine": "fixed"}[types[0]], types[1]))
        ],
        "the types say which numbers are read; not every number in the arrays counts": law(model, i, x, length, velocity, both),
        "the bias is missing": law(model, i, x, length, velocity, (types[0], "none")),
        "the affine terms are missing": law(model, i, x, length, velocity, neither),
        "the bias is added: its minus signs stand in biasprm already": 2 * law(model, i, x, length, velocity, (types[0], "none"))
        - law(model, i, x, length, velocity, types),
        "length and velocity have changed places": law(model, i, x, velocity, length, types),
    }
    asked = f"force(model, data, i={i}), {what}: gear {model.actuator_gear[out, 0]:.2f}"
    answer = ex.force(model, data, i)
    if answer is None:
        wrong(asked, "None", f"{expected:.4g} N m", "None is for actuators outside the law, and this one is inside")
    agree(asked, answer, expected, tol=1e-9, unit="N m", slips={**dict(slips), **known})
