"""Every actuator is one expression: a gain times one input, plus a bias.

Run it:       python3 -m course run gain_bias
Check it:     python3 -m course check gain_bias
A hint:       python3 -m course hint gain_bias force

Three functions to write: the force of any affine actuator, the name of its contract, and its six numbers from outside.
"""

from collections.abc import Callable

import mujoco
import numpy as np

from bench.pendulum import build, mjcf
from bench.script import part, run_script

# Every element that MuJoCo 4.0.0 knows inside <actuator>: one that compiles, and what you write into data.ctrl for it.
ELEMENTS = {
    "motor": ('<motor joint="hinge"/>', "torque, N m"),
    "position": ('<position joint="hinge" kp="8" kv="1.2"/>', "target angle, rad"),
    "velocity": ('<velocity joint="hinge" kv="4"/>', "target speed, rad/s"),
    "intvelocity": ('<intvelocity joint="hinge" kp="8" kv="1.2"/>', "speed of the target angle, rad/s"),
    "damper": ('<damper joint="hinge" kv="4" ctrlrange="0 1"/>', "how much of kv brakes, 0 and up"),
    "cylinder": ('<cylinder joint="hinge" area="2" timeconst="0.1" bias="0.1 -0.2 -0.3"/>', "pressure asked for"),
    "adhesion": ('<adhesion body="link" gain="5" ctrlrange="0 1"/>', "pull on what it touches, 0 and up"),
    "general": ('<general joint="hinge" biastype="affine" gainprm="8" biasprm="2 -6 -1.2"/>', "your numbers decide"),
    "muscle": ('<muscle joint="hinge" lengthrange="-2 2" force="3"/>', "excitation, 0 to 1"),
    "dcmotor": ('<dcmotor joint="hinge" resistance="2.75" motorconst="1.275"/>', "volts"),
    "pid": ('<pid joint="hinge" kp="8" kv="1.2"/>', "target angle and target speed"),
    "orientation": ('<orientation joint="ball" kp="8" kv="1.2"/>', "target rotation vector, rad"),
    "plugin": ('<plugin joint="hinge" plugin="mujoco.pid"><config key="kp" value="8"/></plugin>', "the plugin decides"),
}
# Which elements can compile to these (dyntype, gaintype, biastype). Where there are two, the numbers decide.
CANDIDATES = {
    ("none", "fixed", "none"): ("motor", "adhesion"),
    ("none", "fixed", "affine"): ("position", "velocity"),
    ("filterexact", "fixed", "affine"): ("position",),
    ("integrator", "fixed", "affine"): ("intvelocity",),
    ("filter", "fixed", "affine"): ("cylinder",),
    ("none", "affine", "none"): ("damper",),
    ("muscle", "muscle", "muscle"): ("muscle",),
    ("dcmotor", "dcmotor", "dcmotor"): ("dcmotor",),
    ("none", "pid", "affine"): ("pid",),
    ("pid", "pid", "affine"): ("pid",),
    ("none", "so3", "so3"): ("orientation",),
}
PLUGIN = '<extension><plugin plugin="mujoco.pid"/></extension>'
BALL = (
    '<body name="head" pos="1 0 0"><joint name="ball" type="ball"/>'
    '<geom type="sphere" size="0.03" pos="0 0 -0.4" mass="0.5"/></body>'
)

# Ways to try an unknown actuator: name, ctrl as a function of t (s), starting angle (rad), and whether a vice holds it.
EXPERIMENTS = (
    ("one command", lambda t: 0.5, 0.0, False),
    ("in a vice at 34 deg", lambda t: np.sin(3 * t), 0.6, True),
    ("in a vice at 0 deg", lambda t: np.sin(3 * t), 0.0, True),
    ("slow sweep", lambda t: np.sin(0.5 * t), 0.0, False),
    ("shaken", lambda t: np.sin(3 * t) + np.sin(8 * t), 0.0, False),
)
EXCITED = 1e-3  # SI units, root mean square: what varied by less than this did not vary


