"""`course watch`: the verdict at every save.

Two processes are kept warm: this one, which has pytest and the checks imported, and one child in reserve, which has
imported what the exercise imports and waits to be given a file. A save spends the child, and the next one starts.
"""

import time
from pathlib import Path

from rich.console import Console

from course import report
from course.check import for_own_file, need_checks, need_extras, run
from course.process import Child
from course.session import imports_of
from course.syllabus import Module, UserError, exercise_file

POLL_SECONDS = 0.01
STILL_SECONDS = 0.005
GONE_SECONDS = 0.5  # an editor that saves by renaming leaves a gap shorter than this


def watch(wanted: list[Module]) -> None:
    """Check a module at once if it is the only one, and each module whenever its file is saved. Returns on Ctrl-C."""
    console = Console(highlight=False)
    for module in wanted:
        need_checks(module)
        need_extras(module)
    imports = tuple(dict.fromkeys(name for module in wanted for name in imports_of(module.slug)))
    last = wanted[-1].slug  # of the solutions it may see the most
    reserve = for_own_file(last, imports)
    import course.runner  # noqa: F401  (warm from here on)

    seen = {module.slug: stamp(exercise_file(module)) if len(wanted) > 1 else None for module in wanted}
    files = ", ".join(str(report.shown(exercise_file(m))) for m in wanted)
    console.print(f"Watching {files}. Save to check, Ctrl-C to stop.")
    try:
        while True:
            for module in wanted:
                file = exercise_file(module)
                if stamp(file) == seen[module.slug]:
                    continue
                seen[module.slug] = _settled(file)
                if seen[module.slug] is None:
                    console.print(
                        f"\n{report.shown(file)} is gone. Waiting for it; "
                        f"{report.command()} reset {module.slug} brings the skeleton back."
                    )
                    continue
                _verdict(module, file, reserve, console)
                reserve = for_own_file(last, imports)  # after the verdict, which its imports would slow down
            time.sleep(POLL_SECONDS)
    finally:
        reserve.kill()


def _verdict(module: Module, file: Path, child: Child, console: Console) -> None:
    started = time.monotonic()
    try:
        records = run(module, file, child=child)
    except UserError as problem:  # the next save may find it mended
        console.print(str(problem), markup=False, soft_wrap=True)
        return
    console.rule(style="dim")
    report.show(module, file, records, console)
    console.print(f"  [dim]{time.strftime('%H:%M:%S')}, checked in {time.monotonic() - started:.2f} s[/dim]")


def stamp(file: Path) -> tuple[int, int, int] | None:
    """What changes when a file is saved, in place or by a rename. None while it is not there."""
    try:
        now = file.stat()
    except OSError:
        return None
    return now.st_mtime_ns, now.st_size, now.st_ino


def _settled(file: Path) -> tuple[int, int, int] | None:
    """The stamp once it holds still: a file written in place is empty for a moment, one replaced may be missing."""
    until = time.monotonic() + GONE_SECONDS
    now = stamp(file)
    while True:
        time.sleep(STILL_SECONDS)
        last, now = now, stamp(file)
        if now == last and (now is not None or time.monotonic() > until):
            return now
