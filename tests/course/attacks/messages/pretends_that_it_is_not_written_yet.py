# "Not written yet" earns as much as "wrong".
# points: 0


def run(*args):
    raise NotImplementedError("TODO(you): run\x1b[31m" + "!" * 1000)


pd_force = explain = run
