"""What runs inside the servo at 1 kHz: the position law, and what switches the motor off when it suffers."""

import math
from dataclasses import dataclass

PERIOD = 1e-3  # s between two runs of the firmware
TICKS = 4096  # a turn of the encoder, which sits on the output shaft
TICK = 2 * math.pi / TICKS  # rad
CENTRE = 2048  # the tick at which the joint angle is zero

# Bits of the register Status (STS3215), and of Hardware Error Status (XM430, which has no bit for current).
OVERHEATED, OVER_CURRENT, OVERLOADED = 4, 8, 32


@dataclass(frozen=True, slots=True)
class PositionLaw:
    """duty = gain * error + start * sign(error), outside a dead zone, within +-limit. Errors are in ticks.

    speed_limit: rad/s at which the inner target follows the goal; infinite if it jumps. whole_ticks: round as it does.
    """

    gain: float
    start: float = 0.0
    dead_zone: int = 0
    limit: float = 1.0
    speed_limit: float = math.inf
    whole_ticks: bool = True


@dataclass(frozen=True, slots=True)
class Protection:
    """When the firmware steps in. All infinite: never.

    overload: duty that it bears for `patience` seconds, then it allows only `reduced`; a new goal ends that.
    current: A that it bears as long, temperature: degrees C at which at once the motor is off until the next power-up.
    """

    overload: float = math.inf
    reduced: float = 1.0
    current: float = math.inf
    temperature: float = math.inf
    patience: float = 2.0


class Firmware:
    """The state of one servo's firmware: `goal` in ticks, `status` with the bits above, `enabled` as Torque_Enable."""

    __slots__ = ("_over_current", "_overload", "enabled", "goal", "law", "protection", "reach", "status", "target")

    def __init__(self, law: PositionLaw, protection: Protection):
        self.law, self.protection = law, protection
        self.reach = law.speed_limit * PERIOD / TICK
        self.power_up(0.0)

    def power_up(self, q: float) -> None:
        """Start again, holding the shaft where it is (rad)."""
        self.goal = self.target = self.ticks(q)
        self.status, self.enabled = 0, True
        self._overload = self._over_current = 0.0

    def ticks(self, q: float) -> float:
        """What the encoder makes of an angle in rad."""
        ticks = CENTRE + q / TICK
        return math.floor(ticks + 0.5) if self.law.whole_ticks else ticks

    def command(self, q: float) -> None:
        """A new goal position in rad. It ends an overload if it differs from the one before."""
        goal = self.ticks(q)
        if goal != self.goal:
            self.status &= ~OVERLOADED
        self.goal = goal

    def duty(self, q: float) -> float:
        """One run of the position law on the shaft's angle in rad: the share of the supply on the motor, signed."""
        law = self.law
        ahead = self.goal - self.target
        reach = self.reach
        self.target += reach if ahead > reach else -reach if ahead < -reach else ahead
        error = self.target - self.ticks(q)
        if -law.dead_zone <= error <= law.dead_zone or not self.enabled:
            return 0.0
        duty = law.gain * error + (law.start if error > 0 else -law.start)
        limit = self.protection.reduced if self.status & OVERLOADED else law.limit
        return limit if duty > limit else -limit if duty < -limit else duty

    def watch(self, duty: float, current: float, temperature: float, seconds: float) -> None:
        """Look after the motor: duty from -1 to 1, A, degrees C, since the last look."""
        guard = self.protection
        self._overload = self._overload + seconds if abs(duty) > guard.overload else 0.0
        self._over_current = self._over_current + seconds if abs(current) > guard.current else 0.0
        if self._overload > guard.patience:
            self.status |= OVERLOADED
        if self._over_current > guard.patience:
            self.status |= OVER_CURRENT
        if temperature >= guard.temperature:
            self.status |= OVERHEATED
        if self.status & (OVER_CURRENT | OVERHEATED):
            self.enabled = False
