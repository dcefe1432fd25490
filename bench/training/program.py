"""From a data set to a trained model and its scores, at the command line: the program around a lesson's functions.

    python solutions/neural_actuator.py --robot openmanipulator_x --size small

The lesson supplies a `Recipe`; what stands here knows data sets, files, progress and options, and no physics.
"""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.arms import ARMS
from bench.recording import DataSet, Recording, RecordingError
from bench.scoring import Outcome, scores, show
from bench.tracks import Track, track_of
from bench.training.batches import Batches
from bench.training.checkpoint import CheckpointError, load, save
from bench.training.loop import train
from bench.training.optimizer import adamw, begin, update_of
from bench.training_data import Episode, episodes
from bench.xla import jax

TEST = 600  # ticks of a test, the longest horizon of the paper's tables
FREE = 16  # recordings that classical estimators are fitted to
RESTRICTED = "_restricted"  # ends the tasks with a banded joint, which module 17 is about


@dataclass(frozen=True)
class Plan:
    """How long to train, and by what. stages: (ticks of a rollout, steps), one after the other; 0 ticks: single steps.

    rate: the highest learning rate. singles, rollouts: samples in a batch of the two kinds.
    """

    stages: tuple[tuple[int, int], ...]
    rate: float
    singles: int = 256
    rollouts: int = 16

    @property
    def steps(self) -> int:
        return sum(steps for _, steps in self.stages)


@dataclass(frozen=True)
class Recipe:
    """What a lesson supplies. A setting is whatever its functions share beside the parameters.

    labels(force, force_valid): of one episode, as bench.tracks.track_of wants them.
    setting(robot, tracks, network, residual): the setting for learning from these tracks.
    again(robot, network, residual, **numbers): the same setting from numbers(setting), a dict of arrays.
    init(setting, size, key): parameters. loss(setting, robot, explicit): as bench.training.update_of wants it.
    horizon(step, stages): ticks of a rollout at a step. predict(setting, params, track, explicit): angles and forces of
    a rollout from frame `history` of the track on, (T, m) in rad and (T, 3) in N.
    others(recordings, free): by method, force estimates for each recording, (frames, 3). free: training recordings in
    which nothing touches the arm, or none if the set has no training split.
    """

    labels: Callable
    setting: Callable
    again: Callable
    numbers: Callable
    init: Callable
    loss: Callable
    horizon: Callable
    predict: Callable
    others: Callable
    history: int
    networks: Sequence[str]
    plans: Mapping[str, Plan]


def options(recipe: Recipe, words: Sequence[str]) -> argparse.Namespace:
    """What the user wants; exits with a line for what there is not."""
    parser = argparse.ArgumentParser(
        description="Train on a data set, keep the model in a file, and print how good it is on the test episodes. "
        "Stopped at any moment, the same command goes on.",
        epilog="example: python3 -m bench record so101 && python solutions/neural_actuator.py --robot so101",
    )
    parser.add_argument("--robot", required=True, choices=sorted(ARMS))
    parser.add_argument("--size", default="small", choices=sorted(recipe.plans))
    parser.add_argument("--network", default=recipe.networks[0], choices=recipe.networks)
    parser.add_argument("--residual", action="store_true", help="the torque has a base, proportional to the effort")
    parser.add_argument("--explicit", action="store_true", help="the estimated force acts on the simulated arm")
    parser.add_argument("--steps", type=_at_least(1), help="stop after so many steps; the size's plan if not given")
    parser.add_argument("--data", type=Path, help="the data set; nad/ROBOT if not given")
    parser.add_argument("--out", type=Path, default=Path("trained"), help="where the files go; trained if not given")
    parser.add_argument("--seed", type=_at_least(0), default=0)
    return parser.parse_args(words)


