"""Writing files that somebody cares about: the old bytes or the new ones, never half of either, never gone."""

import os
import tempfile
from datetime import datetime
from pathlib import Path

from course.syllabus import ROOT, STATE


def write_atomically(path: Path, content: bytes) -> None:
    """Replace path by content. Whoever reads it, and a crash at any moment, finds the old bytes or the new ones."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # The temporary file stands beside its target: a rename is atomic within one file system only.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def back_up(path: Path) -> Path:
    """Copy a file of the course to .course/backups/<date>/ before it changes, and return the copy's path."""
    stamp = datetime.now().strftime("%Y-%m-%d_%H%M%S.%f")
    copy = STATE / "backups" / stamp / path.relative_to(ROOT)
    write_atomically(copy, path.read_bytes())
    return copy
