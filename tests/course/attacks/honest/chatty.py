# Ten megabytes of what it is doing.
# points: 10
# prints: target

_right_force = pd_force


def pd_force(target, q, qd):
    for _ in range(1_000):
        print(f"target {target:12.9f} q {q:12.9f} qd {qd:12.9f}" * 10)
    return _right_force(target, q, qd)
