"""The virtual servo beside a real XL330 on a pendulum, and whether `fit` finds what is there to be found."""

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.servo import Stand, load, only, swing
from bench.servo.firmware import PERIOD
from bench.servo.fit import GAIN_PER_P, Log, error_degrees, fit, levenberg_marquardt, read_log, replay, split

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT.parent / "shared" / "data" / "bam_xl330"
real_logs = pytest.mark.skipif(not LOGS.is_dir(), reason="the logs of the real servo are not here")

# The best <position> and <dcmotor> that benchmarks/servo.py finds on the twelve runs for fitting.
POSITION = [0.0027, 0.0463, 0.7087, 0.0018, 0.0373, 0.0139, 0.7341]
DCMOTOR = [0.3846, 5.4076, 0.0016014, 0.0096826, 0.011826, 1.2519e-4, 1.0705, 0.027358, 0.0029821]


@pytest.fixture(scope="module")
def peers():
    """benchmarks/servo.py as a module."""
    spec = importlib.util.spec_from_file_location("servo_benchmark", ROOT / "benchmarks" / "servo.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def logs():
    return split([read_log(file) for file in sorted(LOGS.glob("*.json"))])


def mean_error(logs, simulate) -> float:
    return float(np.mean([error_degrees(simulate(log), log) for log in logs]))


@real_logs
def test_twelve_runs_to_fit_and_four_to_ask(logs):
    train, held_out = logs
    assert (len(train), len(held_out)) == (12, 4)
    assert len({log.gain for log in held_out}) == 4
    assert len({log.name.split()[0] for log in held_out}) == 4


@real_logs
def test_the_shipped_servo_is_closer_to_unseen_runs_than_the_engines_own(logs, peers):
    _, held_out = logs
    shipped = load("xl330")
    ours = mean_error(held_out, lambda log: replay(shipped, peers.STAND, log))
    position = mean_error(held_out, peers.position(np.log(POSITION)))
    dcmotor = mean_error(held_out, peers.dcmotor(np.log(DCMOTOR)))
    goal = mean_error(held_out, lambda log: log.goal)
    assert ours < 3.0
    assert ours < 0.8 * position
    assert ours < 0.8 * dcmotor
    assert ours < 0.1 * goal


@real_logs
def test_the_duty_on_the_bus_is_the_law_on_the_angle(logs):
    """Present PWM is P times the error in ticks / 256, at any gain; the registers are read 2 ms apart."""
    for file in sorted(LOGS.glob("*.json"))[::5]:
        log, rows = read_log(file), json.loads(file.read_text())["entries"]
        pwm = np.array([row["load"] for row in rows], float)
        pwm[pwm > 32767] -= 65536
        duty = np.clip(GAIN_PER_P * log.gain * (log.goal - log.q) / (2 * np.pi / 4096), -1, 1)
        assert np.sqrt(np.mean((duty - pwm / 885)[log.enabled] ** 2)) < 0.03


def test_fit_finds_the_motor_and_the_friction_that_made_the_logs():
    """Made logs of a servo that is off by 15 to 30 percent from where the search begins."""
    start, stand = load("xl330"), Stand(0.49, 0.1)
    true = replace(
        start,
        motor=replace(start.motor, kt=start.motor.kt * 0.85),
        friction=replace(start.friction, motor_load=start.friction.motor_load * 1.3),
    )
    time = np.arange(0, 3, 0.005)
    logs = []
    for gain, speed in ((200, 2.0), (400, 3.0), (800, 4.0)):
        goal = 1.2 * np.sin(speed * time)
        log = Log(f"P={gain}", gain, 25.0, time, np.zeros_like(time), goal, np.ones(len(time), bool))
        logs.append(replace(log, q=replay(true, stand, log)))
    found, _ = fit(logs, start, stand, free=("motor.kt", "friction.motor_load"), rounds=8)
    assert found.motor.kt == pytest.approx(true.motor.kt, rel=0.02)
    assert found.friction.motor_load == pytest.approx(true.friction.motor_load, rel=0.05)


def test_levenberg_marquardt_solves_rosenbrock():
    found = levenberg_marquardt(lambda x: np.array([10 * (x[1] - x[0] ** 2), 1 - x[0]]), np.array([-1.2, 1.0]), 200)
    assert found == pytest.approx([1, 1], abs=0.02)


def test_a_log_is_held_from_sample_to_sample():
    log = Log("", 1, 25.0, np.array([0.0, 0.0021, 0.0049]), np.zeros(3), np.array([1.0, 2.0, 3.0]), np.ones(3, bool))
    goal, enabled = log.each_period()
    assert goal.tolist() == [1, 1, 1, 2, 2, 3] and enabled.all()
    late, _ = log.each_period(latency=2 * PERIOD)
    assert late.tolist() == [1, 1, 1, 1, 1, 2]


def test_torque_off_lets_the_pendulum_swing_freely():
    """Open leads do not brake: with friction off, the period is that of a pendulum with the rotor's inertia."""
    parameters = load("xl330")
    bare, stand = only(parameters, []), Stand(0.49, 0.1)
    trace = swing(bare, stand, np.zeros(6000), enabled=np.zeros(6000, bool), q=0.1)
    crossings = np.flatnonzero(np.diff(np.sign(trace["q"])))
    period = 2 * np.mean(np.diff(crossings)) * PERIOD
    inertia = stand.inertia + parameters.motor.inertia
    assert period == pytest.approx(2 * np.pi * np.sqrt(inertia / (0.49 * 9.81 * 0.1)), rel=0.01)
    assert np.abs(trace["q"][3000:]).max() > 0.09
