"""What learning platforms export: whose each file is, when it came, and which is the newest."""

import handed_in
import pytest
from handed_in import GAIN, MODES, NOON, in_both, rows, write

from course.grading.collect import collect

METADATA = """---
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '007'
    :email: ada@example.org
  :created_at: 2026-11-01 12:00:00.123456000 Z
  :score: 3.0
  :results:
    tests: []
submission_2:
  :submitters:
  - :name: Bob
    :sid:
    :email: bob@example.org
  - :name: Cy
    :sid: 0010
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2026-11-01 12:00:00.000000000 Z
    time: 2026-11-01 05:00:00.000000000 Z
"""


def test_nbgrader(tmp_path):
    files = {
        f"submitted/ada/{MODES}/{MODES}.ipynb": "1",
        f"submitted/ada/{MODES}/timestamp.txt": "2026-11-01 12:00:00.948203 UTC\n",
        f"submitted/bob/hw1/{GAIN}.ipynb": "2",
        "submitted/bob/hw1/timestamp.txt": "2026-11-01 12:00:00",
        f"source/{MODES}/{MODES}.ipynb": "answers",
        f"release/{MODES}/{MODES}.ipynb": "skeleton",
        "gradebook.db": "",
    }
    root = write(tmp_path / "course", files)
    for path in (root, root / "submitted", handed_in.zipped(tmp_path / "course.zip", files)):
        found = collect(path)
        assert rows(found) == [("ada", MODES, "1"), ("bob", GAIN, "2")]
        assert {s.submitted for s in found} == {NOON}, "nbgrader's times are in UTC"
    assert rows(collect(root / "submitted" / "ada")) == [("ada", MODES, "1")]


def test_nbgrader_with_a_class_of_one(tmp_path):
    files = {f"submitted/ada/hw1/{MODES}.ipynb": "1", f"submitted/ada/hw2/{GAIN}.ipynb": "2"}
    root = write(tmp_path / "course", files)
    for path in (root, root / "submitted"):
        assert rows(collect(path)) == [("ada", MODES, "1"), ("ada", GAIN, "2")]


def test_canvas(tmp_path):
    files = {
        f"lovelaceada_12345_67890_{MODES}-1.py": "1",
        f"babbagecharles_LATE_12346_67891_01_{MODES}.py": "2",
        f"o'neil_jr_7_67892_{GAIN} (1).ipynb": "3",
        f"lovelaceada_99_67893_{GAIN}.py": "4",
        f"anon_x9Kq2_67894_{MODES}.py": "5",
        f"LATE_anon_Aa1_67895_{MODES}.py": "6",
        "hopper_12347_text.html": "typed in",
        "lovelaceada_12345_67896_report.pdf": "",
    }
    for path in in_both(tmp_path, files):
        found = {s.student: s for s in collect(path)}
        assert {student: (s.module, s.display, s.late, s.source.decode()) for student, s in found.items()} == {
            "12345": (MODES, "lovelaceada", False, "1"),
            "12346": (MODES, "babbagecharles", True, "2"),
            "7": (GAIN, "o'neil_jr", False, "3"),
            "99": (GAIN, "lovelaceada", False, "4"),
            "anon_x9Kq2": (MODES, "", False, "5"),
            "anon_Aa1": (MODES, "", True, "6"),
            "12347": ("", "hopper", False, ""),
        }
        assert found["12345"].name == f"{MODES}-1.py", "as the student had called it"
        assert found["12347"].refusal == "no file of a module here; expected e.g. first_steps.py"
        assert {s.submitted for s in found.values()} == {None}, "the dates of the files are those of the export"


def test_of_two_files_in_canvas_the_later_upload_is_newer(tmp_path):
    files = {f"ada_1_{upload}_{MODES}{copy}.py": upload for upload, copy in (("100", ""), ("99", "-2"), ("101", "-1"))}
    assert [s.source.decode() for s in collect(handed_in.zipped(tmp_path / "a.zip", files))] == ["99", "100", "101"]


def test_moodle(tmp_path):
    files = {
        f"Ada Lovelace_1234567_assignsubmission_file_/{MODES}.py": "1",
        f"Charles Babbage_1234568_assignsubmission_file/code/{MODES}.py": "2",
        f"Zo\u00eb O'Neil_1234569_assignsubmission_file_{GAIN}.ipynb": "3",
        "Grace Hopper_1234570_assignsubmission_onlinetext/onlinetext.html": "",
        f"Team 3_55_assignsubmission_file_/{MODES}.py": "4",
        f"Default group_assignsubmission_file_/{MODES}.py": "5",
    }
    for path in in_both(tmp_path, files):
        found = collect(path)
        assert rows(found) == [
            ("Ada Lovelace", MODES, "1"),
            ("Charles Babbage", MODES, "2"),
            ("Default group", MODES, "5"),
            ("Grace Hopper", "", "no file of a module here; expected e.g. first_steps.py"),
            ("Team 3", MODES, "4"),
            ("Zo\u00eb O'Neil", GAIN, "3"),
        ]
        assert all(s.display == s.student and s.submitted is None for s in found)


