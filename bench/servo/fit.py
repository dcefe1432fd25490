"""Identify a servo from what it did on a stand: find the numbers with which the virtual one moves as the real one did.

    train, held_out = split([read_log(file) for file in sorted(folder.glob("*.json"))])
    parameters, stand = fit(train, load("xl330"), Stand(0.49, 0.1, arm_mass=0.03, tilt=0.016))
    error_degrees(replay(parameters, stand, held_out[0]), held_out[0])

All numbers are positive and are fitted as logarithms, by Levenberg and Marquardt's method with differences for slopes.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.servo.firmware import PERIOD
from bench.servo.parameters import Parameters
from bench.servo.stand import Stand, swing

NUDGE = 0.03  # relative step of the slopes: with a smaller one they are the noise of sticking and sliding
GAIN_PER_P = 1 / 256 / 885  # duty per tick of error and unit of P, off the logs: PWM = P error / 256, 885 is full
# What the logs can tell. They do not see the gap: gravity keeps it closed, and the encoder is on the output.
FREE = ("motor.kt", "motor.resistance", "motor.inertia", "friction.coulomb", "friction.stribeck", "friction.viscous",
        "friction.speed", "friction.motor_load", "friction.external_load_at_rest", "friction.motor_load_squared",
        "stand.tilt", "stand.arm_mass")  # fmt: skip


@dataclass(frozen=True)
class Log:
    """One run on the stand. time (s, from zero), q and goal (rad), enabled: arrays of one length.

    gain: register P. celsius: Present_Temperature at the start.
    """

    name: str
    gain: int
    celsius: float
    time: np.ndarray
    q: np.ndarray
    goal: np.ndarray
    enabled: np.ndarray

    def each_period(self, latency: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Goal and enabled at each firmware period, held from sample to sample, and late by `latency` s."""
        clock = np.arange(0.0, self.time[-1] + PERIOD, PERIOD) - latency
        index = np.clip(np.searchsorted(self.time, clock, side="right") - 1, 0, len(self.time) - 1)
        return self.goal[index], self.enabled[index]


def read_log(file: Path) -> Log:
    """A log of Rhoban's pendulum bench (bam, raw JSON). Raises ValueError, KeyError or OSError if it is not one."""
    table = json.loads(file.read_text(encoding="utf-8"))
    rows = table["entries"]
    time, q, goal, enabled = (
        np.array([row[name] for row in rows], float)
        for name in ("timestamp", "position", "goal_position", "torque_enable")
    )
    return Log(
        f"{table['trajectory']} P={table['kp']}",
        int(table["kp"]),
        rows[0]["temp"],
        time - time[0],
        q,
        goal,
        enabled > 0,
    )


def split(logs: Sequence[Log]) -> tuple[list[Log], list[Log]]:
    """Logs to fit and logs held out: of every four in order of time one, another trajectory for each gain."""
    held_out = [k % 4 == k // 4 % 4 for k in range(len(logs))]
    return (
        [log for log, held in zip(logs, held_out, strict=True) if not held],
        [log for log, held in zip(logs, held_out, strict=True) if held],
    )


def replay(parameters: Parameters, stand: Stand, log: Log) -> np.ndarray:
    """The angles in rad, at the times of the log, at which the virtual servo would have been."""
    law = replace(parameters.law, gain=GAIN_PER_P * log.gain)
    goal, enabled = log.each_period(parameters.registers.latency)
    trace = swing(
        replace(parameters, law=law), stand, goal.tolist(), enabled.tolist(), q=float(log.q[0]), celsius=log.celsius
    )
    return np.interp(log.time, np.arange(len(goal)) * PERIOD, trace["q"])


def fit(
    logs: Sequence[Log], parameters: Parameters, stand: Stand, free: Sequence[str] = FREE, rounds: int = 16
) -> tuple[Parameters, Stand]:
    """The parameters and the stand with the least squared position error over all logs, from these as a start.

    free: what may change, such as "motor.kt" or "stand.tilt"; each must start above zero.
    """

    def errors(x: np.ndarray) -> np.ndarray:
        candidate, on = with_numbers(parameters, stand, dict(zip(free, np.exp(x), strict=True)))
        return np.concatenate([replay(candidate, on, log) - log.q for log in logs])

    start = [getattr(_part(parameters, stand, name), name.split(".")[1]) for name in free]
    best = levenberg_marquardt(errors, np.log(start), rounds)
    return with_numbers(parameters, stand, dict(zip(free, np.exp(best), strict=True)))


def levenberg_marquardt(errors: Callable[[np.ndarray], np.ndarray], x: np.ndarray, rounds: int) -> np.ndarray:
    """The x with small errors(x) in the sense of least squares, after at most that many rounds."""
    e, trust = errors(x), 1e-2
    for _ in range(rounds):
        slopes = np.stack([(errors(x + NUDGE * unit) - e) / NUDGE for unit in np.eye(len(x))], axis=1)
        normal, gradient = slopes.T @ slopes, slopes.T @ e
        for _ in range(6):
            step = -np.linalg.solve(normal + trust * np.diag(np.diag(normal) + 1e-9), gradient)
            step /= max(1.0, np.abs(step).max())  # never more than a factor e at once
            candidate = errors(x + step)
            if candidate @ candidate < e @ e:
                x, e, trust = x + step, candidate, trust / 5
                break
            trust *= 5
        else:
            return x
    return x


def with_numbers(parameters: Parameters, stand: Stand, numbers: dict[str, float]) -> tuple[Parameters, Stand]:
    """Copies with these numbers, each named "part.number"; the part "stand" is the stand."""
    for name, value in numbers.items():
        part, number = name.split(".")
        changed = replace(_part(parameters, stand, name), **{number: float(value)})
        if part == "stand":
            stand = changed
        else:
            parameters = replace(parameters, **{part: changed})
    return parameters, stand


def _part(parameters: Parameters, stand: Stand, name: str):
    part = name.split(".")[0]
    return stand if part == "stand" else getattr(parameters, part)


def error_degrees(q: np.ndarray, log: Log) -> float:
    """Root mean square position error in degrees."""
    return math.degrees(float(np.sqrt(np.mean((q - log.q) ** 2))))
