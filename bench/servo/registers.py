"""What the bus lets you read: rounded, late, a little noisy, and in the servo's own idea of effort."""

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True, slots=True)
class Registers:
    """The units of the readable registers, and their noise.

    effort: "duty" (share of the supply on the motor) or "current" (A in the winding); effort_unit: of one count.
    speed_unit: rad/s; voltage_unit: V; temperature_unit: degrees C; a unit of zero means that nothing is rounded.
    speed_window: s over which the servo averages its speed, so that the register is half of it late.
    position_noise: ticks, effort_noise: in the effort's unit; standard deviations.
    latency: s that a command needs to the position law, and that a reading is old.
    """

    effort: str
    effort_unit: float
    speed_unit: float
    voltage_unit: float
    temperature_unit: float
    speed_window: float
    position_noise: float
    effort_noise: float
    latency: float

    def exact(self) -> "Registers":
        """The same without rounding."""
        return replace(self, effort_unit=0.0, speed_unit=0.0, voltage_unit=0.0, temperature_unit=0.0)

    def quiet(self) -> "Registers":
        """The same without noise."""
        return replace(self, position_noise=0.0, effort_noise=0.0)

    def prompt(self) -> "Registers":
        """The same without delay: the speed is the momentary one."""
        return replace(self, latency=0.0, speed_window=0.0)


def rounded(values: np.ndarray, unit: float) -> np.ndarray:
    """The nearest multiples of the unit; the values themselves if the unit is zero."""
    return np.round(values / unit) * unit if unit else values
