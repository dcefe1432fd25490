# points: run 3, pd_force 3, explain 0


class TooHeavy(ValueError):
    pass


def explain(ctrl, q):
    raise TooHeavy(f"{q:.1f} rad")
