"""What a virtual arm costs, beside MuJoCo's own servos in the same arm.

    python benchmarks/arms.py [ROUNDS]

Every row moves the same way for two seconds, and the rows take turns, so that a machine that slows down slows all of
them. Processor time, not the clock on the wall. What counts is the ratio.

    <position>   the rigid SO-101 with MuJoCo's position servos, stepped in C for a whole control tick
    <dcmotor>    a rotor for each joint, a gap in its gear (a tendon with a dead band), LuGre friction; the firmware's
                 law and a friction that grows with the load are set from Python every millisecond
    bench.arm    ours
"""

import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from statistics import median

import mujoco
import numpy as np

from bench import arms
from bench.arm import VirtualArm
from bench.servo import load
from bench.servo.firmware import TICK

SECONDS = 2.0
RATE = 60.0  # Hz, of the two engine rows
COULOMB, STATIC = 3, 4  # where MuJoCo 4.0.0 keeps LuGre's two torques in actuator_biasprm


def position_arm() -> Callable[[], None]:
    """The SO-101 with `<position>` servos, and the published damping and armature in its joints."""
    root, joints = rigid()
    for joint in root.iter("joint"):
        joint.attrib |= {"damping": "0.6", "armature": "0.028"} if joint.get("name") else {}
    actuators = ET.SubElement(root, "actuator")
    for joint in joints:
        ET.SubElement(actuators, "position", joint=joint, kp="9")
    model = compiled(root)
    data = mujoco.MjData(model)

    def run() -> None:
        for tick in range(round(SECONDS * RATE)):
            data.ctrl[:] = wave(tick / RATE)
            mujoco.mj_step(model, data, 17 if tick % 3 else 16)

    return run


def dcmotor_arm() -> Callable[[], None]:
    """The SO-101 with rotors, gaps and `<dcmotor>`, as close to bench.servo as the engine comes."""
    root, joints = rigid()
    servo = load("sts3215")
    world = root.find("worldbody")
    assert world is not None
    tendons, actuators = ET.SubElement(root, "tendon"), ET.SubElement(root, "actuator")
    for joint in joints:
        rotor, inertia = f"rotor_{joint}", f"{servo.motor.inertia}"
        body = ET.SubElement(world, "body", name=rotor)
        ET.SubElement(body, "inertial", mass="0.01", pos="0 0 0", diaginertia=f"{inertia} {inertia} {inertia}")
        ET.SubElement(body, "joint", name=rotor, axis="0 0 1", damping=f"{servo.friction.viscous}")
        gap, stiffness = servo.gear.half_gap, 5 if joint in ("wrist_roll", "gripper") else servo.gear.stiffness
        gear = ET.SubElement(tendons, "fixed", stiffness=f"{stiffness}", damping="0.005", springlength=f"{-gap} {gap}")
        ET.SubElement(gear, "joint", joint=rotor, coef="1")
        ET.SubElement(gear, "joint", joint=joint, coef="-1")
        ET.SubElement(actuators, "dcmotor", joint=rotor, motorconst=f"{servo.motor.kt} {servo.motor.kt}",
                      resistance=f"{servo.motor.resistance}", lugre="200 0.5 0.03 0.11 0.075")  # fmt: skip
    model = compiled(root)
    data = mujoco.MjData(model)
    at = [model.joint(joint).qposadr[0] for joint in joints]
    turning = [model.joint(f"rotor_{joint}").dofadr[0] for joint in joints]
    friction = servo.friction

    def run() -> None:
        for millisecond in range(round(SECONDS * 1000)):
            if millisecond % 17 == 0:
                goal = np.floor(wave(millisecond * 1e-3) / TICK + 0.5)
            error = goal - np.floor(data.qpos[at] / TICK + 0.5)
            data.ctrl[:] = servo.supply * np.minimum(np.maximum(servo.law.gain * error, -0.97), 0.97)
            current = (data.ctrl - servo.motor.kt * data.qvel[turning]) / servo.motor.resistance
            load_friction = friction.motor_load * np.abs(servo.motor.kt * current)
            # LuGre's Coulomb and static torque, written before every step, so that they grow with the load.
            model.actuator_biasprm[:, COULOMB] = friction.coulomb + load_friction
            model.actuator_biasprm[:, STATIC] = friction.coulomb + friction.stribeck + load_friction
            mujoco.mj_step(model, data)

    return run


def virtual_arm(name: str) -> Callable[[], None]:
    """One of ours, with every effect."""
    arm = VirtualArm(name, rng=np.random.default_rng(0))
    home = arm.q_cmd.copy()

    def run() -> None:
        for tick in range(round(SECONDS * arm.rate)):
            q = home.copy()
            q[:-1] += 0.5 * wave(tick / arm.rate)[0]
            arm.step(q)

    return run


def rigid() -> tuple[ET.Element, list[str]]:
    """The SO-101's MJCF, and the names of its joints."""
    root = ET.fromstring((arms.MODELS / "so101.xml").read_text(encoding="utf-8"))
    return root, [*arms.ARMS["so101"].joints, arms.ARMS["so101"].gripper]


def compiled(root: ET.Element) -> mujoco.MjModel:
    """At 1 ms, with friction but without contacts, as ours."""
    model = mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    return model


def wave(t: float) -> np.ndarray:
    """Six joints swing by half a radian."""
    return 0.5 * np.sin(2 * np.pi * 0.5 * t) * np.ones(6)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    rows = {
        "<position>, so101": position_arm(),
        "<dcmotor>, so101": dcmotor_arm(),
        "bench.arm, so101 (6 joints)": virtual_arm("so101"),
        "bench.arm, openmanipulator_x (5)": virtual_arm("openmanipulator_x"),
        "bench.arm, panda (8)": virtual_arm("panda"),
    }
    seconds: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(rounds):
        for name, run in rows.items():
            began = time.process_time()
            run()
            seconds[name].append(time.process_time() - began)
    base = median(seconds["<position>, so101"])
    print(f"{'':34s} us per simulated ms   times real time   times <position>")
    for name, taken in seconds.items():
        middle = median(taken)
        print(f"{name:34s} {middle / SECONDS * 1e3:14.1f} {SECONDS / middle:21.0f} {middle / base:17.1f}")


if __name__ == "__main__":
    main()
