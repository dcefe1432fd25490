"""Inside Gradescope's container: grade the one submission that is there, and say the result as Gradescope reads it.

    python -m course.releasing.autograder MODULE /autograder

`run_autograder` has written a result of no points before it starts this, which stays if anything here fails.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from course.files import write_atomically
from course.grading.gradebook import Gradebook
from course.record import Record
from course.report import WORDS, sentence
from course.syllabus import ROOT, Module, module

OUR_FAULT = "This is not your fault: please tell your instructor."


def main() -> None:
    wanted, autograder = module(sys.argv[1]), Path(sys.argv[2])
    protect(wanted, autograder)
    with tempfile.TemporaryDirectory() as work:
        write_atomically(autograder / "results" / "results.json", grade(wanted, autograder / "submission", Path(work)))


def protect(module: Module, autograder: Path) -> None:
    """Leave to root alone what a submission must not see or change, in case no sandbox but another account is there."""
    for path in (ROOT / "tests", module.solution, autograder / "results"):
        os.chmod(path, 0o700 if path.is_dir() else 0o600)


def grade(module: Module, submission: Path, work: Path) -> bytes:
    """Have `course grade` look at a submission, and return Gradescope's results.json. work: an empty folder."""
    with contextlib.suppress(shutil.Error):  # what cannot be copied is no file, and the others have been
        shutil.copytree(submission, work / "class" / "student", symlinks=True)
    # --trust: a container that is thrown away is the last wall where it allows no better sandbox inside.
    told = ["grade", str(work / "class"), "-o", str(work / "graded"), "--trust"]
    subprocess.run([sys.executable, "-m", "course", *told], cwd=ROOT, stdin=subprocess.DEVNULL)
    return json.dumps(results(module, Gradebook.load(work / "graded")), ensure_ascii=False, indent=1).encode()


def results(module: Module, gradebook: Gradebook) -> dict[str, Any]:
    """What Gradescope shows: one entry per check, and the sum. A check of which nothing was heard gives nothing."""
    grades = [student.grades[module.slug] for student in gradebook.students if module.slug in student.grades]
    records = [record for grade in grades for record in grade.records]
    lines = [file.refusal for student in gradebook.students for file in student.unplaced if not records]
    if not records and not any(grade.attempts for grade in grades):
        lines.append(f"Nothing to grade was found. Hand in {module.slug}.py, or the notebook {module.slug}.ipynb")
    elif any(record.status == "error" for record in records) or sum(record.max for record in records) < module.points:
        lines.append(f"Not every check gave a result. {OUR_FAULT}")
    return {
        "score": sum(record.points for record in records),
        "output": "\n".join(lines),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": [case(record) for record in records],
    }


def case(record: Record) -> dict[str, Any]:
    """One check as Gradescope's "test case"."""
    lines = [f"{WORDS[record.status][0]}: {record.message}" if record.message else WORDS[record.status][0]]
    if record.status == "error":
        lines.append(OUR_FAULT)
    if record.status == "fail":
        lines.append(f"The same question: course check {record.module} --seed {record.seed} --only {record.check}")
    if record.printed.strip():
        lines += ["your code printed:", record.printed.rstrip()]
    return {
        "name": f"{record.todo}: {sentence(record.check)}",
        "name_format": "text",
        "score": record.points,
        "max_score": record.max,
        "status": "passed" if record.status == "pass" else "failed",
        "output": "\n".join(lines),
        "output_format": "text",
        "visibility": "visible",
    }


if __name__ == "__main__":
    main()
