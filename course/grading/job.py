"""One file of one student, asked one module's questions: the unit that a pool or a cluster works on."""

import hmac
import threading
import traceback
from dataclasses import dataclass
from pathlib import Path

from course.record import Record
from course.syllabus import UserError

_one_at_a_time = threading.Lock()  # a check's proxy asks the session of its process, and there is one


@dataclass(frozen=True)
class Job:
    """Plain data, so that it can be sent to another process or machine.

    seed: of the questions. check_hash: of the file of checks that shall ask them. trust: go without a sandbox where the
    computer has none.
    """

    student: str
    attempt: str
    module: str
    name: str
    source: bytes
    refusal: str
    seed: int
    check_hash: str
    trust: bool


def seed_for(secret: int, student: str, attempt: str, module: str) -> int:
    """The seed of one file's questions, below 2**31. Whoever knows some of them, from feedback, knows no other."""
    about = "\0".join((student, attempt, module)).encode("utf-8", "surrogatepass")
    key = secret.to_bytes(max(8, (secret.bit_length() + 7) // 8), "big")
    return int.from_bytes(hmac.digest(key, about, "sha256")[:4], "big") >> 1


def work(job: Job) -> list[Record]:
    """The records of one file: one for each check of its module, whatever the file does.

    Raises only what the module's own file of checks raises when it is read.
    """
    from course.grading.ask import ask, without_asking  # pytest and MuJoCo, which the process that plans has no use for

    try:
        if job.refusal:
            return without_asking(job, "refused", job.refusal)
        with _one_at_a_time:
            return ask(job)
    except Exception as problem:
        where = traceback.extract_tb(problem.__traceback__)[-1]
        told = "" if isinstance(problem, UserError) else f" ({Path(where.filename).name}:{where.lineno})"
        return broken(job, f"{type(problem).__name__}: {problem}{told}")


def broken(job: Job, why: str) -> list[Record]:
    """What is noted when we or the computer failed: no points, no blame, and asked again by the next run."""
    from course.grading.ask import without_asking

    return without_asking(job, "error", f"it could not be asked, which is not the student's fault: {why}")
