"""Angles that come in steps, made smooth enough to be differentiated twice; and which way they went last.

q, qd, qdd = smooth(recording["q"], recording.rate)
"""

import numpy as np

FRAMES = 13  # of a window; at 60 Hz what changes slower than about 5 Hz gets through


def smooth(x: np.ndarray, rate: float, frames: int = FRAMES) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x without its noise, its speed and its acceleration, (times, n) each.

    x: (times, n). rate: Hz. frames: of the window, odd. A cubic is fitted around each time (Savitzky and Golay 1964),
    half of the window behind it and half ahead: no estimator that works online can see ahead, so this one is favoured.
    At the ends x counts as constant. Raises ValueError for a window that is even or shorter than a cubic needs.
    """
    half, odd = divmod(frames, 2)
    if frames < 5 or not odd:
        raise ValueError(f"A window has an odd number of frames, at least 5, not {frames}")
    t = np.arange(-half, half + 1) / rate
    fit = np.linalg.pinv(np.vander(t, 4, increasing=True))  # from the window's values to the cubic's coefficients
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, ((half, half), (0, 0)), mode="edge"), frames, axis=0)
    return windows @ fit[0], windows @ fit[1], 2 * (windows @ fit[2])


def last_direction(qd: np.ndarray, slow: float) -> np.ndarray:
    """The sign of the last speed above `slow`, up to each time; 0 before there was one. qd: rad/s, (times, n)."""
    moved = np.abs(qd) > slow
    last = np.maximum.accumulate(np.where(moved, np.arange(len(qd))[:, None], 0), axis=0)
    return np.take_along_axis(np.sign(qd) * moved, last, axis=0)
