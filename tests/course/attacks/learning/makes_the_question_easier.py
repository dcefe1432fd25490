# The model is an argument, and a copy: the check has its own.
# points: run 0, pd_force 3, explain 4

_right_run = run


def run(model, ctrl, seconds):
    model.opt.gravity[:] = 0.0
    model.dof_damping[:] = 1e6
    return _right_run(model, ctrl, seconds)
