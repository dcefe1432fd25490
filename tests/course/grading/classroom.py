"""A class in a temporary folder, made up from a seed: who handed in what, and what the checks said about it."""

import hashlib
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from course.grading.folder import Folder
from course.grading.gradebook import Gradebook
from course.grading.submission import Submission
from course.record import Record
from course.syllabus import module

MODULE = module("actuator_modes")
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
HOSTILE = [
    "../../etc/passwd",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "=HYPERLINK(\"http://example.org\",\"x\")",
    "CON",
    "con",
    "nul.txt",
    "a/b\\c:d*e?f|g",
    "\u202etxt.exe",
    "Ada\nLovelace\x07\x1b[31m",
    "@SUM(A1)",
    "-1+2",
    "x" * 5_000,
    "é",
    "e\u0301",
    "{{ 7 * 7 }}{% raw %}",
    "]]><b>&lt;</b>",
]  # fmt: skip
WRONG = "asked     pd_force(target={0})\nanswered  {1} N m\nexpected  3 N m\nperhaps   the sign of kv"


def checks(slug: str = "actuator_modes") -> list[tuple[str, str, int]]:
    """(todo, check, points): a check for each point but one of every TODO, the first being worth two."""
    found = []
    for todo in module(slug).todos:
        points = [2] + [1] * (todo.points - 2)
        found += [(todo.name, f"test_{todo.name}_{number}", most) for number, most in enumerate(points)]
    return found


def submission(student: str, source: bytes = b"x = 1\n", slug: str = "actuator_modes", **more) -> Submission:
    return Submission(student, slug, more.pop("name", f"{slug}.py"), source, **more)


def records(given: Submission, statuses: str | list[str] = "pass", seed: int = 7, **more) -> list[Record]:
    """What the checks say about a file. statuses: of all checks, or of each; the last one is of all that follow."""
    statuses = [statuses] if isinstance(statuses, str) else statuses
    found = []
    for place, (todo, name, most) in enumerate(checks(given.module)):
        status = statuses[min(place, len(statuses) - 1)]
        message = "" if status == "pass" else WRONG.format(place, "1.5") if status == "fail" else f"{status} it is"
        entries = {"message": message, "printed": "", "seconds": 0.01, "check_hash": "c0ffee", "course_version": "1"}
        points = most if status == "pass" else 0
        found.append(
            Record(given.student, given.attempt, given.module, todo, name, status, points, most, seed=seed,
                   **entries | more)
        )  # fmt: skip
    return found


def grade(path: Path, *graded: tuple[Submission, str | list[str]], **more) -> Path:
    """A folder in which these files have been graded, with these statuses."""
    with Folder(path) as folder:
        folder.begin(1234567890123)
        folder.note(given for given, _ in graded)
        for given, statuses in graded:
            folder.append(records(given, statuses, **more))
    return path


def hostile_class(path: Path, seed: int = 1, students: int = 12) -> Path:
    """A class of ordinary and hostile students in three modules, several files each, some of them graded twice."""
    rng = random.Random(seed)
    names = [f"student{n:02d}" for n in range(students)] + HOSTILE
    with Folder(path) as folder:
        folder.begin(1234567890123)
        for number, student in enumerate(names):
            for slug in ("first_steps", "actuator_modes", "gain_bias"):
                for attempt in range(rng.choice([slug == "actuator_modes", 1, 1, 2])):
                    given = submission(
                        student,
                        f"{number} {slug} {attempt}".encode(),
                        slug,
                        name=rng.choice([f"{slug}.py", "<b>work</b>.ipynb", "../x.py"]),
                        submitted=NOON + timedelta(hours=rng.uniform(-48, 72)),
                        display="" if number % 3 else f"Name {student}",
                    )
                    folder.note([given])
                    for seed in range(rng.choice([1, 1, 2])):
                        statuses = rng.choices(["pass", "fail", "todo", "error"], [6, 3, 1, 0.3], k=20)
                        printed = rng.choice(["", f"loud {student}\n</pre><script>alert(2)</script>\x00\ud800"])
                        folder.append(records(given, statuses, seed=100 + seed, printed=printed))
            if number % 5 == 0:
                folder.note([submission(student, b"", "", name="notes.doc", refusal=f"{student}: no module")])
    return path


def book(path: Path) -> Gradebook:
    return Gradebook.load(path)


def digest(folder: Path) -> dict[str, str]:
    """Every file beneath a folder, and the hash of its bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
