# sys.exit is an exception like any other here.
# points: run 0, pd_force 3, explain 4

import sys


def run(model, ctrl, seconds):
    sys.exit(0)
