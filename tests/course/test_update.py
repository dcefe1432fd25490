"""`course update`: a new version in a folder in which somebody has worked."""

import os
import shutil
import sys
import time

import pytest
import tiny
from tiny import ANSWERS, FALL, NEWER, SERVO, half_done

import course.updating.shipped
from course.lab import prepare
from course.skeleton import replace, skeleton
from course.update import update
from course.updating.base import ensure_base, manifest, skeleton_base


@pytest.fixture
def root(tmp_path):
    return tiny.worked_in(tmp_path / "mine")


@pytest.fixture
def new(tmp_path):
    return tiny.next_version(tmp_path / "new")


# What happens to the exercises.


def test_a_folder_is_merged_and_nothing_is_lost(root, new):
    lines = update(str(new), root=root)
    assert tiny.text(root, "code/fall.py") == tiny.merged()
    assert lines[0].startswith("code/fall.py: merged, your answers stand. As it was: .course/backups/")
    assert lines[1:] == ["1 new: lessons/02_more.ipynb", "2 replaced: README.md, solutions/fall.py"]
    assert tiny.backups(root) == {"code/fall.py": half_done().encode()}
    assert tiny.text(root, "README.md") == "The course, second edition.\n" and tiny.text(root, "notes.md") == "my notes"
    assert skeleton_base(root, "fall").read_text() == skeleton(NEWER)
    assert not (root / ".course" / "incoming").exists()


def test_the_second_time_nothing_happens(root, new):
    update(str(new), root=root)
    before = tiny.snapshot(root)
    assert update(str(new), root=root) == ["You have this version already; nothing changed."]
    assert tiny.snapshot(root) == before


def test_answers_in_the_new_version_are_not_taken_for_its_skeleton(root, new):
    tiny.write(new, {"code/fall.py": replace(NEWER, ANSWERS)})
    update(str(new), root=root)
    assert tiny.text(root, "code/fall.py") == tiny.merged()
    (new / "solutions" / "fall.py").unlink()
    assert "the new version has no skeleton of it" in tiny.refused(str(new), root)
    assert tiny.text(root, "code/fall.py") == tiny.merged()


def test_an_untouched_exercise_is_replaced_and_a_missing_one_comes_back(root, new):
    tiny.write(root, {"code/fall.py": skeleton(FALL)})
    (root / "code" / "servo.py").unlink()
    lines = update(str(new), root=root)
    assert lines[:2] == [
        "code/fall.py: replaced, you had not begun",
        "code/servo.py: was missing, is the new skeleton",
    ]
    assert tiny.text(root, "code/fall.py") == skeleton(NEWER) and tiny.text(root, "code/servo.py") == skeleton(SERVO)


def test_where_both_changed_the_answer_stands_and_the_new_version_is_laid_beside(root, tmp_path):
    stub = "    # TODO(you): what does gravity do in one second?\n    ### BEGIN SOLUTION\n"
    newer = FALL.replace(stub, stub.replace("    ###", "    time = abs(time)\n    ###")).replace("9.81", "9.80665")
    tiny.write(root, {"code/fall.py": half_done().replace("9.81", "1.62")})
    lines = update(str(tiny.course(tmp_path / "new", fall=newer)), root=root)
    assert "GRAVITY = 1.62" in tiny.text(root, "code/fall.py") and "time = abs(time)" in tiny.text(root, "code/fall.py")
    (line,) = [line for line in lines if "both changed" in line]
    assert line.startswith("code/fall.py line 5: you and the course both changed this; yours stands. The new version: ")
    assert tiny.backups(root)["new/code/fall.py"].decode() == skeleton(newer)


def test_a_conflict_inside_a_function_names_it(root, tmp_path):
    newer = FALL.replace("what does gravity do in one second?", "think.")
    tiny.write(root, {"code/fall.py": half_done().replace("what does gravity do in one second?", "done!")})
    lines = update(str(tiny.course(tmp_path / "new", fall=newer)), root=root)
    assert any(line.startswith("code/fall.py line 10, speed: you and the course both") for line in lines), lines


def test_a_merge_that_does_not_fit_leaves_the_file_whole_and_is_tried_again(root, tmp_path):
    broken = tiny.course(tmp_path / "broken", fall=FALL.replace('after a time in s, in m/s."""', "after."))
    lines = update(str(broken), root=root)
    assert tiny.text(root, "code/fall.py") == half_done()
    assert lines[0].startswith("code/fall.py: kept whole, for the two do not fit together. The new version: .course/")
    assert "Speed after.\n" in tiny.backups(root)["new/code/fall.py"].decode()
    update(str(tiny.course(tmp_path / "mended", fall=NEWER)), root=root)
    assert tiny.text(root, "code/fall.py") == tiny.merged()


