"""Where the effector is for given joint angles, and which angles bring it somewhere."""

from dataclasses import dataclass

import mujoco
import numpy as np

from bench import arms

MARGIN = 0.03  # rad: the leader's joints stay this far from their stops
DAMPING = 0.02  # m: below this the damped inverse of the Jacobian gives way instead of racing
TOLERANCE = 5e-4  # m


@dataclass(frozen=True)
class Station:
    """How an operator uses an arm. Metres and rad in the base frame.

    rest: arm angles of the posture that the operator prefers where the task leaves a choice.
    near, far: distance of the effector from the base's axis when the arm is drawn back and stretched out.
    work: where most of the work happens. low, middle, high: heights. size: of a movement at one place.
    stiffness: N m/rad of a joint against its command, about. tick: rad, step of the leader's encoders.
    """

    rest: tuple[float, ...]
    near: float
    work: float
    far: float
    low: float
    middle: float
    high: float
    size: float
    stiffness: float
    tick: float


TICK = 2 * np.pi / 4096  # rad: both servos' encoders
STATIONS = {
    "openmanipulator_x": Station(
        rest=(0.0, -0.3, 0.4, 1.0), stiffness=10.0, tick=TICK,
        near=0.14, work=0.2, far=0.27, low=0.05, middle=0.13, high=0.22, size=0.045,
    ),
    "so101": Station(
        rest=(0.0, -0.6, 0.5, 0.9, 0.0), stiffness=10.0, tick=TICK,
        near=0.19, work=0.23, far=0.31, low=0.06, middle=0.14, high=0.23, size=0.045,
    ),
    "panda": Station(
        rest=(0.0, -0.3, 0.0, -2.2, 0.0, 2.0, 0.785), stiffness=600.0, tick=1e-6,
        near=0.4, work=0.5, far=0.62, low=0.15, middle=0.3, high=0.5, size=0.1,
    ),
}  # fmt: skip


class Hand:
    """Kinematics of one arm: `hand.at((x, y, z))` gives joint angles, `hand.position(q)` the way back."""

    def __init__(self, robot: str):
        self.station = STATIONS[robot]
        self.arm = arms.ARMS[robot]
        self.joints = (*self.arm.joints, self.arm.gripper)
        self.model = arms.load(robot)
        self.data = mujoco.MjData(self.model)
        self.qpos = [self.model.joint(joint).qposadr[0] for joint in self.joints]
        self.dofs = [self.model.joint(joint).dofadr[0] for joint in self.arm.joints]
        self.limits = np.array([self.model.joint(joint).range for joint in self.joints])

    def grip(self, opening: float) -> float:
        """Coordinate of the gripper, 0 shut to 1 open."""
        shut, wide = self.limits[-1]
        return float(shut + opening * (wide - shut))

    def position(self, q: np.ndarray) -> np.ndarray:
        """Effector position in the base frame, m, shape (3,). q: (n,), rad, gripper last."""
        self.data.qpos[self.qpos] = q
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        return self.data.site(arms.EFFECTOR).xpos.copy()

    def compliance(self, q: np.ndarray, direction: np.ndarray) -> float:
        """How far the effector gives way to a force along a unit vector, in m/N, by the joints' stiffness."""
        self.position(q)
        moves = direction @ self._jacobian()
        return float(moves @ moves) / self.station.stiffness

    def at(self, target: np.ndarray, opening: float = 0.5, start: np.ndarray | None = None) -> np.ndarray:
        """Joint angles with the effector at the target, gripper last, shape (n,).

        target: m, base frame. start: angles to begin the search from, so that a path stays on one branch.
        Damped least squares (Wampler 1986), with the remaining freedom drawn to the posture of rest. Raises ValueError
        if the arm cannot reach the target.
        """
        rest = np.array([*self.station.rest, self.grip(opening)])
        low, high = (self.limits + MARGIN * np.array([1, -1]))[:-1].T
        q = rest.copy() if start is None else np.array([*start[:-1], rest[-1]])
        if start is None:
            q[0] = np.clip(np.arctan2(target[1], target[0]), low[0], high[0])
        for _ in range(100):
            error = target - self.position(q)
            J = self._jacobian()
            inverse = J.T @ np.linalg.inv(J @ J.T + DAMPING**2 * np.eye(3))
            step = inverse @ error + 0.1 * (np.eye(len(self.dofs)) - inverse @ J) @ (rest - q)[:-1]
            q[:-1] = np.clip(q[:-1] + np.clip(step, -0.3, 0.3), low, high)
            if np.abs(error).max() < TOLERANCE and np.abs(step).max() < 0.01:
                break
        if np.abs(target - self.position(q)).max() > 0.01:
            raise ValueError(f"{self.arm.title} does not reach {np.round(target, 3).tolist()} m")
        return q

    def _jacobian(self) -> np.ndarray:
        """Of the effector's position at the angles of the last `position`, (3, n - 1), without the gripper."""
        jacobian = np.zeros((3, self.model.nv))
        mujoco.mj_jacSite(self.model, self.data, jacobian, None, self.model.site(arms.EFFECTOR).id)
        return jacobian[:, self.dofs]

    def line(self, start: np.ndarray, end: np.ndarray, opening: float = 0.5, points: int = 24) -> np.ndarray:
        """Joint angles along a straight line of the effector, shape (points, n). start, end: m."""
        return self.through(np.linspace(start, end, points), opening)

    def through(self, targets: np.ndarray, opening: float = 0.5) -> np.ndarray:
        """Joint angles along a path of the effector, shape (len(targets), n). targets: (points, 3), m."""
        path: list[np.ndarray] = []
        for target in targets:
            path.append(self.at(target, opening, path[-1] if path else None))
        return np.array(path)
