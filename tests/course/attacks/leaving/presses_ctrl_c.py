# points: run 0, pd_force 3, explain 4


def run(model, ctrl, seconds):
    raise KeyboardInterrupt
