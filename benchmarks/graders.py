"""The graders that benchmarks/grading.py measures: what each needs, what to run, and where its verdicts are."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat.v4 import new_code_cell

from course.grading.ask import checks_of
from course.record import Record
from course.releasing.notebooks import notebook
from course.syllabus import ROOT, module

MODULE = module("actuator_modes")
FILE = f"{MODULE.slug}.ipynb"
ASSERTS = (ROOT / "benchmarks" / "plain_asserts.py").read_text(encoding="utf-8")

Verdicts = dict[tuple[str, str], bool]  # (student, check) -> whether it was passed
Commands = list[tuple[list[str], Path]]  # what to run side by side, each in which folder


class Spent(NamedTuple):
    """In s: until the last process had ended, and of all processors together."""

    seconds: float
    processor: float


def timed(commands: Commands) -> Spent:
    """Run these until the last one has ended. One that fails ends the benchmark with its last words."""
    said = [(folder / "said").open("w+", encoding="utf-8") for _, folder in commands]
    started, before = time.perf_counter(), os.times()
    running = [
        subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
        for (command, folder), out in zip(commands, said, strict=True)
    ]
    try:
        codes = [process.wait() for process in running]
        seconds, after = time.perf_counter() - started, os.times()
    finally:
        for process in running:  # after Ctrl-C: as if it had been theirs, so that they end what they have started
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
    for (command, _), code, out in zip(commands, codes, said, strict=True):
        with out:
            if code:
                out.seek(0)
                sys.exit(f"{' '.join(command[:4])} ended with exit code {code}:\n{out.read()[-2000:]}")
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return Spent(seconds, processor)


class Grader:
    name: str

    def commands(self, place: Path, students: dict[str, bytes], processes: int) -> Commands:
        """place: a new folder, into which all that is needed is put. students: their notebooks."""
        raise NotImplementedError

    def verdicts(self, place: Path) -> Verdicts:
        raise NotImplementedError


class Course(Grader):
    name = "course grade"

    def commands(self, place: Path, students: dict[str, bytes], processes: int) -> Commands:
        hand_in(students, place / "class")
        return [([sys.executable, "-m", "course", "grade", "class", "-o", "graded", "--jobs", str(processes)], place)]

    def verdicts(self, place: Path) -> Verdicts:
        lines = (place / "graded" / "results.jsonl").read_text(encoding="utf-8").splitlines()
        return {(r.student, r.check): r.status == "pass" for r in (Record(**json.loads(line)) for line in lines)}


class NbGrader(Grader):
    name = "nbgrader"

    def __init__(self, course_dir: Path) -> None:
        """Make the folder of a course in which the module is released."""
        self.course_dir = course_dir
        self.released = course_dir / "release" / MODULE.slug / FILE
        (course_dir / "source" / MODULE.slug).mkdir(parents=True)
        nbformat.write(source_notebook(), course_dir / "source" / MODULE.slug / FILE)
        (course_dir / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'benchmark'\n")
        timed([([sys.executable, "-m", "nbgrader", "generate_assignment", MODULE.slug], course_dir)])

    def commands(self, place: Path, students: dict[str, bytes], processes: int) -> Commands:
        for part, few in enumerate(shared(students, processes)):
            shutil.copytree(self.course_dir, place / str(part))
            hand_in(few, place / str(part) / "submitted", MODULE.slug)
        command = [sys.executable, "-m", "nbgrader", "autograde", MODULE.slug, "--log-level=ERROR"]
        return [(command, place / str(part)) for part in range(processes)]

    def verdicts(self, place: Path) -> Verdicts:
        from nbgrader.api import Gradebook

        found: Verdicts = {}
        for base in place.glob("*/gradebook.db"):
            with Gradebook(f"sqlite:///{base}") as book:
                for handed in book.assignment_submissions(MODULE.slug):
                    found |= {(handed.student.id, g.name): g.auto_score > 0 for g in handed.notebooks[0].grades}
        return found


class Otter(Grader):
    name = "otter-grader"

    def __init__(self, folder: Path, python: Path) -> None:
        """Make an autograder. python: of an environment that has otter-grader."""
        self.python, self.autograder = str(python), folder / "autograder.zip"
        (folder / "tests").mkdir(parents=True)
        for name, check in checks_of(MODULE.slug).items():
            head = (
                f"OK_FORMAT = False\nfrom otter.test_files import test_case\nname = {name!r}\npoints = {check.points}\n"
            )
            text = ASSERTS.replace(f"def {name}(", f"@test_case()\ndef {name}(")
            (folder / "tests" / f"{name}.py").write_text(head + text, encoding="utf-8")
        timed([([self.python, "-m", "otter", "generate", "-o", str(self.autograder)], folder)])

    def commands(self, place: Path, students: dict[str, bytes], processes: int) -> Commands:
        for part, few in enumerate(shared(students, processes)):
            hand_in(few, place / str(part))
        return [([self.python, "-c", OTTER, str(self.autograder)], place / str(part)) for part in range(processes)]

    def verdicts(self, place: Path) -> Verdicts:
        found = [json.loads(file.read_text(encoding="utf-8")) for file in place.glob("*/*/verdicts.json")]
        return {(student, check): passed for student, verdicts in found for check, passed in verdicts.items()}


OTTER = """
import json, sys
from pathlib import Path
from otter.api import grade_submission

for file in sorted(Path.cwd().glob("*/*.ipynb")):
    results = grade_submission(str(file), sys.argv[1], quiet=True).results
    verdicts = {name: test.passed_all for name, test in results.items()}
    (file.parent / "verdicts.json").write_text(json.dumps([file.parent.name, verdicts]))
"""


def source_notebook() -> nbformat.NotebookNode:
    """The course's own notebook for nbgrader, with a cell for each check that nbgrader marks by itself."""
    made = notebook(MODULE, MODULE.solution.read_text(encoding="utf-8"))
    del made.cells[-1]  # it runs the whole script, which the others do not
    for cell in made.cells:
        if cell.metadata.nbgrader.solution:
            cell.metadata.nbgrader.grade = False
            del cell.metadata.nbgrader["points"]
    text = ASSERTS
    for name, check in checks_of(MODULE.slug).items():
        cell = new_code_cell(
            f"### BEGIN HIDDEN TESTS\n{text}\n{name}({check.todo})\n### END HIDDEN TESTS", id=name[:60]
        )
        flags = {"grade": True, "solution": False, "locked": True, "task": False, "points": check.points}
        cell.metadata["nbgrader"] = {"grade_id": name, "schema_version": 3, "cell_type": "code", **flags}
        made.cells.append(cell)
        text = ""  # what the first of them defines, all of them can call
    return made


def hand_in(students: dict[str, bytes], folder: Path, below: str = "") -> None:
    """Write folder/STUDENT/below/FILE of each student."""
    for student, content in students.items():
        (folder / student / below).mkdir(parents=True)
        (folder / student / below / FILE).write_bytes(content)


def shared(students: dict[str, bytes], parts: int) -> Iterator[dict[str, bytes]]:
    """The class dealt out to so many processes."""
    return (dict(islice(students.items(), part, None, parts)) for part in range(parts))
