"""Graded checks of module 01, one number, three contracts. Every expected value comes from MuJoCo."""

import mujoco
import numpy as np
from mujoco import rollout

from bench.pendulum import build
from course.testing import agree, check, exercise, fields, wrong

ex = exercise("actuator_modes")

KP, KV, LIMIT = 8.0, 1.2, 3.0
PEAK = 0.5 * 9.81 * 0.4  # N m, gravity's torque on the horizontal arm
MOTOR = '<motor joint="hinge"/>'
VELOCITY = '<velocity joint="hinge" kv="4"/>'
POSITION = f'<position joint="hinge" kp="{KP}" kv="{KV}" ctrlrange="-3.2 3.2" forcerange="{-LIMIT} {LIMIT}"/>'


def ask_run(model, ctrl, seconds, name):
    """Call run and insist on an MjData. Returns it with the words of the question."""
    asked = (
        f"run(the pendulum with a <{name}>, step {1000 * model.opt.timestep:.0f} ms, ctrl={ctrl}, seconds={seconds})"
    )
    data = ex.run(model, ctrl, seconds)
    if data is None:
        wrong(asked, "nothing (None)", "an MjData", "the return statement is missing")
    if getattr(data, "kind", "") == "MjData":  # it could not be rebuilt here, so it is not this model's
        wrong(asked, "the data of another model", "an MjData of this model", "make new data from `model` in every call")
    if not isinstance(data, mujoco.MjData):
        wrong(asked, data, "an MjData", "return the MjData itself, so that the caller can read any of its arrays")
    return data, asked


@check(todo="run", points=1)
def test_simulates_the_time_asked(rng):
    """The clock in the data you return, for models whose step is not always 1 ms."""
    for name, element in (("motor", MOTOR), ("position", POSITION), ("velocity", VELOCITY)):
        model = build(element)
        step = model.opt.timestep = rng.choice([0.002, 0.004, 0.005])
        seconds = round(rng.uniform(2.1, 3.9), 2)
        data, asked = ask_run(model, round(rng.uniform(-1, 1), 2), seconds, name)
        # One step more or less is a matter of rounding, not a mistake.
        agree(
            f"data.time after {asked}",
            data.time,
            seconds,
            tol=1.01 * step,
            unit="s",
            slips={
                "the clock hardly moved: a run is many calls of mj_step (mj_forward does not move it at all)": 0.0,
                "the count assumes steps of 1 ms; model.opt.timestep says how long one is": seconds * 1000 * step,
                "`seconds` was used as the number of steps": int(seconds) * step,
            },
        )


@check(todo="run", points=2)
def test_ends_where_mujoco_ends(rng):
    """The angle at the end, against MuJoCo's own rollout in C."""
    for name, element, size in (("motor", MOTOR, 2.5), ("position", POSITION, 1.5), ("velocity", VELOCITY, 4.0)):
        model = build(element)
        step = model.opt.timestep = rng.choice([0.001, 0.002])
        for _ in range(2):
            ctrl, seconds = (
                round(rng.choice([-1, 1]) * rng.uniform(0.4, 1.0) * size, 2),
                round(rng.uniform(0.2, 0.5), 2),
            )
            data, asked = ask_run(model, ctrl, seconds, name)
            steps = round(seconds / step)
            if abs(round(data.time / step) - steps) == 1:
                steps = round(data.time / step)  # one step more or less is a matter of rounding
            always, first = np.ones(steps), np.eye(1, steps)[0]
            agree(
                f"data.qpos[0] after {asked}",
                data.qpos[0],
                last_angle(model, ctrl * always),
                tol=1e-9,
                unit="rad",
                slips={
                    "the joint moved as if ctrl were 0: write the command before the steps": last_angle(
                        model, 0 * always
                    ),
                    "ctrl is a command, not a pose: leave data.qpos alone": last_angle(model, 0 * always, start=ctrl),
                    "the command held for one step only; nothing should clear it": last_angle(model, ctrl * first),
                    "ctrl goes in as it is: only the actuator knows whether it is an angle at all": last_angle(
                        model, np.deg2rad(ctrl) * always
                    ),
                },
            )


