"""`course reset`: the skeleton again, whatever the student's file is, and that file kept byte by byte."""

import os

import pytest
import tiny
from tiny import FALL, FALL_MODULE

import course.reset
from course import progress
from course.files import back_up
from course.reset import reset
from course.skeleton import skeleton
from course.syllabus import UserError
from course.updating.base import ensure_base, skeleton_base


@pytest.fixture
def root(tmp_path):
    return tiny.course(tmp_path)


@pytest.mark.parametrize(
    "mine",
    [
        tiny.half_done().encode(),
        tiny.half_done().replace("\n", "\r\n").encode(),
        "# Zürich \N{SNOWMAN}".encode(),
        "# Zürich".encode("latin-1"),
        b"def (",
        b"\x00\x00",
        b"",
    ],
    ids=["answers", "windows", "unicode", "latin-1", "broken", "zeros", "empty"],
)
def test_any_file_gives_way_to_the_skeleton_and_is_kept(root, mine):
    tiny.write(root, {"code/fall.py": mine})
    first, second = reset(FALL_MODULE, root)
    assert first == "code/fall.py is the skeleton again."
    kept = root / second.removeprefix("Your file is kept as ")
    assert kept.read_bytes() == mine and kept.is_relative_to(root / ".course" / "backups")
    assert tiny.text(root, "code/fall.py") == skeleton(FALL) == skeleton_base(root, "fall").read_text()


def test_its_points_are_none_again_and_its_answers_may_still_be_seen(root):
    path = root / ".course" / "progress.json"
    known = {"fall": {"fall_time": {"passed": True, "points": 2, "hints": 1}}}
    progress.save(known, path)
    reset(FALL_MODULE, root)
    assert progress.load(path) == {"fall": {"fall_time": {"passed": True, "points": 0, "hints": 1}}}


def test_an_untouched_file_stays_and_makes_no_backup(root):
    assert reset(FALL_MODULE, root) == ["code/fall.py is the skeleton already; nothing changed."]
    assert tiny.backups(root) == {}
    tiny.write(root, {"code/fall.py": skeleton(FALL).replace("\n", "\r\n")})
    assert reset(FALL_MODULE, root) == ["code/fall.py is the skeleton already; nothing changed."]


def test_a_missing_file_comes_back(root):
    (root / "code" / "fall.py").unlink()
    assert reset(FALL_MODULE, root) == ["code/fall.py is the skeleton again."]
    assert tiny.text(root, "code/fall.py") == skeleton(FALL)


def test_without_solutions_the_base_is_the_skeleton(root):
    ensure_base(root)
    (root / "solutions" / "fall.py").unlink()
    tiny.write(root, {"code/fall.py": tiny.half_done()})
    reset(FALL_MODULE, root)
    assert tiny.text(root, "code/fall.py") == skeleton(FALL)


def test_without_solution_and_base_there_is_one_line(root):
    (root / "solutions" / "fall.py").unlink()
    tiny.write(root, {"code/fall.py": tiny.half_done()})
    with pytest.raises(UserError, match=r"no skeleton for fall; .* update brings one"):
        reset(FALL_MODULE, root)
    assert tiny.text(root, "code/fall.py") == tiny.half_done()


def test_a_save_at_the_same_moment_wins(root, monkeypatch):
    tiny.write(root, {"code/fall.py": tiny.half_done()})

    def back_up_slowly(path, *arguments, **more):
        copy = back_up(path, *arguments, **more)
        tiny.write(root, {"code/fall.py~": "# saved by rename\n"})
        os.replace(root / "code" / "fall.py~", path)
        return copy

    monkeypatch.setattr(course.reset, "back_up", back_up_slowly)
    with pytest.raises(UserError, match="saved by another program"):
        reset(FALL_MODULE, root)
    assert tiny.text(root, "code/fall.py") == "# saved by rename\n"


def test_an_editor_that_saves_by_rename_later_is_not_disturbed(root):
    tiny.write(root, {"code/fall.py": tiny.half_done()})
    reset(FALL_MODULE, root)
    tiny.write(root, {"code/.fall.py.swp": "# from the editor\n"})
    os.replace(root / "code" / ".fall.py.swp", root / "code" / "fall.py")
    assert len(reset(FALL_MODULE, root)) == 2
    assert tiny.backups(root)["code/fall.py"] == b"# from the editor\n"


def test_a_link_and_a_folder_are_refused(root, tmp_path_factory):
    path = root / "code" / "fall.py"
    path.unlink()
    path.mkdir()
    with pytest.raises(UserError, match=r"code/fall\.py is a folder"):
        reset(FALL_MODULE, root)
    path.rmdir()
    outside = tmp_path_factory.mktemp("outside") / "fall.py"
    outside.write_text(tiny.half_done())
    try:
        path.symlink_to(outside)
    except OSError:
        pytest.skip("this user may make no links")
    with pytest.raises(UserError, match=r"code/fall\.py is a link"):
        reset(FALL_MODULE, root)
    assert path.is_symlink() and outside.read_text() == tiny.half_done()


def test_a_read_only_folder_is_one_line(root):
    tiny.write(root, {"code/fall.py": tiny.half_done()})
    with (
        tiny.read_only(root / "code"),
        pytest.raises(UserError, match=r"^code/fall\.py: Permission denied; allow writing to it"),
    ):
        reset(FALL_MODULE, root)
    assert tiny.text(root, "code/fall.py") == tiny.half_done()
