"""How a person moves a leader arm: smooth strokes of one shape, never twice the same, with a slight tremor."""

import numpy as np

WANDER, TREMBLE = np.radians(0.5), np.radians(0.04)  # slow wandering and physiological tremor of a joint, rms


def minimum_jerk(s: np.ndarray) -> np.ndarray:
    """Progress from 0 to 1 along a stroke at times s from 0 to 1 (Flash and Hogan 1985)."""
    return s**3 * (10 - 15 * s + 6 * s**2)


class Strokes:
    """A performance as a list of strokes. Each has a path in joint space, a relative duration and marks.

    strokes.move(pose, 1.5)          # along a straight line in joint space
    strokes.follow(path, 3.0)        # through the poses of a path, (points, n)
    strokes.stay(2.0)
    strokes.mark("held", True)       # from here on
    """

    def __init__(self, pose: np.ndarray, rng: np.random.Generator):
        self.rng = rng
        self.pose = np.asarray(pose, dtype=float)
        self.paths: list[np.ndarray] = []
        self.seconds: list[float] = []
        self.marks: dict[str, list[tuple[int, bool]]] = {}

    def follow(self, path: np.ndarray, seconds: float) -> None:
        """Go to the path's first pose if not there, and along it. The duration varies by a sixth."""
        if not np.allclose(path[0], self.pose):
            path = np.concatenate([[self.pose], path])
        self.paths.append(path)
        self.seconds.append(seconds * self.rng.uniform(5 / 6, 7 / 6))
        self.pose = path[-1]

    def move(self, pose: np.ndarray, seconds: float) -> None:
        self.follow(np.array([self.pose, pose]), seconds)

    def stay(self, seconds: float) -> None:
        self.follow(np.array([self.pose, self.pose]), seconds)

    def mark(self, name: str, value: bool) -> None:
        self.marks.setdefault(name, []).append((len(self.paths), value))

    def played(self, frames: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """The strokes stretched to that many frames: angles (frames, n), and each mark as (frames,) of bool."""
        bounds = np.round(np.cumsum([0, *self.seconds]) / sum(self.seconds) * frames).astype(int)
        q = np.empty((frames, len(self.pose)))
        for path, start, stop in zip(self.paths, bounds[:-1], bounds[1:], strict=True):
            progress = minimum_jerk(np.linspace(0, 1, stop - start, endpoint=False)) * _length(path)[-1]
            for joint in range(q.shape[1]):
                q[start:stop, joint] = np.interp(progress, _length(path), path[:, joint])
        marks = {}
        for name, changes in self.marks.items():
            marks[name] = np.zeros(frames, dtype=bool)
            for stroke, value in changes:
                marks[name][bounds[stroke] :] = value
        return q, marks


def _length(path: np.ndarray) -> np.ndarray:
    """Length of the path up to each of its poses; all joints count alike."""
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    return np.concatenate([[0], np.cumsum(np.maximum(steps, 1e-9))])


def trembling(q: np.ndarray, rate: float, tick: float, limits: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """What the leader's encoders read: q with a person's wandering and tremor, in whole ticks, inside the limits.

    q: (frames, n), rad. tick: rad. limits: (n, 2). The last channel, the gripper, has a trigger and does not tremble.
    """
    time = np.arange(len(q)) / rate
    shaky = q.copy()
    shaky[:, :-1] += _noise(time, (0.1, 1.2), WANDER, q.shape[1] - 1, rng)
    shaky[:, :-1] += _noise(time, (8.0, 12.0), TREMBLE, q.shape[1] - 1, rng)
    shaky[:, :-1] = tick * np.round(shaky[:, :-1] / tick)
    return np.clip(shaky, limits[:, 0], limits[:, 1])


def _noise(
    time: np.ndarray, band: tuple[float, float], rms: float, joints: int, rng: np.random.Generator
) -> np.ndarray:
    """A random signal in a band of frequencies (Hz) for each joint: eight sines. Starts at zero."""
    frequency, phase = rng.uniform(*band, (8, joints)), rng.uniform(0, 2 * np.pi, (8, joints))
    signal = np.sin(2 * np.pi * time[:, None, None] * frequency + phase) - np.sin(phase)
    return rms / 2 * signal.sum(axis=1)
