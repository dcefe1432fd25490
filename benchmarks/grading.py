"""How many submissions a minute are graded, beside nbgrader and otter-grader on the same notebooks.

    python benchmarks/grading.py [--rounds 3] [--students 30] [--otter PATH/TO/ITS/python]

nbgrader comes with the extra `nbgrader`. otter-grader has an environment of its own:

    python3 -m venv otter && otter/bin/pip install -c requirements.txt 'otter-grader[grading]' mujoco

A class hands module 01 in as notebooks that nbgrader has released: a third right, a third half right, the rest wrong or
not begun. Each grader gets the same files, on the same machine, in turn, and every other round in the opposite order:

- `course grade`, all of it: reading the files, the sandbox, the questions, tables and pages. What counts in the end.
- `nbgrader autograde` for the whole class at once. It cannot do two at a time, so two of them share the class.
- otter.api.grade_submission, one after the other in one process, without its containers; in two processes likewise.

The two others ask benchmarks/plain_asserts.py, in the student's kernel and without a sandbox, which is less work.
Processor time is that of all processes together: even with one, `course grade` starts the next sandbox while it asks,
on another processor. The last column tells in how many verdicts, one for each check of each student, a grader agrees
with `course grade`.
"""

import argparse
import os
import random
import sys
import tempfile
from collections import defaultdict
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from statistics import median

import nbformat
from graders import MODULE, Course, Grader, NbGrader, Otter, Spent, Verdicts, timed
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from course.mutants import mutants
from course.releasing.notebooks import notebook
from course.sandbox.place import ENVIRONMENT, THRIFTY
from course.skeleton import answer, replace
from course.syllabus import ROOT

SEED = 1  # of the class
PROCESSES = (1, 2)
KINDS = ("right", "half right", "right", "half right", "wrong", "right", "half right", "wrong", "not begun")


def main() -> None:
    options = argparse.ArgumentParser(description="Submissions a minute, beside nbgrader and otter-grader.")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--students", type=int, default=30)
    options.add_argument("--otter", type=Path, help="the Python of an environment that has otter-grader")
    chosen = options.parse_args()
    if not find_spec("nbgrader"):
        sys.exit("nbgrader is what the others are compared with: pip install -c requirements.txt -e '.[nbgrader]'")
    with tempfile.TemporaryDirectory(prefix="grading-", ignore_cleanup_errors=True) as folder:
        work = Path(folder)
        os.environ.update(surroundings(work))
        nbgrader = NbGrader(work / "nbgrader")
        graders: list[Grader] = [Course(), nbgrader]
        if chosen.otter:
            graders.append(Otter(work / "otter", chosen.otter.absolute()))
        else:
            print("otter-grader is left out; --otter names the Python of an environment that has it.")
        measure(graders, class_of(chosen.students, nbgrader.released), chosen.rounds, work)


def surroundings(work: Path) -> dict[str, str]:
    """What all graders find in their environment: the quickest settings, and a place for what they leave behind."""
    (work / "tmp").mkdir()
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])  # for nbgrader
    places = {"TMPDIR": work / "tmp", "IPYTHONDIR": work / "ipython", "JUPYTER_RUNTIME_DIR": work / "jupyter"}
    return {"PYTHONPATH": str(ROOT), "PATH": search} | {k: str(v) for k, v in places.items()} | ENVIRONMENT | THRIFTY


def measure(graders: list[Grader], students: dict[str, bytes], rounds: int, work: Path) -> None:
    few = dict(islice(students.items(), 2))
    spent: dict[str, dict[int, list[Spent]]] = {g.name: defaultdict(list) for g in graders}
    found: dict[str, list[Verdicts]] = {g.name: [] for g in graders}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns) as progress:
        bar = progress.add_task("", total=len(graders) * (1 + rounds * len(PROCESSES)))
        for n in range(rounds + 1):  # the first one warms up: nobody pays for a cold disk
            for processes in PROCESSES if n else (1,):
                for grader in graders[:: 1 if n % 2 else -1]:
                    told = f"round {n} of {rounds}" if n else "warming up"
                    progress.update(bar, description=f"{told}: {grader.name}, processes: {processes}")
                    place = Path(tempfile.mkdtemp(dir=work))
                    cost = timed(grader.commands(place, students if n else few, processes))
                    if n:
                        spent[grader.name][processes].append(cost)
                        found[grader.name].append(grader.verdicts(place))
                    progress.advance(bar)
    report(spent, found, len(students), rounds)


def report(
    spent: dict[str, dict[int, list[Spent]]], found: dict[str, list[Verdicts]], students: int, rounds: int
) -> None:
    ours, peer, *_ = spent
    print(
        f"\n{students} submissions of {MODULE.slug}, {rounds} rounds: how many a minute, median (slowest to fastest);"
    )
    print(f"the ratio to {peer} in the same round with as many processes; processor time of one; verdicts as {ours}")
    for processes in PROCESSES:
        print(f"processes: {processes}")
        for name, by_processes in spent.items():
            costs, peers = by_processes[processes], spent[peer][processes]
            rates = [60 * students / cost.seconds for cost in costs]
            ratio = median(p.seconds / c.seconds for c, p in zip(costs, peers, strict=True))
            processor = median(cost.processor for cost in costs) / students
            pairs = [(mine[k], v.get(k)) for mine, v in zip(found[ours], found[name], strict=True) for k in mine]
            same = sum(a == b for a, b in pairs) / len(pairs)
            spread = f"({min(rates):.1f} to {max(rates):.1f})"
            print(f"  {name:13} {median(rates):6.1f} {spread:18} {ratio:5.2f} {processor:7.2f} s {same:6.0%}")


def class_of(students: int, released: Path) -> dict[str, bytes]:
    """{student: the notebook}, the same ones each time."""
    draw = random.Random(SEED)
    solution = MODULE.solution.read_text(encoding="utf-8")
    master = {cell.id: cell.source for cell in notebook(MODULE, solution).cells}
    right = {todo.name: answer(solution, todo.name) for todo in MODULE.todos}
    wrong: dict[str, list[str]] = defaultdict(list)
    for mutant in mutants(MODULE):
        wrong[mutant.todo].append(right[mutant.todo].replace(mutant.old, mutant.new))
    handed: dict[str, bytes] = {}
    for number, kind in enumerate(islice(cycle(KINDS), students), 1):
        some = {"right": len(right), "half right": draw.randint(1, len(right) - 1)}.get(kind, 0)
        answers = {todo: right[todo] for todo in draw.sample(list(right), some)}
        if kind == "wrong" or (kind == "half right" and draw.random() < 0.5):  # the other half has not begun the rest
            answers |= {todo: draw.choice(wrong[todo]) for todo in right if todo not in answers}
        made = nbformat.read(released, as_version=4)
        for cell in made.cells:
            todo = cell.metadata.nbgrader.grade_id
            if todo in answers:
                cell.source = replace(master[todo], answers)
        handed[f"student{number:02d}"] = nbformat.writes(made).encode()
    return handed


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Stopped.")
