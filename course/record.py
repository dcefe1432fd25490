"""One result: what one check said about one file. Terminal, notebook, JSON and every export are made of these."""

import json
from dataclasses import asdict, dataclass

STATUSES = ("pass", "fail", "todo", "error", "refused")


@dataclass(frozen=True)
class Record:
    """status: pass; fail, a wrong or missing answer; todo, not written yet; error, our fault; refused, file not taken.

    check_hash: of the file of checks, which tells a regrade from a changed question. printed: by the student's code.
    """

    student: str
    attempt: str
    module: str
    todo: str
    check: str
    status: str
    points: int
    max: int
    message: str
    printed: str
    seconds: float
    seed: int
    check_hash: str
    course_version: str

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)
