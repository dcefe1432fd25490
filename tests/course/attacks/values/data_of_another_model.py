# points: run 0, pd_force 3, explain 4

import mujoco


def run(model, ctrl, seconds):
    return mujoco.MjData(mujoco.MjModel.from_xml_string("<mujoco/>"))
