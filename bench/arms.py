"""The three arms as rigid bodies: masses, frames and ranges, with no motor and no friction.

    model = arms.load("so101")
    model = arms.with_payload("so101", 0.3)   # 300 g in the gripper
    plant = arms.spec("so101")                # add servos to this, then plant.compile()

The files hold no actuator, damping or armature, because the published ones hide motor constants in them. Fingers that
share one motor are two joints tied by an equality. `models/README.md` says where each number comes from.
"""

from dataclasses import dataclass
from math import inf, pi
from pathlib import Path

import mujoco
import numpy as np

MODELS = Path(__file__).parent.parent / "models"
EFFECTOR = "effector"  # the site between the fingers of every arm, where payloads hang and external forces act
PAYLOAD = "payload"  # the body that `attach_payload` adds
STEEL = 7850.0  # kg/m^3


@dataclass(frozen=True)
class Arm:
    """What an arm is: joint names from base to wrist in the order of qpos, the joint that the gripper's motor drives
    (the last motor, after the arm's joints), a pose to start from in rad, and the height of the table under the origin
    of the base frame in m."""

    title: str
    servo: str
    joints: tuple[str, ...]
    gripper: str
    home: tuple[float, ...]
    table: float


ARMS = {
    "so101": Arm(
        title="SO-101",
        servo="STS3215",
        joints=("shoulder_pan", "shoulder_lift", "elbow_flex", "wrist_flex", "wrist_roll"),
        gripper="gripper",
        home=(0, -0.6, 0.6, 0.5, 0),
        table=0.0,
    ),
    "openmanipulator_x": Arm(
        title="OpenManipulator-X",
        servo="XM430-W350",
        joints=("joint1", "joint2", "joint3", "joint4"),
        gripper="gripper_left_joint",
        home=(0, -1.05, 0.35, 0.7),
        table=-0.034,
    ),
    "panda": Arm(
        title="Franka Emika Panda",
        servo="torque-controlled joint",
        joints=("joint1", "joint2", "joint3", "joint4", "joint5", "joint6", "joint7"),
        gripper="finger_joint1",
        home=(0, 0, 0, -1.57079, 0, 1.57079, -0.7853),
        table=0.0,
    ),
}


def spec(name: str) -> mujoco.MjSpec:
    """The arm's description, for adding to it before it is compiled. Raises ValueError for an unknown name."""
    if name not in ARMS:
        raise ValueError(f"No arm is called {name!r}; there are: {', '.join(ARMS)}")
    return mujoco.MjSpec.from_file(str(MODELS / f"{name}.xml"))


def load(name: str) -> mujoco.MjModel:
    """The rigid arm. Raises ValueError for an unknown name."""
    return spec(name).compile()


def with_payload(name: str, mass: float) -> mujoco.MjModel:
    """The rigid arm with a steel ball of `mass` kg in its gripper. Raises ValueError as `spec` and `attach_payload`."""
    arm = spec(name)
    attach_payload(arm, mass)
    return arm.compile()


def attach_payload(arm: mujoco.MjSpec, mass: float) -> None:
    """Weld a steel ball of `mass` kg, called "payload", to the effector. Changes `arm`.

    Its centre is the effector's site, so at rest it pulls with exactly the force (0, 0, -m g) there.
    Raises ValueError unless the mass is a positive number.
    """
    if not 0 < mass < inf:
        raise ValueError(f"A payload has a mass above 0 kg, not {mass:g} kg")
    effector = arm.site(EFFECTOR)
    ball = effector.parent.add_body(name=PAYLOAD, pos=effector.pos)
    radius = (3 * mass / (4 * pi * STEEL)) ** (1 / 3)
    ball.add_geom(
        name=PAYLOAD,
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[radius, 0, 0],
        mass=mass,
        rgba=[0.45, 0.47, 0.5, 1],
        group=2,
        contype=0,
        conaffinity=0,
    )


def limits(name: str) -> np.ndarray:
    """Lowest and highest angle of each joint of the arm in rad, shape (n, 2), gripper left out.

    Raises ValueError for an unknown name.
    """
    model = load(name)
    return np.array([model.joint(joint).range for joint in ARMS[name].joints])
