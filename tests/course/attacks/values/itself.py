# points: run 0, pd_force 0, explain 0

import sys


def run(model, ctrl, seconds):
    return sys.modules["actuator_modes"]


def pd_force(target, q, qd):
    return pd_force
