"""The winding: what a duty cycle makes of the supply, in amperes, newton metres and degrees."""

from dataclasses import dataclass

ROOM = 25.0  # degrees C, at which kt and resistance are given
COPPER = 0.0039  # 1/K, growth of a copper winding's resistance
MAGNET = -0.0012  # 1/K, loss of a neodymium magnet's flux, and so of kt


@dataclass(frozen=True, slots=True)
class Motor:
    """A brushed motor behind its gear, all at the output shaft.

    kt: N m/A, and V s/rad for the voltage it makes by turning. resistance: ohm. inertia: of rotor and gear train,
    kg m^2. idle_current: A that the electronics draw.
    """

    kt: float
    resistance: float
    inertia: float
    idle_current: float = 0.0


@dataclass(frozen=True, slots=True)
class Heat:
    """Two masses that take up the winding's heat and pass it on: the winding, and the case with the thermometer.

    winding, case: heat capacities in J/K. to_case, to_air: thermal resistances in K/W. copper, magnet: 1/K, as above.
    """

    winding: float
    case: float
    to_case: float
    to_air: float
    copper: float = COPPER
    magnet: float = MAGNET


class Winding:
    """The motor as warm as it is: `kt` and `resistance` now, `temperature` of the winding and `case` in degrees C."""

    __slots__ = ("case", "heat", "kt", "motor", "resistance", "temperature")

    def __init__(self, motor: Motor, heat: Heat):
        self.motor, self.heat = motor, heat
        self.set_temperature(ROOM)

    def set_temperature(self, celsius: float) -> None:
        """Winding and case at this temperature."""
        self.temperature = self.case = celsius
        self.warm(0.0, 0.0)

    def warm(self, joules: float, seconds: float) -> None:
        """Take up the heat that the current made in the last `seconds`, and give some to the room."""
        heat = self.heat
        to_case = seconds * (self.temperature - self.case) / heat.to_case
        to_air = seconds * (self.case - ROOM) / heat.to_air
        self.temperature += (joules - to_case) / heat.winding
        self.case += (to_case - to_air) / heat.case
        warmer = self.temperature - ROOM
        self.resistance = self.motor.resistance * (1 + heat.copper * warmer)
        self.kt = self.motor.kt * (1 + heat.magnet * warmer)
