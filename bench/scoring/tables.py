"""The paper's tables III to VII, IX and X with our numbers in front of the paper's."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bench.arms import ARMS
from bench.scoring.metrics import FALSE, false_positives, faults, force_mae, joint_mae, methods
from bench.scoring.outcome import COMMAND, MODEL, ZERO, Outcome
from bench.scoring.paper import PaperTable, paper_methods, paper_tables

WIDTH = 100  # columns of a page that is no terminal
NAMED = 3  # so many examples in a footnote
NOTHING = "-"
OURS = "ours: virtual arms (in brackets the paper's: its own hardware)"
LEGEND = (
    "J1, J2, ...: joints, degrees; J: their mean. Grip: one finger, mm. F: force, N. Mean absolute errors; below the "
    "gap, averages of the rows. "
    f"FP: share of frames without contact in which the estimate is longer than {FALSE:g} N, of all frames together. "
    "Without brackets: not in the paper's table."
)
Groups = dict[str, list[Outcome]]  # by task


def tables(outcomes: Iterable[Outcome]) -> list[Table]:
    """Every table of the paper of which at least one row was run, one for each horizon, for the terminal.

    Robots may be mixed: each table takes its own. Below the average stand "q = q_cmd", "predict zero" and the other
    methods that went through all of the table's episodes. Footnotes name episodes that are shorter than the horizon,
    rows without an episode or without a label, and predictions that are not finite (whose numbers are "nan").
    Raises ValueError if no episode is of a row of any table.
    """
    outcomes = list(outcomes)
    found = []
    for paper in paper_tables():
        groups = _groups(outcomes, paper.robot, [line.task for line in paper.lines])
        if groups:
            found += [_table(paper, horizon, groups) for horizon in paper.horizons]
        if paper.number == "VI":
            found += _methods(outcomes)
    if not found:
        raise ValueError(f"None of the {len(outcomes)} episodes is of a row of the paper's tables")
    return found


def outside(outcomes: Iterable[Outcome]) -> list[str]:
    """Robot and task of those that no table of the paper has a row for."""
    rows = {(paper.robot, line.task) for paper in paper_tables() for line in paper.lines}
    return sorted({outcome.title for outcome in outcomes if (outcome.robot, outcome.task) not in rows})


def show(outcomes: Iterable[Outcome], console: Console | None = None) -> None:
    """Print the tables, and what stands in none of them. Into a file or a pipe they are WIDTH columns wide."""
    outcomes = list(outcomes)
    console = console or Console(width=None if sys.stdout.isatty() else WIDTH)
    for table in tables(outcomes):
        console.print(table)
        console.print()
    if left := outside(outcomes):
        console.print(f"In no table of the paper: {', '.join(left)}.", highlight=False)


def _groups(outcomes: Iterable[Outcome], robot: str, tasks: Sequence[str]) -> Groups:
    found: Groups = {}
    for outcome in outcomes:
        if outcome.robot == robot and outcome.task in tasks:
            found.setdefault(outcome.task, []).append(outcome)
    return found


def _table(paper: PaperTable, horizon: int, groups: Groups) -> Table:
    everything = [outcome for group in groups.values() for outcome in group]
    table = _empty(f"Table {paper.number} at {_steps(horizon, everything)}: {paper.title}, {ARMS[paper.robot].title}")
    for column in paper.columns:
        table.add_column(column, justify="right", overflow="fold")
    for line in paper.lines:
        measured = [_measured(column, groups.get(line.task, []), horizon, MODEL) for column in paper.columns]
        printed = [line.printed.get((horizon, column)) for column in paper.columns]
        table.add_row(line.label, *map(_cell, paper.columns, measured, printed))
    table.add_row()
    for method in (MODEL, COMMAND, ZERO, *methods(everything)):
        averages = [_average(column, groups, horizon, method) for column in paper.columns]
        if method == MODEL:
            printed = [paper.average.get((horizon, column)) for column in paper.columns]
            table.add_row("Avg", *map(_cell, paper.columns, averages, printed))
        else:  # it says something of the joints or of the force
            cells = zip(paper.columns, averages, strict=True)
            table.add_row(escape(method), *("" if value is None else _cell(column, value) for column, value in cells))
    lacking = [line.label for line in paper.lines if line.task not in groups]
    table.caption = _caption(everything, horizon, lacking, legend=horizon == paper.horizons[-1])
    return table


def _methods(outcomes: Iterable[Outcome]) -> list[Table]:
    """Table VII, if there is anything for it: a row for each method of ours, and one below it for the paper's."""
    paper = paper_methods()
    groups = _groups(outcomes, paper.robot, [task for task, _ in paper.columns])
    if not groups:
        return []
    everything = [outcome for group in groups.values() for outcome in group]
    table = _empty(f"Table VII at {_steps(paper.horizon, everything)}: {paper.title}, {ARMS[paper.robot].title}")
    for _, label in paper.columns:
        table.add_column(label, justify="right", overflow="fold", max_width=6)
    for header in ("Avg", "FP"):
        table.add_column(header, justify="right", overflow="fold")
    ours = [ZERO, *methods(everything), MODEL]
    last = {alike: name for name in ours for _, alike, _, _ in paper.methods if alike in name}
    for name, alike, printed, average in paper.methods:
        if alike not in last:  # a method of the paper's alone
            table.add_row(f"(paper: {name})", *(f"({number})" for number in (*printed, average)))
    for method in ours:
        row = [_measured("F", groups.get(task, []), paper.horizon, method) for task, _ in paper.columns]
        row.append(_average("F", groups, paper.horizon, method))
        share = _cell("FP", _average("FP", groups, paper.horizon, method))
        table.add_row(escape(method), *(_cell("F", number) for number in row), share)
        for name, alike, printed, average in paper.methods:
            if last.get(alike) == method:
                table.add_row(f"(paper: {name})", *(f"({number})" for number in (*printed, average)))
    lacking = [label for task, label in paper.columns if task not in groups]
    table.caption = _caption(everything, paper.horizon, lacking, legend=True)
    return [table]