def test_line_ends_a_missing_newline_and_a_byte_order_mark_stay(root, new):
    mine = b"\xef\xbb\xbf" + half_done().removesuffix("\n").replace("\n", "\r\n").encode()
    tiny.write(root, {"code/fall.py": mine})
    update(str(new), root=root)
    assert (root / "code" / "fall.py").read_bytes() == (
        b"\xef\xbb\xbf" + tiny.merged().removesuffix("\n").replace("\n", "\r\n").encode()
    )
    assert tiny.backups(root) == {"code/fall.py": mine}


def test_a_file_that_is_not_utf8_is_left_alone(root, new):
    mine = half_done().replace("# mine", "# Zürich").encode("latin-1")
    tiny.write(root, {"code/fall.py": mine})
    lines = update(str(new), root=root)
    assert (root / "code" / "fall.py").read_bytes() == mine
    assert lines[0].startswith("code/fall.py: kept as it is, for it is not UTF-8. The new version: .course/backups/")
    assert tiny.backups(root)["new/code/fall.py"].decode() == skeleton(NEWER)


def test_a_broken_file_is_merged_line_by_line(root, new):
    tiny.write(root, {"code/fall.py": half_done() + "def (\n"})
    update(str(new), root=root)
    assert tiny.text(root, "code/fall.py") == tiny.merged() + "def (\n"


def test_a_link_is_left_alone(root, new, tmp_path):
    path, outside = root / "code" / "fall.py", tmp_path / "outside.py"
    outside.write_text(half_done())
    path.unlink()
    try:
        path.symlink_to(outside)
    except OSError:
        pytest.skip("this user may make no links")
    lines = update(str(new), root=root)
    assert path.is_symlink() and outside.read_text() == half_done()
    assert lines[0].startswith("code/fall.py: kept, for it is a link. The new version: .course/backups/")


def test_without_solutions_the_skeletons_of_a_release_are_merged(tmp_path):
    root, new = tiny.course(tmp_path / "mine"), tiny.course(tmp_path / "new", fall=NEWER)
    for folder in (root, new):
        shutil.rmtree(folder / "solutions")
    ensure_base(root)
    tiny.write(root, {"code/fall.py": half_done()})
    update(str(new), root=root)
    assert tiny.text(root, "code/fall.py") == tiny.merged()


def test_where_nothing_tells_the_base_the_file_is_kept(tmp_path, new):
    root = tiny.write(tiny.course(tmp_path / "mine"), {"code/fall.py": half_done()})
    shutil.rmtree(root / "solutions")
    lines = update(str(new), root=root)
    assert tiny.text(root, "code/fall.py") == half_done()
    assert lines[0].startswith("code/fall.py: kept, for nothing tells what it started as. The new version: ")


def test_the_committed_skeleton_is_a_base_too(tmp_path, new):
    root = tiny.course(tmp_path / "mine")
    shutil.rmtree(root / "solutions")
    tiny.commit(root)
    tiny.write(root, {"code/fall.py": half_done()})
    update(str(new), root=root)
    assert tiny.text(root, "code/fall.py") == tiny.merged()


def test_new_modules_come_and_removed_ones_go_unless_they_have_answers(root, tmp_path):
    new = tiny.course(tmp_path / "new", motor=SERVO)
    for slug in ("fall", "servo"):
        (new / "solutions" / f"{slug}.py").unlink()
        (new / "code" / f"{slug}.py").unlink()
    lines = update(str(new), root=root)
    assert "code/motor.py: new" in lines and tiny.text(root, "code/motor.py") == skeleton(SERVO)
    assert "code/fall.py: kept with your answers, though the course no longer has it" in lines
    assert tiny.text(root, "code/fall.py") == half_done()
    assert "code/servo.py: removed, the course no longer has it" in lines and not (root / "code" / "servo.py").exists()


# What happens to the other files.


def test_changed_files_of_the_course_are_kept_aside(root, new):
    tiny.write(root, {"README.md": "mine", "tests/test_fall.py": "# stricter\n", "solutions/fall.py": "# other way\n"})
    lines = update(str(new), root=root)
    kept = tiny.backups(root)
    assert kept["README.md"] == b"mine" and kept["tests/test_fall.py"] == b"# stricter\n"
    assert kept["solutions/fall.py"] == b"# other way\n" and tiny.text(root, "solutions/fall.py") == NEWER
    assert len([line for line in lines if "replaced. Yours was different: .course/backups/" in line]) == 3


def test_a_file_of_yours_in_the_place_of_a_new_one_is_kept_aside(root, new):
    tiny.write(root, {"lessons/02_more.ipynb": b"mine"})
    update(str(new), root=root)
    assert tiny.backups(root)["lessons/02_more.ipynb"] == b"mine"


def test_files_that_the_course_drops_go_only_if_they_are_its_own(root, new, tmp_path):
    tiny.write(new, {"data/a/one.csv": "1", "data/two.csv": "2"})
    update(str(new), root=root)
    tiny.write(root, {"data/two.csv": "changed", "data/mine.csv": "mine"})
    lines = update(str(tiny.course(tmp_path / "third", fall=NEWER)), root=root)
    assert not (root / "data" / "a").exists() and not (root / "lessons" / "02_more.ipynb").exists()
    assert tiny.text(root, "data/two.csv") == "changed" and tiny.text(root, "data/mine.csv") == "mine"
    assert "2 removed: data/a/one.csv, lessons/02_more.ipynb" in lines
    assert "data/two.csv: kept with your changes, though the course no longer has it" in lines


