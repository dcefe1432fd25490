"""The joints of an arm with servos on a bus: one supply, one bus, a servo each."""

from collections import deque
from collections.abc import Sequence

import mujoco
import numpy as np

from bench.arm.telemetry import Reading
from bench.servo.firmware import CENTRE, PERIOD, TICK
from bench.servo.parameters import Parameters
from bench.servo.registers import rounded
from bench.servo.servo import Servo


class ServoJoints:
    """All servos of an arm. `servos`: look into them. `supply`: V at their terminals now.

    parameters, loads: one for each joint; loads are what the joint's motor feels, kg m^2 (kg on a slide).
    finger: how far the last joint, the gripper, goes for each rad of its servo; all others go as far as theirs.
    """

    def __init__(self, parameters: Sequence[Parameters], loads: Sequence[float], finger: float):
        self.finger = finger
        loads = [*loads[:-1], loads[-1] * finger**2]
        self.servos = [Servo(each, load) for each, load in zip(parameters, loads, strict=True)]
        self.registers = parameters[0].registers
        self.tells_duty = self.registers.effort == "duty"
        self.nominal, self.resistance = parameters[0].supply, parameters[0].supply_resistance
        self.idle = sum(each.motor.idle_current for each in parameters)
        self.late = round(self.registers.latency / PERIOD)
        self.window = round(self.registers.speed_window / PERIOD)
        self.power_up([0.0] * len(self.servos))

    def power_up(self, q: Sequence[float]) -> None:
        """Rest at the joint coordinates q, holding them, with no fault latched. The motors stay as warm as they are."""
        shafts = self._shafts(q)
        for servo, shaft in zip(self.servos, shafts, strict=True):
            servo.power_up(shaft)
        self.supply = self.nominal - self.resistance * self.idle
        self.torque = [0.0] * len(shafts)
        now = (shafts, self.torque, self.torque)
        self.past = deque([now] * (self.late + self.window + 1), maxlen=self.late + self.window + 1)
        self.sent: deque[tuple[int, list[float]]] = deque()

    def command(self, q: Sequence[float]) -> None:
        """Send goals; they arrive when the bus has carried them."""
        self.sent.append((self.late, self._shafts(q)))

    def torques(self, data: mujoco.MjData) -> list[float]:
        """One PERIOD on: what the servos exert on the joints, N m (N on a slide). Changes nothing in `data`."""
        if self.sent:
            self._deliver()
        shafts, speeds = self._shafts(data.qpos.tolist()), self._shafts(data.qvel.tolist())
        supply, drawn, torque, effort = self.supply, self.idle, [], []
        for servo, shaft, speed in zip(self.servos, shafts, speeds, strict=True):
            torque.append(servo.step(shaft, speed, supply))
            drawn += servo.duty * servo.current
            effort.append(servo.duty if self.tells_duty else servo.current)
        self.supply = self.nominal - self.resistance * drawn
        self.past.append((shafts, speeds, effort))
        torque[-1] /= self.finger
        self.torque = torque
        return torque

    def sense(self, data: mujoco.MjData) -> None:
        """Nothing in a servo waits for the acceleration."""

    def _shafts(self, joints: Sequence[float]) -> list[float]:
        """Angles or speeds of the servos, of coordinates or speeds of the joints."""
        return [*joints[:-1], joints[-1] / self.finger]

    def _joints(self, shafts: np.ndarray) -> np.ndarray:
        """The way back."""
        return shafts * ([1.0] * (len(shafts) - 1) + [self.finger])

    def _deliver(self) -> None:
        waiting = [(left - 1, goals) for left, goals in self.sent]
        while waiting and waiting[0][0] < 0:
            for servo, goal in zip(self.servos, waiting.pop(0)[1], strict=True):
                servo.firmware.command(goal)
        self.sent = deque(waiting)

    def look_after(self) -> None:
        """Heat and protection of all servos, once a control tick."""
        for servo in self.servos:
            servo.look_after()

    def read(self, rng: np.random.Generator) -> Reading:
        """What the registers say, as late and as coarse as they say it."""
        registers = self.registers
        shafts, speeds, effort = (np.array(column) for column in self.past[-1 - self.late])
        if self.window:
            speeds = (shafts - self.past[-1 - self.late - self.window][0]) / (self.window * PERIOD)
        noise = rng.standard_normal((2, len(shafts)))
        ticks = CENTRE + shafts / TICK + registers.position_noise * noise[0]
        if self.servos[0].parameters.law.whole_ticks:
            ticks = np.floor(ticks + 0.5)
        cases = np.array([servo.winding.case for servo in self.servos])
        return Reading(
            q=self._joints((ticks - CENTRE) * TICK),
            qd=self._joints(rounded(speeds, registers.speed_unit)),
            effort=rounded(effort + registers.effort_noise * noise[1], registers.effort_unit),
            voltage=rounded(np.full(len(shafts), self.supply), registers.voltage_unit),
            temperature=rounded(cases, registers.temperature_unit),
        )
