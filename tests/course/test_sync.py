"""`course sync`: code/ follows solutions/, and nobody's answers are overwritten."""

import pytest
import tiny
from tiny import FALL, MODULES, SERVO

from course.skeleton import skeleton
from course.syllabus import UserError
from course.sync import sync
from course.updating.base import ensure_base, skeleton_base

NEWER = FALL.replace("GRAVITY = 9.81", "GRAVITY = 9.80665")


@pytest.fixture
def root(tmp_path):
    return tiny.course(tmp_path)


def complaints(root, check=True):
    with pytest.raises(UserError) as problem:
        sync(check=check, root=root, among=MODULES)
    return str(problem.value).splitlines()


def test_a_course_that_agrees(root):
    assert sync(check=True, root=root, among=MODULES) == ["code/ agrees with solutions/."]
    assert sync(root=root, among=MODULES) == ["code/ agreed with solutions/ already."]


def test_missing_files_are_written_and_their_base_is_kept(root):
    (root / "code" / "fall.py").unlink()
    assert complaints(root) == ["code/fall.py is missing; run `course sync`"]
    assert not (root / "code" / "fall.py").exists(), "--check writes nothing"
    assert sync(root=root, among=MODULES) == ["code/fall.py written"]
    assert tiny.text(root, "code/fall.py") == skeleton(FALL) == skeleton_base(root, "fall").read_text()
    sync(check=True, root=root, among=MODULES)


def test_a_module_without_a_solution_is_skipped(root):
    (root / "solutions" / "servo.py").unlink()
    assert sync(check=True, root=root, among=MODULES) == ["code/ agrees with solutions/."]


def test_an_untouched_old_skeleton_is_overwritten(root):
    ensure_base(root)
    tiny.write(root, {"solutions/fall.py": NEWER})
    assert complaints(root) == ["code/fall.py differs; run `course sync`"]
    assert sync(root=root, among=MODULES) == ["code/fall.py written"]
    assert tiny.text(root, "code/fall.py") == skeleton(NEWER) == skeleton_base(root, "fall").read_text()


def test_the_committed_skeleton_counts_as_untouched_too(root):
    tiny.commit(root)
    tiny.write(root, {"solutions/fall.py": NEWER})
    assert sync(root=root, among=MODULES) == ["code/fall.py written"]


def test_answers_that_were_committed_are_answers_still(root):
    tiny.write(root, {"code/fall.py": tiny.half_done()})
    tiny.commit(root)
    assert complaints(root, check=False)[0].startswith("code/fall.py has answers or changes in it")


@pytest.mark.parametrize(
    "mine",
    [tiny.half_done(), skeleton(FALL).replace("9.81", "1.62"), skeleton(FALL) + "x = 1\n", "", "def (", "\x00"],
    ids=["answer", "constant", "more", "empty", "broken", "zero"],
)
def test_a_file_that_was_worked_in_is_refused_and_the_others_are_written(root, mine):
    ensure_base(root)
    tiny.write(root, {"code/fall.py": mine, "solutions/servo.py": SERVO.replace("rad.", "radians.")})
    assert complaints(root, check=False) == [
        "code/fall.py has answers or changes in it; to drop them: course reset fall"
    ]
    assert tiny.text(root, "code/fall.py") == mine
    assert "radians" in tiny.text(root, "code/servo.py")


def test_a_file_that_is_not_utf8_is_refused(root):
    ensure_base(root)
    tiny.write(root, {"code/fall.py": "# Zürich\n".encode("latin-1")})
    assert len(complaints(root, check=False)) == 1
    assert (root / "code" / "fall.py").read_bytes() == b"# Z\xfcrich\n"


def test_windows_line_ends_are_no_difference(root):
    tiny.write(root, {"code/fall.py": skeleton(FALL).replace("\n", "\r\n")})
    assert sync(check=True, root=root, among=MODULES) == ["code/ agrees with solutions/."]
    tiny.write(root, {"solutions/fall.py": FALL.replace("\n", "\r\n")})
    assert sync(check=True, root=root, among=MODULES) == ["code/ agrees with solutions/."]


def test_strays_and_a_package_file_are_named(root):
    tiny.write(root, {"code/old.py": "", "code/__init__.py": "", "code/README.md": "", "code/__pycache__/fall.pyc": ""})
    assert complaints(root) == [
        "code/__init__.py would hide the standard library's module `code`; delete it",
        "code/old.py belongs to no module of lessons/syllabus.toml; move it elsewhere or add the module",
    ]


def test_wrong_markers_are_one_line_and_write_nothing(root):
    tiny.write(root, {"solutions/fall.py": FALL.replace("    ### END SOLUTION\n", "", 1)})
    (line,) = complaints(root)
    assert line.startswith("solutions/fall.py, line ") and "### BEGIN SOLUTION without" in line
    assert complaints(root, check=False) == [line]
    assert tiny.text(root, "code/fall.py") == skeleton(FALL)


def test_names_that_differ_from_the_syllabus_are_named(root):
    tiny.write(root, {"solutions/fall.py": FALL.replace("speed", "velocity")})
    assert complaints(root)[0] == (
        "solutions/fall.py has the TODOs velocity, path where lessons/syllabus.toml has speed, path; make them agree"
    )


def test_a_solution_that_is_not_utf8_is_one_line(root):
    tiny.write(root, {"solutions/fall.py": b"# \xff\n"})
    assert complaints(root) == ["solutions/fall.py is not UTF-8; save it as UTF-8"]


def test_a_link_is_not_written_through(root, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "fall.py"
    outside.write_text("old")
    (root / "code" / "fall.py").unlink()
    try:
        (root / "code" / "fall.py").symlink_to(outside)
    except OSError:
        pytest.skip("this user may make no links")
    assert complaints(root, check=False)[0].startswith("code/fall.py is a link")
    assert outside.read_text() == "old"
