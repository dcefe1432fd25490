"""Read files that somebody else wrote, and say in one line what is wrong with them."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from bench.recording.errors import RecordingError
from bench.recording.reader import UNREADABLE

WHOLE = "is the copy complete?"


def read_json(file: Path) -> dict[str, Any]:
    """A JSON object. Raises RecordingError."""
    value = _parsed(_text(file), file)
    if not isinstance(value, dict):
        raise RecordingError(
            file, f"holds a {type(value).__name__} instead of an object", "is it another program's file?"
        )
    return value


def read_json_lines(file: Path) -> list[dict[str, Any]]:
    """One JSON object a line. Raises RecordingError with the number of the bad line."""
    rows = []
    for number, line in enumerate(_text(file).splitlines(), start=1):
        if line.strip():
            row = _parsed(line, f"{file}, line {number}")
            if not isinstance(row, dict):
                raise RecordingError(f"{file}, line {number}", "is not an object", WHOLE)
            rows.append(row)
    return rows


def read_parquet(file: Path, columns: list[str] | None = None) -> dict[str, Any]:
    """The columns of a Parquet file, as pyarrow arrays by name. Raises RecordingError."""
    try:
        table = pq.ParquetFile(file).read(columns=columns)
        table.validate(full=True)
        return {name: table[name] for name in table.column_names}
    except FileNotFoundError:
        raise RecordingError(file, "is not there", WHOLE) from None
    except UNREADABLE as problem:
        raise RecordingError(file, f"is damaged or not Parquet ({_first_line(problem)})", WHOLE) from None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RecordingError(file, "is not there", WHOLE) from None
    except OSError as problem:
        raise RecordingError(file, f"cannot be read ({problem.strerror})") from None
    except UnicodeDecodeError:
        raise RecordingError(file, "is not text", "is it another program's file?") from None


def _parsed(text: str, where: Path | str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise RecordingError(where, f"is not JSON ({_first_line(problem)})", WHOLE) from None


def _first_line(problem: BaseException) -> str:
    return (str(problem).strip() or type(problem).__name__).splitlines()[0][:120]