def last_angle(model, commands, start=0.0):
    """The angle after one step per command, in rad, by MuJoCo's rollout. start: the first angle, in rad."""
    data = mujoco.MjData(model)
    data.qpos[0] = start
    state = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    states, _ = rollout.rollout(model, data, state, commands[:, None])
    return states[0, -1, 1]  # time, then qpos, then qvel


def servo_force(model, target, q, qd):
    """What MuJoCo's position actuator does in this state, in N m."""
    data = mujoco.MjData(model)
    data.ctrl[0], data.qpos[0], data.qvel[0] = target, q, qd
    mujoco.mj_forward(model, data)
    return data.actuator_force[0]


def state_for(rng, unclipped, fastest=3.0):
    """A random (target, q, qd) in which spring and damper together ask for `unclipped` N m."""
    q, qd = rng.uniform(-0.8, 0.8), rng.choice([-1, 1]) * rng.uniform(0.1, 1.0) * fastest
    return q + (unclipped + KV * qd) / KP, q, qd


@check(todo="pd_force", points=2)
def test_agrees_with_mujoco_at_every_step(rng):
    """Your torque against MuJoCo's own actuator_force, in random states inside the limit."""
    model = build(POSITION)
    # First gentle states, in which the usual slips stay inside the limit too and so can be told apart.
    for torque, fastest in 6 * [(0.9, 0.8)] + 6 * [(2.9, 3.0)]:
        target, q, qd = state_for(rng, rng.uniform(-torque, torque), fastest)
        error = target - q
        agree(
            f"pd_force(target={target:.3f}, q={q:.3f}, qd={qd:.3f})",
            ex.pd_force(target, q, qd),
            servo_force(model, target, q, qd),
            tol=1e-9,
            unit="N m",
            slips={
                "the sign of the derivative term is backwards: a damper opposes the motion": clip(KP * error + KV * qd),
                "the sign of the error is backwards: the spring pulls towards the target": clip(-KP * error - KV * qd),
                "the derivative term is missing (or KV is still 0 from a variation)": clip(KP * error),
                "angles are already in rad: no conversion is needed": clip(np.deg2rad(KP * error - KV * qd)),
                "angles stay in rad: nothing here is in degrees": clip(np.rad2deg(KP * error) - KV * qd),
                "FORCE_LIMIT is not 3 N m here; is it still changed from a variation?": np.clip(
                    KP * error - KV * qd, -1.0, 1.0
                ),
            },
        )


@check(todo="pd_force", points=1)
def test_stops_at_the_limit(rng):
    """Beyond the limit, in both directions, the servo gives the limit."""
    model = build(POSITION)
    for sign in (1, -1, 1, -1, 1, -1):
        target, q, qd = state_for(rng, sign * rng.uniform(3.5, 8.0))
        spring, damper = KP * (target - q), -KV * qd
        agree(
            f"pd_force(target={target:.3f}, q={q:.3f}, qd={qd:.3f})",
            ex.pd_force(target, q, qd),
            servo_force(model, target, q, qd),
            tol=1e-9,
            unit="N m",
            slips={
                "the limit is missing: no servo gives more than FORCE_LIMIT": spring + damper,
                "the limit belongs on the sum, not on the spring alone": clip(spring) + damper,
                "a limit has two sides: the torque may be -FORCE_LIMIT too": abs(clip(spring + damper)),
                "beyond the limit the servo gives the limit, not nothing": 0.0,
                "FORCE_LIMIT is not 3 N m here; is it still changed from a variation?": sign * 1.0,
            },
        )


def clip(torque):
    return float(np.clip(torque, -LIMIT, LIMIT))


