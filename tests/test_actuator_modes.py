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
    asked = f"run(the pendulum with a <{name}>, step 1/{1 / model.opt.timestep:.0f} s, ctrl={ctrl}, seconds={seconds})"
    data = ex.run(model, ctrl, seconds)
    if data is None:
        wrong(asked, "nothing (None)", "an MjData", "the return statement is missing")
    if getattr(data, "kind", "") == "MjData":  # it could not be rebuilt here, so it is not this model's
        wrong(asked, "the data of another model", "an MjData of this model", "make new data from `model` in every call")
    if not isinstance(data, mujoco.MjData):
        wrong(asked, data, "an MjData", "return the MjData itself, so that the caller can read any of its arrays")
    return data, asked


def judge_clock(data, asked, seconds, step):
    """The time simulated, in s."""
    agree(
        f"data.time after {asked}",
        data.time,
        seconds,
        tol=0.1 * step,
        unit="s",
        slips={
            "no step was made: only mj_step moves the clock, and seconds / step says how often to call it": 0.0,
            "these data saw one step: make them before the loop, and return them after it": step,
            "one step too many: range(n) already makes n steps": seconds + step,
            "one step too few: range(n) makes n steps, range(1, n) makes one less": seconds - step,
            "the count assumes steps of 1 ms; model.opt.timestep says how long one is": seconds * 1000 * step,
            "`seconds` was used as the number of steps": int(seconds) * step,
        },
    )


@check(todo="run", points=1)
def test_simulates_the_time_asked(rng):
    """The clock in the data you return, for models whose step is not always 1 ms."""
    for name, element in (("motor", MOTOR), ("position", POSITION), ("velocity", VELOCITY)):
        model = build(element)
        step = model.opt.timestep = 1 / rng.choice([128, 256, 512])  # exact in binary: all ways to count agree
        seconds = int(rng.integers(17, 32)) / 8
        data, asked = ask_run(model, round(rng.uniform(-1, 1), 2), seconds, name)
        judge_clock(data, asked, seconds, step)


@check(todo="run", points=2)
def test_ends_where_mujoco_ends(rng):
    """The angle at the end, against MuJoCo's own rollout in C."""
    sizes = (("motor", MOTOR, 2.5), ("position", POSITION, 1.5), ("velocity", VELOCITY, 4.0))
    for name, element, size in sizes:
        model = build(element)
        step = model.opt.timestep = 1 / rng.choice([512, 1024])
        for _ in range(2):
            ctrl = round(rng.choice([-1, 1]) * rng.uniform(0.4, 1.0) * size, 2)
            seconds = int(rng.integers(8, 17)) / 32
            data, asked = ask_run(model, ctrl, seconds, name)
            if not abs(data.time - seconds) < 1.1 * step:  # one step more or less is the other check's business
                judge_clock(data, asked, seconds, step)
            judge_angle(data, asked, model, ctrl, round(data.time / step))


