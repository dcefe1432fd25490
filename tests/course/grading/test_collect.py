"""What was handed in, in every layout that instructors get: whose it is, for which module, when, and in which order."""

import os
from datetime import UTC, datetime
from pathlib import Path

import handed_in
import pytest
from handed_in import write

from course.grading.collect import collect
from course.syllabus import UserError

MODES, GAIN = "actuator_modes", "gain_bias"
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
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


def rows(found):
    """(student, module, source or refusal) of each submission."""
    return [(s.student, s.module, s.refusal or s.source.decode()) for s in found]


def dated(path, time=NOON):
    os.utime(path, (time.timestamp(), time.timestamp()))


def in_both(tmp_path, files):
    """The same files as a folder, and as a zip file with and without that folder in it."""
    yield write(tmp_path / "class", files)
    yield handed_in.zipped(tmp_path / "class.zip", files)
    yield handed_in.zipped(tmp_path / "prefixed" / "class.zip", {f"class/{name}": text for name, text in files.items()})


def complaint(path):
    with pytest.raises(UserError) as problem:
        collect(path)
    assert "\n" not in str(problem.value)
    return str(problem.value)


def test_a_folder_for_each_student(tmp_path):
    files = {
        f"ada/{MODES}.py": "1",
        f"ada/{GAIN}.ipynb": "2",
        f"bob/code/{MODES}.py": "3",
        "README.md": "",
        "notes.txt": "",
        "ada/report.pdf": "",
        ".DS_Store": "",
        "__MACOSX/ada/._actuator_modes.py": "",
        "ada/.ipynb_checkpoints/actuator_modes-checkpoint.ipynb": "",
    }
    for path in in_both(tmp_path, files):
        assert rows(collect(path)) == [("ada", MODES, "1"), ("ada", GAIN, "2"), ("bob", MODES, "3")]
    names = [(s.name, s.display, s.late) for s in collect(tmp_path / "class")]
    assert names == [(f"{MODES}.py", "", False), (f"{GAIN}.ipynb", "", False), (f"{MODES}.py", "", False)]


def test_a_class_of_one(tmp_path):
    (alone,) = collect(write(tmp_path / "class", {f"ada/{MODES}.py": "1"}))
    assert (alone.student, alone.module) == ("ada", MODES)
    for files in ({f"ada/{MODES}.py": "1"}, {f"ada/2/{MODES}.py": "1"}, {f"ada/{MODES}/{MODES}.py": "1"}):
        assert rows(collect(handed_in.zipped(tmp_path / "hw.zip", files))) == [("ada", MODES, "1")]
    assert rows(collect(write(tmp_path / "ada", {f"{MODES}.py": "1"}))) == [("ada", MODES, "1")], "one student's folder"
    assert rows(collect(handed_in.zipped(tmp_path / "ada.zip", {f"{MODES}.py": "1"}))) == [("ada", MODES, "1")]


def test_the_time_is_the_files_own_if_nothing_else_tells(tmp_path):
    root = write(tmp_path / "class", {f"ada/{MODES}.py": "1"})
    dated(root / "ada" / f"{MODES}.py")
    assert collect(root)[0].submitted == NOON
    path = handed_in.zipped(tmp_path / "class.zip", {f"ada/{MODES}.py": "1"})
    assert collect(path)[0].submitted == datetime(*handed_in.DATE).astimezone()


def test_attempts_with_dates(tmp_path):
    names = ["2026-11-02T09-00", "2026-11-01T10-00", "2026-11-01T12-00Z"]
    files = {f"ada/{name}/{MODES}.py": name for name in names}
    for path in in_both(tmp_path, files):
        found = collect(path)
        assert sorted(s.source.decode() for s in found) == sorted(names)
        assert found == sorted(found, key=lambda s: s.submitted)
    assert found[-1].submitted == datetime(2026, 11, 2, 9).astimezone()


def test_numbered_attempts(tmp_path):
    files = {f"ada/{number}/{MODES}.py": number for number in ("10", "1", "2")}
    root = write(tmp_path / "class", files)
    for number, hour in (("1", 3), ("2", 9), ("10", 6)):  # somebody has copied them in another order
        dated(root / "ada" / number / f"{MODES}.py", NOON.replace(hour=hour))
    found = collect(root)
    assert [s.source.decode() for s in found] == ["1", "2", "10"]
    assert [s.submitted.hour for s in found] == [3, 6, 6], "2 cannot have come after 10"
    assert [s.source for s in collect(handed_in.zipped(tmp_path / "class.zip", files))] == [b"1", b"2", b"10"]


