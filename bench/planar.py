"""The arm of module 06 as MuJoCo knows it: two links in one plane, with a payload, and chains of any length."""

import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np

PLANT = Path(__file__).parent.parent / "models" / "planar.xml"
SERVOS = ('<position joint="shoulder" kp="30" kv="2"/>', '<position joint="elbow" kp="12" kv="0.4"/>')
# rad, s and rad: what a recording commands. Two sines of unlike period, so that every pair of angles turns up.
AMPLITUDE, PERIOD, PHASE = np.array([0.7, 1.0]), np.array([2.1, 1.3]), np.array([0.0, 1.0])
TICK = 0.01  # s: the time between two rows of a recording


def build(*actuators: str, payload: float = 0.0, gravity: bool = True) -> mujoco.MjModel:
    """Compile the two-link arm with these actuators.

    actuators: MJCF elements that name the joint "shoulder" or "elbow", such as '<motor joint="elbow"/>'.
    payload: a point mass at the tip, kg. gravity: False lays the arm on a table.
    Raises ValueError (from MuJoCo) if an element does not compile.
    """
    root = ET.parse(PLANT).getroot()
    root.find("actuator").extend(ET.fromstring(element) for element in actuators)  # type: ignore[union-attr]
    if payload:
        fore = root.find(".//body[@name='fore']")
        fore.append(ET.fromstring(f'<body pos="0 0 -0.3">{_inertial(payload, 0.0, 1e-9)}</body>'))  # type: ignore[union-attr]
    model = mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"))
    if not gravity:
        model.opt.gravity[:] = 0
    return model


def chain(mass, length, centre, inertia) -> mujoco.MjModel:
    """A hanging chain of n links in one plane, with a hinge before each.

    mass: kg. length: from a link's joint to the next one, m. centre: from its joint to its centre of mass, m.
    inertia: about the centre of mass, kg m^2. Four sequences of n numbers.
    """
    root = ET.fromstring("<mujoco><worldbody/></mujoco>")
    parent, at = root[0], 0.0
    for m, span, c, inertia_there in zip(mass, length, centre, inertia, strict=True):
        parent = ET.SubElement(parent, "body", pos=f"0 0 {-at}")
        parent.append(ET.fromstring('<joint type="hinge" axis="0 -1 0"/>'))
        parent.append(ET.fromstring(_inertial(m, c, inertia_there)))
        at = span
    return mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"))


def _inertial(mass: float, down: float, inertia: float) -> str:
    """The MJCF of a mass on a link, `down` metres below its joint."""
    return f'<inertial pos="0 0 {-down}" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>'


def ask_mujoco(model: mujoco.MjModel, q, qd, qdd) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """MuJoCo's mass matrix, its Coriolis and gravity torques together, and the torques that the acceleration requires.

    q, qd, qdd: arrays (n,) in rad, rad/s, rad/s^2. Returns (n, n) in kg m^2, and twice (n,) in N m.
    """
    data, mass = mujoco.MjData(model), np.zeros((model.nv, model.nv))
    data.qpos[:], data.qvel[:] = q, qd
    mujoco.mj_forward(model, data)
    mujoco.mj_fullM(model, data, mass)
    data.qacc[:] = qdd
    mujoco.mj_inverse(model, data)
    return mass, data.qfrc_bias.copy(), data.qfrc_inverse.copy()


def swing_freely(model: mujoco.MjModel, q, seconds: float) -> np.ndarray:
    """MuJoCo's motion from rest at q, an array (steps + 1, 2, n): joint angles in rad and speeds in rad/s."""
    data = mujoco.MjData(model)
    data.qpos[:] = q
    states = [(data.qpos.copy(), data.qvel.copy())]
    for _ in range(round(seconds / model.opt.timestep)):
        mujoco.mj_step(model, data)
        states.append((data.qpos.copy(), data.qvel.copy()))
    return np.array(states)


def record(payload: float, seconds: float, noise: float, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Two servos swing the arm; one row every 10 ms: {"t": s, "q": rad, "qd": rad/s, "qdd": rad/s^2, "tau": N m}.

    payload: a point mass at the tip, kg. noise: standard deviation of the torque readings, N m; the rest is exact.
    All arrays but t, which is (rows,), have the shape (rows, 2).
    """
    model = build(*SERVOS, payload=payload)
    data = mujoco.MjData(model)
    rows = []
    for _ in range(round(seconds / TICK)):
        swing = min(data.time, 1.0) * AMPLITUDE  # from rest, within a second
        data.ctrl[:] = swing * np.sin(2 * np.pi * data.time / PERIOD + PHASE)
        mujoco.mj_forward(model, data)
        rows.append((data.qpos.copy(), data.qvel.copy(), data.qacc.copy(), data.qfrc_actuator.copy()))
        mujoco.mj_step(model, data, round(TICK / model.opt.timestep))
    q, qd, qdd, tau = np.array(rows).transpose(1, 0, 2)
    return {
        "t": TICK * np.arange(len(q)),
        "q": q,
        "qd": qd,
        "qdd": qdd,
        "tau": tau + noise * rng.standard_normal(tau.shape),
    }
