"""Recordings of servos that C makes, and functions compiled for whole numbers."""

import numpy as np
import pytest

pytest.importorskip("jax")

from bench import servo_runs
from bench.asked import compiled_for
from bench.servo_runs import BRAKE, TICK


def test_motors_that_brake_damp_the_joints():
    braked, loose = servo_runs.servo_arm(), servo_runs.servo_arm(brake=0.0)
    assert braked.dof_damping - loose.dof_damping == pytest.approx(BRAKE)


def test_a_recording_starts_at_rest_on_its_first_target_and_follows():
    log = servo_runs.recording(servo_runs.servo_arm(), 20.0, 30)
    assert {name: rows.shape for name, rows in log.items()} == {"target": (30, 5), "q": (31, 5), "qd": (31, 5)}
    assert (log["q"][0] == log["target"][0]).all() and not log["qd"][0].any()
    assert np.abs(log["q"][1:] - log["target"]).max() < 0.3


def test_encoders_round_and_their_differences_are_speeds():
    log = {"q": np.array([[0.0], [0.001], [0.01]]), "qd": np.ones((3, 1)), "target": np.zeros((2, 1))}
    read, step = servo_runs.as_read(log), 2 * np.pi / 4096
    assert read["q"][:, 0] == pytest.approx([0, step, 7 * step])
    assert read["qd"][:, 0] == pytest.approx([0, step / TICK, 6 * step / TICK])
    assert log["q"][1, 0] == 0.001, "the recording itself is as it was"


def test_whole_numbers_may_decide_how_often_a_loop_runs():
    def power(x, times):
        for _ in range(times):
            x = 2 * x
        return x

    fast = compiled_for(power, 1)
    assert fast(np.float64(3), 2) == 12 and fast(np.float64(3), 4) == 48
