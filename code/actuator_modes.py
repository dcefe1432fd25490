"""One number, three contracts: what data.ctrl means is decided by the actuator, not by the array.

Run it:    python code/actuator_modes.py
Check it:  python3 -m course check actuator_modes
Lesson:    lessons/01_actuator_modes.ipynb
"""

from dataclasses import dataclass

import mujoco
import numpy as np

from bench.pendulum import build
from bench.script import part, run_script

# The servo. POSITION below is written from these three, so a variation is one edit.
KP = 8.0  # N m/rad
KV = 1.2  # N m s/rad
FORCE_LIMIT = 3.0  # N m

# Three contracts for the same joint. Each element turns one number, ctrl, into one torque.
MOTOR = '<motor joint="hinge"/>'
VELOCITY = '<velocity joint="hinge" kv="4"/>'
POSITION = (
    f'<position joint="hinge" kp="{KP}" kv="{KV}" ctrlrange="-3.2 3.2" forcerange="{-FORCE_LIMIT} {FORCE_LIMIT}"/>'
)

# The load, as models/pendulum.xml has it.
MASS = 0.5  # kg, the bob
LENGTH = 0.4  # m, from the hinge to the bob
GRAVITY = 9.81  # m/s2
HORIZONTAL = np.pi / 2  # rad; q = 0 hangs straight down


@dataclass
class Balance:
    """Where the torque of a joint at rest goes, in N m: actuator = gravity + contact.

    All three are counted along the actuator: `gravity` is what the actuator spends on carrying the bob, `contact` what
    it spends on pushing against something. (The thing pushes back on the arm with -contact.)
    """

    actuator: float
    gravity: float
    contact: float


def largest_disagreement(model: mujoco.MjModel, target: float, seconds: float) -> float:
    """The largest |pd_force - data.actuator_force| over a run, in N m. `model` has one <position> actuator."""
    data = mujoco.MjData(model)
    data.ctrl[0] = target
    worst = 0.0
    for _ in range(round(seconds / model.opt.timestep)):
        # mj_step computes the force from the state at its start. After the step that state is gone, so read it first.
        q, qd = data.qpos[0], data.qvel[0]
        mujoco.mj_step(model, data)
        worst = max(worst, abs(pd_force(target, q, qd) - data.actuator_force[0]))
    return worst


def run(model: mujoco.MjModel, ctrl: float, seconds: float) -> mujoco.MjData:
    """Simulate `seconds` s from the model's initial state with one constant command, and return where it ended.

    ctrl: what is written into data.ctrl[0]; its unit is the actuator's business. Every call starts afresh.
    """
    # TODO(you): new data, the command, then as many steps as `seconds` holds. The model knows how long its step is.
    raise NotImplementedError("TODO(you): run")


def pd_force(target: float, q: float, qd: float) -> float:
    """Torque of the POSITION servo, in N m.

    target, q: angles in rad. qd: speed in rad/s. The result stays within +-FORCE_LIMIT.
    """
    # TODO(you): a spring of stiffness KP pulls towards the target, a damper KV resists motion, then the limit.
    raise NotImplementedError("TODO(you): pd_force")


def explain(ctrl: float, q: float) -> Balance:
    """What the servo must be doing, from the two numbers that a real one reports. Torques in N m.

    ctrl: the commanded angle, q: the measured angle, in rad. Assumes that the joint is at rest and without friction,
    that the servo obeys pd_force, and that the load is MASS at LENGTH.
    """
    # TODO(you): the law gives the actuator's torque; a lever gives gravity's; what is left over is the contact.
    raise NotImplementedError("TODO(you): explain")


def main() -> None:
    part("A", "ctrl = 1.0 for 20 s, three contracts")
    for name, element in (("motor", MOTOR), ("position", POSITION), ("velocity", VELOCITY)):
        data = run(build(element), 1.0, 20.0)
        print(f"  {name:9} {np.rad2deg(data.qpos[0]):7.1f} deg, moving at {np.rad2deg(data.qvel[0]):6.2f} deg/s")

    part("B", "pd_force against data.actuator_force, 6000 steps")
    worst = largest_disagreement(build(POSITION), HORIZONTAL, 6.0)
    print(f"  largest disagreement {worst:.2e} N m ({'below' if worst < 1e-9 else 'NOT below'} 1e-9)")

    part("C", "the same command, free and blocked, after 6 s")
    ends = {name: run(build(POSITION, block=name == "blocked"), HORIZONTAL, 6.0) for name in ("free", "blocked")}
    for name, data in ends.items():
        print(
            f"  {name:8} ctrl {data.ctrl[0]:.4f}, q {np.rad2deg(data.qpos[0]):5.2f} deg, "
            f"qd {abs(data.qvel[0]):.0e} rad/s, actuator_force {data.actuator_force[0]:.3f} N m"
        )

    part("D", "explained from command and angle alone (in brackets: what MuJoCo knows)")
    for name, data in ends.items():
        told = explain(data.ctrl[0], data.qpos[0])
        print(
            f"  {name:8} actuator {told.actuator:z.3f} ({data.actuator_force[0]:.3f}) = "
            f"gravity {told.gravity:z.3f} ({data.qfrc_bias[0]:.3f}) + "
            f"contact {told.contact:z.3f} ({-data.qfrc_constraint[0]:z.3f}) N m"
        )


if __name__ == "__main__":
    run_script(main)
