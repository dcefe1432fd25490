"""A servo on a stand with a weight on an arm: the bench on which real servos are identified."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.servo.firmware import PERIOD
from bench.servo.motor import ROOM
from bench.servo.parameters import Parameters
from bench.servo.servo import Servo

GRAVITY = 9.81  # m/s^2


@dataclass(frozen=True)
class Stand:
    """A mass in kg at `length` m from the shaft, on a uniform arm of arm_mass kg.

    Zero hangs straight down, or `tilt` rad before it if the stand leans.
    """

    mass: float
    length: float
    arm_mass: float = 0.0
    tilt: float = 0.0

    @property
    def inertia(self) -> float:
        """About the shaft, kg m^2."""
        return (self.mass + self.arm_mass / 3) * self.length**2

    def gravity(self, q: float) -> float:
        """The torque in N m with which gravity turns the shaft at q (rad)."""
        return -(self.mass + self.arm_mass / 2) * GRAVITY * self.length * math.sin(q + self.tilt)


def swing(
    parameters: Parameters,
    stand: Stand,
    goals: Sequence[float],
    enabled: Sequence[bool] | None = None,
    q: float = 0.0,
    push: Sequence[float] | None = None,
    celsius: float = ROOM,
) -> dict[str, np.ndarray]:
    """Run a servo on a stand through one goal (rad) a millisecond, from rest at q.

    enabled: Torque_Enable at each of them, always on if None. push: external torque in N m at each of them, none if
    None. celsius: of motor and case at the start.
    Returns arrays of the same length: q (rad) and qd (rad/s) of the shaft, rotor (rad), duty (-1 to 1), current (A),
    torque (N m, on the shaft), voltage (V) and temperature (degrees C, of the winding). They are the true values; a
    bus would show them rounded.
    """
    servo = Servo(parameters, stand.inertia)
    servo.winding.set_temperature(celsius)
    servo.power_up(q)
    inertia, volts, qd = stand.inertia, parameters.supply, 0.0
    columns = ("q", "qd", "rotor", "duty", "current", "torque", "voltage", "temperature")
    trace = np.empty((len(goals), len(columns)))
    for k, goal in enumerate(goals):
        servo.firmware.command(goal)
        if enabled is not None:
            servo.firmware.enabled = bool(enabled[k])
        torque = servo.step(q, qd, volts)
        trace[k] = (
            q, qd, servo.rotor, servo.duty, servo.current, torque, volts, servo.winding.temperature,
        )  # fmt: skip
        volts = parameters.supply - parameters.supply_resistance * servo.duty * servo.current
        if k % 10 == 9:
            servo.look_after()
        outside = push[k] if push is not None else 0.0
        qd += PERIOD * (torque + stand.gravity(q) + outside) / inertia
        q += PERIOD * qd
    return dict(zip(columns, trace.T, strict=True))
