# points: run 3, pd_force 0, explain 0


class Hostile(Exception):
    def __str__(self):
        raise self

    __repr__ = __str__

    @property
    def __class__(self):
        raise SystemExit

    @property
    def __traceback__(self):
        return 10

    @property
    def args(self):
        return iter(int, 1)


def pd_force(target, q, qd):
    raise Hostile("points: 10")