def stand(*elements: str) -> mujoco.MjModel:
    """The bench with a ball joint beside the hinge and one plugin declared, so that every element has its place."""
    text = mjcf(*elements).replace("<worldbody>", PLUGIN + "<worldbody>").replace("</worldbody>", BALL + "</worldbody>")
    return mujoco.MjModel.from_xml_string(text)


def types(model: mujoco.MjModel, i: int) -> tuple[str, str, str]:
    """(dyntype, gaintype, biastype) of actuator i in MJCF's own words, such as ("none", "fixed", "affine")."""
    codes = (
        mujoco.mjtDyn(model.actuator_dyntype[i]),
        mujoco.mjtGain(model.actuator_gaintype[i]),
        mujoco.mjtBias(model.actuator_biastype[i]),
    )
    return tuple(code.name.split("_")[1].lower() for code in codes)


def probe(model: mujoco.MjModel, i: int, n: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Put the hinge into n random states and read actuator i, which has one output.

    Returns the arrays ctrl, length, velocity, force, shape (n,). "ctrl" is what the gain multiplies: the activation if
    the actuator has one, and the control if not. Nothing moves: mj_forward computes all forces of one state.
    """
    data, rows = mujoco.MjData(model), []
    act, ctrl, out = model.actuator_actadr[i], model.actuator_ctrladr[i], model.actuator_outadr[i]
    for _ in range(n):
        data.qpos[0], data.qvel[0] = rng.uniform(-1.5, 1.5, 2)
        data.ctrl[:], data.act[:] = rng.random(model.nu), rng.random(model.na)
        mujoco.mj_forward(model, data)
        x = data.ctrl[ctrl] if act < 0 else data.act[act]
        rows.append((x, data.actuator_length[out], data.actuator_velocity[out], data.actuator_force[out]))
    return dict(zip(("ctrl", "length", "velocity", "force"), np.array(rows).T, strict=True))


def record(element: str, command: Callable[[float], float], q: float = 0.0, vice: bool = False, seconds: float = 6.0):
    """Drive the pendulum with this actuator from rest at q (rad) and keep every tenth step, as `probe` returns it.

    command: ctrl as a function of t (s). vice: the joint is held where it is, by a rotor too heavy to turn.
    """
    model = build(element)
    model.dof_armature[0] = 1e9 if vice else 0.0
    data, rows = mujoco.MjData(model), []
    data.qpos[0] = q
    for k in range(round(seconds / model.opt.timestep)):
        data.ctrl[0] = command(data.time)
        mujoco.mj_step(model, data)  # leaves length, velocity and force of the instant at which the step began
        if k % 10 == 0:
            rows.append((data.ctrl[0], data.actuator_length[0], data.actuator_velocity[0], data.actuator_force[0]))
    return dict(zip(("ctrl", "length", "velocity", "force"), np.array(rows).T, strict=True))


def unmoved(samples: dict[str, np.ndarray]) -> list[str]:
    """Which of ctrl, length and velocity stayed where they were throughout the samples."""
    return [name for name in ("ctrl", "length", "velocity") if np.std(samples[name]) < EXCITED]


def force(model: mujoco.MjModel, data: mujoco.MjData, i: int) -> float | None:
    """What actuator i exerts before its gear, in N m, from its own numbers; None if it does not follow the affine law.

    The law holds for gain types fixed and affine with bias types none and affine, unless a plugin has taken over
    (model.actuator_plugin[i] is its number then, else -1). It reads the actuator's activation if it has one
    (model.actuator_actadr[i], else -1) and its control if not (model.actuator_ctrladr[i]); its length and velocity
    stand at model.actuator_outadr[i] of data.actuator_length and data.actuator_velocity. Clamps are the next lesson:
    no range bites here. Delays, actearly, ball joints and disabled groups are left out, too.
    """
    # TODO(you): three questions. Does it follow the law? What does the gain multiply? Which numbers do its types read?
    raise NotImplementedError("TODO(you): force")


def preset_of(model: mujoco.MjModel, i: int) -> str:
    """The element of ELEMENTS that compiles to these arrays, with whatever numbers; "general" if only <general> does.

    A <motor> has no number to set: its gain is 1. The answer goes by what the engine reads: types, gainprm, biasprm,
    what it acts on (model.actuator_trntype) and the plugin. Names and the label model.actuator_ctrlspec are left aside:
    the engine does not read them. If a preset and a <general> spell the same arrays, the answer is the preset, because
    its contract is the one that holds.
    """
    # TODO(you): CANDIDATES narrows it down. Then: which equation between gain and bias makes ctrl a target angle?
    raise NotImplementedError("TODO(you): preset_of")


def identify(samples: dict[str, np.ndarray]) -> dict:
    """Both arrays of an unknown affine actuator, by least squares, from what could be read off it.

    samples: arrays ctrl, length, velocity, force, shape (n,), as `probe` returns them.
    Returns {"gain": three numbers, "bias": three numbers, "residual": root mean square of what the fit leaves, N m}.
    A number that these samples cannot tell is None; the residual is that of all six columns all the same. Whatever
    varied by less than EXCITED counts as not varied.
    """
    # TODO(you): force is linear in six unknowns; one column each. A number is unknown if the other columns can imitate
    # its column: then the rank does not fall when you take it away. Give np.linalg.matrix_rank the tolerance
    # EXCITED * sqrt(n): it measures lengths, and n numbers of size EXCITED have this length.
    raise NotImplementedError("TODO(you): identify")


def largest_disagreement(model: mujoco.MjModel, states: int, rng: np.random.Generator) -> float:
    """The largest |force - data.actuator_force| over random states, in N m. Who has left the law is skipped."""
    data, worst = mujoco.MjData(model), 0.0
    for _ in range(states):
        data.qpos[0], data.qvel[0] = rng.uniform(-1.5, 1.5, 2)
        data.ctrl[:], data.act[:] = rng.random(model.nu), rng.random(model.na)
        mujoco.mj_forward(model, data)
        for i in range(model.nactuator):
            if (mine := force(model, data, i)) is not None:
                worst = max(worst, abs(mine - data.actuator_force[model.actuator_outadr[i]]))
    return worst


def shown(numbers: list[float | None]) -> str:
    """Three numbers for reading; "?" for what is unknown."""
    return "[" + ", ".join("     ?" if x is None else f"{x:z6.2f}" for x in numbers) + "]"


def main() -> None:
    rng = np.random.default_rng(0)

    part("A", "what the names compile to")
    for name in ("motor", "position", "velocity"):
        model = build(ELEMENTS[name][0])
        gain, bias = shown(model.actuator_gainprm[0, :3]), shown(model.actuator_biasprm[0, :3])
        print(f"  {name:9} gainprm {gain}  biasprm {bias}")

    part("B", "your law against MuJoCo, all elements in one model")
    model = stand(*(element for element, _ in ELEMENTS.values()))
    print(f"  {model.nactuator} actuators, {model.nu} controls, {model.na} activations, {model.nout} forces")
    print(f"  largest disagreement over 200 states {largest_disagreement(model, 200, rng):.1e} N m")

    part("C", "named from the arrays alone; what six numbers leave unexplained")
    for i, name in enumerate(ELEMENTS):
        read = preset_of(model, i)
        left = "  three forces at once"
        if model.actuator_outnum[i] == 1:
            left = f"{identify(probe(model, i, 60, rng))['residual']:8.1e} N m"
        print(f"  {name:12} read as {read:12} {' / '.join(types(model, i)):28} {left}")

    part("D", "an unknown actuator, five experiments")
    for name, *how in EXPERIMENTS:
        samples = record(ELEMENTS["general"][0], *how)
        fit = identify(samples)
        print(f"  {name:20} gain {shown(fit['gain'])}  bias {shown(fit['bias'])}", end="")
        print(f"  never moved: {', '.join(unmoved(samples)) or 'nothing'}")

    part("E", "a DC motor, read from outside")
    fit = identify(probe(build(ELEMENTS["dcmotor"][0]), 0, 60, rng))
    k = -fit["bias"][2] / fit["gain"][0]  # torque = K/R * voltage - K^2/R * speed
    print(f"  motor constant K {k:.3f} N m/A, resistance R {k / fit['gain'][0]:.2f} ohm")


if __name__ == "__main__":
    run_script(main)
