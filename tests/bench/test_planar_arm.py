"""The two-link arm of module 06: its model, chains of links, recordings, and its drawings."""

import io
from importlib.util import find_spec

import mujoco
import numpy as np
import pytest
from PIL import Image

from bench import linkage, planar
from bench.figures import png

RODS = {"mass": [0.6, 0.4], "length": [0.4, 0.3], "centre": [0.2, 0.15], "inertia": [0.008, 0.003]}


def test_the_model_file_is_the_chain_of_the_same_numbers():
    rng = np.random.default_rng(0)
    for q, qd, qdd in rng.uniform(-3, 3, (5, 3, 2)):
        for ours, theirs in zip(
            planar.ask_mujoco(planar.build(), q, qd, qdd),
            planar.ask_mujoco(planar.chain(**RODS), q, qd, qdd),
            strict=True,
        ):
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


@pytest.mark.skipif(find_spec("jax") is None, reason='needs the extra "learn"')
def test_the_exercise_names_the_numbers_of_the_model_file():
    from solutions.planar import ARM

    for name, values in RODS.items():
        np.testing.assert_array_equal(getattr(ARM, name), values)


def test_what_mujoco_is_asked_fits_together():
    """M qdd plus the bias is what the motion requires."""
    model = planar.chain([0.5, 0.4, 0.3], [0.3, 0.3, 0.2], [0.1, 0.2, 0.1], [0.01, 0.02, 0.003])
    q, qd, qdd = np.random.default_rng(1).uniform(-3, 3, (3, 3))
    mass, bias, torques = planar.ask_mujoco(model, q, qd, qdd)
    np.testing.assert_allclose(mass @ qdd + bias, torques, atol=1e-12)


def test_a_payload_is_a_point_mass_at_the_tip():
    empty, loaded = planar.build(), planar.build(payload=0.5)
    q = np.array([0.7, -0.4])
    level_arm = 0.4 * np.sin(0.7) + 0.3 * np.sin(0.3)
    more = planar.ask_mujoco(loaded, q, 0, 0)[1] - planar.ask_mujoco(empty, q, 0, 0)[1]
    assert more[0] == pytest.approx(9.81 * 0.5 * level_arm)
    assert more[1] == pytest.approx(9.81 * 0.5 * 0.3 * np.sin(0.3))
    assert planar.ask_mujoco(loaded, [0, 0], 0, 0)[0][1, 1] == pytest.approx(0.003 + 0.4 * 0.15**2 + 0.5 * 0.3**2)


def test_on_the_table_nothing_pulls():
    assert planar.ask_mujoco(planar.build(gravity=False), [1.0, 0.5], 0, 0)[1] == pytest.approx([0, 0])


def test_an_element_that_does_not_compile_is_a_value_error():
    with pytest.raises(ValueError, match="wrist"):
        planar.build('<motor joint="wrist"/>')


def test_a_free_swing_starts_at_rest_and_obeys_gravity():
    states = planar.swing_freely(planar.build(), [0.1, 0.0], 0.5)
    assert states.shape == (501, 2, 2)
    np.testing.assert_array_equal(states[0], [[0.1, 0.0], [0, 0]])
    assert states[:, 0, 0].min() < 0


def test_a_recording_obeys_its_own_arm():
    log = planar.record(0.25, 1.0, 0.0, np.random.default_rng(0))
    assert log["t"].shape == (100,) and all(log[name].shape == (100, 2) for name in ("q", "qd", "qdd", "tau"))
    model = planar.build(payload=0.25)
    for q, qd, qdd, tau in zip(*(log[name] for name in ("q", "qd", "qdd", "tau")), strict=True):
        np.testing.assert_allclose(planar.ask_mujoco(model, q, qd, qdd)[2], tau, atol=1e-9)


def test_only_the_torques_are_noisy_and_the_seed_decides():
    clean, noisy, again = (planar.record(0.1, 3.0, noise, np.random.default_rng(3)) for noise in (0, 0.05, 0.05))
    for name in ("q", "qd", "qdd"):
        np.testing.assert_array_equal(clean[name], noisy[name])
    assert np.std(noisy["tau"] - clean["tau"]) == pytest.approx(0.05, rel=0.1)
    np.testing.assert_array_equal(noisy["tau"], again["tau"])


def test_the_drawing_is_where_mujoco_has_the_arm():
    q = np.array([0.7, -1.9])
    model = planar.build()
    data = mujoco.MjData(model)
    data.qpos[:] = q
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(linkage.corners(q)[1], data.body("fore").xpos[[0, 2]], atol=1e-12)
    np.testing.assert_allclose(linkage.corners(q)[2], data.site("tip").xpos[[0, 2]], atol=1e-12)


def test_stills_and_animation_are_pictures():
    q = np.linspace([0.0, 0.0], [1.0, 2.0], 11)
    strip = Image.open(io.BytesIO(png(linkage.strip(q[::5], ["a", "b", "c"]))))
    assert strip.width > strip.height > 100
    moving, last = linkage.gif(0.1 * np.arange(11), np.stack([q, -q]), fps=10)
    assert Image.open(io.BytesIO(moving)).n_frames == 11
    assert Image.open(io.BytesIO(last)).size == Image.open(io.BytesIO(moving)).size


def test_a_picture_without_a_description_is_refused():
    with pytest.raises(ValueError, match="alt"):
        linkage.arm_strip([[0, 0]], alt=" ", labels=["a"])
    with pytest.raises(ValueError, match="alt"):
        linkage.animate_arms([0, 1], np.zeros((1, 2, 2)), alt="")