def test_copies_of_the_same_age_are_ordered_by_their_numbers(tmp_path):
    files = {f"ada/{MODES}{n}.py": n for n in (" (10)", "-1", "", "_2")}
    assert [s.source.decode() for s in collect(handed_in.zipped(tmp_path / "a.zip", files))] == [
        "",
        "-1",
        "_2",
        " (10)",
    ]


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


def test_ids_in_front_of_the_name(tmp_path):
    names = [f"s123_{MODES}.py", f"Bob-01_{MODES}-2.ipynb", f"ada.l_{MODES} (1).PY"]
    found = collect(write(tmp_path / "class", dict.fromkeys(names, "")))
    assert {s.student: s.name for s in found} == {
        "s123": f"{MODES}.py",
        "Bob": f"01_{MODES}-2.ipynb",
        "ada.l": f"{MODES} (1).PY",
    }


def test_of_a_script_and_a_lesson_the_script_is_taken(tmp_path):
    files = {f"ada/{MODES}.py": "1", f"ada/lessons/01_{MODES}.ipynb": "2", f"bob/{MODES}.ipynb": "3"}
    assert {(s.name, s.refusal) for s in collect(write(tmp_path / "class", files))} == {
        (f"{MODES}.py", ""),
        (f"01_{MODES}.ipynb", f"01_{MODES}.ipynb is not looked at, for {MODES}.py came with it"),
        (f"{MODES}.ipynb", ""),
    }


def test_of_a_whole_course_the_answers_are_in_code(tmp_path):
    folders = ("code", "solutions", "tests", "lab", "course")
    files = {f"ada/inside/{folder}/{MODES}.py": folder for folder in folders}
    files[f"ada/inside/lessons/01_{MODES}.ipynb"] = "lesson"
    assert rows(collect(write(tmp_path / "class", files))) == [("ada", MODES, "code")]


def test_attempts_are_named_by_their_content(tmp_path):
    root = write(tmp_path / "class", {f"ada/1/{MODES}.py": "1", f"ada/2/{MODES}.py": "1", f"bob/{MODES}.py": "3"})
    one, again, other = collect(root)
    assert one.attempt == again.attempt != other.attempt
    write(root, {f"ada/3/{MODES}.py": b"\xff", f"ada/4/{MODES}.py": b"\0"})
    refused = [s for s in collect(root) if s.refusal]
    assert all(not s.source and len(s.attempt) == 12 for s in refused) and len({s.attempt for s in refused}) == 2


def test_paths_of_no_use(tmp_path):
    assert complaint(tmp_path / "none").endswith("none is not there; name the folder or zip file with the submissions")
    assert "holds nothing to grade; expected student/first_steps.py" in complaint(tmp_path)
    write(tmp_path, {f"x/{MODES}.py": "", "a.zip": "no zip", "README.md": ""})
    assert "is no zip file or is damaged" in complaint(tmp_path / "a.zip")
    assert "is no zip file or is damaged" in complaint(tmp_path / "x" / f"{MODES}.py")
    try:
        (tmp_path / "loop").symlink_to("loop")
    except OSError:
        pass
    assert "loop is not there" in complaint(tmp_path / "loop")
    handed_in.zipped(tmp_path / "empty.zip", {"README.md": ""})
    assert "holds nothing to grade" in complaint(tmp_path / "empty.zip")


def test_the_path_itself_may_be_a_link_or_a_dot(tmp_path, monkeypatch):
    root = write(tmp_path / "class", {f"{MODES}.py": "1"})
    monkeypatch.chdir(root)
    assert rows(collect(Path("."))) == [("class", MODES, "1")]
    try:
        (tmp_path / "link").symlink_to(root)
    except OSError:
        pytest.skip("no links here")
    assert rows(collect(tmp_path / "link")) == [("class", MODES, "1")]


def test_times_do_not_depend_on_when_it_is_asked(tmp_path):
    files = {f"{name}/{MODES}.py": name for name in ("cy", "ada", "bob")}
    root = write(tmp_path / "class", files)
    assert collect(root) == collect(root)
    assert [s.student for s in collect(root)] == ["ada", "bob", "cy"]
