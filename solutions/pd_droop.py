"""The droop of a PD servo, three cures, and what each one costs.

Run it:     python code/pd_droop.py
Check it:   python3 -m course check pd_droop
The lesson: lessons/04_pd_droop.ipynb
"""

import copy
from collections.abc import Callable

import mujoco
import numpy as np

from bench.pendulum import build
from bench.script import part, run_script

PEAK = 0.5 * 9.81 * 0.4  # N m: gravity's torque on the level arm; at the angle q it is PEAK * sin(q)
KP, KV, LIMIT = 8.0, 1.2, 3.0  # N m/rad, N m s/rad, N m: the position servo of this part of the course
KI = 8.0  # N m/(rad s): KP / KI = 1 s is about how long the integral takes to lift the arm
DT = 0.001  # s: one time step of the model

# The course's virtual STS3215 at 7.4 V, seen at the output shaft; BAM's model M1 of a real one has 1.212 and 2.676. The
# two belong together: take neither alone.
KT, R = 1.275, 2.75  # N m/A, ohm
# Its overload protection (registers 36, 35 and 34 as they come from the factory): share of full torque, s, share.
OVERLOAD, PATIENCE, MERCY = 0.80, 2.0, 0.20


# Given: servos and runs


def servo(kp: float = KP, kv: float = KV, limit: float = LIMIT, kind: str = "position", more: str = "") -> str:
    """The MJCF of a servo on the hinge; kind="pid" with more='input="pos" ki="8"' adds an integral."""
    return f'<{kind} joint="hinge" kp="{kp}" kv="{kv}" ctrlrange="-3.2 3.2" forcerange="{-limit} {limit}" {more}/>'


def record(model, command: float | Callable, seconds: float, lift_at: float = np.inf, push: float = 0.0) -> dict:
    """Run from the hanging rest and write everything down: {"t", "q", "qd", "tau"}, an array each, in SI units.

    command: the number for data.ctrl[0], or a function of (q, qd) that returns it at every step.
    lift_at: when the block stops being in the way, s. push: an outside torque on the hinge, N m.
    """
    model = copy.copy(model)  # lifting the block changes the model: ours, not the caller's
    data = mujoco.MjData(model)
    data.qfrc_applied[0] = push
    rows = np.empty((round(seconds / model.opt.timestep), 4))
    for row in rows:
        if data.time >= lift_at:
            model.geom("block").contype = model.geom("block").conaffinity = 0
        q, qd = data.qpos[0], data.qvel[0]
        data.ctrl[0] = command(q, qd) if callable(command) else command
        t = data.time
        mujoco.mj_step(model, data)
        row[:] = t, q, qd, data.actuator_force[0]  # what was applied during this step, beside the state it started from
    return dict(zip(("t", "q", "qd", "tau"), rows.T, strict=True))


def pid_loop(target: float, ki: float = KI, limit: float = LIMIT) -> Callable:
    """Your pid_step as a command for a <motor>: it keeps the integral from one step to the next."""
    integral = 0.0

    def command(q, qd):
        nonlocal integral
        tau, integral = pid_step(integral, target, q, qd, DT, ki=ki, limit=limit)
        return tau

    return command


def overload(command: Callable, limit: float = LIMIT) -> Callable:
    """What the firmware of an STS3215 does to a strained servo: after two seconds it gives up most of its torque."""
    strained, tripped = 0.0, False

    def guarded(q, qd):
        nonlocal strained, tripped
        tau = command(q, qd)
        strained = strained + DT if abs(tau) > OVERLOAD * limit else 0.0
        tripped = tripped or strained >= PATIENCE  # the real one forgives at the next new goal
        return float(np.clip(tau, -MERCY * limit, MERCY * limit)) if tripped else tau

    return guarded


def swing_up(limit: float) -> Callable:
    """A command for a <motor>: pump the swing until it reaches the top, balance there, never exceed the limit."""

    def command(q, qd):
        energy = 0.5 * 0.08 * qd**2 + PEAK * (1 - np.cos(q))  # J, zero at the hanging rest; 2 * PEAK at the top
        error = (np.pi - q + np.pi) % (2 * np.pi) - np.pi  # to the nearest upright
        if abs(error) < 0.3:
            return float(np.clip(12 * error - 1.5 * qd, -limit, limit))
        return limit * (1.0 if qd > 0 else -1.0) if energy < 2 * PEAK else 0.0

    return command


def with_bob(model, mass: float):
    """A copy of the model whose bob weighs mass kg: the same arm with another payload."""
    model = copy.copy(model)
    link = model.body("link").id
    model.body_inertia[link] *= mass / model.body_mass[link]
    model.body_mass[link] = mass
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def deg(angle: float, digits: int = 4) -> str:
    """An angle in rad, as people read it."""
    return f"{np.degrees(angle):.{digits}f} deg"


# Yours: five functions


def droop(kp: float, peak: float, target: float) -> float:
    """How far short of its target a PD servo comes to rest, target - q, in rad, to 1e-6 rad or better.

    kp: N m/rad, above 0. peak: gravity's torque on the level arm, N m, so peak * sin(q) pulls back at the angle q.
    target: rad, between -pi and pi. The force limit plays no part here.
    """
    # TODO(you): at rest the servo's torque kp * (target - q) equals gravity's, and no formula gives q: search for it.
    # Between which two angles must the rest lie, whatever kp is? Which of the two torques wins in the middle of them?
    ### BEGIN SOLUTION
    low, high = -np.pi, np.pi
    for _ in range(60):
        q = (low + high) / 2
        if kp * (target - q) > peak * np.sin(q):  # the servo is still stronger than gravity: rest lies above
            low = q
        else:
            high = q
    return target - q
    ### END SOLUTION


