"""A course of two modules in a temporary folder, for the tests of the commands that write files."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from course.skeleton import replace, skeleton
from course.syllabus import Module, Todo, UserError
from course.update import update
from course.updating.base import ensure_base

FALL = '''"""A ball falls."""

import numpy as np

GRAVITY = 9.81  # m/s2


def speed(time: float) -> float:
    """Speed after a time in s, in m/s."""
    # TODO(you): what does gravity do in one second?
    ### BEGIN SOLUTION
    return GRAVITY * time
    ### END SOLUTION


def path(time: float) -> float:
    """Way after a time in s, in m."""
    # TODO(you): the mean speed, times the time.
    ### BEGIN SOLUTION
    mean = speed(time) / 2
    return mean * time
    ### END SOLUTION


def main():
    print(np.round([speed(1), path(1)], 2))


if __name__ == "__main__":
    main()
'''
NEWER = FALL.replace("GRAVITY = 9.81", "GRAVITY = 9.80665").replace("the mean speed", "the average speed")
SERVO = '''"""A servo pulls."""


def torque(error: float) -> float:
    """Torque in N m for an error in rad."""
    # TODO(you): a spring.
    ### BEGIN SOLUTION
    return 8.0 * error
    ### END SOLUTION
'''
ANSWERS = {
    "speed": "    g = GRAVITY  # mine\n    return g * time\n",
    "path": "    return speed(time) * time / 2  # mine\n",
}
LEFT = {"path": '    raise NotImplementedError("TODO(you): path")\n'}

MODULES = tuple(
    Module(number, slug, slug.title(), 1, 10, 1.0, (), tuple(Todo(name, 1, ("", "", "")) for name in todos))
    for number, slug, todos in ((0, "fall", ("speed", "path")), (1, "servo", ("torque",)))
)
FALL_MODULE, SERVO_MODULE = MODULES


def half_done() -> str:
    """fall.py of a student who has answered the first TODO."""
    return replace(FALL, {**ANSWERS, **LEFT})


def notebook(*cells: str) -> bytes:
    return json.dumps({"cells": [{"cell_type": "code", "source": [cell], "outputs": []} for cell in cells]}).encode()


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write files, given by their names relative to root."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def course(root: Path, **solutions: str) -> Path:
    """A course as it comes: every exercise still to do. solutions: other texts for fall or servo, or more modules."""
    solutions = {"fall": FALL, "servo": SERVO} | solutions
    write(root, {f"solutions/{slug}.py": text for slug, text in solutions.items()})
    write(root, {f"code/{slug}.py": skeleton(text) for slug, text in solutions.items()})
    return write(
        root,
        {
            "solutions/__init__.py": "",
            "lessons/syllabus.toml": "".join(f"[[module]]\nslug = '{slug}'\n" for slug in solutions),
            "lessons/00_fall.ipynb": notebook("print(1)"),
            "lessons/01_servo.ipynb": notebook("print(2)"),
            "tests/test_fall.py": "def test_fall(): ...\n",
            "course/program.py": "VERSION = 1\n",
            "README.md": "The course.\n",
            ".gitignore": ".course/\nlab/\n.*.tmp\n",
        },
    )


def worked_in(root: Path) -> Path:
    """A course in which somebody has used a command, answered one TODO and taken notes."""
    ensure_base(course(root))
    return write(root, {"code/fall.py": half_done(), "notes.md": "my notes"})


def next_version(root: Path) -> Path:
    """The course, a version later."""
    changed = {"README.md": "The course, second edition.\n", "lessons/02_more.ipynb": notebook("3")}
    return write(course(root, fall=NEWER), changed)


def merged() -> str:
    """What becomes of fall.py of `worked_in` in the next version."""
    return half_done().replace("9.81", "9.80665").replace("the mean speed", "the average speed")


def refused(source: str | None, root: Path) -> str:
    """What `course update` says when it refuses."""
    with pytest.raises(UserError) as problem:
        update(source, root=root)
    return str(problem.value)


def git(root: Path, *arguments: str) -> str:
    """Ask git, with a name for commits and without this computer's settings."""
    settings = ["-c", "user.name=Someone", "-c", "user.email=someone@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *settings, *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout


def commit(root: Path) -> None:
    """Commit everything, in a new repository if need be."""
    if not (root / ".git").exists():
        git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "A version")


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A folder into which nothing can be written. Skips the test for a user to whom the system refuses nothing."""
    folder.chmod(0o555)
    try:
        try:
            (folder / "probe").touch()
        except PermissionError:
            yield
        else:
            (folder / "probe").unlink()
            pytest.skip("the system refuses nothing to this user")
    finally:
        folder.chmod(0o755)


def text(root: Path, name: str) -> str:
    return (root / name).read_bytes().decode()


def backups(root: Path) -> dict[str, bytes]:
    """What lies in the backup folders: {name without the dated folder: content}; the newest one counts."""
    folder = root / ".course" / "backups"
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix().partition("/")[2]: path.read_bytes() for path in files}


def snapshot(root: Path) -> dict[str, bytes]:
    """Every file outside .git and .course."""
    skipped = (".git", ".course")
    found = {path.relative_to(root): path for path in sorted(root.rglob("*")) if path.is_file()}
    return {name.as_posix(): path.read_bytes() for name, path in found.items() if name.parts[0] not in skipped}
