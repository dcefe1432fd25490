"""Tracks: smooth where they should be, whole where they are cut, and the gripper in motor angles."""

from dataclasses import fields
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("jax")

from bench.arm.setups import SETUPS
from bench.tracks import Track, cut, joined, row_of, track_of

RATE, JOINTS = 60.0, 5


def episode(frames, robot="openmanipulator_x", seed=0):
    """Joints that swing at one rad/s each, as an encoder of 4096 ticks sees them; the gripper in m."""
    rng = np.random.default_rng(seed)
    t = np.arange(frames) / RATE
    q = 0.5 * np.sin(t[:, None] + np.arange(JOINTS))
    q[:, -1] *= SETUPS[robot].finger
    tick = 2 * np.pi / 4096
    seen = np.round(q / tick) * tick
    seen[:, -1] = q[:, -1]
    columns = {name: rng.normal(size=(frames, JOINTS)) for name in ("q_cmd", "qd", "u", "voltage", "temperature")}
    return SimpleNamespace(robot=robot, rate=RATE, q=seen, condition=np.ones((frames, JOINTS), bool), **columns), t


def labels(frames):
    force = np.arange(3 * frames, dtype=float).reshape(frames, 3)
    return SimpleNamespace(force=force, gate=np.ones(frames), mask=np.ones(frames))


def made(frames, seed=0):
    return track_of(episode(frames, seed=seed)[0], labels(frames))


def test_speeds_and_accelerations_are_those_of_the_motion():
    one, t = episode(300)
    track = track_of(one, labels(300))
    inner = slice(10, -10)
    phase = t[inner, None] + np.arange(JOINTS)
    np.testing.assert_allclose(track.q[inner], 0.5 * np.sin(phase), atol=1e-3)
    np.testing.assert_allclose(track.qd[inner], 0.5 * np.cos(phase), atol=0.02)
    np.testing.assert_allclose(track.qdd[inner], -0.5 * np.sin(phase), atol=0.4)


def test_the_gripper_is_the_angle_of_its_motor():
    one, _ = episode(30)
    track = track_of(one, labels(30))
    np.testing.assert_allclose(track.seen_q[:, -1] * SETUPS["openmanipulator_x"].finger, one.q[:, -1], rtol=1e-6)
    np.testing.assert_allclose(track.q_cmd[:, -1] * SETUPS["openmanipulator_x"].finger, one.q_cmd[:, -1], rtol=1e-6)
    np.testing.assert_array_equal(track.u[:, -1], one.u[:, -1].astype(np.float32))


def test_all_columns_are_float32_and_of_one_length():
    track = made(40)
    assert {getattr(track, column.name).dtype for column in fields(Track)} == {np.dtype(np.float32)}
    assert {len(getattr(track, column.name)) for column in fields(Track)} == {len(track)} == {40}
    assert len(track[3:10]) == 7


def test_no_piece_holds_frames_of_two_tracks():
    tracks = [made(frames, seed) for seed, frames in enumerate((30, 12, 9, 50))]
    bank, starts = joined(tracks, before=8, after=3)
    pieces = cut(bank, starts - 8, 12)
    assert len(starts) == sum(max(0, len(track) - 11) for track in tracks)
    steps = np.diff(np.asarray(pieces.force)[..., 0], axis=1)  # counts by three in every track
    np.testing.assert_array_equal(steps, 3.0)
    np.testing.assert_array_equal(np.asarray(pieces.u)[0], np.asarray(tracks[0].u)[:12])


def test_a_row_of_telemetry_is_a_frame():
    one, _ = episode(20)
    track = track_of(one, labels(20))
    telemetry = SimpleNamespace(
        q_cmd=one.q_cmd[7],
        q=one.q[7],
        qd=one.qd[7],
        effort=one.u[7],
        voltage=one.voltage[7],
        temperature=one.temperature[7],
    )
    row = row_of(one.robot, telemetry)
    for name in ("q_cmd", "u", "voltage", "temperature", "seen_q", "seen_qd"):
        np.testing.assert_array_equal(getattr(row, name), getattr(track, name)[7])
