"""Minimum, maximum, mean, spread and quantiles of each feature, as the LeRobot layout keeps them."""

from collections.abc import Mapping

import numpy as np

QUANTILES = {"q01": 0.01, "q10": 0.1, "q50": 0.5, "q90": 0.9, "q99": 0.99}

Stats = dict[str, dict[str, list]]


def statistics(features: Mapping[str, np.ndarray]) -> Stats:
    """Statistics over the frames of each feature, an array of shape (frames,) or (frames, width).

    Returns {feature: {min, max, mean, std, count, q01, ...: list of `width` numbers}}; count is [frames]. True counts
    as 1. Computed in double precision, so that they do not depend on the order in which a processor adds.
    """
    found: Stats = {}
    for name, values in features.items():
        table = np.asarray(values, dtype=float).reshape(len(values), -1)
        found[name] = {
            "min": table.min(axis=0).tolist(),
            "max": table.max(axis=0).tolist(),
            "mean": table.mean(axis=0).tolist(),
            "std": table.std(axis=0).tolist(),
            "count": [len(table)],
        }
        quantiles = np.quantile(table, list(QUANTILES.values()), axis=0)
        found[name] |= {key: row.tolist() for key, row in zip(QUANTILES, quantiles, strict=True)}
    return found


def pooled(episodes: list[Stats]) -> Stats:
    """Statistics of the whole set from those of its episodes.

    Exact but for the quantiles, which are the means of the episodes' weighted by their frames: the layout's own
    definition, since a set may not fit into memory.
    """
    total: Stats = {}
    for name in episodes[0]:
        rows = {key: np.array([episode[name][key] for episode in episodes]) for key in episodes[0][name]}
        weight = rows["count"] / rows["count"].sum()
        mean = (weight * rows["mean"]).sum(axis=0)
        variance = (weight * (rows["std"] ** 2 + (rows["mean"] - mean) ** 2)).sum(axis=0)
        total[name] = {
            "min": rows["min"].min(axis=0).tolist(),
            "max": rows["max"].max(axis=0).tolist(),
            "mean": mean.tolist(),
            "std": np.sqrt(variance).tolist(),
            "count": [int(rows["count"].sum())],
        }
        total[name] |= {key: (weight * rows[key]).sum(axis=0).tolist() for key in QUANTILES}
    return total
