"""The gear train between rotor and output shaft: a spring that first has to close a gap, and a shaft that drags."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gear:
    """Stiffness, backlash and hysteresis, at the output shaft.

    stiffness: N m/rad; damping_ratio: of the spring's oscillation against rotor and load; half_gap: rad, half of the
    backlash. drag: N m that bearing and seal hold back; they bend by drag_angle (rad) before they slide, so that the
    torque forms a loop over the angle (Dahl 1968, with his exponent 0: higher ones creep under a load that trembles).
    grease: N m s/rad, on the output shaft.
    """

    stiffness: float
    damping_ratio: float
    half_gap: float
    drag: float
    drag_angle: float
    grease: float = 0.0

    def spring(self, rotor: float, load: float, step: float) -> tuple[float, float]:
        """Stiffness (N m/rad) and damping (N m s/rad) between two inertias in kg m^2, as one time step in s can carry.

        An explicit integration of a spring k on the inertia m is stable while step * sqrt(k/m) < 2, so a light load
        gets a softer gear, which little torque passes through anyway.
        """
        inertia = 1 / (1 / rotor + 1 / load)
        stiffness = min(self.stiffness, 0.5 * inertia / step**2)
        return stiffness, 2 * self.damping_ratio * math.sqrt(stiffness * inertia)

    def shaft_damping(self, load: float, step: float) -> float:
        """The grease's N m s/rad on an inertia in kg m^2, no more than one time step in s can carry."""
        return min(self.grease, 0.5 * load / step)