def _at_least(least: int) -> Callable[[str], int]:
    """Reads a whole number that is not smaller."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} on")
        return int(text)

    return number


def run(recipe: Recipe, words: Sequence[str]) -> None:
    """Train, keep, judge. Raises RecordingError or CheckpointError, one line, for what the user can mend."""
    wish = options(recipe, words)
    folder = wish.data or Path("nad") / wish.robot
    if not folder.exists():
        raise RecordingError(folder, "is not there", f"make it: python3 -m bench record {wish.robot}")
    data = DataSet(folder)
    plan = recipe.plans[wish.size]
    steps = plan.steps if wish.steps is None else wish.steps
    if data.robot != wish.robot:
        raise RecordingError(folder, f"is of a {data.robot}", "name another set by --data, or another --robot")
    learn, _ = unrestricted(data, "train"), unrestricted(data, "test")  # before an hour of training, not after it
    tracks = [track_of(e, recipe.labels(e.force, e.force_valid)) for e in learn]
    setting = recipe.setting(wish.robot, tracks, wish.network, wish.residual)
    about = {name: getattr(wish, name) for name in ("robot", "size", "network", "residual", "explicit", "seed")}
    about |= {"frames": sum(map(len, learn))}
    try:
        wish.out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise CheckpointError(
            f"{wish.out}: no folder can be made there ({problem.strerror}); name another by --out"
        ) from None
    variant = [name for name in ("residual", "explicit") if about[name]]
    file = wish.out / ("-".join([wish.robot, wish.network, wish.size, *variant]) + ".ckpt")
    params = learned(recipe, setting, tracks, plan, steps, file.with_suffix(".unfinished"), about)
    save(file, {"numbers": recipe.numbers(setting), "params": params}, about | {"steps": steps})
    found = judged(recipe, setting, params, data, wish.robot, wish.explicit)
    show(found)
    file.with_suffix(".json").write_text(json.dumps(about | {"steps": steps, "scores": scores(found)}, indent=1))
    print(f"\nThe model is in {file}, its scores are in {file.with_suffix('.json')}.")


def unrestricted(data: DataSet, split: str) -> list[Episode]:
    """The episodes of a split in which no joint is held back. Raises RecordingError if none is, or one is damaged."""
    found = [e for e in episodes(data, split) if not e.task.endswith(RESTRICTED)]
    if not found:
        raise RecordingError(data.folder, f"no episode of the split {split} moves freely", "record more tasks")
    return found


def learned(
    recipe: Recipe, setting: Any, tracks: Sequence[Track], plan: Plan, steps: int, file: Path | None, about: dict
) -> Any:
    """Parameters that `steps` steps of a plan have made, their moving average. file: to go on from."""
    optimizer = adamw(plan.rate, plan.steps, warm_up=min(100, plan.steps // 10))
    params = recipe.init(setting, about["size"], jax.random.key(about["seed"]))
    update = update_of(recipe.loss(setting, about["robot"], about["explicit"]), optimizer, decay=0.998)
    horizon = partial(recipe.horizon, stages=plan.stages)
    batches = Batches(tracks, horizon, recipe.history, plan.singles, plan.rollouts, about["seed"])
    state = train(begin(params, optimizer), update, batches, steps, file=file, about=about, title=about["robot"])
    return state.average


def judged(
    recipe: Recipe, setting: Any, params: Any, data: DataSet, robot: str, explicit: bool, ticks: int = TEST
) -> list[Outcome]:
    """How the model goes through the test episodes of a set, from their ninth frame on."""
    entries = [e for e in data.entries if e.split == "test" and not e.task.endswith(RESTRICTED)]
    others = recipe.others([data[e.index] for e in entries], untouched(data))
    tests = unrestricted(data, "test")
    predict = jax.jit(jax.vmap(lambda track: recipe.predict(setting, params, track, explicit)))
    begin, end = recipe.history + 1, recipe.history + 1 + ticks  # the first predicted frame, and the last's next
    tracks = [track_of(e, recipe.labels(e.force, e.force_valid)) for e in tests]
    batch = jax.tree.map(lambda *rows: np.stack(rows), *(_long(track, end - 1) for track in tracks))
    q, force = map(np.asarray, predict(batch))
    found = []
    for i, (test, track) in enumerate(zip(tests, tracks, strict=True)):
        frames = min(len(track), end) - begin
        rows = slice(begin, begin + frames)
        found.append(
            Outcome(
                robot=robot,
                task=test.task,
                payload=test.payload,
                rate=test.rate,
                q=q[i, :frames],
                q_real=np.asarray(track.seen_q[rows]),
                q_cmd=np.asarray(track.q_cmd[rows]),
                force=force[i, :frames],
                force_real=test.force[rows],
                known=test.force_valid[rows],
                others={name: of[i][rows] for name, of in others.items()},
            )
        )
    return found


def untouched(data: DataSet) -> list[Recording]:
    """Training recordings in which nothing touches the arm, at most FREE of them, from all over the set."""
    entries = [e for e in data.entries if e.split == "train" and not e.payload and not e.task.endswith(RESTRICTED)]
    free = [one for one in (data[e.index] for e in entries) if not one["contact"].any()]
    return free[:: max(1, len(free) // FREE)]


def _long(track: Track, frames: int) -> Track:
    """So many frames of a track; its last one again and again where it is shorter."""
    return track[np.minimum(np.arange(frames), len(track) - 1)]


def restored(recipe: Recipe, file: Path, about: dict[str, Any]) -> tuple[Any, Any]:
    """Setting and parameters from a file of run(). Raises CheckpointError."""
    blank = recipe.again(about["robot"], about["network"], about["residual"])
    like = {"numbers": recipe.numbers(blank), "params": recipe.init(blank, about["size"], jax.random.key(0))}
    state = load(file, like, about)
    return recipe.again(about["robot"], about["network"], about["residual"], **state["numbers"]), state["params"]
