"""Files to grade, for the tests of grading."""

from course.grading.history import checks_hash
from course.grading.job import Job
from course.mutants import mutants
from course.syllabus import module

MODULE = module("actuator_modes")
RIGHT = MODULE.solution.read_text(encoding="utf-8")
SKELETON = MODULE.exercise.read_text(encoding="utf-8") if MODULE.exercise.exists() else ""
WRONG = mutants(MODULE)[0].file(RIGHT)
LEAVES = "import os\nos._exit(0)\n"


def job(student: str, text: str | bytes = RIGHT, *, name: str = "actuator_modes.py", refusal: str = "", seed: int = 7):
    """One file as a job."""
    source = text.encode() if isinstance(text, str) else text
    return Job(student, "a" * 12, MODULE.slug, name, source, refusal, seed, checks_hash(MODULE), False)


def points(records) -> int:
    return sum(record.points for record in records)
