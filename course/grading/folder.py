"""The folder of a grading: what was handed in, every result there has ever been, the secret seed.

Pages and tables are made from these three files; whoever has them has the grading.
"""

import json
import secrets
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import IO, Any, TypeVar

from course.files import one_line, read, sweep, write_atomically
from course.grading.history import File, gradings
from course.grading.jsonl import JsonLines
from course.grading.submission import Submission
from course.installing.environment import try_lock
from course.record import STATUSES, Record
from course.runner import course_version
from course.syllabus import UserError

T = TypeVar("T")
MAY_BE_FIRST = {"settings.toml", "roster.csv"}  # what an instructor may have put there before the first grading


@dataclass(frozen=True)
class Delivery:
    """One file as it came in, without its bytes, which `attempt` names. submitted: timezone-aware. size: in bytes."""

    student: str
    display: str
    module: str
    attempt: str
    name: str
    submitted: datetime | None
    late: bool
    size: int
    refusal: str


class Folder:
    """The folder at a path. Reading never changes it; who writes has it alone, until `close` or the process's end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._results = JsonLines(path / "results.jsonl")
        self._submissions = JsonLines(path / "submissions.jsonl")
        self._lock: IO[bytes] | None = None
        self._problems: dict[Path, list[str]] = {}

    def __enter__(self) -> "Folder":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def problems(self) -> list[str]:
        """What could not be understood in the files read so far: a line each."""
        return [line for lines in self._problems.values() for line in lines]

    def begin(self, seed: int | None) -> int:
        """Make the folder, or go on in it, and return the base seed: this one, else the one it has, else a new one.

        Raises UserError if another process is grading into it, or if it holds other things than a grading.
        """
        path = self.path / "grading.json"
        with one_line(None, self.path.parent):
            self._hold()
            known = self._known(path)
            before = known.get("seed")
            if seed is None:
                seed = secrets.randbelow(2**63) if before is None else before
            earlier = [s for s in known.get("earlier_seeds", []) if s != seed]
            if before not in (None, seed):
                earlier.append(before)
            now = {"seed": seed, "earlier_seeds": earlier, "course_version": course_version()}
            if now != known:
                write_atomically(path, (json.dumps(now, indent=1) + "\n").encode())
        return seed

    def note(self, submissions: Iterable[Submission]) -> None:
        """Remember what was handed in; what is known already is not noted twice."""
        with one_line(None, self.path.parent):
            self._hold()
            known = Counter(self.deliveries())
            new = []
            for delivery in map(_delivery, submissions):
                if known[delivery]:  # so often, and no oftener: whoever goes back to an earlier file hands it in anew
                    known[delivery] -= 1
                else:
                    new.append(delivery)
            self._submissions.append(map(_line, new))

    def append(self, records: Iterable[Record]) -> None:
        """Add the records of one file, all in one write that has reached the disk on return."""
        with one_line(None, self.path.parent):
            self._hold()
            self._results.append(record.to_json() for record in records)

    def deliveries(self) -> list[Delivery]:
        """Everything that was handed in, in the order in which it was noted."""
        return self._objects(self._submissions, Delivery)

    def records(self) -> list[Record]:
        """Every record, the oldest first. Lines that cannot be read are among `problems`."""
        return self._objects(self._results, Record)

    def graded(self) -> dict[File, list[Record]]:
        """The newest complete grading of each file: {(student, attempt, module): records}."""
        return {file: of_file[-1] for file, of_file in gradings(self.records()).items()}

    def close(self) -> None:
        """Let another process write here."""
        if self._lock:
            self._lock.close()
            self._lock = None

    def _hold(self) -> None:
        if self._lock:
            return
        if self.path.exists() and not self.path.is_dir():
            raise UserError(f"{self.path} is not a folder; name another for the grading")
        inside = {p.name for p in self.path.iterdir()} if self.path.is_dir() else set()
        others = {name for name in inside if not name.startswith(".")} - MAY_BE_FIRST
        if others and not inside & {"grading.json", "results.jsonl"}:
            raise UserError(f"{self.path} holds other things, such as {min(others)}; name a new folder for the grading")
        self.path.mkdir(parents=True, exist_ok=True)
        sweep(self.path)
        lock = open(self.path / ".lock", "a+b")  # noqa: SIM115 (it stays open for as long as we write here)
        if not try_lock(lock):
            lock.close()
            raise UserError(f"{self.path} is in use by another `course grade`; wait until it has ended, or end it")
        self._lock = lock

    def _known(self, path: Path) -> dict[str, Any]:
        content = read(path)
        if content is None:
            return {}
        try:
            known = json.loads(content)
            if all(type(s) is int for s in [known["seed"], *known["earlier_seeds"]]):
                return known
        except (ValueError, KeyError, TypeError):
            pass
        raise UserError(f"{path} is damaged; remove it, and name the seed again with --seed if you know it")

    def _objects(self, file: JsonLines, kind: type[T]) -> list[T]:
        with one_line(file.path, self.path.parent):
            rows, problems = file.rows()
        found, strange = [], dict[str, int]()
        expected = {field.name: field.type for field in fields(kind)}  # type: ignore[arg-type]
        for number, row in rows:
            strange |= {name: strange.get(name, number) for name in row.keys() - expected.keys()}
            try:
                found.append(kind(**{name: _value(row[name], type_) for name, type_ in expected.items()}))
                if isinstance(found[-1], Record) and found[-1].status not in STATUSES:
                    raise ValueError(found.pop())
            except (KeyError, ValueError, TypeError):
                problems.append(f"{file.path.name}:{number}: this line lacks an entry or has a wrong one; not counted")
        if strange:
            names, first = ", ".join(sorted(strange)), min(strange.values())
            problems.append(
                f"{file.path.name}:{first}: a newer version of the course wrote {names}, which this one passes over"
            )
        self._problems[file.path] = problems
        return found


def _value(value: Any, wanted: Any) -> Any:
    """A value read from JSON as what a field takes. Raises ValueError."""
    if wanted in (str, int, bool) and type(value) is wanted:
        return value
    if wanted is float and type(value) in (int, float):
        return float(value)
    if wanted == datetime | None and (value is None or isinstance(value, str)):
        return None if value is None else _aware(datetime.fromisoformat(value))
    raise ValueError(value)


def _aware(time: datetime) -> datetime:
    return time if time.tzinfo else time.astimezone()


def _delivery(s: Submission) -> Delivery:
    submitted = s.submitted and _aware(s.submitted)
    return Delivery(s.student, s.display, s.module, s.attempt, s.name, submitted, s.late, len(s.source), s.refusal)


def _line(delivery: Delivery) -> str:
    submitted = delivery.submitted.isoformat() if delivery.submitted else None
    return json.dumps(asdict(delivery) | {"submitted": submitted}, ensure_ascii=False)
