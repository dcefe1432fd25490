"""The servo on the desk: what its registers say, what can be computed from them, and what stays hidden.

Run it:     python code/servo.py
Check it:   python3 -m course check servo
The lesson: lessons/05_servo.ipynb
"""

from collections.abc import Sequence

import numpy as np

from bench import arm
from bench.script import part, run_script
from bench.servo import EFFECTS, Parameters, Stand, load, only, swing

STS, XM = load("sts3215"), load("xm430")  # the servos of the SO-101 and of the OpenManipulator-X
KT, R = STS.motor.kt, STS.motor.resistance  # N m/A and ohm, at the output shaft

# The block of registers that one READ of an STS3215 brings: 15 bytes from address 56 on. Feetech's memory table.
FIRST = 56
POSITION, SPEED, LOAD, CURRENT = 56, 58, 60, 69  # two bytes each, the low one first
VOLTAGE, TEMPERATURE, STATUS = 62, 63, 65  # one byte each
SIGN_BIT = {POSITION: 15, SPEED: 15, LOAD: 10, CURRENT: 15}  # set: negative. The bits below are the magnitude.
CENTRE, TICK = 2048, 2 * np.pi / 4096  # ticks at which the angle is zero; rad for each tick
AMPERE, OVERLOAD_BIT = 0.0065, 5  # A for each count of CURRENT; bit of STATUS, counted from 0

CLIPPED = 0.96  # a duty this large is the firmware's limit, 0.97, and no longer follows the error
DEAD_ZONE = 1  # ticks of error that the firmware leaves alone
STILL = 0.05  # rad/s; what turns more slowly may as well stand, as far as the speed register knows
DESK = Stand(mass=0.05, length=0.1)  # a small arm that hangs down
FLYWHEEL = Stand(mass=1e-8, length=1000.0)  # an inertia of 0.01 kg m^2 without weight


# Given: runs of virtual servos


def encode(q: float, qd: float, duty: float, voltage: float, temperature: float, current: float, status=0) -> bytes:
    """The block as the servo would send it, for SI values. The bytes that nobody asks for are 0."""
    block = bytearray(15)
    counts = {POSITION: q / TICK + CENTRE, SPEED: qd / TICK, LOAD: 1000 * duty, CURRENT: current / AMPERE}
    for address, count in counts.items():
        word = round(abs(count)) | (round(count) < 0) << SIGN_BIT[address]
        block[address - FIRST : address - FIRST + 2] = word.to_bytes(2, "little")
    block[VOLTAGE - FIRST], block[TEMPERATURE - FIRST] = round(10 * voltage), round(temperature)
    block[STATUS - FIRST] = status
    return bytes(block)


def settle(mass: float, start: float, goal: float = np.pi / 2) -> bytes:
    """An STS3215 brings a mass (kg) on an arm of 0.15 m from start to goal (rad): its block of registers, 2 s later."""
    goals = np.r_[np.linspace(start, goal, 1000), np.full(2000, goal)]
    trace = swing(STS, Stand(mass, 0.15), goals.tolist(), q=start)
    return encode(*(float(trace[name][-1]) for name in ("q", "qd", "duty", "voltage", "temperature", "current")))


