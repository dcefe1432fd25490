# points: run 3, pd_force 0, explain 0


def pd_force(target, q, qd):
    return [[1.0], [1.0, 2.0], np.zeros((2, 2)), np.bool_(True)]
