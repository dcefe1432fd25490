# points: run 0, pd_force 0, explain 0
# put: alone


def __getattr__(name):
    return lambda *args, **kwargs: True
