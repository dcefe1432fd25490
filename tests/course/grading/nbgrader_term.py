"""A course of nbgrader's in a temporary folder: its commands, what students hand in, what its gradebook says."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import nbformat

from course.syllabus import module

MODES = module("actuator_modes")
NOTEBOOK = "actuator_modes/actuator_modes.ipynb"
STUB = "# YOUR CODE HERE\n    raise NotImplementedError()"
POINTS = {todo.name: todo.points for todo in MODES.todos}


def nbgrader(course_dir: Path, *words: str) -> str:
    """Run one of nbgrader's own commands; its first one starts `alembic` by name, from the environment's folder."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    command = [sys.executable, "-m", "nbgrader", *words]
    done = subprocess.run(
        command, cwd=course_dir, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


def hand_in(course_dir: Path, student: str, answers: dict[str, str], **metadata: bool) -> None:
    """The released notebook with answers {TODO: lines} in it. metadata: what the student changed in nbgrader's."""
    nb = nbformat.read(course_dir / "release" / NOTEBOOK, as_version=4)
    for cell in nb.cells:
        name = cell.metadata.nbgrader.grade_id
        if name in answers:
            cell.source = cell.source.replace(f"    {STUB}", answers[name].rstrip("\n"))
            cell.metadata.nbgrader.update(metadata)
    path = course_dir / "submitted" / student / NOTEBOOK
    path.parent.mkdir(parents=True)
    nbformat.write(nb, path)


def gradebook(course_dir: Path):
    from nbgrader.api import Gradebook

    return closing(Gradebook(f"sqlite:///{course_dir / 'gradebook.db'}", course_id=""))


def points(course_dir: Path, student: str) -> dict[str, float]:
    with gradebook(course_dir) as known:
        submitted = known.find_submission_notebook("actuator_modes", "actuator_modes", student)
        return {grade.name: grade.score for grade in submitted.grades}


def comments(course_dir: Path, student: str) -> dict[str, str | None]:
    with gradebook(course_dir) as known:
        submitted = known.find_submission_notebook("actuator_modes", "actuator_modes", student)
        return {c.name: c.comment for c in submitted.comments}
