"""Module 03, clamping: the command that ran is not the one you wrote.

On its way from data.ctrl to the joint a command becomes four numbers: used, raw, force, torque. You write the three
functions that make them (the last one makes two), and then the detective who says, from outside, which clamps acted.

    written --control range--> used --gain, bias--> raw --force range--> force --gear, sum, joint range--> torque

Run:    python code/clamping.py
Check:  python3 -m course check clamping
"""

from itertools import pairwise

import mujoco
import numpy as np

from bench.pendulum import build
from bench.script import part, run_script

SERVO = '<position joint="hinge" kp="8" kv="1.2" ctrlrange="-3.2 3.2" forcerange="-3 3"/>'
GEARED = '<motor joint="hinge" gear="20"/>'
BARE = '<motor joint="hinge"/>'  # no range of any kind
PUSH = '<motor joint="hinge" ctrlrange="-2 2"/>'
SAME = 1e-9  # two forces (N m) nearer than this are one force: room for the last bit of a division


# ---- given: the law of one actuator, and the limits written into a model ----


def law(model: mujoco.MjModel, i: int, ctrl: float, length: float, velocity: float) -> float:
    """Force of actuator i before its force clamp: gain * ctrl + bias, as in module 02. Stateless actuators only.

    ctrl: what the actuator acts on. length, velocity: the actuator's own. For gear 1 the result is in N m.
    """
    terms = np.array([1.0, length, velocity])
    affine_gain = model.actuator_gaintype[i] == mujoco.mjtGain.mjGAIN_AFFINE
    affine_bias = model.actuator_biastype[i] == mujoco.mjtBias.mjBIAS_AFFINE
    gain = model.actuator_gainprm[i, :3] @ terms if affine_gain else model.actuator_gainprm[i, 0]
    bias = model.actuator_biasprm[i, :3] @ terms if affine_bias else 0.0
    return float(gain * ctrl + bias)


def control_clamp_on(model: mujoco.MjModel) -> bool:
    """False if <option><flag clampctrl="disable"/></option> has switched off the control clamp of every actuator."""
    return not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL


def limits_of(model: mujoco.MjModel) -> dict:
    """What a data sheet would say of the one actuator on the one joint of this model.

    Returns {"ctrl": range or None, "force": range or None, "gear": number, "joint": range or None}. A range is a pair
    (low, high); None means that this clamp is off. "force" is the actuator's own, "joint" holds after the gear (N m).
    """
    ranges = {
        "ctrl": (model.actuator_ctrllimited[0] and control_clamp_on(model), model.actuator_ctrlrange[0]),
        "force": (model.actuator_forcelimited[0], model.actuator_forcerange[0]),
        "joint": (model.jnt_actfrclimited[0], model.jnt_actfrcrange[0]),
    }
    limits = {name: (float(pair[0]), float(pair[1])) if on else None for name, (on, pair) in ranges.items()}
    return limits | {"gear": float(model.actuator_gear[0, 0])}


def clamp(x: float, limits: tuple[float, float] | None) -> float:
    """x, moved to the nearer end of the range if it lies outside. None: no clamp."""
    return x if limits is None else min(max(x, limits[0]), limits[1])


# ---- yours: the four stages, in three functions ----


def used_ctrl(model: mujoco.MjModel, written: np.ndarray) -> np.ndarray:
    """The commands that the actuators act on, shape (nu,), when `written` (nu,) stands in data.ctrl.

    An actuator is clamped to model.actuator_ctrlrange[i] only if model.actuator_ctrllimited[i] is set, and none is if
    control_clamp_on(model) is False. `written` stays as it is: MuJoCo, too, clamps a copy.
    """
    # TODO(you): a copy, clamped where a clamp is on. A range in the model does not yet mean that anyone enforces it.
    ### BEGIN SOLUTION
    low, high = model.actuator_ctrlrange.T
    limited = model.actuator_ctrllimited.astype(bool) & control_clamp_on(model)
    return np.where(limited, np.clip(written, low, high), written)
    ### END SOLUTION


