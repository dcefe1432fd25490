"""The Panda's joints: torque sensors behind the gears, and an impedance controller around them at 1 kHz."""

import tomllib
from collections import deque
from collections.abc import Sequence
from pathlib import Path

import mujoco
import numpy as np

from bench.arm.telemetry import Reading
from bench.servo.firmware import PERIOD

FILE = Path(__file__).with_name("panda.toml")
HARMONIC = 200.0  # ripples for each turn of the joint: two for each turn of a motor behind a gear of 100
SUPPLY, AMBIENT = 48.0, 25.0  # V and degrees C; its interface reports neither


class TorqueJoints:
    """All joints of a Panda.

    The motor makes stiffness * (goal - q) - damping * qd and what the robot's own model says that gravity and motion
    need, payload included. The sensor sees that torque less what accelerates the rotor. Behind it come friction,
    hysteresis and the ripple of the gear, which therefore show up in what is read, as they do on the real arm.
    """

    def __init__(self, effects: frozenset[str], unit: np.random.Generator | None):
        table = tomllib.loads(FILE.read_text(encoding="utf-8"))
        numbers = {name: np.array(value, float) for name, value in table.items() if name != "spread"}
        self.stiffness, self.damping, self.limit = numbers["stiffness"], numbers["damping"], numbers["limit"]
        self.armature = numbers["armature"]
        n = len(self.armature)
        spread = np.exp(table["spread"]["friction"] * unit.standard_normal(n)) if unit else np.ones(n)
        # The sensors of the first unit have errors too: there is no nominal sensor.
        draws = (unit or np.random.default_rng(0)).standard_normal((3, n))
        self.phi1 = numbers["phi1"] * spread * ("friction" in effects)
        self.phi2, self.phi3 = numbers["phi2"], numbers["phi3"]
        self.at_rest = 1 / (1 + np.exp(-self.phi2 * self.phi3))
        self.drag, self.drag_angle = numbers["drag"] * ("hysteresis" in effects), float(numbers["drag_angle"])
        self.ripple, self.phase = numbers["ripple"] * ("sensor" in effects), 6 * draws[2]
        self.gain = 1 + numbers["gain_error"] * draws[0] * ("sensor" in effects)
        self.offset = numbers["offset"] * draws[1] * ("sensor" in effects)
        self.torque_noise = numbers["torque_noise"] * ("noise" in effects)
        self.speed_noise = float(numbers["speed_noise"]) * ("noise" in effects)
        self.late = round(float(numbers["latency"]) / PERIOD) * ("delay" in effects)
        self.power_up([0.0] * n)

    def power_up(self, q: Sequence[float]) -> None:
        """Rest at q (rad, m), holding it."""
        self.goal = np.array(q, float)
        self.sent: deque[np.ndarray] = deque([self.goal] * (self.late + 1), maxlen=self.late + 1)
        self.hysteresis, self.torque = np.zeros(len(self.goal)), np.zeros(len(self.goal))
        self.past = deque([(self.goal, self.torque, self.torque)] * (self.late + 1), maxlen=self.late + 1)

    def command(self, q: Sequence[float]) -> None:
        """Send goals."""
        self.goal = np.array(q, float)

    def torques(self, data: mujoco.MjData) -> np.ndarray:
        """One PERIOD on: what the joints exert, N m (N on the slide). Changes nothing in `data`."""
        q, qd = data.qpos.copy(), data.qvel.copy()
        self.sent.append(self.goal)
        motor = self.stiffness * (self.sent[0] - q) - self.damping * qd + data.qfrc_bias
        motor = np.minimum(np.maximum(motor, -self.limit), self.limit)
        friction = self.phi1 * (1 / (1 + np.exp(-self.phi2 * (qd + self.phi3))) - self.at_rest)
        slid = PERIOD * qd / self.drag_angle
        self.hysteresis += slid * self.drag - np.abs(slid) * self.hysteresis
        lost = friction + self.hysteresis + self.ripple * np.sin(HARMONIC * q + self.phase)
        self.now = q, qd, motor
        self.torque = motor - lost
        return self.torque

    def sense(self, data: mujoco.MjData) -> None:
        """The same PERIOD once its acceleration is known: what the sensors saw."""
        q, qd, motor = self.now
        self.past.append((q, qd, motor - self.armature * data.qacc))

    def look_after(self) -> None:
        """Nothing gets warm here."""

    def read(self, rng: np.random.Generator) -> Reading:
        """What the robot's interface says."""
        q, qd, torque = self.past[0]
        noise = rng.standard_normal((2, len(q)))
        return Reading(
            q=q.copy(),
            qd=qd + self.speed_noise * noise[0],
            effort=self.gain * torque + self.offset + self.torque_noise * noise[1],
            voltage=np.full(len(q), SUPPLY),
            temperature=np.full(len(q), AMBIENT),
        )
