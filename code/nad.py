"""The data set, and how data lie: what a model may see, when, and what its score is then worth.

Run it:     python code/nad.py
Check it:   python3 -m course check nad
The lesson: lessons/09_nad.ipynb

Later modules build on what stands here: `from solutions.nad import features, labels, normalise, rows, scaled, windows`.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.recording import DataSet
from bench.regression import Learner, nearest, ridge
from bench.script import part, run_script
from bench.teleop.nad import plans, trials
from bench.training_data import SAMPLE, Episode, episodes

LENGTH = 9  # tokens: eight past frames and the present one (NeuralActuator, section III-D)
CONTACT = 0.01  # N: a force label above it is a contact (the same section)
TWIN = "_reference"  # ends the name of a task that repeats the commands of another, trial by trial, without contact

# Given: what a frame tells, as one row of numbers

FEATURES = ("q_cmd", "q", "qd", "e", "u", "voltage", "temperature")  # of all joints each, in this order
STATE = ("q", "qd", "e")  # those that a rollout computes from its own state; the others are recorded


def features(q_cmd: Any, q: Any, qd: Any, u: Any, voltage: Any, temperature: Any) -> Any:
    """The rows that a model sees, (..., 7 n), from arrays (..., n): rad, rad/s, unit of effort, V, degrees C.

    Arrays of NumPy or of JAX, traced ones too. The tracking error e = q_cmd - q is added here.
    """
    parts = (q_cmd, q, qd, q_cmd - q, u, voltage, temperature)
    jax = next((x for x in parts if not isinstance(x, np.ndarray)), parts[0])
    return jax.__array_namespace__().concatenate(parts, axis=-1)


def block(name: str, joints: int) -> slice:
    """Where in a row of features the numbers of this kind stand, one for each joint. Raises ValueError."""
    start = FEATURES.index(name) * joints
    return slice(start, start + joints)


def rows(episode: Episode) -> np.ndarray:
    """The features of an episode, (frames, 7 n)."""
    e = episode
    return features(e.q_cmd, e.q, e.qd, e.u, e.voltage, e.temperature)


@dataclass(frozen=True)
class Statistics:
    """Of each column: its mean, and the scale that makes its spread one. Arrays (columns,)."""

    mean: np.ndarray
    scale: np.ndarray


def scaled(x: Any, statistics: Statistics) -> Any:
    """Rows of features in units of their spread, (..., columns). Arrays of NumPy or of JAX."""
    return (x - statistics.mean) / statistics.scale


@dataclass(frozen=True)
class Labels:
    """What a model should say at each frame: force (frames, 3) in N, gate and mask (frames,) of 0.0 and 1.0."""

    force: np.ndarray
    gate: np.ndarray
    mask: np.ndarray


# Yours: who may see what


def split(tasks: Sequence[str], trials: Sequence[int], seed: int) -> list[str]:
    """Say "train", "validation" or "test" for each episode, given its task and the number of its trial in the task.

    Drawn at random, from np.random.default_rng(seed). Of the trials of each task a tenth is for validation and a tenth
    for the test, rounded down but at least one; a task has at least three. The order of the episodes does not matter.
    "push_reference" (TWIN) repeats the commands of "push" without contact: its trial 4 follows those of trial 4.
    """
    # TODO(you): what must not be torn apart is not an episode but all that followed the same commands. Find these, then
    # deal them out within each task.
    raise NotImplementedError("TODO(you): split")


def windows(x: np.ndarray, length: int = LENGTH, episode: np.ndarray | None = None) -> np.ndarray:
    """Every run of neighbouring frames, (windows, length, columns), in the order of time; the last is the present one.

    x: rows of features, (frames, columns). episode: where several episodes stand one below another, each in one piece,
    the number of each row's, (frames,); None: all rows are of one. No window holds frames of two episodes. One that is
    shorter than length has no window.
    """
    # TODO(you): how many windows have n frames? Which begin in one episode and end in another?
    # np.lib.stride_tricks.sliding_window_view copies nothing; look at the order of its axes.
    raise NotImplementedError("TODO(you): windows")


def normalise(x: np.ndarray, train: np.ndarray | None = None) -> Statistics:
    """Mean and scale of each column, from the training rows alone.

    x: rows of features, (frames, columns). train: which rows are for training, (frames,) of bool; None: all of them.
    The scale is the standard deviation, and 1 for a column that never changes in training.
    """
    # TODO(you): which rows count? What becomes of a column that stood still in training when it moves in the test? And
    # is the standard deviation of equal numbers zero in floating point?
    raise NotImplementedError("TODO(you): normalise")


def labels(force: np.ndarray, force_valid: np.ndarray) -> Labels:
    """What a model that has seen the frames up to t should say: the force at t + 1, whether it is a contact, a mask.

    force: N, (frames, 3). force_valid: (frames,) of bool; where it is false, force may hold anything, even NaN.
    Row t of the answer belongs to frame t. mask: 1 where the label at t + 1 is there and valid; elsewhere force, gate
    and mask are 0. gate: 1 where the force is longer than CONTACT.
    """
    # TODO(you): which frame has no answer? Careful: NaN times zero is NaN, and a force has three components.
    raise NotImplementedError("TODO(you): labels")


# Given: three pipelines whose scores are too good to be true, and what they should have been compared with

Answer = Callable[[Episode], tuple[np.ndarray, np.ndarray]]


def pull(e: Episode) -> tuple[np.ndarray, np.ndarray]:
    """The vertical force to be told at each frame, N, (frames,), and whether it is known."""
    told = labels(e.force, e.force_valid)
    return told.force[:, 2], told.mask > 0


def lag(joint: int) -> Answer:
    """How far a joint is behind its command, rad, (frames,); known in every frame."""
    return lambda e: (e.q_cmd[:, joint] - e.q[:, joint], np.ones(len(e), dtype=bool))


def examples(
    some: Sequence[Episode], answer: Answer = pull, names: Sequence[str] = FEATURES
) -> tuple[np.ndarray, np.ndarray]:
    """Windows of these features in a row, (examples, LENGTH * columns), and the answers to them, (examples,)."""
    X, y = [], []
    for e in some:
        seen = np.hstack([rows(e)[:, block(name, e.q.shape[1])] for name in names])
        value, known = (a[LENGTH - 1 :] for a in answer(e))
        X.append(windows(seen)[known].reshape(known.sum(), -1))
        y.append(value[known])
    return np.concatenate(X), np.concatenate(y)


def honest(train: Sequence[Episode], test: Sequence[Episode], learn: Learner, *what: Any) -> float:
    """Mean error in episodes that nothing was learned from. what: as in examples()."""
    (X, y), (Z, truth) = examples(train, *what), examples(test, *what)
    seen = normalise(X)
    return float(np.abs(learn(scaled(X, seen), y)(scaled(Z, seen)) - truth).mean())


def pipeline_1(train: Sequence[Episode], test: Sequence[Episode], answer: Answer = pull) -> float:
    """Mean error of the nearest neighbour."""
    X, y = examples([*train, *test], answer)
    order = np.random.default_rng(0).permutation(len(X))
    learn, judge = np.split(order, [len(X) * 8 // 10])
    seen = normalise(X[learn])
    return float(np.abs(nearest(scaled(X[learn], seen), y[learn])(scaled(X[judge], seen)) - y[judge]).mean())


def pipeline_2(train: Sequence[Episode], test: Sequence[Episode]) -> float:
    """Mean error of a ridge regression, N."""
    (X, y), (Z, truth) = examples(train), examples(test)
    return float(np.abs(ridge(scaled(X, normalise(X)), y)(scaled(Z, normalise(Z))) - truth).mean())


def pipeline_3(train: Sequence[Episode], test: Sequence[Episode], joint: int) -> float:
    """Mean error of a ridge regression that simulates a joint: how far will it lag behind its command? rad."""
    return honest(train, test, ridge, lag(joint), ("q_cmd", "u"))


def main() -> None:
    part("A", "Who learns, who is asked: the trajectories of the data set, split by what led them")
    for name in ("openmanipulator_x", "so101"):
        todo = trials(plans()[name], seed=0)
        shares = Counter(split([t.row.task for t in todo], [t.number for t in todo], seed=0))
        print(f"{name:18}: {len(todo)} trajectories, {', '.join(f'{n} {share}' for share, n in shares.items())}")

    part("B", "Frames, windows, labels: the SO-101 of data/sample")
    data = DataSet(SAMPLE / "so101")
    train, test = [*episodes(data, "train"), *episodes(data, "validation")], episodes(data, "test")
    for e in (*train, *test):
        told = labels(e.force, e.force_valid)
        still = int((np.ptp(rows(e), axis=0) == 0).sum())
        print(f"{e.split:10}: {len(e)} frames, {len(windows(rows(e)))} windows, ", end="")
        print(f"{told.mask.sum():.0f} labels, {told.gate.sum():.0f} contacts, {still} columns never change")

    part("C", "Three scores, and what was behind them (mean error)")
    print(f"1: {pipeline_1(train, test):.2f} N; honest: {honest(train, test, nearest):.2f} N")
    print(f"2: {pipeline_2(train, test):.2f} N; honest: {honest(train, test, ridge):.2f} N")
    elbow = data.joints.index("elbow_flex")
    behind = honest(train, test, ridge, lag(elbow), ("q_cmd",))
    print(f"3: {np.degrees(pipeline_3(train, test, elbow)):.2f} deg; honest: {np.degrees(behind):.2f} deg")
    print(f"no model at all: {np.abs(examples(test)[1]).mean():.2f} N, ", end="")
    print(f"{np.degrees(np.abs(examples(test, lag(elbow))[1]).mean()):.2f} deg")


if __name__ == "__main__":
    run_script(main)