def _empty(title: str) -> Table:
    look: dict[str, Any] = {"box": None, "padding": (0, 1, 0, 0), "pad_edge": False, "min_width": len(OURS)}
    table = Table(title=f"{title}\n{OURS}", title_justify="left", caption_justify="left", **look)
    table.add_column("", overflow="fold")
    return table


def _measured(column: str, outcomes: Sequence[Outcome], horizon: int, method: str) -> float | None:
    """What belongs into a cell; None where there is nothing to say, NaN where the prediction is not finite."""
    if column in ("F", "FP"):
        if not outcomes or method not in outcomes[0].forces:
            return None
        return (force_mae if column == "F" else false_positives)(outcomes, horizon, method)
    if not outcomes or method not in outcomes[0].positions:
        return None
    mae = joint_mae(outcomes, horizon, method)
    if column == "J":
        return float(mae[:-1].mean())
    return float(mae[-1] if column == "Grip" else mae[int(column[1:]) - 1])


def _average(column: str, groups: Groups, horizon: int, method: str) -> float | None:
    """As the paper averages: over rows. Shares of frames are of all frames."""
    if column == "FP":
        return _measured(column, [outcome for group in groups.values() for outcome in group], horizon, method)
    rows = [_measured(column, group, horizon, method) for group in groups.values()]
    there = [row for row in rows if row is not None]
    return float(np.mean(there)) if there else None


def _cell(column: str, measured: float | None, printed: str | None = None) -> str:
    """Ours, and the paper's in brackets where there is one."""
    if measured is None:
        ours = NOTHING
    elif np.isfinite(measured):
        ours = f"{100 * measured:.0f} %" if column == "FP" else f"{measured:.2f}"
    else:
        ours = "nan"
    return f"{ours} ({printed})" if printed else ours


def _steps(horizon: int, outcomes: Sequence[Outcome]) -> str:
    rates = {outcome.rate for outcome in outcomes}
    return f"{horizon} steps" + (f" ({horizon / rates.pop():.1f} s)" if len(rates) == 1 else "")


def _caption(outcomes: Sequence[Outcome], horizon: int, lacking: Sequence[str], legend: bool) -> str:
    """The legend and the footnotes."""
    notes = [LEGEND] if legend else []
    if short := [f"{outcome.task} ({len(outcome)})" for outcome in outcomes if len(outcome) < horizon]:
        notes.append(f"Shorter than {horizon} frames and scored over what they have: {_some(short)}.")
    if unlabelled := [outcome.task for outcome in outcomes if not outcome.known[:horizon].any()]:
        notes.append(f"No frame has a force label, so not in F and FP: {_some(unlabelled)}.")
    if lacking:
        notes.append(f"Rows without an episode, which our averages leave out: {', '.join(lacking)}.")
    everywhere = methods(outcomes)
    if partly := sorted({name for outcome in outcomes for name in outcome.others} - set(everywhere)):
        notes.append(f"Left out, because they did not go through every episode: {', '.join(partly)}.")
    if bad := faults(outcomes, horizon):
        notes.append(f"Not a number: {_some(bad)}.")
    return escape("\n".join(notes))


def _some(names: Sequence[str]) -> str:
    more = f", and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