def settle(model, target, q):
    """The data of a joint that has come to rest near q under this command."""
    model.opt.timestep = 0.002
    data = mujoco.MjData(model)
    data.ctrl[0], data.qpos[0] = target, q
    mujoco.mj_step(model, data, 1500)
    mujoco.mj_forward(model, data)  # forces of the state the data shows, not of the step before
    return data


def judge_balance(data):
    """Compare explain() with what MuJoCo knows about this joint at rest."""
    ctrl, q = data.ctrl[0], data.qpos[0]
    asked = f"explain(ctrl={ctrl:.3f}, q={q:.3f})"
    told = fields(ex.explain(ctrl, q), asked, "actuator", "gravity", "contact")
    actuator, gravity, contact = data.actuator_force[0], data.qfrc_bias[0], -data.qfrc_constraint[0]
    agree(
        f"actuator of {asked}",
        told["actuator"],
        actuator,
        tol=1e-6,
        unit="N m",
        slips={
            "the servo has a limit, and pd_force knows it": KP * (ctrl - q),
            "the servo gives its limit only where the error asks for that much": LIMIT,
            "the error is ctrl - q": clip(KP * (q - ctrl)),
            "the joint is at rest, so its speed is 0 (q is an angle)": clip(KP * (ctrl - q) - KV * q),
            "FORCE_LIMIT is not 3 N m here; is it still changed from a variation?": np.clip(KP * (ctrl - q), -1.0, 1.0),
        },
    )
    agree(
        f"gravity of {asked}",
        told["gravity"],
        gravity,
        tol=1e-6,
        unit="N m",
        slips={
            "q is measured from hanging straight down, so the lever arm is LENGTH * sin(q)": PEAK * np.cos(q),
            "gravity acts where the arm is, at q, not where it was told to be": PEAK * np.sin(ctrl),
            "gravity is counted as what the actuator spends on it: positive when the arm hangs towards +q": -gravity,
            "the lever arm shrinks as the arm hangs down: LENGTH * sin(q), not LENGTH": PEAK,
            "sin takes radians, and q is in radians already": PEAK * np.sin(np.deg2rad(q)),
            "a torque is a force times an arm: MASS * GRAVITY is only the force": gravity / 0.4,
            "a mass is not a weight: GRAVITY is missing": gravity / 9.81,
        },
    )
    agree(
        f"contact of {asked}",
        told["contact"],
        contact,
        tol=1e-6,
        unit="N m",
        slips={
            "contact is what is left of the actuator's torque after gravity: a difference, not a sum": actuator
            + gravity,
            "contact is counted along the actuator: what the arm pushes with, not what pushes it back": -contact,
            "part of the actuator's torque carries the bob; only the rest pushes": actuator,
            "the actuator gives more than gravity takes; something must be taking the rest": 0.0,
            "the limit acts on the actuator; the contact gets what is left of that": KP * (ctrl - q) - gravity,
        },
    )


@check(todo="explain", points=2)
def test_a_free_joint_only_carries(rng):
    """Free joints at rest, on both sides: all of the torque carries the bob, none of it pushes."""
    for sign in (1, -1, 1, -1):
        target = sign * rng.uniform(0.4, 1.5)
        judge_balance(settle(build(POSITION), target, 0.85 * target))


@check(todo="explain", points=2)
def test_a_blocked_joint_also_pushes(rng):
    """A wall at a random place, a command beyond it: the rest of the torque goes into the wall."""
    for beyond in (rng.uniform(0.2, 0.35), rng.uniform(0.2, 0.35), rng.uniform(0.6, 1.0)):
        model = build(POSITION, block=True)
        model.geom("block").pos[0] += rng.uniform(-0.06, 0.08)
        touch = np.arcsin((model.geom("block").pos[0] - 0.05 - 0.03) / 0.4)  # the bob's radius is 0.03 m
        judge_balance(settle(model, touch + beyond, touch - 0.02))
