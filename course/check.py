"""`course check`: ask a student's files their questions, print the verdict, remember it."""

import secrets
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from rich.console import Console

from course import progress, report
from course.debugging import Here
from course.process import Child
from course.record import Record
from course.sandbox.room import kept
from course.session import imports_of
from course.syllabus import Module, UserError, exercise_file


def check(
    wanted: Iterable[Module],
    *,
    todo: str | None = None,
    only: str | None = None,
    seed: int | None = 0,
    json: str | None = None,
    debug: bool = False,
) -> bool:
    """Check these modules and print what was found. Returns whether everything passed.

    todo, only: the name of one TODO, of one check. seed: which questions; None draws new ones.
    json: a file for the records, "-" for standard output instead of the report.
    """
    wanted = list(wanted)
    console = Console(stderr=json == "-", quiet=json == "-", highlight=False)
    if seed is None:
        seed = secrets.randbelow(2**31)
        console.print(f"These questions come again with --seed {seed}")
    records: list[Record] = []
    for module in wanted:
        file = exercise_file(module)
        if len(wanted) > 1 and progress.untouched(module, file):
            console.print(f"\n[bold]{module.name}[/bold]  not begun: {report.command()} lab {module.slug}")
            records += run(module, file, seed=seed, todo=todo, check=only)
            continue
        found = run(module, file, seed=seed, todo=todo, check=only, debug=debug)
        report.show(module, file, found, console)
        records += found
    if json:
        _write_json(json, records)
    return all(r.status == "pass" for r in records)


def run(
    module: Module, file: Path, *, child: Child | None = None, debug: bool = False, **asked: object
) -> list[Record]:
    """The records of one module. The child starts first, so that it imports while we do."""
    need_extras(module)
    start = partial(for_own_file, module.slug, imports_of(module.slug))
    if not child and not debug:
        child = start()
    from course.runner import run_checks  # pytest and the checks' own imports take as long as the child's

    if debug:
        print(
            f"{file.name} runs inside this process: breakpoint() works, and nothing stops an endless loop but Ctrl-C."
        )
    records = run_checks(module, file, child=child, start=Here if debug else start, **asked)  # type: ignore[arg-type]
    if file == module.exercise:
        progress.note_results(module, records)
    return records


def for_own_file(slug: str, imports: tuple[str, ...]) -> Child:
    """A process for a file of whoever types the command: what it compiles is there the next time."""
    return Child(slug, imports, keep=kept(slug))


def need_extras(module: Module) -> None:
    """Raises UserError if the module needs an extra that is not installed."""
    from course import bootstrap

    for extra in module.needs:
        if bootstrap.missing([extra]):
            raise UserError(f"Module {module.name} needs more packages. Type: {bootstrap.install_command(extra)}")


def need_checks(module: Module) -> None:
    """Raises UserError where the checks did not come with this copy of the course."""
    if not module.checks.exists():
        raise UserError(f"The checks of {module.name} are with your instructor; this copy has none")


def _write_json(where: str, records: list[Record]) -> None:
    text = "".join(record.to_json() + "\n" for record in records)
    if where == "-":
        sys.stdout.write(text)
        return
    try:
        Path(where).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UserError(f"The results cannot be written to {where}: {problem.strerror}") from None
