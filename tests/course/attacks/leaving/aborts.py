# points: run 3, pd_force 3, explain 0

import os


def explain(ctrl, q):
    os.abort()
