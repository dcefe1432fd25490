"""The virtual arm: joints and plant, stepped at 1 kHz, driven and read at the control rate."""

from collections.abc import Callable, Iterable, Sequence

import mujoco
import numpy as np

from bench import arms
from bench.arm import plant
from bench.arm.band import RubberBand
from bench.arm.servo_joints import ServoJoints
from bench.arm.setups import SETUPS, servo_of
from bench.arm.telemetry import Telemetry
from bench.arm.torque_joints import TorqueJoints
from bench.servo import parameters as servo_parameters
from bench.servo.firmware import PERIOD

EFFECTS = servo_parameters.EFFECTS | {"sensor"}  # the last one is the Panda's: gain, offset, ripple
SETTLE = 1000  # periods for which an arm has been holding still when an episode begins
CONTACT = 0.01  # N: less is none

Force = np.ndarray | Sequence[float] | Callable[[np.ndarray, np.ndarray], np.ndarray]


class VirtualArm:
    """One unit of an arm in the laboratory. The docstring of `bench.arm` says how it is used and what a row holds.

    name: of bench.arms.ARMS. rng: for the noise of what is read. unit: 0 is the nominal one, others differ as units do.
    effects: the names of what makes it real (EFFECTS); what is left out is ideal.

    `joints` (names, the gripper's last), `rate` (Hz), `effort_unit`; `drives` holds the servos, `model` and `data` the
    plant: the truth, for those who teach. Raises ValueError for an unknown arm or effect.
    """

    def __init__(self, name: str, *, rng: np.random.Generator, unit: int = 0, effects: Iterable[str] = EFFECTS):
        effects = frozenset(effects)
        if unknown := effects - EFFECTS:
            raise ValueError(f"No effect is called {min(unknown)!r}; there are: {', '.join(sorted(EFFECTS))}")
        self.joints = plant.joints_of(name)
        setup = SETUPS[name]
        self.name, self.rate, self.effort_unit, self.rng = name, setup.rate, setup.effort_unit, rng
        other = np.random.default_rng([unit]) if unit else None
        self.drives: ServoJoints | TorqueJoints
        if setup.servo == "torque":
            self.drives = TorqueJoints(effects, other)
            self.model = plant.build(name, self.drives.armature)
        else:
            self.model = plant.build(name, np.array([0.0] * (len(self.joints) - 1) + [setup.finger_mass]))
            servos = [servo_of(name, gripper=joint == self.joints[-1]) for joint in self.joints]
            if other:
                servos = [servo_parameters.unit(servo, other) for servo in servos]
            servos = [servo_parameters.only(servo, effects - {"sensor"}) for servo in servos]
            self.drives = ServoJoints(servos, plant.load_inertias(self.model, name).tolist(), setup.finger)
        self.data = mujoco.MjData(self.model)
        self._effector = self.model.site(arms.EFFECTOR).id
        self._jacobian = np.zeros((3, self.model.nv))
        self._band: RubberBand | None = None
        self._banded = 0  # index of the joint that the band holds back
        self.payload = 0.0
        self.reset()

    def reset(self, q: Sequence[float] | None = None) -> Telemetry:
        """A new episode: the arm has been holding the command q for a second, with what it holds and what holds it.

        q: (n,) rad (m for a slide), within the joints' ranges; the home pose if None. Motors stay as warm as they are.
        """
        if q is None:
            home = arms.ARMS[self.name].home
            q = [*home, *self.model.jnt_range[len(home) :].mean(axis=1)]
        self.q_cmd = self._checked(q)
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:] = self.q_cmd
        self.drives.power_up(self.q_cmd.tolist())
        self._ticks = 0
        self._force = np.zeros(3)
        self._advance(SETTLE, None)
        self._row: Telemetry | None = None
        return self.read()

    def step(self, q_cmd: Sequence[float], f_ext: Force | None = None) -> Telemetry:
        """One control tick: read, send q_cmd (rad, m), and let the tick pass with the force on the effector.

        f_ext: N, environment on robot, base frame: None, an array (3,), or a function of the effector's position (m)
        and velocity (m/s) that is asked every millisecond. Returns the row of the tick's beginning.
        Raises ValueError if q_cmd has another shape or is not finite.
        """
        self.q_cmd = self._checked(q_cmd)
        row = self.read()
        mujoco.mj_step1(self.model, self.data)
        self._force = self._pull(f_ext)
        row.q_cmd = self.q_cmd
        row.force = self._felt()
        row.contact = self.payload > 0 or float(np.abs(self._force).max()) > CONTACT
        self.drives.command(self.q_cmd.tolist())
        self._ticks += 1
        now, then = (round(ticks / self.rate / PERIOD) for ticks in (self._ticks - 1, self._ticks))
        self._advance(then - now, f_ext)
        self._row = None
        return row

    def read(self) -> Telemetry:
        """The row of this moment. Asked again within the tick, it gives the same one."""
        if self._row is None:
            reading = self.drives.read(self.rng)
            condition = np.ones(len(self.joints))
            if self._band:
                condition[self._banded] = 0.0
            self._row = Telemetry(
                timestamp=self._ticks / self.rate,
                q_cmd=self.q_cmd,
                q=reading.q,
                qd=reading.qd,
                effort=reading.effort,
                voltage=reading.voltage,
                temperature=reading.temperature,
                force=self._felt(),
                force_valid=True,
                contact=self.payload > 0 or float(np.abs(self._force).max()) > CONTACT,
                condition=condition,
                tau_true=np.array(self.drives.torque),
            )
        return self._row

    def hold(self, mass: float) -> None:
        """A payload of `mass` kg at the effector from now on."""
        if not 0 < mass < np.inf:
            raise ValueError(f"A payload has a mass above 0 kg, not {mass:g} kg")
        plant.set_payload(self.model, mass)
        self.payload = mass

    def release(self) -> None:
        """Nothing is held any more."""
        plant.set_payload(self.model, 0.0)
        self.payload = 0.0

    def restrict(self, band: RubberBand | None) -> None:
        """Put a rubber band around a joint, or take it off. Raises ValueError for an unknown joint."""
        if band and band.joint not in self.joints:
            raise ValueError(f"This arm has no joint {band.joint!r}; there are: {', '.join(self.joints)}")
        self._band = band
        self._banded = self.joints.index(band.joint) if band else 0
        self._row = None

    @property
    def effector(self) -> np.ndarray:
        """Where the effector really is, m, base frame, (3,)."""
        mujoco.mj_kinematics(self.model, self.data)
        return self.data.site_xpos[self._effector].copy()

    def _advance(self, periods: int, f_ext: Force | None) -> None:
        """Let that many PERIODs pass."""
        model, data, drives = self.model, self.data, self.drives
        for _ in range(periods):
            mujoco.mj_step1(model, data)
            data.qfrc_applied[:] = drives.torques(data)
            if f_ext is not None:
                self._force = self._pull(f_ext)
                data.qfrc_applied[:] += self._force @ self._jacobian
            if self._band:
                data.qfrc_applied[self._banded] += self._band.torque(data.qpos[self._banded])
            mujoco.mj_step2(model, data)
            drives.sense(data)
        drives.look_after()

    def _pull(self, f_ext: Force | None) -> np.ndarray:
        """The external force now, N. Leaves the effector's Jacobian in `_jacobian`. The plant must be up to date."""
        if f_ext is None:
            return np.zeros(3)
        mujoco.mj_jacSite(self.model, self.data, self._jacobian, None, self._effector)
        if callable(f_ext):
            position = self.data.site_xpos[self._effector].copy()
            return np.asarray(f_ext(position, self._jacobian @ self.data.qvel), float)
        return np.asarray(f_ext, float)

    def _felt(self) -> np.ndarray:
        return self._force + self.payload * self.model.opt.gravity

    def _checked(self, q: Sequence[float]) -> np.ndarray:
        checked = np.array(q, float)
        if checked.shape != (len(self.joints),) or not np.isfinite(checked).all():
            raise ValueError(f"{len(self.joints)} finite numbers are wanted, one for each of {', '.join(self.joints)}")
        return checked
