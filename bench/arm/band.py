"""A rubber band around a joint: the mechanically restricted motor of the Neural Actuation Dataset."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RubberBand:
    """Pulls the joint towards larger angles below `rest`, and hangs loose above (the reverse if stiffness is negative).

    joint: its name. stiffness: N m/rad. pretension: N m as soon as it is taut. rest: rad.
    """

    joint: str
    stiffness: float = 1.5
    pretension: float = 0.15
    rest: float = 1.0

    def torque(self, q: float) -> float:
        """On the joint at q (rad), in N m."""
        side = 1.0 if self.stiffness >= 0 else -1.0
        stretch = side * (self.rest - q)
        return side * self.pretension + self.stiffness * stretch if stretch > 0 else 0.0