def raw_force(model: mujoco.MjModel, used: np.ndarray, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    """The force of every actuator before its force clamp, shape (nu,).

    used: (nu,) from used_ctrl. q, qd: angle (rad) and speed (rad/s) of every joint, shape (nv,); hinges only, so joint
    j has entry j. Actuator i drives joint model.actuator_trnid[i, 0] through the gear model.actuator_gear[i, 0].
    """
    # TODO(you): law() wants the actuator's own length and velocity. What are they, on the far side of a gear?
    ### BEGIN SOLUTION
    raw = np.zeros(model.nu)
    for i in range(model.nu):
        joint, gear = model.actuator_trnid[i, 0], model.actuator_gear[i, 0]
        raw[i] = law(model, i, used[i], gear * q[joint], gear * qd[joint])
    return raw
    ### END SOLUTION


def joint_torque(model: mujoco.MjModel, raw: np.ndarray) -> np.ndarray:
    """The torque that the actuators put on every joint, in N m, shape (nv,).

    raw: (nu,) from raw_force. Each actuator has a force range (actuator_forcelimited, actuator_forcerange), a gear and
    a joint as above; each joint may have a range of its own (jnt_actfrclimited, jnt_actfrcrange). Hinges only.
    """
    # TODO(you): two clamps, a gear and a sum. Which comes first? Two actuators may share a joint.
    ### BEGIN SOLUTION
    force = np.where(model.actuator_forcelimited, np.clip(raw, *model.actuator_forcerange.T), raw)
    torque = np.zeros(model.nv)
    np.add.at(torque, model.actuator_trnid[:, 0], model.actuator_gear[:, 0] * force)
    return np.where(model.jnt_actfrclimited, np.clip(torque, *model.jnt_actfrcrange.T), torque)
    ### END SOLUTION


# ---- given: tools for the detective ----


def same(a: float, b: float) -> bool:
    """Are these two forces one force, but for rounding?"""
    return abs(a - b) <= SAME


def fits(reading: float | None, value: float) -> bool:
    """Does this reading allow this value? A device that reports nothing (None) allows everything."""
    return reading is None or same(reading, value)


def suspects(limits: dict, actuator_force: float | None, joint_torque: float | None) -> list[float]:
    """Raw forces that may have been at work: one from each stretch between the limits, and those that readings name.

    A force names itself, a torque names torque / gear. A raw force exactly at a limit is left out: for a servo that
    closes a loop it would be a coincidence, so a force that reads exactly its limit was clamped.
    """
    gear = limits["gear"]
    ends = [*(limits["force"] or ()), *(end / gear for end in limits["joint"] or ())]
    marks = []
    for end in sorted(ends):
        if not marks or not same(end, marks[-1]):
            marks.append(end)
    named = [] if actuator_force is None else [actuator_force]
    named += [] if joint_torque is None else [joint_torque / gear]
    between = [(a + b) / 2 for a, b in pairwise(marks)]
    beyond = [marks[0] - 1.0, marks[-1] + 1.0] if marks else [0.0]
    return between + beyond + [raw for raw in named if not any(same(raw, mark) for mark in marks)]


# ---- yours: the detective ----


def which_clamp_bit(
    limits: dict, written: float, actuator_force: float | None = None, joint_torque: float | None = None
) -> dict:
    """Which clamps changed the number on its way from data.ctrl to the joint? Judged from outside.

    limits: from limits_of. written: the command. actuator_force, joint_torque: what was read, or None where the device
    does not report it. The servo closes a loop and its angle was not logged: its raw force may have been anything.
    Returns {"ctrl": v, "force": v, "joint": v}. v is "yes" (what came out of this clamp differs from what went in),
    "no" (it does not) or "cannot tell" (of the suspects that leave these readings, some say yes and some say no).
    At least one suspect always leaves the readings of such a servo. Compare with same() and fits().
    """
    # TODO(you): send every suspect down the chain. Which would have left these readings? Do the survivors agree?
    ### BEGIN SOLUTION
    stories = []
    for raw in suspects(limits, actuator_force, joint_torque):
        force = clamp(raw, limits["force"])
        arriving = limits["gear"] * force
        torque = clamp(arriving, limits["joint"])
        if fits(actuator_force, force) and fits(joint_torque, torque):
            stories.append({"force": not same(raw, force), "joint": not same(arriving, torque)})
    verdict = {"ctrl": "no" if clamp(written, limits["ctrl"]) == written else "yes"}
    for name in ("force", "joint"):
        told = {story[name] for story in stories}
        verdict[name] = "cannot tell" if len(told) > 1 else "yes" if told == {True} else "no"
    return verdict
    ### END SOLUTION


# ---- given: your functions in a row, and the lesson's numbers ----


def chain(model: mujoco.MjModel, written: np.ndarray, q: np.ndarray, qd: np.ndarray) -> dict:
    """Your three functions in a row: {"used": (nu,), "raw": (nu,), "torque": (nv,)}."""
    used = used_ctrl(model, written)
    raw = raw_force(model, used, q, qd)
    return {"used": used, "raw": raw, "torque": joint_torque(model, raw)}


def one_step(model: mujoco.MjModel, written: float) -> mujoco.MjData:
    """Write one command, step once from rest."""
    data = mujoco.MjData(model)
    data.ctrl[0] = written
    mujoco.mj_step(model, data)
    return data


def two_on_one_joint(block: bool = False) -> mujoco.MjModel:
    """The pendulum with a position servo and a motor on its one joint, which takes 3.5 N m at most."""
    model = build(SERVO, PUSH, block=block)
    model.jnt_actfrclimited[0], model.jnt_actfrcrange[0] = True, (-3.5, 3.5)
    return model


def largest_disagreement(model: mujoco.MjModel, steps: int) -> float:
    """The largest |your torque - MuJoCo's qfrc_actuator| (N m) along a motion with loud, slow commands."""
    data, worst = mujoco.MjData(model), 0.0
    for k in range(steps):
        data.ctrl[:] = 6.0 * np.sin(0.002 * k + np.arange(model.nu))
        q, qd = data.qpos.copy(), data.qvel.copy()  # mj_step computes the force here, then moves on
        mujoco.mj_step(model, data)
        worst = max(worst, np.abs(chain(model, data.ctrl, q, qd)["torque"] - data.qfrc_actuator).max())
    return float(worst)


def main() -> None:
    rest = np.zeros(1)

    part("A", "99.0 goes in, 3.0 comes out")
    servo = build(SERVO)
    mine, data = chain(servo, np.array([99.0]), rest, rest), one_step(servo, 99.0)
    used, raw, torque = mine["used"][0], mine["raw"][0], mine["torque"][0]
    print(f"  yours:  written 99.0, used {used:.1f}, raw {raw:.1f}, joint torque {torque:.1f}")
    print(f"  MuJoCo: data.ctrl[0] still reads {data.ctrl[0]:.1f}, actuator_force {data.actuator_force[0]:.1f}")

    part("B", "a gear multiplies after the force")
    geared = build(GEARED)
    mine, data = chain(geared, np.array([0.25]), rest, rest), one_step(geared, 0.25)
    print(f"  yours:  gear 20, written 0.25, raw {mine['raw'][0]:.2f}, joint torque {mine['torque'][0]:.1f}")
    print(f"  MuJoCo: actuator_force {data.actuator_force[0]:.2f}, qfrc_actuator {data.qfrc_actuator[0]:.1f}")

    part("C", "nobody wrote a range")
    bare = build(BARE)
    data = one_step(bare, 99.0)
    while data.time < 2.0:
        mujoco.mj_step(bare, data)
    print(f"  written 99.0, actuator_force {data.actuator_force[0]:.1f}")
    print(f"  after 2 s: {data.qvel[0]:.0f} rad/s, {data.qpos[0] / (2 * np.pi):.0f} turns")

    part("D", "your chain against MuJoCo: two actuators on one joint, along a motion")
    print(f"  largest disagreement in 3000 steps: {largest_disagreement(two_on_one_joint(), 3000):.1e} N m")

    part("E", "the detective: one crime, four witnesses")
    limits = {"ctrl": (-3.2, 3.2), "force": (-3.0, 3.0), "gear": 2.0, "joint": (-4.0, 4.0)}
    for witness, readings in (("both", (3.0, 4.0)), ("force", (3.0, None)), ("torque", (None, 4.0)), ("neither", ())):
        print(f"  reads {witness:8}", which_clamp_bit(limits, 99.0, *readings))


if __name__ == "__main__":
    run_script(main)