def pid_step(integral, target, q, qd, dt, kp=KP, kv=KV, ki=KI, limit=LIMIT) -> tuple[float, float]:
    """One tick of a PID servo that does not wind up: (torque in N m, next integral in rad s).

    integral: the position error summed up so far, rad s. target, q: rad. qd: rad/s. dt: s. limit: N m.
    The torque is made from the integral as it comes in; then the integral grows by error * dt. But while the limit
    clips the torque, an error that asks for still more of the clipped torque must not be added.
    """
    # TODO(you): the torque before the clip, then the clip, then the question: may this error be added? Ask it for an
    # arm that is pressed against a block, and ask it again for the moment in which it has shot past its target.
    ### BEGIN SOLUTION
    error = target - q
    wanted = kp * error + ki * integral - kv * qd
    tau = min(max(wanted, -limit), limit)
    if tau == wanted or error * wanted < 0:
        integral = integral + error * dt
    return tau, integral
    ### END SOLUTION


def gravity_feedforward(model: mujoco.MjModel, target: float) -> float:
    """The number to write into data.ctrl[0] so that the position servo rests exactly at target, in rad.

    model: an arm with one hinge and one <position> servo on it, whose kp is model.actuator_gainprm[0, 0].
    """
    # TODO(you): a position servo takes angles, so the torque that holds the arm has to be asked for as an angle. MuJoCo
    # knows that torque: data.qfrc_bias of an arm that stands still at the target. When is that array up to date?
    ### BEGIN SOLUTION
    data = mujoco.MjData(model)
    data.qpos[0] = target
    mujoco.mj_forward(model, data)
    return target + data.qfrc_bias[0] / model.actuator_gainprm[0, 0]
    ### END SOLUTION


def holdable_angles(limit: float, peak: float = PEAK) -> list[tuple[float, float]]:
    """Where a motor with this torque limit can keep the arm still: a list of (low, high) in rad, ascending.

    Look at 0 to pi only. limit, peak: N m, above 0. Intervals that touch are one interval.
    """
    # TODO(you): holding at q takes peak * sin(q). Where is that at most limit? Draw the curve before you write.
    ### BEGIN SOLUTION
    if limit >= peak:
        return [(0.0, np.pi)]
    edge = np.arcsin(limit / peak)
    return [(0.0, edge), (np.pi - edge, np.pi)]
    ### END SOLUTION


def stall_heat(trace: dict, R: float, Kt: float) -> float:
    """Heat in the winding over a recorded run, in J.

    trace: {"t": s, "tau": N m}, two arrays of the same length; other entries do not matter. The samples need not be
    equally far apart. R: ohm. Kt: N m/A, so a torque costs the current torque / Kt.
    """
    # TODO(you): current, then power, then its integral over time. Which of the three must be squared, and when?
    ### BEGIN SOLUTION
    power = R * (np.asarray(trace["tau"]) / Kt) ** 2
    return float(np.trapezoid(power, trace["t"]))
    ### END SOLUTION


def main() -> None:
    level = np.pi / 2
    part("A", "The droop: a target of 90 degrees, three servos")
    for kp in (2, 8, 40):
        short, seen = droop(kp, PEAK, level), record(build(servo(kp)), level, 20)["q"][-1]
        print(f"kp {kp:2}: rests at {deg(level - short)}, MuJoCo {deg(seen)}; holds {kp * short:.4f} N m")

    part("B", "First cure: a larger kp. Commanded 10 degrees into the block")
    for kp in (8, 40, 998.22):  # the last one is in a published model of the SO-101
        free = droop(kp, PEAK, level)
        press = record(build(servo(kp), block=True), np.radians(38.39), 3)["tau"][-1]
        print(f"kp {kp:6}: {deg(free, 2)} short when free, {press:.3f} N m against the block")

    part("C", "Second cure: an integral. Pressed against the block for 6 s, then the block is lifted")
    motor = build('<motor joint="hinge"/>', block=True)
    naive = build(servo(kind="pid", more=f'input="pos" ki="{KI}"'), block=True)
    runs = {"PD": (motor, pid_loop(level, ki=0)), "PID": (naive, level), "your PID": (motor, pid_loop(level))}
    for name, (model, command) in runs.items():
        q = record(model, command, 26, lift_at=6)["q"]
        print(f"{name:8}: swings up to {deg(q.max(), 2)}, rests at {deg(q[-1], 2)}")

    part("D", "Third cure: gravity feedforward")
    command = gravity_feedforward(build(servo()), level)
    for mass in (0.5, 0.7):
        q = record(with_bob(build(servo()), mass), command, 20)["q"][-1]
        print(f"command {deg(command, 2)}, bob {mass} kg: rests at {deg(q, 2)}")

    part("E", "What a limit of 1 N m can hold, and what it can reach")
    print("holds still at", " and ".join(f"{deg(low, 1)} to {deg(high, 1)}" for low, high in holdable_angles(1.0)))
    run = record(build('<motor joint="hinge"/>'), swing_up(1.0), 8)
    print(f"swings up and rests at {deg(run['q'][-1], 1)}, with at most {abs(run['tau']).max():.3f} N m")

    part("F", "A blocked servo does no work: one minute against the block")
    for name, command in {"PD": pid_loop(level, ki=0), "PD, protected": overload(pid_loop(level, ki=0))}.items():
        run = record(motor, command, 60)
        heat, work = stall_heat(run, R, KT), np.trapezoid(run["tau"] * run["qd"], run["t"])
        print(f"{name:13}: {heat:6.1f} J of heat, {work:.2f} J of work, rests at {deg(run['q'][-1], 2)}")


if __name__ == "__main__":
    run_script(main)
