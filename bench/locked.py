"""The arms as chains of hinges: gripper locked, rotors and friction at the joints, no constraints.

    model = model_of("panda")
    tau, mass, jacobian = ask_mujoco(model, q, qd, qdd)

What a learner's dynamics is compared with. The fingers stay on with all that they weigh; only their joints are gone,
which hinges alone could not describe and which change next to nothing for the arm (models/README.md).
"""

import mujoco
import numpy as np

from bench import arms
from bench.arms import ARMS, EFFECTOR

# What the motors add to each joint: rotor behind its gear in kg m^2, viscous friction in N m s/rad. Rhoban's BAM, model
# M1, identified the STS3215 at 7.4 V, and the MX-64 in place of the XM430, for which nobody has published any; the
# Panda's are MuJoCo Menagerie's round numbers.
MOTORS = {"so101": (0.0284, 0.0591), "openmanipulator_x": (0.0120, 0.0117), "panda": (0.1, 1.0)}


def locked(spec: mujoco.MjSpec) -> mujoco.MjModel:
    """Compile an arm of bench.arms with its gripper stuck at zero. Changes the description.

    What is left are the joints that ARMS names. The fingers stay on, with all that they weigh.
    """
    for equality in list(spec.equalities):
        spec.delete(equality)
    for joint in list(spec.joints):
        if joint.name not in ARMS[spec.modelname].joints:
            spec.delete(joint)
    return spec.compile()


def model_of(name: str, payload: float = 0.0) -> mujoco.MjModel:
    """An arm of bench.arms with rotors and viscous friction at its joints, its gripper locked, and no constraints.

    payload: kg of steel at the effector. Without constraints, mj_inverse answers for links, rotors and friction alone;
    otherwise the stops of a joint that is beyond its range would push in its answer. Raises ValueError for an unknown
    name or a payload that is not positive.
    """
    spec = arms.spec(name)
    if payload:
        arms.attach_payload(spec, payload)
    model = locked(spec)
    model.dof_armature[:], model.dof_damping[:] = MOTORS[name]
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    return model


def ask_mujoco(
    model: mujoco.MjModel, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """MuJoCo's torques for this motion, N m, (n,), its mass matrix, (n, n), and the effector's Jacobian, (6, n).

    q, qd, qdd: rad, rad/s, rad/s^2, (n,). The Jacobian has three rows of m/rad, then three of rad/rad.
    """
    data, mass, jacobian = mujoco.MjData(model), np.zeros((model.nv, model.nv)), np.zeros((6, model.nv))
    data.qpos[:], data.qvel[:], data.qacc[:] = q, qd, qdd
    mujoco.mj_inverse(model, data)
    mujoco.mj_fullM(model, data, mass)
    mujoco.mj_jacSite(model, data, jacobian[:3], jacobian[3:], model.site(EFFECTOR).id)
    return data.qfrc_inverse.copy(), mass, jacobian
