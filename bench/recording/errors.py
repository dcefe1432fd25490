"""The one error of recordings. `bench` prints its text and nothing else."""

from pathlib import Path


class RecordingError(ValueError):
    """Something the user can mend. Its text is one line: file, column, remedy."""

    def __init__(self, file: Path | str, problem: str = "", remedy: str = ""):
        # With the text alone it is made again in another process (Exception.__reduce__ hands on `args`).
        text = str(file) + (f": {problem}" if problem else "") + (f"; {remedy}" if remedy else "")
        super().__init__(" ".join(text.split()))
