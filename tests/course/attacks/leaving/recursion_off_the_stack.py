# Without Python's limit the stack itself is the limit.
# points: run 0, pd_force 3, explain 4

import sys


def run(model, ctrl, seconds):
    sys.setrecursionlimit(2**30)

    class Deep:
        def __getattr__(self, name):
            return getattr(self, name)

    return Deep().deeper
