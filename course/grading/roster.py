"""The list of the class, as a spreadsheet saves it: a CSV file with a column `id` and, if wanted, a column `name`."""

import csv
import io
from pathlib import Path

from course.boundary import one_line as in_one_line
from course.files import one_line, read
from course.syllabus import UserError


def read_roster(path: Path) -> dict[str, str] | None:
    """Names by student id, in the order of the file; None if it is not there.

    Commas, semicolons or tabs, any order of columns, any other columns, and whatever encoding Excel has chosen.
    Raises UserError with the line that is wrong.
    """
    with one_line(path, path.parent):
        content = read(path)
    if content is None:
        return None
    text = _decoded(content, path)
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep="):  # a note to Excel
        text, first = rest, rest.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as problem:
        raise UserError(f"{path.name} is no table that can be read: {problem}") from None
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    if "id" not in header:
        there = in_one_line(", ".join(filter(None, header)), 200) or "none"
        raise UserError(f"{path.name}: the first line must name a column id (and perhaps name); its columns: {there}")
    names: dict[str, str] = {}
    for number, row in enumerate(rows[1:], start=2):
        cells = [in_one_line(cell) for cell in row] + [""] * len(header)  # a short row is filled up
        student = cells[header.index("id")]
        if not any(cells):
            continue
        if not student or student in names:
            what = f"the id {student} is there twice" if student else "the id is missing"
            raise UserError(f"{path.name}, row {number}: {what}; give every student an id of their own")
        names[student] = cells[header.index("name")] if "name" in header else ""
    return names


def _decoded(content: bytes, path: Path) -> str:
    utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    # Excel's plain "CSV" is in the code page of Windows; everything else writes UTF-8.
    for encoding in ["utf-16"] if utf16 else ["utf-8-sig", "cp1252"]:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            pass
    raise UserError(f"{path.name} is not text in UTF-8; save it as CSV UTF-8")