def judge_angle(data, asked, model, ctrl, steps):
    """The angle after so many steps, in rad."""
    always, first = np.ones(steps), np.eye(1, steps)[0]
    agree(
        f"data.qpos[0] after {asked}",
        data.qpos[0],
        last_angle(model, ctrl * always),
        tol=1e-9,
        unit="rad",
        slips={
            "the joint moved as if ctrl were 0: write the command before the steps": lambda: last_angle(
                model, 0 * always
            ),
            "ctrl is a command, not a pose: leave data.qpos alone": lambda: last_angle(model, 0 * always, start=ctrl),
            "the command held for one step only; nothing should clear it": lambda: last_angle(model, ctrl * first),
            "ctrl goes in as it is: only the actuator knows whether it is an angle at all": lambda: last_angle(
                model, np.deg2rad(ctrl) * always
            ),
            "ctrl was turned into degrees; it goes in as it is": lambda: last_angle(model, np.rad2deg(ctrl) * always),
            "ctrl went past the actuator, as a torque on the joint: write it into data.ctrl": lambda: pushed_angle(
                model, ctrl, steps
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


def pushed_angle(model, torque, steps):
    """The angle after so many steps under a torque that comes from outside, in rad."""
    data = mujoco.MjData(model)
    data.qfrc_applied[0] = torque
    mujoco.mj_step(model, data, steps)
    return data.qpos[0]


def servo_force(model, target, q, qd):
    """What MuJoCo's position actuator does in this state, in N m."""
    data = mujoco.MjData(model)
    data.ctrl[0], data.qpos[0], data.qvel[0] = target, q, qd
    mujoco.mj_forward(model, data)
    return data.actuator_force[0]


def state_for(rng, unclipped, fastest=3.0, signs=(-1, 1)):
    """A random (target, q, qd) in which spring and damper together ask for `unclipped` N m. signs: those of qd."""
    q, qd = rng.uniform(-0.8, 0.8), rng.choice(signs) * rng.uniform(0.1, 1.0) * fastest
    return q + (unclipped + KV * qd) / KP, q, qd


@check(todo="pd_force", points=2)
def test_agrees_with_mujoco_at_every_step(rng):
    """Your torque against MuJoCo's own actuator_force, in random states inside the limit."""
    model = build(POSITION)
    # First gentle states, in which the usual slips stay inside the limit too and so can be told apart. In the very
    # first all is positive, so that degrees (+3 N m) do not look like a limit whose sides are exchanged (-3 N m).
    for k, (torque, fastest) in enumerate([(0.9, 0.3)] + 5 * [(0.9, 0.8)] + 6 * [(2.9, 3.0)]):
        signs = [-1, 1] if k else [1]
        target, q, qd = state_for(rng, rng.choice(signs) * rng.uniform(0.2, torque), fastest, signs)
        weight = PEAK * np.sin(q)
        error = target - q
        agree(
            f"pd_force(target={target:.3f}, q={q:.3f}, qd={qd:.3f})",
            ex.pd_force(target, q, qd),
            servo_force(model, target, q, qd),
            tol=1e-9,
            unit="N m",
            slips={
                "the sign of the derivative term is backwards: a damper opposes any motion": clip(KP * error + KV * qd),
                "the sides of the limit are exchanged: np.clip takes the lower one first": np.nan if k else -LIMIT,
                "the sign of the error is backwards: the spring pulls towards the target": clip(-KP * error - KV * qd),
                "the derivative term is missing (or KV is still 0 from a variation)": clip(KP * error),
                "angles are already in rad: no conversion is needed": clip(np.deg2rad(KP * error - KV * qd)),
                "angles stay in rad: nothing here is in degrees": clip(np.rad2deg(KP * error - KV * qd)),
                "KP and KV have changed places": clip(KV * error - KP * qd),
                "this servo does not know gravity: target, angle and speed are all that it has": clip(
                    KP * error - KV * qd + weight
                ),
                "this servo does not know gravity; it does not take it off either": clip(KP * error - KV * qd - weight),
                "that is the law of a <velocity> actuator; this one is a <position>": clip(KV * (target - qd)),
                "FORCE_LIMIT is not 3 N m here; is it still changed from a variation?": np.clip(
                    KP * error - KV * qd, -1.0, 1.0
                ),
            },
        )


@check(todo="pd_force", points=1)
def test_stops_at_the_limit(rng):
    """Beyond the limit, in both directions, the servo gives the limit."""
    model = build(POSITION)
    for k, sign in enumerate((1, -1, 1, -1, 1, -1)):
        # At first the spring alone is over the limit, so that a limit on the spring does not look like none.
        target, q, qd = state_for(rng, sign * rng.uniform(3.5, 8.0), signs=(-1, 1) if k > 1 else (sign,))
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


def settle(model, target, q, hand=0.0):
    """The data of a joint that has come to rest near q under this command. hand: an outside torque, N m."""
    model.opt.timestep = 0.002
    data = mujoco.MjData(model)
    data.ctrl[0], data.qpos[0], data.qfrc_applied[0] = target, q, hand
    mujoco.mj_step(model, data, 1500)
    mujoco.mj_forward(model, data)  # forces of the state the data shows, not of the step before
    return data


def judge_balance(data):
    """Compare explain() with what MuJoCo knows about this joint at rest."""
    ctrl, q = data.ctrl[0], data.qpos[0]
    asked = f"explain(ctrl={ctrl:.3f}, q={q:.3f})"
    got = ex.explain(ctrl, q)
    if isinstance(got, (tuple, list)):
        wrong(asked, f"{len(got)} numbers side by side", "a Balance", "return Balance(actuator, gravity, contact)")
    told = fields(got, asked, "actuator", "gravity", "contact")
    actuator, gravity = data.actuator_force[0], data.qfrc_bias[0]
    contact = -data.qfrc_constraint[0] - data.qfrc_applied[0]
    touched, pulled = abs(contact) > 0.1, contact < -0.1
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
            "ctrl is an angle here; the law, pd_force, makes a torque of it": ctrl,
            "the order is Balance(actuator, gravity, contact); this is gravity": gravity if touched else np.nan,
            "that is a free arm with this command; the angle says where this one is": KP * (ctrl - free_angle(ctrl)),
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
            "the lever is LENGTH * sin(q); for an angle like this q is not sin(q)": PEAK * q,
            "the order is Balance(actuator, gravity, contact); this is the contact": contact if touched else np.nan,
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
            "contact may be negative: then something outside helps to carry the bob": 0.0 if pulled else np.nan,
            "contact keeps its sign; here something outside helps to carry the bob": -contact if pulled else np.nan,
            "contact is counted along the actuator: what the arm pushes with, not what pushes it back": -contact,
            "part of the actuator's torque carries the bob; only the rest pushes": actuator,
            "the actuator gives more than gravity takes; something must be taking the rest": 0.0,
            "the limit acts on the actuator; the contact gets what is left of that": KP * (ctrl - q) - gravity,
        },
    )


def free_angle(ctrl):
    """Where a free arm with this command would rest, in rad."""
    q = ctrl
    for _ in range(60):
        q = ctrl - PEAK * np.sin(q) / KP
    return q


@check(todo="explain", points=2)
def test_a_free_joint_only_carries(rng):
    """Free joints at rest, on both sides: all of the torque carries the bob, none of it pushes."""
    for sign in (1, -1, 1, -1):
        target = sign * rng.uniform(0.4, 1.5)
        judge_balance(settle(build(POSITION), target, 0.85 * target))


@check(todo="explain", points=2)
def test_a_blocked_joint_also_pushes(rng):
    """Walls at random places, commands beyond them: the rest of the torque pushes the wall. Then a hand that helps."""
    for beyond in (rng.uniform(0.2, 0.35), rng.uniform(0.2, 0.35), rng.uniform(0.6, 1.0)):
        model = build(POSITION, block=True)
        model.geom("block").pos[0] += rng.uniform(-0.06, 0.08)
        touch = np.arcsin((model.geom("block").pos[0] - 0.05 - 0.03) / 0.4)  # the bob's radius is 0.03 m
        judge_balance(settle(model, touch + beyond, touch - 0.02))
    # Not every contact is a wall in front: a hand holds the bob up, first on the one side, then on the other.
    for side in (1, -1):
        judge_balance(settle(build(POSITION), side * rng.uniform(0.9, 1.4), side, hand=side * rng.uniform(0.4, 0.9)))
