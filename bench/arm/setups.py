"""How each arm is fitted out: its motors, its control rate and what its firmware was told."""

from dataclasses import dataclass, replace

from bench.servo.firmware import TICK
from bench.servo.parameters import Parameters, load


@dataclass(frozen=True)
class Setup:
    """servo: kind in bench.servo, or "torque" for the Panda's joints. rate: control ticks in Hz.

    effort_unit: of `effort`. finger: m of the gripper's slide for each rad of its motor; 1 if the gripper turns.
    finger_mass: kg that slides with it beside what the model knows.
    """

    servo: str
    rate: float
    effort_unit: str
    finger: float = 1.0
    finger_mass: float = 0.0


SETUPS = {
    "so101": Setup(servo="sts3215", rate=60.0, effort_unit="duty"),
    # ROBOTIS-GIT/open_manipulator, ros2_control: 1.762662179e-5 m for each tick of the gripper's motor.
    # The model's fingers weigh a placeholder's gram; 40 g for them, their carriages and the crank is an assumption.
    "openmanipulator_x": Setup(
        servo="xm430", rate=60.0, effort_unit="A", finger=1.762662179e-5 / TICK, finger_mass=0.04
    ),
    "panda": Setup(servo="torque", rate=200.0, effort_unit="N m"),
}


def servo_of(name: str, gripper: bool) -> Parameters:
    """The servo in one joint of an arm, as LeRobot or ROBOTIS configures it."""
    parameters = load(SETUPS[name].servo)
    if name == "so101" and gripper:
        # LeRobot's so_follower: Max_Torque_Limit 500, Overload_Torque 25, Protection_Current 250 (6.5 mA each).
        parameters = replace(
            parameters,
            law=replace(parameters.law, limit=0.5),
            protection=replace(parameters.protection, overload=0.25, current=1.625),
        )
    return parameters
