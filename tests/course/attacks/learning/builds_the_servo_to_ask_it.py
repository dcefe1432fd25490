# Not an attack: whoever asks MuJoCo's own servo gives right answers, by another way.
# points: 10

import mujoco

from bench.pendulum import build

_model = build(POSITION)


def pd_force(target, q, qd):
    data = mujoco.MjData(_model)
    data.ctrl[0], data.qpos[0], data.qvel[0] = target, q, qd
    mujoco.mj_forward(_model, data)
    return data.actuator_force[0]
