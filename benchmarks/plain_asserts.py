"""Module 01's graded questions as an instructor writes them for nbgrader or otter-grader: as asserts.

The same draws and the same comparisons with MuJoCo as in tests/test_actuator_modes.py, under the same names; none of
the words for a student and none of the search for the likely slip, so they take less time than those.
benchmarks/grading.py gives them to both as text.
"""

import mujoco
import numpy as np

from bench.pendulum import build

KP, KV, LIMIT = 8.0, 1.2, 3.0
MOTOR, VELOCITY = '<motor joint="hinge"/>', '<velocity joint="hinge" kv="4"/>'
POSITION = f'<position joint="hinge" kp="{KP}" kv="{KV}" ctrlrange="-3.2 3.2" forcerange="{-LIMIT} {LIMIT}"/>'

rng = np.random.default_rng()


def test_simulates_the_time_asked(run):
    for element in (MOTOR, POSITION, VELOCITY):
        model = build(element)
        model.opt.timestep = 1 / rng.choice([128, 256, 512])
        seconds = int(rng.integers(17, 32)) / 8
        assert abs(run(model, rng.uniform(-1, 1), seconds).time - seconds) < 0.1 * model.opt.timestep


def test_ends_where_mujoco_ends(run):
    for element, size in ((MOTOR, 2.5), (POSITION, 1.5), (VELOCITY, 4.0)):
        for _ in range(2):
            model = build(element)
            step = model.opt.timestep = 1 / rng.choice([512, 1024])
            data = mujoco.MjData(model)
            data.ctrl[0] = rng.choice([-1, 1]) * rng.uniform(0.4, 1.0) * size
            got = run(model, data.ctrl[0], int(rng.integers(8, 17)) / 32)
            assert model.opt.timestep == step
            mujoco.mj_step(model, data, round(got.time / step))
            assert got.time > 0 and abs(got.qpos[0] - data.qpos[0]) < 1e-9


def judge_force(pd_force, torques):
    """torques: what spring and damper ask for together, in N m."""
    model = build(POSITION)
    data = mujoco.MjData(model)
    for torque in torques:
        q, qd = rng.uniform(-0.8, 0.8), rng.choice([-1, 1]) * rng.uniform(0.3, 3.0)
        data.ctrl[0], data.qpos[0], data.qvel[0] = q + (torque + KV * qd) / KP, q, qd
        mujoco.mj_forward(model, data)
        assert abs(pd_force(data.ctrl[0], q, qd) - data.actuator_force[0]) < 1e-9


def test_agrees_with_mujoco_at_every_step(pd_force):
    judge_force(pd_force, rng.choice([-1, 1], 12) * rng.uniform(0.2, 2.9, 12))


def test_stops_at_the_limit(pd_force):
    judge_force(pd_force, [sign * rng.uniform(3.5, 8.0) for sign in (1, -1, 1, -1, 1, -1)])


def judge_balance(explain, model, ctrl, near, hand=0.0):
    """Settle the joint near an angle, in rad, and ask where its torque goes. hand: an outside torque, in N m."""
    model.opt.timestep = 0.002
    data = mujoco.MjData(model)
    data.ctrl[0], data.qpos[0], data.qfrc_applied[0] = ctrl, near, hand
    mujoco.mj_step(model, data, 1500)
    mujoco.mj_forward(model, data)
    told = explain(data.ctrl[0], data.qpos[0])
    assert abs(told.actuator - data.actuator_force[0]) < 1e-6
    assert abs(told.gravity - data.qfrc_bias[0]) < 1e-6
    assert abs(told.contact + data.qfrc_constraint[0] + data.qfrc_applied[0]) < 1e-6


def test_a_free_joint_only_carries(explain):
    for sign in (1, -1, 1, -1):
        ctrl = sign * rng.uniform(0.4, 1.5)
        judge_balance(explain, build(POSITION), ctrl, 0.85 * ctrl)


def test_a_blocked_joint_also_pushes(explain):
    for beyond in (rng.uniform(0.2, 0.35), rng.uniform(0.2, 0.35), rng.uniform(0.6, 1.0)):
        model = build(POSITION, block=True)
        model.geom("block").pos[0] += rng.uniform(-0.06, 0.08)
        touch = np.arcsin((model.geom("block").pos[0] - 0.05 - 0.03) / 0.4)  # the bob's radius is 0.03 m
        judge_balance(explain, model, touch + beyond, touch - 0.02)
    for side in (1, -1):
        judge_balance(explain, build(POSITION), side * rng.uniform(0.9, 1.4), side, side * rng.uniform(0.4, 0.9))