def test_files_that_were_there_before_the_first_command_are_never_removed(tmp_path, new):
    root = tiny.write(tiny.course(tmp_path / "mine"), {"lessons/my_notes.md": "mine"})
    update(str(new), root=root)
    assert tiny.text(root, "lessons/my_notes.md") == "mine"


def test_the_program_itself_is_replaced_last_and_what_it_newly_needs_comes_before(root, new, monkeypatch):
    tiny.write(new, {"course/program.py": "import course.added\n", "course/added.py": "", "zebra.md": ""})
    order = []
    real = course.updating.shipped.replace_unchanged
    monkeypatch.setattr(
        course.updating.shipped, "replace_unchanged", lambda path, *rest: (order.append(path.name), real(path, *rest))
    )
    update(str(new), root=root)
    assert order[-3:] == ["zebra.md", "added.py", "program.py"]


def test_private_folders_are_neither_read_nor_written(root, new):
    private = {".venv/x": "1", ".course/progress.json": "1", "lab/a.ipynb": "1", "code/__pycache__/fall.pyc": "1"}
    tiny.write(root, private)
    tiny.write(new, dict.fromkeys([*private, ".git/config", ".GIT/hooks/x", ".Venv/x"], "2"))
    shutil.rmtree(new / ".git")
    update(str(new), root=root)
    assert {name: tiny.text(root, name) for name in private} == private
    assert not {".git", ".GIT", ".Venv"} & {path.name for path in root.iterdir()}


def test_windows_line_ends_are_no_change_of_yours(root, new):
    tiny.write(root, {"README.md": "The course.\r\n", "tests/test_fall.py": "def test_fall(): ...\r\n"})
    update(str(new), root=root)
    assert "README.md" not in tiny.backups(root) and tiny.text(root, "tests/test_fall.py").endswith("\r\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_programs_stay_programs(root, new):
    tiny.write(new, {"run": "#!/bin/sh\n"})
    (new / "run").chmod(0o755)
    update(str(new), root=root)
    assert os.access(root / "run", os.X_OK)


def test_a_file_that_cannot_be_written_stops_nothing_else_and_the_next_update_ends_it(root, new):
    tiny.write(root, {"lessons/02_more.ipynb/mine.txt": "a folder is in the way"})
    lines = tiny.refused(str(new), root).splitlines()
    assert lines[-2].startswith("lessons/02_more.ipynb: ") and lines[-1].startswith("The update is not complete")
    assert tiny.text(root, "code/fall.py") == tiny.merged() and tiny.text(root, "solutions/fall.py") == NEWER
    shutil.rmtree(root / "lessons" / "02_more.ipynb")
    assert update(str(new), root=root) == ["1 new: lessons/02_more.ipynb"]


def test_a_read_only_folder_is_one_line_and_the_next_update_ends_the_work(root, new):
    with tiny.read_only(root / "code"):
        lines = tiny.refused(str(new), root).splitlines()
    assert any(line.startswith("code/fall.py: Permission denied; allow writing") for line in lines)
    assert tiny.text(root, "code/fall.py") == half_done()
    update(str(new), root=root)
    assert tiny.text(root, "code/fall.py") == tiny.merged()


def test_working_copies_of_lessons_are_renewed(root, new):
    prepare(None, root)
    tiny.write(root, {"lab/01_servo.ipynb": tiny.notebook("mine")})
    tiny.write(new, {"lessons/00_fall.ipynb": b"{}", "lessons/01_servo.ipynb": b"{}"})
    assert "lab/00_fall.ipynb: renewed, the lesson has changed" in update(str(new), root=root)
    assert tiny.text(root, "lab/00_fall.ipynb") == "{}"
    assert (root / "lab" / "01_servo.ipynb").read_bytes() == tiny.notebook("mine")


# The base.


def test_the_base_is_noted_once_and_costs_next_to_nothing(root):
    before = skeleton_base(root, "fall").read_bytes()
    tiny.write(root, {"solutions/fall.py": NEWER})
    begin = time.perf_counter()
    ensure_base(root)
    assert time.perf_counter() - begin < 0.5, "generous: it is a handful of look-ups"
    assert skeleton_base(root, "fall").read_bytes() == before
    assert "README.md" in manifest(root)[0] and "code/fall.py" not in manifest(root)[0]


def test_a_base_that_cannot_be_written_stops_nobody(tmp_path):
    root = tiny.write(tiny.course(tmp_path), {".course": "a file where the folder should be"})
    ensure_base(root)


def test_a_damaged_manifest_counts_as_none(root, new):
    tiny.write(root, {".course/base/manifest.json": "{"})
    update(str(new), root=root)
    assert manifest(root)[1] and "README.md" in tiny.backups(root), "what cannot be told is kept"
