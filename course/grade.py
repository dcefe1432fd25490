"""`course grade`: a whole class, each file asked in a sandbox, several at a time. It goes on where it was stopped."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from course.check import need_checks, need_extras
from course.exporting import csv, html
from course.grading.cluster import on_cluster
from course.grading.folder import Folder
from course.grading.gradebook import Gradebook
from course.grading.history import checks_hash
from course.grading.job import Job, seed_for
from course.grading.pool import in_processes
from course.grading.settings import keep
from course.grading.submission import Submission
from course.grading.summary import changes
from course.grading.words import counted
from course.record import Record
from course.report import overall
from course.sandbox.choose import lacking, strongest
from course.syllabus import Module, UserError, modules


def grade(
    submissions: Path,
    into: Path,
    *,
    only: tuple[Module, ...] = (),
    jobs: int | None = None,
    scheduler: str | None = None,
    seed: int | None = None,
    regrade: bool = False,
    trust: bool = False,
    roster: Path | None = None,
    settings: Path | None = None,
) -> bool:
    """Grade what lies in `submissions`, a folder or a zip file, and write everything into the folder `into`.

    only: these modules. jobs: processes at a time; one for each processor if None. scheduler: the address of a
    dask.distributed scheduler instead. seed: of the secret draw. regrade: ask also what has its results already.
    trust: go on with limits alone where there is no sandbox. Returns whether every file could be asked.
    """
    from course.grading.collect import collect

    if into.resolve().is_relative_to(submissions.resolve()):
        raise UserError(f"{into} lies inside {submissions}, where it would be taken for a student; name another folder")
    console = Console(highlight=False)
    console.print(_walls(trust, on_cluster=scheduler is not None), markup=False, soft_wrap=True)
    found = [s for s in collect(submissions) if not only or s.module in {m.slug for m in only}]
    for module in modules():
        if any(s.module == module.slug for s in found):
            need_extras(module)
            need_checks(module)
    with Folder(into) as folder:
        secret = folder.begin(seed)
        keep(into, settings, roster)
        folder.note(found)
        todo = plan(found, {} if regrade else folder.graded(), secret, trust)
        if before := len({(s.student, s.attempt, s.module) for s in found}) - len(todo):
            console.print(f"{before} of {before + len(todo)} files have their results from before.")
        try:
            if todo:
                work = on_cluster(todo, scheduler) if scheduler else in_processes(todo, jobs or os.cpu_count() or 1)
                _work(work, len(todo), folder, console)
        except KeyboardInterrupt:
            console.print("\nWhat is graded is kept. The same command goes on where it was.")
            raise
        finally:
            told = render(into)
    for line in told:
        console.print(line, markup=False, soft_wrap=True)
    return not any(r.status == "error" for records in Folder(into).graded().values() for r in records)


def plan(found: list[Submission], graded: dict, secret: int, trust: bool) -> list[Job]:
    """The files that are still to be asked, the newest of each student first."""
    hashes = {module.slug: checks_hash(module) for module in modules()} | {"": ""}
    jobs: dict[tuple[str, str, str], Job] = {}
    for s in reversed(found):
        key = s.student, s.attempt, s.module
        if key not in jobs and overall(graded.get(key, [])) in ("", "error"):
            seed = seed_for(secret, *key)
            jobs[key] = Job(*key, s.name, s.source, s.refusal, seed, hashes[s.module], trust)
    return list(jobs.values())


def render(into: Path) -> list[str]:
    """Make the tables and pages anew, and say in a few lines what is in them."""
    gradebook = Gradebook.load(into)
    csv.write(gradebook, into)
    html.write(gradebook, into)
    attempts = [(g.module, a) for s in gradebook.students for g in s.grades.values() for a in g.attempts]
    refused = sum(bool(a.refusal) for _, a in attempts) + sum(len(s.unplaced) for s in gradebook.students)
    broken = sum(any(r.status == "error" for r in a.records) for _, a in attempts)
    old = sum(bool(a.records) and a.records[0].check_hash != checks_hash(module) for module, a in attempts)
    files = len(attempts) + sum(len(s.unplaced) for s in gradebook.students)
    lines = [f"{counted(len(gradebook.students), 'student')}, {counted(files, 'file')}, {refused} refused."]
    if broken:
        lines.append(f"{broken} could not be asked, which is not their authors' fault; the same command tries again.")
    if old:
        lines.append(f"{old} have results from other checks than today's; --regrade asks those files again.")
    if changed := changes(gradebook):
        lines.append(f"Regrading changed {counted(len(changed), 'verdict')}; the summary lists what.")
    return [*lines, *gradebook.problems, f"Grades: {into / 'grades.csv'}. To read: {into / 'index.html'}"]


def _walls(trust: bool, on_cluster: bool) -> str:
    """Which sandbox will hold the files. Raises UserError if there is none and that was not agreed to."""
    if on_cluster:
        return "Sandbox: the strongest that each computer of the cluster has."
    name = strongest()
    if name == "bubblewrap":
        return "Sandbox: bubblewrap."
    if name == "landlock":
        reason = lacking("bubblewrap")
        return f"Sandbox: Landlock. A second wall could be had: {reason}." if reason else "Sandbox: Landlock."
    if trust:
        return "NO SANDBOX: the files run with limits alone, as --trust allows."
    raise UserError(
        f"There is no sandbox here ({lacking('landlock') or 'none was asked for'}), and these files are not yours. "
        f"Grade in a container (see course/grading/README.md), or add --trust if you would run them yourself"
    )


def _work(results: Iterator[tuple[Job, list[Record]]], count: int, folder: Folder, console: Console) -> None:
    columns = (TextColumn("Grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with closing(results), Progress(*columns, console=console) as progress:  # type: ignore[type-var]
        bar = progress.add_task("", total=count)
        for _, records in results:
            folder.append(records)
            progress.advance(bar)
