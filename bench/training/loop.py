"""The loop around the steps: progress with the loss terms and the time left, a file to go on from, Ctrl-C."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bench.training.checkpoint import load, save
from bench.training.devices import spread
from bench.training.optimizer import State
from bench.xla import jax

Update = Callable[[State, Any], tuple[State, dict[str, jax.Array]]]
SHOWN = 0.5  # s between two looks at the losses; each look waits for the device
SMOOTH = 0.9  # of a shown loss is what was shown before


def train(
    state: State,
    update: Update,
    batch: Callable[[int], Any],
    steps: int,
    *,
    file: Path | None = None,
    about: dict[str, Any] | None = None,
    title: str = "training",
    seconds: float = 60.0,
    console: Console | None = None,
) -> State:
    """Take steps until there are `steps` of them, and return the state.

    update: as from `update_of`. batch(step): the samples of that step. file: goes on from it if it is there, and is
    written every so many `seconds`, at the end and at Ctrl-C, which raises KeyboardInterrupt afterwards. about: what
    the file belongs to; another run's file raises CheckpointError.
    """
    if file and file.exists():
        state = load(file, state, about or {})
    done, shown, saved = int(state.step), 0.0, time.monotonic()
    if done >= steps:
        return state
    losses: dict[str, float] = {}
    columns = (
        TextColumn(title),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[losses]}"),
    )
    with Progress(*columns, console=console or Console(stderr=True), transient=False) as progress:
        bar = progress.add_task(title, total=steps, completed=done, losses="compiling")
        try:
            while done < steps:
                state, samples = spread(state, batch(done))
                state, terms = update(state, samples)
                done += 1
                now = time.monotonic()
                if now - shown > SHOWN or done == steps:
                    shown = now
                    for name, value in terms.items():
                        losses[name] = SMOOTH * losses.get(name, float(value)) + (1 - SMOOTH) * float(value)
                    text = "  ".join(f"{name} {value:.3g}" for name, value in losses.items())
                    progress.update(bar, completed=done, losses=text)
                if file and now - saved > seconds:
                    saved = now
                    save(file, state, about or {})
        finally:  # at Ctrl-C too
            if file:
                save(file, state, about or {})
    return state
