"""Which records belong together: one grading of one file, and the regradings after it."""

import hashlib
from collections.abc import Iterable

from course.record import Record
from course.syllabus import Module, modules

File = tuple[str, str, str]  # student, attempt, module: one file that was handed in


def gradings(records: Iterable[Record]) -> dict[File, list[list[Record]]]:
    """Every complete grading of every file, oldest first.

    The records of a grading are written at once, yet a crash may leave only some of them. Such a grading did not take
    place: the file is still to be graded.
    """
    found: dict[File, list[list[Record]]] = {}
    for record in records:
        of_file = found.setdefault((record.student, record.attempt, record.module), [])
        if not of_file or _is_another(of_file[-1], record):
            of_file.append([])
        of_file[-1].append(record)
    whole = _whole(run for of_file in found.values() for run in of_file)
    complete = {
        file: [run for run in of_file if _most(run) >= whole[run[0].module, run[0].check_hash]]
        for file, of_file in found.items()
    }
    return {file: of_file for file, of_file in complete.items() if of_file}


def checks_hash(module: Module) -> str:
    """The check_hash of a record that is made today, "" if the checks cannot be read."""
    try:
        return hashlib.sha256(module.checks.read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


def _is_another(run: list[Record], record: Record) -> bool:
    """Whether a record begins another grading of the same file."""
    same = (run[0].seed, run[0].check_hash, run[0].course_version)
    return same != (record.seed, record.check_hash, record.course_version) or any(r.check == record.check for r in run)


def _most(run: list[Record]) -> int:
    return sum(record.max for record in run)


def _whole(runs: Iterable[list[Record]]) -> dict[tuple[str, str], int]:
    """How many points are asked for in a complete grading, for each file of checks that was used."""
    whole = {(module.slug, checks_hash(module)): module.points for module in modules()}
    for run in runs:
        checks = run[0].module, run[0].check_hash
        whole[checks] = max(_most(run), whole.get(checks, 0))
    return whole
