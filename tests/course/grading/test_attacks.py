"""Every submission under tests/course/attacks earns exactly its points, in time, and leaves nothing behind."""

import contextlib
import hashlib
import socket
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from corpus import CASES, MODULE, MOST, Case
from walls import SANDBOXES, each_sandbox, left_running, started_in

from course.grading.ask import checks_of
from course.grading.pool import in_processes
from course.record import Record
from course.sandbox import choose
from course.sandbox.room import workshop
from course.syllabus import ROOT

PROCESSES = 2
NEVER_OUR_FAULT = ("pass", "fail", "todo")  # "error" would be asked again, by each run
SEEN = ("bench", "models", "data", "course/child", "solutions", "tests/course/attacks")  # what attacks aim at


@dataclass
class Bait:
    """What an attack would like to read, change or talk to, and whether it has."""

    folder: Path
    names: dict[str, str] = field(default_factory=dict)
    listening: list[socket.socket] = field(default_factory=list)
    before: dict[str, str] = field(default_factory=dict)

    def touched(self) -> list[str]:
        """What is not as it was."""
        after = digests(self.folder)
        found = [path for path in self.before.keys() | after.keys() if self.before.get(path) != after.get(path)]
        for listener in self.listening:
            with contextlib.suppress(BlockingIOError):
                listener.recvfrom(100) if listener.type == socket.SOCK_DGRAM else listener.accept()
                found.append(f"{listener}")
        places = ("/", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/root", "/home", "/usr/lib")
        return found + [str(path) for place in places for path in Path(place).glob("course-attack*")]


@pytest.fixture
def bait(tmp_path, monkeypatch) -> Iterator[Bait]:
    laid = Bait(tmp_path)
    home, class_folder = tmp_path / "home", tmp_path / "class"
    for path, text in {
        home / ".profile": "# BAIT",
        class_folder / "secret.txt": "BAIT of another student",
        class_folder / "target.txt": "as it was",
        class_folder / "results.jsonl": '{"student": "somebody", "points": 0}\n',
        class_folder / "grading.json": '{"seed": 1}',
    }.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SECRET_TOKEN", "BAIT in the environment")
    monkeypatch.chdir(class_folder)  # where an instructor types the command
    with ExitStack() as stack:
        kinds = {
            "TCP": ("127.0.0.1", 0),
            "UDP": ("127.0.0.1", 0),
            "UNIX": str(tmp_path / "s"),
            "ABSTRACT": f"\0{tmp_path}",
        }
        for name, address in kinds.items():
            family = socket.AF_INET if isinstance(address, tuple) else socket.AF_UNIX
            kind = socket.SOCK_DGRAM if name == "UDP" else socket.SOCK_STREAM
            listener = stack.enter_context(socket.socket(family, kind))
            listener.bind(address)
            listener.setblocking(False)
            if kind == socket.SOCK_STREAM:
                listener.listen()
            laid.listening.append(listener)
            laid.names[name] = str(listener.getsockname()[1] if isinstance(address, tuple) else address.strip("\0"))
        laid.names |= {"CLASS": str(class_folder), "SECRET": f"{class_folder}/secret.txt"}
        laid.names["TARGET"] = f"{class_folder}/target.txt"
        laid.before = digests(tmp_path)
        yield laid


@each_sandbox
def test_every_submission_earns_exactly_its_points_and_leaves_nothing(sandbox, bait, monkeypatch, pytestconfig):
    """With `course test --full`; otherwise each sandbox gets every second one, and together they get all."""
    monkeypatch.setenv("COURSE_SANDBOX", sandbox)
    course = {name: digests(ROOT / name) for name in SEEN}
    both = not any(map(choose.lacking, SANDBOXES))
    asked = CASES[SANDBOXES.index(sandbox) :: 2] if both and not pytestconfig.getoption("full") else CASES
    cases = {case.name: case for case in asked}
    jobs = [case.job(bait.names) for case in sorted(asked, key=lambda case: -case.within)]
    kept = in_workshop()  # a child in reserve, of tests that ran in this process before

    graded = {job.student: records for job, records in in_processes(jobs, PROCESSES)}

    assert graded.keys() == cases.keys()
    wrong = [f"{name}: {problem}" for name, case in cases.items() for problem in problems(case, graded[name])]
    assert not wrong, "\n".join(wrong)
    assert bait.touched() == []
    assert {name: digests(ROOT / name) for name in SEEN} == course
    assert left_running(in_workshop()[0] - kept[0]) == []
    assert in_workshop()[1] <= kept[1]


def in_workshop() -> tuple[set[int], set[Path]]:
    """The processes and the scratch folders of this program's children."""
    return set(started_in(workshop())), set(Path(workshop()).glob("scratch-*"))


def problems(case: Case, records: list[Record]) -> Iterator[str]:
    """What is not as it must be about the records of one submission."""
    if [r.check for r in records] != list(checks_of(MODULE.slug)) or {r.student for r in records} != {case.name}:
        yield f"has records of {[(r.student, r.check) for r in records]}"
    earned = {todo: sum(r.points for r in records if r.todo == todo) for todo in MOST}
    if earned != case.points:
        yield f"earned {earned}, not {case.points}: {[r.message for r in records]}"
    for r in records:
        if r.status not in NEVER_OUR_FAULT or (r.points, r.max) != (r.max * (r.status == "pass"), r.max):
            yield f"{r.check} is {r.status} with {r.points} of {r.max}: {r.message}"
        if hidden := {c for c in r.message + r.printed if unicodedata.category(c)[0] == "C" and c not in "\n\t"}:
            yield f"{r.check} says {hidden}"
        if len(r.message) > 6_000 or len(r.printed) > 6_000:
            yield f"{r.check} says {len(r.message)} and {len(r.printed)} characters"
    said = "".join(r.printed + r.message for r in records)
    if "BREACH" in said:
        yield f"got through: {said}"
    if case.prints not in said:
        yield f"did not say {case.prints!r}: {said}"
    if (seconds := sum(r.seconds for r in records)) > case.within:
        yield f"took {seconds:.1f} s"


def digests(folder: Path) -> dict[str, str]:
    """The hash of every file beneath a folder, and the name of every other thing there."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if "__pycache__" not in path.parts and path.name != "MUJOCO_LOG.TXT":
            found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    return found


def test_the_corpus_is_large_enough():
    honest = [case for case in CASES if case.name.startswith(("honest/", "bytes/"))]
    assert len(honest) >= 15 and len(CASES) - len(honest) >= 80
