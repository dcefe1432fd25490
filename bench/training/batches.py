"""The samples of each step of a training, drawn from the step's number and nothing else."""

from collections.abc import Callable, Sequence

import numpy as np

from bench.tracks import Track, cut, joined


class Batches:
    """Called with a step, it gives (tracks, draws): pieces of tracks, and random numbers for whoever leads them astray.

    horizon(step): ticks of a rollout; 0 asks for single steps, of which a batch holds `singles`, else `rollouts`.
    history: frames before the present one. The pieces have history + 1 frames, or history + horizon + 1.
    Raises ValueError if no track is as long as a piece.
    """

    def __init__(
        self,
        tracks: Sequence[Track],
        horizon: Callable[[int], int],
        history: int,
        singles: int = 256,
        rollouts: int = 16,
        seed: int = 0,
    ):
        self.tracks, self.horizon, self.history = list(tracks), horizon, history
        self.singles, self.rollouts, self.seed = singles, rollouts, seed
        self.bank, _ = joined(self.tracks, history, 1)
        self._starts: dict[int, np.ndarray] = {}

    def __call__(self, step: int) -> tuple[Track, dict[str, np.ndarray]]:
        rng = np.random.default_rng([self.seed, step])
        horizon = self.horizon(step)
        count = self.rollouts if horizon else self.singles
        first = rng.choice(self._possible(horizon), count) - self.history
        tracks = cut(self.bank, first, self.history + 1 + horizon)
        joints = tracks.q.shape[-1]
        draws = {
            "kind": rng.uniform(size=count),
            "angle": rng.normal(size=(count, joints)),
            "speed": rng.normal(size=(count, joints)),
        }
        return tracks, draws

    def _possible(self, horizon: int) -> np.ndarray:
        if horizon not in self._starts:
            # One frame more than a piece: the last frame of a track has no label.
            _, self._starts[horizon] = joined(self.tracks, self.history, horizon + 1)
        if not len(self._starts[horizon]):
            longest = max(map(len, self.tracks))
            raise ValueError(f"A rollout of {horizon} ticks needs longer episodes; the longest has {longest} frames")
        return self._starts[horizon]
