"""One test episode as a model went through it, checked before anything is computed from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

import numpy as np

from bench.arms import ARMS
from bench.teleop.nad import Row, plans

MODEL = "NeuralActuator"  # the model that is judged
COMMAND = "q = q_cmd"  # no model: every joint is where it was told to be
ZERO = "predict zero"  # no model: nothing ever touches the arm


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a model predicted in one episode, and what was true. T frames, m motors, the gripper's the last.

    Row 0 is the first frame that was predicted, t = 1 in the paper's sums: the state that a rollout is given does not
    count.

    robot: name as in `bench.arms`. task: row of `bench/teleop/nad.toml`. payload: kg. rate: Hz.
    q, q_real, q_cmd: (T, m), predicted, measured and commanded angles in rad; the gripper's is the angle of its motor,
    whatever its fingers do. force, force_real: (T, 3), estimated and true, N, environment on robot, base frame.
    known: (T,) of bool, where force_real is a label; elsewhere it may hold anything.
    others: by name, (T, 3) in N, what other methods said of the same frames; an entry "predict zero" is ignored, since
    that one is always there.

    A prediction may hold NaN or infinity: it is part of the result, and every number that it touches will say so.
    Raises ValueError, one line, for an unknown robot or task, for arrays that do not fit together, for a payload that
    is not the task's, and for a truth that is not finite.
    """

    robot: str
    task: str
    payload: float
    rate: float
    q: np.ndarray
    q_real: np.ndarray
    q_cmd: np.ndarray
    force: np.ndarray
    force_real: np.ndarray
    known: np.ndarray
    others: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        row = row_of(self.robot, self.task)
        if abs(self.payload - row.payload) > 1e-6:
            raise ValueError(f"{self.title}: the task's payload is {row.payload:g} kg, not {self.payload:g}")
        if not 0 < self.rate < np.inf:
            raise ValueError(f"{self.title}: the rate is a number of Hz above 0, not {self.rate:g}")
        frames, motors = len(np.atleast_1d(self.q_real)), len(ARMS[self.robot].joints) + 1
        if not frames:
            raise ValueError(f"{self.title}: the episode has no frame")
        for name in ("q", "q_real", "q_cmd"):
            self._keep(name, self._array(name, getattr(self, name), (frames, motors)))
        for name in ("force", "force_real"):
            self._keep(name, self._array(name, getattr(self, name), (frames, 3)))
        known = np.asarray(self.known)
        if known.shape != (frames,) or known.dtype != bool:
            raise ValueError(
                f"{self.title}: known is of bool and shape ({frames},), not {known.dtype} and {known.shape}"
            )
        self._keep("known", known)
        if MODEL in self.others:
            raise ValueError(f"{self.title}: others may not hold {MODEL!r}, which is what `force` is")
        others = {name: force for name, force in self.others.items() if name != ZERO}
        self._keep("others", {name: self._array(name, force, (frames, 3)) for name, force in others.items()})
        for name, truth in (("q_real", self.q_real), ("q_cmd", self.q_cmd), ("force_real", self.force_real[known])):
            if not np.isfinite(truth).all():
                raise ValueError(f"{self.title}: {name} is not finite, and nothing can be judged by it")

    def __len__(self) -> int:
        """Frames."""
        return len(self.q)

    @property
    def title(self) -> str:
        """For messages."""
        return f"{self.robot} {self.task}"

    @property
    def positions(self) -> dict[str, np.ndarray]:
        """The angles by method, (T, m), rad."""
        return {COMMAND: self.q_cmd, MODEL: self.q}

    @property
    def forces(self) -> dict[str, np.ndarray]:
        """The forces by method, (T, 3), N: no force, the other methods, the model."""
        return {ZERO: np.zeros_like(self.force), **self.others, MODEL: self.force}

    def _array(self, name: str, values: object, shape: tuple[int, ...]) -> np.ndarray:
        array = np.asarray(values)
        if array.dtype.kind not in "fiu" or array.shape != shape:
            there = f"{array.dtype} and {array.shape}"
            raise ValueError(f"{self.title}: {name} is of numbers and shape {shape}, not {there}")
        return array.astype(float)

    def _keep(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)  # the way into a frozen dataclass


def row_of(robot: str, task: str) -> Row:
    """The row of `nad.toml` that this task of this robot is. Raises ValueError with the nearest name otherwise."""
    if robot not in ARMS:
        raise ValueError(f"No arm is called {robot!r}; there are: {', '.join(ARMS)}")
    rows = {row.task: row for plan in plans().values() if plan.robot == robot for row in plan.rows if not row.reused}
    if task not in rows:
        near = get_close_matches(task, rows, n=1, cutoff=0.4)
        raise ValueError(f"{robot} has no task {task!r}; " + (f"did you mean {near[0]}?" if near else ", ".join(rows)))
    return rows[task]
