"""The rigid arm as the plant needs it: one joint for each motor, and a payload that can be taken up and put down."""

import mujoco
import numpy as np

from bench import arms

NOTHING = 1e-6  # kg: the payload's mass while nothing is held; MuJoCo wants some


def build(name: str, armature: np.ndarray) -> mujoco.MjModel:
    """The model of an arm with n motors, the gripper's last; its joints are those of `joints_of(name)`, nq = nv = n.

    armature: kg m^2 (kg for a slide), shape (n,), inertia that a motor adds to its joint rigidly. A second finger is
    fixed to the hand, and its mass moves with the first. Raises ValueError for an unknown name.
    """
    spec = arms.spec(name)
    arms.attach_payload(spec, NOTHING)
    joints = joints_of(name)
    extra = dict(zip(joints, armature, strict=True))
    for equality in list(spec.equalities):
        extra[equality.name2] += sum(body.mass for body in spec.bodies if equality.name1 in _names(body.joints))
        spec.delete(spec.joint(equality.name1))
        spec.delete(equality)
    for joint, inertia in extra.items():
        spec.joint(joint).armature = float(inertia)
    model = spec.compile()
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    return model


def joints_of(name: str) -> tuple[str, ...]:
    """The joints that have a motor, the gripper's last. Raises ValueError for an unknown name."""
    if name not in arms.ARMS:
        raise ValueError(f"No arm is called {name!r}; there are: {', '.join(arms.ARMS)}")
    arm = arms.ARMS[name]
    return (*arm.joints, arm.gripper)


def load_inertias(model: mujoco.MjModel, name: str) -> np.ndarray:
    """What each motor feels when only its joint is free to follow: 1 / diag(M^-1), kg m^2, at the arm's home pose."""
    data = mujoco.MjData(model)
    home = arms.ARMS[name].home
    data.qpos[: len(home)] = home
    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    return 1 / np.diag(np.linalg.inv(mass))


def set_payload(model: mujoco.MjModel, mass: float) -> None:
    """Give the payload this mass in kg, as a ball of steel; 0 takes it away. Changes the model, nothing else."""
    body = model.body(arms.PAYLOAD).id
    mass = max(mass, NOTHING)
    radius = (3 * mass / (4 * np.pi * arms.STEEL)) ** (1 / 3)
    model.body_mass[body] = mass
    model.body_inertia[body] = 0.4 * mass * radius**2
    mujoco.mj_setConst(model, mujoco.MjData(model))


def _names(joints) -> list[str]:
    return [joint.name for joint in joints]
