"""Lesson 00: a model, its data, one loop.

Run it:       python3 -m course run first_steps
Check it:     python3 -m course check first_steps
A hint:       python3 -m course hint first_steps drop

Three functions to write: drop a pendulum, hold it up with a PID of your own, and measure how well it was held.
"""

import mujoco
import numpy as np

from bench.pendulum import build
from bench.script import part, run_script

# The plant: half a kilogram at the end of 0.4 m, hanging from a hinge. q = 0 is straight down.
GRAVITY_TORQUE = 0.5 * 9.81 * 0.4  # N m: what the hinge must bear when the link is level
MOTOR = '<motor joint="hinge" ctrlrange="-3 3"/>'  # ctrl is a torque in N m, and 3 N m is all it has
LEVEL = np.pi / 2  # rad

# Gains (kp, ki, kd) in N m/rad, N m/(rad s) and N m s/rad.
PD = (8.0, 0.0, 1.2)
PID = (8.0, 6.0, 1.2)


def steps(model: mujoco.MjModel, seconds: float) -> int:
    """How many time steps make up so many seconds. round, because int(0.285 / 0.001) is 284."""
    return round(seconds / model.opt.timestep)


def columns(rows: list[tuple], *names: str) -> dict[str, np.ndarray]:
    """A list of rows as a dict of arrays: columns([(0, 5), (1, 6)], "t", "q") is {"t": [0, 1], "q": [5, 6]}."""
    if any(np.ndim(value) for row in rows for value in row):
        raise ValueError("a row holds plain numbers: data.qpos[0] is one, data.qpos is a whole array")
    return dict(zip(names, np.array(rows, dtype=float).T, strict=True))


def period(trace: dict[str, np.ndarray]) -> float:
    """Seconds from one swing through q = 0 to the next in the same direction, between rows by a straight line."""
    t, q = trace["t"], trace["q"]
    down = np.flatnonzero((q[:-1] > 0) & (q[1:] <= 0))[:2]  # the rows just before q changes from + to -
    first, second = t[down] + (t[down + 1] - t[down]) * q[down] / (q[down] - q[down + 1])
    return float(second - first)


def drop(model: mujoco.MjModel, angle: float, seconds: float) -> dict[str, np.ndarray]:
    """Release the pendulum at rest and record how it swings.

    angle: where it is released, in rad. Returns the arrays t (s), q (rad) and qd (rad/s), steps(model, seconds) rows
    each. Row k is the state before step k, so row 0 is the release itself: t = 0, q = angle, qd = 0.
    """
    # TODO(you): new data, the angle into it; then for every step: keep a row, advance by one step.
    raise NotImplementedError("TODO(you): drop")


def hold(
    model: mujoco.MjModel, target: float, pid: tuple[float, float, float], seconds: float
) -> dict[str, np.ndarray]:
    """Bring the hanging pendulum to the target angle with a PID that runs once in every step.

    model: its actuator 0 is a <motor>. target: rad. pid: the gains (kp, ki, kd). The derivative term brakes the
    motion: it acts on -qd. The integral term starts at zero and adds up the error times the time step. The torque stays
    within the motor's limits, model.actuator_ctrlrange[0]. Returns the arrays t, q, qd and tau, steps(model, seconds)
    rows each; tau is the torque, in N m, that acted from this row to the next.
    """
    # TODO(you): the loop of drop; before each step, the three terms, the limits, and the torque into data.ctrl.
    raise NotImplementedError("TODO(you): hold")


def settle(trace: dict[str, np.ndarray], target: float) -> dict[str, float]:
    """How a joint went from where it was (its first row) to where it stayed (its last row).

    Returns three numbers. rise: seconds between having gone 10 % of that way and having gone 90 % of it, each for the
    first time. overshoot: how far it went past the place where it stayed, as a fraction of that way; 0 if it did not.
    error: target minus the angle where it stayed, in rad. It may go up or down, and it may miss the target.
    """
    # TODO(you): turn q into the fraction of the way, 0 at the first row and 1 at the last; then all three are easy.
    raise NotImplementedError("TODO(you): settle")


def main() -> None:
    """The numbers of the lesson."""
    part("A", "Drop it. Does a big swing take longer than a small one?")
    model = build()
    model.dof_damping[0] = 0  # a compiled constant, and still yours to edit
    small = 2 * np.pi * np.sqrt(model.dof_M0[0] / GRAVITY_TORQUE)
    print(f"  small swings, by the formula    {small:.3f} s")
    for degrees in (5, 45, 90, 150):
        print(f"  dropped from {degrees:3d} degrees        {period(drop(model, np.deg2rad(degrees), 6)):.3f} s")

    part("B", "Hold it level, at 90 degrees.")
    model = build(MOTOR)
    traces = {name: hold(model, LEVEL, pid, 6) for name, pid in (("PD", PD), ("PID", PID))}
    for name, trace in traces.items():
        print(f"  {name:3s} after 6 s: {np.rad2deg(trace['q'][-1]):7.4f} degrees with {trace['tau'][-1]:.4f} N m")
    rest = traces["PD"]["q"][-1]
    print(f"  at the PD's angle gravity asks for {GRAVITY_TORQUE * np.sin(rest):.4f} N m")
    print(f"  and kp times the error gives       {PD[0] * (LEVEL - rest):.4f} N m")

    part("C", "How well was it held?")
    print("       rise (s)  overshoot  error (degrees)")
    for name, trace in traces.items():
        s = settle(trace, LEVEL)
        print(f"  {name:3s} {s['rise']:8.3f} {s['overshoot']:9.1%} {np.rad2deg(s['error']):14.3f}")


if __name__ == "__main__":
    run_script(main)
