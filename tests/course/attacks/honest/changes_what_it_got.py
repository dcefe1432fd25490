# points: run 0, pd_force 3, explain 4

_right_run = run


def run(model, ctrl, seconds):
    model.opt.timestep = 0.001
    return _right_run(model, ctrl, seconds)
