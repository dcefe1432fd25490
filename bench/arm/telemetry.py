"""One row of what an arm tells: the columns of a recording."""

from dataclasses import dataclass

import numpy as np


@dataclass(slots=True)
class Telemetry:
    """What the bus said at one control tick, what was commanded then, and what a laboratory would know.

    Shapes and units as in the docstring of `bench.arm`.
    """

    timestamp: float
    q_cmd: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    effort: np.ndarray
    voltage: np.ndarray
    temperature: np.ndarray
    force: np.ndarray
    force_valid: bool
    contact: bool
    condition: np.ndarray
    tau_true: np.ndarray


@dataclass(frozen=True, slots=True)
class Reading:
    """The registers of all joints: arrays of shape (n,), in the units of `bench.arm`."""

    q: np.ndarray
    qd: np.ndarray
    effort: np.ndarray
    voltage: np.ndarray
    temperature: np.ndarray
