"""`bench record`: which data sets there are, and their making with a progress bar."""

import os
from collections.abc import Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bench.recording.errors import RecordingError
from bench.teleop import session
from bench.teleop.nad import Plan, Trial, plans, trials


def chosen(names: Sequence[str]) -> list[Plan]:
    """The plans of these names, or all. Raises RecordingError with the nearest name for an unknown one."""
    for name in names:
        if name not in plans():
            near = get_close_matches(name, plans(), n=1)
            hint = f"did you mean {near[0]}?" if near else "there are: " + ", ".join(plans())
            raise RecordingError(f"No data set is called {name!r}; {hint}")
    return [plans()[name] for name in names or plans()]


def list_sets(console: Console, names: Sequence[str]) -> None:
    """Print the rows of the data sets."""
    for plan in chosen(names):
        table = Table("task", "category", title=f"{plan.name}: {plan.robot}, {plan.trials} trials a row", box=None)
        for header in ("frames", "seconds", "payload (kg)"):
            table.add_column(header, justify="right")
        for row in plan.rows:
            payload = f"{row.payload:g}" if row.payload else ""
            table.add_row(row.task, row.category, str(row.frames), f"{row.seconds:.1f}", payload, "reused" * row.reused)
        console.print(table)


def record_sets(
    console: Console,
    names: Sequence[str],
    into: Path,
    seed: int,
    tasks: tuple[str, ...],
    trials: int | None,
    jobs: int | None,
) -> None:
    """Record the data sets into folders of their names. Raises RecordingError."""
    todo = [(plan, _trials(plan, seed, tasks, trials)) for plan in chosen(names)]
    for plan, _ in todo:
        if (into / plan.name).exists():
            raise RecordingError(into / plan.name, "is there already", "remove it or name another folder")
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        for plan, wanted in todo:
            bar = progress.add_task(plan.name, total=sum(trial.frames for trial in wanted))
            made_by = {"command": "record", "set": plan.name, "seed": seed, "tasks": list(tasks), "trials": trials}
            folder, advance = into / plan.name, partial(progress.advance, bar)
            try:
                into.mkdir(parents=True, exist_ok=True)
                session.record(folder, wanted, made_by, jobs or os.cpu_count() or 1, advance)
            except KeyboardInterrupt:
                progress.stop()
                console.print("Stopped. What is done is kept; the same command goes on.", highlight=False)
                raise SystemExit(130) from None
    for plan, wanted in todo:
        console.print(f"{into / plan.name}: {len(wanted)} episodes", highlight=False, soft_wrap=True)


def _trials(plan: Plan, seed: int, tasks: tuple[str, ...], only: int | None) -> list[Trial]:
    try:
        return trials(plan, seed, tasks, only)
    except ValueError as problem:
        raise RecordingError(str(problem)) from None
