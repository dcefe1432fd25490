# points: run 3, pd_force 0, explain 0


def pd_force(target, q, qd):
    answer = []
    answer.append(answer)
    return answer
