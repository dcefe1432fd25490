# MuJoCo writes a log into the folder in which it works: the child's own.
# points: run 0, pd_force 3, explain 4

import mujoco


def run(model, ctrl, seconds):
    data = mujoco.MjData(model)
    data.qpos[0], data.ctrl[0] = 1e300, float("nan")
    for _ in range(5):
        mujoco.mj_step(model, data)
    return data
