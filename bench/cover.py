"""The README's picture: two runs with one command. `python -m bench.cover` computes and draws it.

Both runs are those of module 01: a position actuator (kp 8, kv 1.2, at most 3 N m) is told to go to 90 degrees. One
joint is free, the other meets a wall. Every number in the picture comes out of the run.
"""

from pathlib import Path

import mujoco
import numpy as np

from bench.figures import BLUE, GREEN, GREY, INK, ORANGE, draw_pendulum, figure, label, png
from bench.pendulum import build
from bench.style import readable

FILE = Path(__file__).parent.parent / "lessons" / "figures" / "two_runs.png"
POSITION = '<position joint="hinge" kp="8" kv="1.2" ctrlrange="-3.2 3.2" forcerange="-3 3"/>'
COMMAND = 1.5708  # rad
SECONDS = 6.0
LIMIT = 3.0  # N m, the force range above


def record(block: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One run: time in s, angle in rad, actuator force in N m, one entry per step."""
    model = build(POSITION, block=block)
    data = mujoco.MjData(model)
    data.ctrl[0] = COMMAND
    rows = []
    while data.time < SECONDS - model.opt.timestep / 2:
        mujoco.mj_step(model, data)
        rows.append((data.time, data.qpos[0], data.actuator_force[0]))
    t, q, force = np.array(rows).T
    return t, q, force


def cover():
    """The figure: the two joints at rest on the left, what they did on the right."""
    fig, axes = figure(8.6, 4.9, rows=2, cols=2, width_ratios=(1, 2.7), sharex="col")
    angle, effort = axes[0, 1], axes[1, 1]
    runs = (("free", False, BLUE, "-"), ("blocked", True, ORANGE, (0, (6, 2))))
    for drawing, (name, block, colour, style) in zip(axes[:, 0], runs, strict=True):
        t, q, force = record(block)
        rest = np.degrees(q[-1])
        draw_pendulum(drawing, q[-1], block=block, target=COMMAND, torque=force[-1], color=colour)
        drawing.set(xlim=(-0.2, 0.5), ylim=(-0.48, 0.2))
        drawing.set_title(name, loc="left", fontweight="bold")
        drawing.text(0.21, 0.1, f"{force[-1]:.3f} N m", color=readable(GREEN))
        (line,) = angle.plot(t, np.degrees(q), color=colour, linestyle=style)
        label(angle, line, f"{name}: at rest\nat {rest:.2f}\N{DEGREE SIGN}")
        (line,) = effort.plot(t, force, color=colour, linestyle=style)
        label(effort, line, f"{name}: {force[-1]:.3f} N m")
    command = np.degrees(COMMAND)
    angle.axhline(command, color=GREY, linewidth=1.0, linestyle=":")
    angle.text(SECONDS, command + 2, "commanded, in both runs: ctrl = 1.5708 rad", color=GREY, fontsize=9, ha="right")
    angle.set(ylabel="angle (deg)", ylim=(-3, 112), yticks=(0, 30, 60, 90))
    angle.set_title("What you may say, and what a hobby servo answers")
    effort.axhline(LIMIT, color=GREY, linewidth=1.0, linestyle=":")
    effort.text(SECONDS, LIMIT + 0.08, "the ceiling that stands in the model file", color=GREY, fontsize=9, ha="right")
    effort.set(xlabel="time (s)", ylabel="actuator_force (N m)", ylim=(-0.6, 3.7), xlim=(0, SECONDS))
    effort.set_title("What the simulator tells you, and the servo does not")
    fig.suptitle("Same command, both at rest. Which joint is straining?", fontsize=14, color=INK, x=0.01, ha="left")
    return fig


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_bytes(png(cover()))
    print(f"wrote {FILE}")
