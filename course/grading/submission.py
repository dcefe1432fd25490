"""One file of one student, as it was handed in."""

import hashlib
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Submission:
    """One file of one student for one module. Ids and names are data, never paths; they are printable, in one line.

    student: the id that the learning platform or the folder gives. module: its slug, "" if nothing tells which.
    name: the file's own name. source: empty if the file was refused. refusal: why, in one line for the student.
    submitted: when, timezone-aware, if anything says so. late: the platform itself has marked it so.
    display: the student's name, if the platform tells it.
    """

    student: str
    module: str
    name: str
    source: bytes
    refusal: str = ""
    submitted: datetime | None = None
    late: bool = False
    display: str = ""

    @property
    def attempt(self) -> str:
        """The address of the content: the same bytes are the same attempt, whenever they come."""
        content = self.source
        if self.refusal:
            content = f"{self.name}\n{self.refusal}".encode(errors="backslashreplace")
        return hashlib.sha256(content).hexdigest()[:12]
