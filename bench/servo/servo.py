"""One servo, stepped a thousand times a second: firmware, winding, friction, gap. Plain floats, one joint.

Arrays over the joints would be slower: on six joints a NumPy operation costs what twenty and more on floats do.
"""

from bench.servo.firmware import PERIOD, Firmware
from bench.servo.motor import Winding
from bench.servo.parameters import Parameters


class Servo:
    """A virtual servo. Its encoder sits on the output shaft, so it does not see where its rotor is.

    load: inertia in kg m^2 that the output shaft will feel, for the time step's sake (`Gear.spring`).

    State to look at, all at the output shaft: `rotor` (rad) and `rotor_speed` (rad/s), `duty` (-1 to 1), `current` (A),
    `gear_torque` and `drag` (N m), `winding.temperature`; `firmware.status` and `firmware.enabled`.
    """

    __slots__ = (
        "_damping", "_friction", "_gear", "_grease", "_joules", "_seconds", "_stiffness",
        "current", "drag", "duty", "firmware", "gear_torque", "inertia", "parameters", "rotor", "rotor_speed",
        "winding",
    )  # fmt: skip

    def __init__(self, parameters: Parameters, load: float):
        self.parameters = parameters
        self.firmware = Firmware(parameters.law, parameters.protection)
        self.winding = Winding(parameters.motor, parameters.heat)
        self.inertia = parameters.motor.inertia
        self._friction, self._gear = parameters.friction, parameters.gear
        self._stiffness, self._damping = self._gear.spring(self.inertia, load, PERIOD)
        self._grease = self._gear.shaft_damping(load, PERIOD)
        self.power_up(0.0)

    def power_up(self, q: float) -> None:
        """At rest at the shaft's angle q (rad), holding it, in the middle of the gap. The motor keeps its heat."""
        self.firmware.power_up(q)
        self.rotor, self.rotor_speed = q, 0.0
        self.duty = self.current = self.gear_torque = self.drag = self._joules = self._seconds = 0.0

    def step(self, q: float, qd: float, supply: float) -> float:
        """One PERIOD with the shaft at q (rad) turning at qd (rad/s), and `supply` volts: the shaft's torque in N m."""
        firmware, winding, gear = self.firmware, self.winding, self._gear
        w = self.rotor_speed

        # The motor. With the torque off its leads are open; at zero duty they are shorted, and it brakes.
        self.duty = duty = firmware.duty(q)
        current = (duty * supply - winding.kt * w) / winding.resistance if firmware.enabled else 0.0
        self.current = current
        motor = winding.kt * current
        self._joules += current * current * winding.resistance * PERIOD
        self._seconds += PERIOD

        # The gear: nothing within the gap, then a spring that can only push.
        twist = self.rotor - q
        if twist > gear.half_gap:
            torque = max(0.0, self._stiffness * (twist - gear.half_gap) + self._damping * (w - qd))
        elif twist < -gear.half_gap:
            torque = min(0.0, self._stiffness * (twist + gear.half_gap) + self._damping * (w - qd))
        else:
            torque = 0.0
        self.gear_torque = torque

        # The rotor. Friction can stop it but never push it: what would reverse the motion ends in rest, exactly.
        friction = self._friction
        push = PERIOD / self.inertia
        free = (w + push * (motor - torque)) / (1 + push * friction.viscous)
        stop = push * friction.limit(motor, -torque, w)
        self.rotor_speed = w = free - stop if free > stop else free + stop if free < -stop else 0.0
        self.rotor += PERIOD * w

        # The output shaft's bearing and seal bend, then slide.
        drag = self.drag + PERIOD * qd * gear.drag / gear.drag_angle
        self.drag = drag = gear.drag if drag > gear.drag else -gear.drag if drag < -gear.drag else drag
        return torque - drag - self._grease * qd

    def look_after(self) -> None:
        """Heat and protection. Both are slow, so that once a control tick is enough."""
        self.winding.warm(self._joules, self._seconds)
        self.firmware.watch(self.duty, self.current, self.winding.case, self._seconds)
        self._joules = self._seconds = 0.0
