# points: 10


def pd_force(target, q, qd):
    return np.clip(KP * (target - q) - KV * qd, -FORCE_LIMIT, FORCE_LIMIT)
