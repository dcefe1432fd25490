"""Whose a file is: ids are data, stay apart, and nobody gets another's or an earlier date by a name."""

import os

import handed_in
import pytest
from handed_in import GAIN, MODES, write

from course.grading.collect import collect


def test_ids_that_climb_are_data(tmp_path):
    metadata = "".join(
        f"submission_{i}:\n  :submitters:\n  - :sid: {sid}\n"
        for i, sid in enumerate(
            ['"../../etc"', '"a/b"', '"A/b"', '"a\\nb"', '"\\u202ea"', '"' + "x" * 5_000 + '"', '"\\xe9"']
        )
    )
    files = {"submission_metadata.yml": metadata} | {f"submission_{i}/{MODES}.py": str(i) for i in range(7)}
    before = sorted(p.name for p in tmp_path.parent.iterdir())
    found = collect(handed_in.zipped(tmp_path / "class.zip", files))
    by_source = {s.source: s.student for s in found}
    assert [by_source[str(i).encode()] for i in (0, 1, 2, 6)] == ["../../etc", "a/b", "A/b", "\u00e9"]
    assert len({s.student for s in found}) == 7 and all(s.student.isprintable() and len(s.student) < 100 for s in found)
    found = collect(handed_in.zipped(tmp_path / "up.zip", {f"../../{MODES}.py": "1", f"/{GAIN}.py": "2"}))
    assert sorted(s.student for s in found) == ["..", "up"]
    assert sorted(p.name for p in tmp_path.parent.iterdir()) == before


def test_ids_that_differ_in_case_or_form_stay_apart(tmp_path):
    names = ["ada", "Ada", "\u00e9", "e\u0301", "a b", "a\tb"]
    found = collect(handed_in.zipped(tmp_path / "class.zip", {f"{name}/{MODES}.py": name for name in names}))
    assert len({s.student for s in found}) == len(names)


def test_nobody_hands_in_for_somebody_else(tmp_path):
    """Eve's folder holds what would be Ada's, were it at the top."""
    claim = "submission_1:\n  :submitters:\n  - :sid: ada\n"
    hers = {
        f"ada_1_99_{MODES}.py": "2",
        f"Ada_1_assignsubmission_file_/{MODES}.py": "2",
        f"../ada/{MODES}.py": "2",
        f"..\\ada/{MODES}.py": "2",
        "submission_metadata.yml": claim,
        f"submission_1/{MODES}.py": "2",
        f"assignment_1_export/submission_1/{MODES}.py": "2",
        "assignment_1_export/submission_metadata.yml": claim,
    }
    files = {f"ada/{GAIN}.py": "1", f"bob/{MODES}.py": "1"} | {f"eve/{name}": text for name, text in hers.items()}
    found = collect(handed_in.zipped(tmp_path / "class.zip", files))
    assert {s.student for s in found} == {"ada", "bob", "eve"}
    assert [s.source for s in found if s.student == "ada"] == [b"1"]
    alone = {name: text for name, text in files.items() if name.startswith("eve/") and "\\" not in name}
    alone = {name: text for name, text in alone.items() if ".." not in name}
    assert {s.student for s in collect(write(tmp_path / "late", alone))} == {"eve"}, "even where she is the only one"


def test_nobody_is_early_because_of_a_name(tmp_path):
    files = {
        f"Ada_1_assignsubmission_file_/2020-01-01T00-00/{MODES}.py": "1",
        "Ada_1_assignsubmission_file_/2020-01-01T00-00/timestamp.txt": "2020-01-01 00:00:00 UTC",
        f"submission_7/2020-01-01T00-00/{MODES}.py": "1",
    }
    assert {s.submitted for s in collect(handed_in.zipped(tmp_path / "class.zip", files))} == {None}


def test_dates_that_nobody_can_reckon_with(tmp_path):
    root = write(tmp_path / "class", {f"ada/0001-01-01/{MODES}.py": "1", f"bob/9999-12-31/{MODES}.py": "1"})
    for student, time in (("ada/0001-01-01", -62_000_000_000), ("bob/9999-12-31", 253_402_300_799)):
        try:
            os.utime(root / student / f"{MODES}.py", (time, time))
        except (OSError, OverflowError):
            pytest.skip("no such dates here")
    assert [s.submitted for s in collect(root)] == [None, None]
