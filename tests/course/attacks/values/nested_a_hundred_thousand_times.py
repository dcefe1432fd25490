# points: run 3, pd_force 0, explain 0


def pd_force(target, q, qd):
    answer = 0.0
    for _ in range(100_000):
        answer = (answer,)
    return answer