def test_the_same_student_has_another_number_in_another_assignment_of_moodle(tmp_path):
    handed_in.zipped(tmp_path / "class" / "hw1.zip", {f"Ada_11_assignsubmission_file_/{MODES}.py": "1"})
    handed_in.zipped(tmp_path / "class" / "hw2.zip", {f"Ada_22_assignsubmission_file_/{GAIN}.py": "2"})
    assert rows(collect(tmp_path / "class")) == [("Ada", MODES, "1"), ("Ada", GAIN, "2")]


def test_two_students_of_the_same_name_stay_two(tmp_path):
    files = {f"Ada_{n}_assignsubmission_file_/{MODES}.py": n for n in ("11", "12")}
    files["Participant_13_assignsubmission_onlinetext_/onlinetext.html"] = ""
    files[f"Participant_13_assignsubmission_file_/{MODES}.py"] = "13"
    for path in in_both(tmp_path, files):
        found = collect(path)
        assert rows(found) == [("Ada 11", MODES, "11"), ("Ada 12", MODES, "12"), ("Participant 13", MODES, "13")]


def test_gradescope(tmp_path):
    files = {
        "assignment_9_export/submission_metadata.yml": METADATA,
        f"assignment_9_export/submission_1/{MODES}.py": "1",
        f"assignment_9_export/submission_2/deep/2020-01-01/{GAIN}.py": "2",
        "assignment_9_export/submission_2/timestamp.txt": "2020-01-01 00:00:00",
        f"assignment_9_export/submission_3/{MODES}.py": "3",
    }
    bare = {name.removeprefix("assignment_9_export/"): text for name, text in files.items()}
    several = write(tmp_path / "several", {**files, f"ada/{MODES}.py": "4"})
    paths = [*in_both(tmp_path, files), *in_both(tmp_path / "bare", bare), write(tmp_path / "one", files)]
    for path in (*paths, several):
        found = [s for s in collect(path) if s.student != "ada"]
        assert rows(found) == [
            ("0010", GAIN, "2"),
            ("007", MODES, "1"),
            ("bob@example.org", GAIN, "2"),
            ("submission_3", MODES, "3"),
        ]
        assert [s.display for s in found] == ["Cy", "Ada Lovelace", "Bob", ""]
        assert [s.submitted for s in found] == [NOON, NOON, NOON, None], "what students call their folders is no date"


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        "",
        "[",
        "- submission_1",
        "submission_1: 3",
        "submission_1:\n  :submitters: [{:name: []}, 3, {}]",
        "submission_1:\n  :submitters: {:sid: 7}",
        "{? [a] : b}",
        b"\xff\xfe\x00",
        "!!python/object/apply:os.abort []",
        "[" * 50_000,
    ],
)
def test_gradescope_without_readable_metadata(tmp_path, metadata):
    root = write(tmp_path / "assignment_1_export", {f"submission_1/{MODES}.py": "1"})
    if metadata is not None:
        write(root, {"submission_metadata.yml": metadata})
    assert rows(collect(root)) == [("submission_1", MODES, "1")]


def test_several_exports_in_one_folder(tmp_path):
    root = write(tmp_path / "class", {f"ada/{MODES}.py": "1", f"{GAIN}/bob/{GAIN}.py": "2", f"cy_{MODES}.py": "3"})
    handed_in.zipped(root / "hw1.zip", {f"dee_4_44_{MODES}.py": "4"})
    handed_in.zipped(root / "hw2.zip", {f"hw2/dee_4_55_{GAIN}.py": "5", f"hw2/eve_5_56_{GAIN}.py": "6"})
    handed_in.zipped(root / "hw3.zip", {f"sub/Flo_8_assignsubmission_file_/{MODES}.py": "7"})
    assert rows(collect(root)) == [
        ("4", MODES, "4"),
        ("4", GAIN, "5"),
        ("5", GAIN, "6"),
        ("Flo", MODES, "7"),
        ("ada", MODES, "1"),
        ("bob", GAIN, "2"),
        ("cy", MODES, "3"),
    ]
