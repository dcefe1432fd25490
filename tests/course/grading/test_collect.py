"""What was handed in, in every layout that instructors get: whose it is, for which module, when, and in which order."""

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import handed_in
import pytest
from handed_in import GAIN, MODES, NOON, in_both, rows, write

from course.grading.collect import collect
from course.syllabus import UserError


def dated(path, time=NOON):
    os.utime(path, (time.timestamp(), time.timestamp()))


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


def test_a_zip_file_with_any_folder_around_its_files(tmp_path):
    for student, module in (("ada", MODES), ("bob", GAIN)):
        files = {f"submissions/{name}/{module}.py": name for name in ("cy", student)}
        found = collect(handed_in.zipped(tmp_path / "export.zip", files))
        assert rows(found) == [(name, module, name) for name in sorted(("cy", student))]


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
    with suppress(OSError):
        (tmp_path / "loop").symlink_to("loop")
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
