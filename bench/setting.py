"""What stays as it is while a network learns to drive an arm: the body, its units and its limits."""

from dataclasses import dataclass, field, replace

import numpy as np

from bench.arm.setups import SETUPS
from bench.arm.torque_joints import TorqueJoints
from bench.kinematics import Array, Links, links_of, with_gripper_motor
from bench.locked import MOTORS, model_of
from bench.xla import jax

STALL = {"so101": 3.0, "openmanipulator_x": 4.1, "panda": 87.0}  # N m: no motor of that arm gives more
RATED = {"so101": 3.4, "openmanipulator_x": 1.3, "panda": 1.0}  # N m for each unit of effort, were a motor so simple
SUBSTEPS = {"so101": 5, "openmanipulator_x": 4, "panda": 8}  # of the simulator in a tick (NeuralActuator, appendix B)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Setting:
    """One arm of m joints, the gripper's motor the last of them."""

    arm: Links
    mean: Array  # of the features in training, (features,)
    scale: Array  # and their spread
    typical: Array  # N m, (m,): the torque that the network's output 1 stands for
    limit: Array  # N m, (m,): the torque never exceeds it
    rated: Array  # N m for each unit of effort, (m,): zeros for a direct surrogate
    seconds: float = field(metadata={"static": True})  # of a tick
    substeps: int = field(metadata={"static": True})
    network: str = field(metadata={"static": True})  # a name in solutions.surrogate.KINDS
    stiffness: Array | float = 0.0  # N m/rad, (m,): of position actuators between network and body, where there are any
    leash: float = 1.0  # how far it is led astray in training, in units of solutions.surrogate.ASTRAY


def setting_of(robot: str, network: str, residual: bool, mean: Array, scale: Array, typical: Array) -> Setting:
    """The setting with these numbers of a robot of bench.arms.

    Servo arms are driven by torques. The Panda's controller carries its weight and holds it by springs and dampers;
    there the network bends the goals of these position actuators, as in the paper (section III-D and appendix B).
    """
    arm = with_gripper_motor(links_of(model_of(robot)), *MOTORS[robot])
    limit, rated = (np.full(len(arm.parent), x) for x in (STALL[robot], RATED[robot] * residual))
    setting = Setting(arm, mean, scale, typical, limit, rated, 1 / SETUPS[robot].rate, SUBSTEPS[robot], network)
    if SETUPS[robot].servo != "torque":
        return setting
    controller = TorqueJoints(effects=frozenset(), unit=None)
    arm = replace(arm, gravity=0 * arm.gravity, damping=arm.damping + controller.damping)
    return replace(setting, arm=arm, stiffness=controller.stiffness, leash=0.1)  # such springs let no arm go far
