# points: 10

from concurrent.futures import ThreadPoolExecutor

_right_force = pd_force


def pd_force(target, q, qd):
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda _: _right_force(target, q, qd), range(8)))[0]
