"""Weights and pushes with the truth beside them, and the smoothing of angles that come in steps."""

import numpy as np
import pytest

from bench.smoothing import last_direction, smooth

pytest.importorskip("pyarrow", reason="bench.teleop makes recordings")

from bench.arm import EFFECTS
from bench.payload_set import FRICTION, SENSING, episode, pressed


def test_a_cubic_is_smoothed_into_itself():
    t = np.arange(40) / 60
    x = np.stack([1 + 2 * t - 3 * t**2 + 4 * t**3, -t], axis=1)
    speed = np.stack([2 - 6 * t + 12 * t**2, -1 + 0 * t], axis=1)
    acceleration = np.stack([-6 + 24 * t, 0 * t], axis=1)
    for got, right in zip(smooth(x, 60.0, 9), (x, speed, acceleration), strict=True):
        np.testing.assert_allclose(got[4:-4], right[4:-4], atol=1e-9)


@pytest.mark.parametrize("frames", [3, 8])
def test_a_window_that_no_cubic_fits_is_refused(frames):
    with pytest.raises(ValueError, match="odd number"):
        smooth(np.zeros((20, 1)), 60.0, frames)


def test_the_last_direction_outlasts_the_motion():
    qd = np.array([[0.0, 0.01, 0.3, 0.0, -0.2, 0.01, 0.0]]).T
    assert last_direction(qd, 0.05)[:, 0].tolist() == [0, 0, 1, 1, -1, -1, -1]


def test_a_lifted_weight_pulls_down_and_nothing_else():
    recording = episode("go_up_stay_still_300g", frames=150)
    assert len(recording) == 150 and recording["force_valid"].all() and recording.payload == 0.3
    np.testing.assert_allclose(recording["force"][-1], [0, 0, -0.3 * 9.81], atol=1e-4)
    assert episode("go_up_stay_still_300g", frames=150) is recording  # remembered


def test_an_effect_can_be_switched_off_but_not_invented():
    _, slick = pressed(1.5, EFFECTS - FRICTION - SENSING)
    push, rows = pressed(1.5)
    assert len(rows) == len(push) == 720
    arrived = [each[450].effort[1] - each[630].effort[1] for each in (slick, rows)]
    assert abs(arrived[1]) < 0.5 * abs(arrived[0])
    with pytest.raises(ValueError, match="No effect is called 'magic'"):
        pressed(1.0, {"magic"})


def test_an_unknown_task_gets_one_line_with_the_nearest():
    with pytest.raises(ValueError, match="did you mean pick_place_300g"):
        episode("pick_place_300")