def log(goals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An STS3215 swings 0.3 kg on 0.2 m through one goal (rad) a ms: error (ticks) and duty, a row each 10 ms."""
    trace = swing(STS, Stand(0.3, 0.2), goals.tolist())
    return (np.round(goals / TICK) - np.round(trace["q"] / TICK))[::10], np.round(trace["duty"], 3)[::10]


def move_arm(effects=arm.EFFECTS, unit: int = 0, seconds: float = 12.0, name: str = "openmanipulator_x") -> dict:
    """Free motion of a virtual arm, smooth and random, another one for each unit. Returns q_cmd, q, qd (rad, rad/s),
    effort (register) and tau (N m on the link, as module 07 computes it), of shape (rows, joints without gripper)."""
    rng = np.random.default_rng(50 + unit)
    robot = arm.VirtualArm(name, rng=rng, unit=unit, effects=effects)
    n = len(robot.joints) - 1
    time = np.arange(round(seconds * robot.rate))[:, None, None] / robot.rate
    frequency, phase = rng.uniform(0.1, 0.35, (3, n)), rng.uniform(0, 2 * np.pi, (3, n))
    waves = (np.sin(2 * np.pi * frequency * time + phase) - np.sin(phase)).sum(axis=1)
    commands = np.tile(robot.q_cmd, (len(time), 1))
    commands[:, :n] += 0.27 * waves
    telemetry = [robot.step(np.clip(q_cmd, *robot.model.jnt_range.T)) for q_cmd in commands]
    names = {"q_cmd": "q_cmd", "q": "q", "qd": "qd", "effort": "effort", "tau": "tau_true"}
    return {key: np.array([getattr(row, name)[:n] for row in telemetry]) for key, name in names.items()}


def friction_at(speed: float, lifted: float = 0.0) -> float:
    """The mean friction in N m of an STS3215 that turns evenly at speed (rad/s) and lifts a torque (N m)."""
    goals = speed * np.arange(0, min(4.0, max(1.0, 0.4 / abs(speed))), 1e-3)
    load = float(np.sign(speed) * lifted)
    current = swing(STS, FLYWHEEL, goals.tolist(), push=[-load] * len(goals))["current"]
    return float(KT * current[len(goals) // 2 :].mean() - load)


def reversal(servo: Parameters) -> tuple[np.ndarray, dict, float]:
    """A servo lifts an arm of 0.15 kg for 2 s and lowers it again, at 0.3 rad/s: goals (rad), the trace, and the N m by
    which the motor's torque swung while the encoder stood still."""
    goals = 0.7 + 0.3 * (2 - np.abs(np.arange(0, 4, 1e-3) - 2))
    trace = swing(servo, Stand(0.15, 0.1), goals.tolist(), q=0.7)
    ticks = np.round(trace["q"] / TICK)[2000:]
    torque = (trace["duty"] * trace["voltage"])[2000:] * KT / R
    return goals, trace, float(np.ptp(torque[ticks >= ticks.max() - 1]))


def wiggle(servo: Parameters, push: float) -> float:
    """By how much (rad, end to end, to 0.01 mm at the arm's tip) a hand with +-push N m moves a servo that holds."""
    hand = push * np.sin(np.pi * np.arange(0, 4, 1e-3))
    return round(float(np.ptp(swing(servo, DESK, [0.0] * len(hand), push=hand.tolist())["q"][2000:])), 4)


def least_squares(columns: Sequence[np.ndarray], y: np.ndarray) -> tuple[np.ndarray, float]:
    """The weights with which the columns add up best to y, and R^2: the share of y's variance that they explain."""
    matrix = np.stack(columns, axis=1)
    weights = np.linalg.lstsq(matrix, y, rcond=None)[0]
    return weights, 1 - np.sum((y - matrix @ weights) ** 2) / np.sum((y - y.mean()) ** 2)


def stribeck(qd, coulomb: float, extra: float, fade: float, viscous: float):
    """Friction in N m at speed qd (rad/s): sign(qd) * (coulomb + extra * exp(-|qd| / fade)) + viscous * qd.

    coulomb, extra: N m; fade: rad/s, the speed at which the extra part of slow motion has faded; viscous: N m s/rad.
    """
    return np.sign(qd) * (coulomb + extra * np.exp(-np.abs(qd) / fade)) + viscous * qd


# Yours: five functions


def decode(block: bytes) -> dict:
    """What 15 bytes from register 56 on say, in SI units.

    Returns {"q": rad, "qd": rad/s, "duty": -1 to 1, "voltage": V, "temperature": degrees C, "current": A,
    "overloaded": bool}. Counts: POSITION and SPEED are in ticks and ticks a second, LOAD in thousandths of the full
    duty, VOLTAGE in tenths of a volt. The constants at the top say where each of them lies.
    """
    # TODO(you): two bytes make a word, the low one first. Then the sign: this servo does not count backwards from 65536
    # as computers do; it has a bit that says minus, and the bits below it say how much. Which bit, says SIGN_BIT.
    raise NotImplementedError("TODO(you): decode")


def fit_law(error: np.ndarray, duty: np.ndarray) -> tuple[float, float]:
    """The position law of a servo off its log: (gain, start) in duty = gain * error + start * sign(error).

    error: goal less position, ticks. duty: -1 to 1. gain: duty for each tick. start: the duty that gets it going.
    """
    # TODO(you): the law is a weighted sum of two columns. But it does not hold in all rows: see CLIPPED and DEAD_ZONE.
    raise NotImplementedError("TODO(you): fit_law")


def kt_fits(current: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> dict[str, tuple[float, float]]:
    """Three estimates of Kt off one log, each with its R^2: {"plain", "friction", "swapped"}: (N m/A, R^2).

    current: A, qd: rad/s, tau: N m, of shape (n,). All three fits have a constant offset.
      plain     tau from the current.
      friction  tau from the current, Coulomb and viscous friction, in the rows with |qd| above STILL only.
      swapped   the current from tau, and then the Kt that this means.
    """
    # TODO(you): three calls of least_squares. Which columns explain what? And in which unit is the slope of the third?
    raise NotImplementedError("TODO(you): kt_fits")


def fit_friction(qd: np.ndarray, friction: np.ndarray) -> tuple[float, float, float, float]:
    """The stribeck() that comes closest to measured points: (coulomb, extra, fade, viscous), in its units.

    qd: rad/s, friction: N m, both signs of both, n >= 8 points. fade: between 0.01 and 3 rad/s; 3 % off is near enough.
    """
    # TODO(you): three of the four numbers are weights of columns. The fourth is not: it sits inside the exponential.
    # What could you do if somebody told you that one? And what if nobody does?
    raise NotImplementedError("TODO(you): fit_friction")


def gap_or_stiction(swung: float, push: np.ndarray, moved: np.ndarray) -> tuple[float | None, float]:
    """What is loose and what sticks: (gap, stiction), the whole gap in rad and the friction at rest in N m.

    swung: N m by which the motor's torque swung from one end to the other while the encoder stood still at a reversal.
    push, moved: arrays of one length, perhaps empty: a hand pushed with +-push N m on the shaft of the servo that held,
    and the encoder moved by `moved` rad from end to end. The gear bends under the push in proportion to it.
    gap is None where these data cannot tell.
    """
    # TODO(you): friction first: on which side of zero did it hold at the two ends? Then the gap: in which wiggles did
    # the rotor stay where it was? Those show gap and bending; what would the gentlest push of all have shown?
    raise NotImplementedError("TODO(you): gap_or_stiction")


def main() -> None:
    part("A", "Two servos were sent to 90 degrees, one from below, one from above")
    for mass, start in ((0.3, 60), (0.5, 120)):
        read = decode(settle(mass, np.radians(start)))
        print(f"{mass} kg from {start:3} deg:", *(f"{name} {read[name]:.3f}" for name in ("q", "duty", "current")))

    part("B", "Duty from the error: gain times 4000 should be P = 16")
    law = fit_law(*log(0.8 * np.sin(2 * np.pi * 0.3 * np.arange(0, 6, 1e-3))))
    print(f"gain {law[0]:.6f} a tick, so P = {4000 * law[0]:.2f}; start {law[1]:.5f}")

    part("C", f"tau = Kt I on free motion of the OpenManipulator-X; its servos have Kt = {XM.motor.kt} N m/A (and R^2)")
    smooth = arm.EFFECTS - {"friction", "load friction", "backlash", "hysteresis"}
    for title, run in (("all effects", move_arm()), ("no friction, no gap", move_arm(smooth))):
        for joint in range(4):
            fits = kt_fits(run["effort"][:, joint], run["qd"][:, joint], run["tau"][:, joint])
            print(f"{title:19} joint {joint + 1}:", *(f"{n} {kt:6.2f} ({r2:.2f})" for n, (kt, r2) in fits.items()))

    part("D", "Friction of an STS3215 over the speed")
    speeds = np.outer([-1, 1], [0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2]).ravel()
    found = fit_friction(speeds, np.array([friction_at(speed) for speed in speeds]))
    print("coulomb {:.3f} N m, extra {:.3f} N m, fade {:.3f} rad/s, viscous {:.4f} N m s/rad".format(*found))

    part("E", "Gap or stiction?")
    pushes = np.arange(0.03, 0.31, 0.03)
    for title, servo in (("with its gap", STS), ("without", only(STS, EFFECTS - {"backlash"}))):
        moved = np.array([wiggle(servo, push) for push in pushes])
        print(f"{title:12}: gap (rad), stiction (N m):", gap_or_stiction(reversal(servo)[2], pushes, moved))

    part("F", "Against a wall, duty after 1, 2 and 3 s")
    print(swing(STS, Stand(mass=1e5, length=1.0), [1.5] * 3001)["duty"][1000::1000])


if __name__ == "__main__":
    run_script(main)
