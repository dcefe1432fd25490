"""A recording as pictures: without a display, and without OpenGL where there is none."""

import numpy as np
import pytest
from PIL import Image
from small_recordings import changed, recording

from bench import replay
from bench.arms import ARMS
from bench.recording import RecordingError


@pytest.fixture
def one():
    arm = ARMS["so101"]
    return recording(np.random.default_rng(2), 90, (*arm.joints, arm.gripper), payload=0.2)


@pytest.fixture
def stage():
    if not replay.can_draw():
        pytest.skip("no OpenGL here; MUJOCO_GL=egl may help")
    return replay.Stage("so101")


def red(picture):
    """Pixels of the arrow."""
    r, g, b = np.moveaxis(np.asarray(picture.convert("RGB"), dtype=int), -1, 0)
    return (r > 1.6 * g) & (r > 1.6 * b) & (r > 80)


def test_without_opengl_the_signals_are_drawn(tmp_path, one, monkeypatch):
    monkeypatch.setattr(replay, "can_draw", lambda: False)
    remark = replay.replay(one, tmp_path / "x.png")
    assert "no OpenGL" in remark
    assert Image.open(tmp_path / "x.png").width > 1000
    with pytest.raises(RecordingError, match=r"x\.gif: there is no OpenGL .*; ask for a \.png"):
        replay.replay(one, tmp_path / "x.gif")
    assert not (tmp_path / "x.gif").exists()


def test_a_robot_without_a_model_is_drawn_as_signals(tmp_path, one):
    pendulum = type(one)(**vars(one) | {"robot": "xl330_pendulum"})
    remark = replay.replay(changed(pendulum, force=None, force_valid=None, contact=None), tmp_path / "x.png")
    assert remark == "there is no model of xl330_pendulum"


def test_another_suffix_is_refused(tmp_path, one):
    with pytest.raises(RecordingError, match=r"x\.mp4: cannot be drawn; name a file that ends in \.png or \.gif"):
        replay.replay(one, tmp_path / "x.mp4")


def test_the_arrow_points_where_the_force_points(stage, one):
    force = np.zeros((90, 3))
    force[30], force[60] = [0, 0, 5], [0, 0, -5]
    with_force = changed(one, force=force, q=np.zeros_like(one["q"]))
    none, up, down = (red(stage.still(with_force, frame)) for frame in (0, 30, 60))
    assert none.sum() == 0
    assert min(up.sum(), down.sum()) > 50
    assert np.nonzero(up)[0].mean() < np.nonzero(down)[0].mean()  # rows count from the top


def test_sheet_and_animation(tmp_path, stage, one):
    assert replay.replay(one, tmp_path / "x.png") == ""
    assert Image.open(tmp_path / "x.png").width == 4 * replay.WIDTH
    assert replay.replay(one, tmp_path / "x.gif") == ""
    animation = Image.open(tmp_path / "x.gif")
    assert animation.size == (replay.WIDTH, replay.HEIGHT)
    assert animation.n_frames == pytest.approx(one.duration * replay.GIF_RATE, abs=1)
