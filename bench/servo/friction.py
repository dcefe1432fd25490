"""Friction of a geared motor: Coulomb, Stribeck, viscous, and the part that grows with the load on the teeth."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Friction:
    """Model M6 of Duclusaud and others (ICRA 2025, arXiv 2410.08650), all at the output shaft.

    coulomb, stribeck: N m; viscous: N m s/rad; speed: rad/s at which the Stribeck part fades; shape: its exponent.
    motor_load, external_load: share of the motor's and of the load's torque that the teeth eat; *_at_rest: what they
    eat in addition while standing. motor_load_squared: 1/(N m), for what they eat of a large torque; it stands for the
    two squared terms of M6, which the logs of `fit` cannot tell apart, but do need.
    """

    coulomb: float = 0.0
    stribeck: float = 0.0
    viscous: float = 0.0
    speed: float = 1.0
    shape: float = 1.0
    motor_load: float = 0.0
    external_load: float = 0.0
    motor_load_at_rest: float = 0.0
    external_load_at_rest: float = 0.0
    motor_load_squared: float = 0.0

    def limit(self, tau_motor: float, tau_external: float, w: float) -> float:
        """The torque in N m that dry friction can offer at speed w (rad/s); the viscous part comes on top.

        tau_motor: of the motor, tau_external: of the load on the shaft, N m, in the same direction of turning.
        """
        limit = self.coulomb + abs(self.motor_load * tau_motor - self.external_load * tau_external)
        limit += self.motor_load_squared * tau_motor * tau_motor
        at_rest = math.exp(-(abs(w / self.speed) ** self.shape)) if w else 1.0
        load_at_rest = abs(self.motor_load_at_rest * tau_motor - self.external_load_at_rest * tau_external)
        return limit + at_rest * (self.stribeck + load_at_rest)
