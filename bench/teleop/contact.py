"""What the follower meets: a fixture to push against, and the table that carries an object until it is lifted."""

import math

import numpy as np

STIFFNESS = 600.0  # N/m: a rubber pad before a rigid sensor, in every direction
DAMPING = 4.0  # N s/m, while pressed
FRICTION = 0.3  # of the pad
NOTHING = np.zeros(3)
NOTHING.flags.writeable = False


class Fixture:
    """A flat pad. point: on its surface, m. normal: unit vector out of it, the direction in which it pushes the arm.

    Called with the effector's position and velocity in the base frame, it returns the force on the arm, N, (3,).
    A penalty spring and damper that never pulls. Sideways the pad shears until Coulomb's limit, then it slides: what
    touches it drags an anchor along. (A friction that depends on the speed alone makes a light hand chatter.)
    """

    def __init__(self, point: np.ndarray, normal: np.ndarray):
        self.point = point
        self.normal = normal
        self.anchor: np.ndarray | None = None  # m: where the pad would have to be touched to be unsheared

    def __call__(self, position: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        depth = float(self.normal @ (self.point - position))
        if depth <= 0:
            self.anchor = None
            return NOTHING
        if self.anchor is None:
            self.anchor = position.copy()
        approach = float(self.normal @ velocity)
        press = max(0.0, STIFFNESS * depth - DAMPING * approach)
        shear = position - self.anchor
        shear -= (self.normal @ shear) * self.normal
        sheared = math.sqrt(shear @ shear)
        longest = FRICTION * press / STIFFNESS
        if sheared > longest:
            self.anchor += shear * (1 - longest / sheared)
            shear *= longest / sheared
        return press * self.normal - STIFFNESS * shear


class Table:
    """Carries a weight that the arm holds but has not lifted: fully where it was grasped, not at all 3 mm above.

    weight: N. It learns the height at which it was grasped from its first call.
    """

    LIFTED = 0.003  # m

    def __init__(self, weight: float):
        self.weight = weight
        self.height: float | None = None

    def __call__(self, position: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        if self.height is None:
            self.height = float(position[2])
        share = 1 - (float(position[2]) - self.height) / self.LIFTED
        return np.array([0.0, 0.0, self.weight * min(1.0, share)]) if share > 0 else NOTHING
