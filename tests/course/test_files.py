"""Writing files: whole or not at all, with a backup first, and never through a link."""

import os
import sys
import time

import pytest
import tiny

from course.files import back_up, backup_folder, is_elsewhere, one_line, replace_unchanged, sweep, write_atomically
from course.syllabus import UserError


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_write_that_fails_leaves_the_old_bytes_and_no_litter(tmp_path, monkeypatch):
    file = tmp_path / "a.py"
    file.write_bytes(b"old")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_atomically(file, b"new")
    assert file.read_bytes() == b"old" and names(tmp_path) == ["a.py"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_permissions_stay(tmp_path):
    file = tmp_path / "a.py"
    file.write_bytes(b"old")
    file.chmod(0o755)
    write_atomically(file, b"new")
    assert file.stat().st_mode & 0o777 == 0o755 and file.read_bytes() == b"new"
    write_atomically(tmp_path / "deep" / "b.py", b"b")
    assert (tmp_path / "deep" / "b.py").stat().st_mode & 0o777 == 0o644


def test_backups_have_the_place_and_the_bytes_of_the_file(tmp_path):
    (tmp_path / "code").mkdir()
    file = tmp_path / "code" / "a.py"
    file.write_bytes(b"\xff\r\n")
    first, second = back_up(file, tmp_path), back_up(file, tmp_path)
    assert first != second and first.read_bytes() == second.read_bytes() == b"\xff\r\n"
    assert first.relative_to(tmp_path).parts[:2] == (".course", "backups") and first.parts[-2:] == ("code", "a.py")
    folder = backup_folder(tmp_path)
    assert not folder.exists() and back_up(file, tmp_path, folder) == folder / "code" / "a.py"


def test_a_file_that_an_editor_saved_in_the_meantime_is_left_alone(tmp_path):
    file = tmp_path / "a.py"
    file.write_bytes(b"old")
    old = file.read_bytes()
    (tmp_path / "a.py~").write_bytes(b"saved by rename")
    os.replace(tmp_path / "a.py~", file)
    with pytest.raises(UserError, match=r"a\.py was saved by another program"):
        replace_unchanged(file, old, b"new")
    with pytest.raises(UserError):
        replace_unchanged(file, None, b"new")
    assert file.read_bytes() == b"saved by rename"
    file.unlink()
    with pytest.raises(UserError):
        replace_unchanged(file, old, b"new")
    replace_unchanged(file, None, b"new")
    assert file.read_bytes() == b"new"


def test_links_and_linked_folders_are_elsewhere(tmp_path):
    root, outside = tmp_path / "course", tmp_path / "outside"
    (root / "code").mkdir(parents=True)
    outside.mkdir()
    try:
        (root / "code" / "link.py").symlink_to(outside / "a.py")
        (root / "linked").symlink_to(outside)
        (tmp_path / "way").symlink_to(root)
    except OSError:
        pytest.skip("this user may make no links")
    assert not is_elsewhere(root / "code" / "a.py", root)
    assert is_elsewhere(root / "code" / "link.py", root)
    assert is_elsewhere(root / "linked" / "a.py", root)
    assert not is_elsewhere(tmp_path / "way" / "code" / "a.py", tmp_path / "way")  # the course itself may be linked


def test_leftovers_of_killed_programs_are_swept_and_fresh_ones_are_not(tmp_path):
    (tmp_path / ".a.py.x1.tmp").write_bytes(b"")
    (tmp_path / ".a.py.x2.tmp").write_bytes(b"")
    (tmp_path / "a.tmp").write_bytes(b"")
    hour_ago = time.time() - 3600
    for name in (".a.py.x1.tmp", "a.tmp"):
        os.utime(tmp_path / name, (hour_ago, hour_ago))
    sweep(tmp_path)
    assert names(tmp_path) == [".a.py.x2.tmp", "a.tmp"]


def test_a_refusal_of_the_system_is_one_line_with_a_remedy(tmp_path):
    with (
        pytest.raises(UserError, match=r"^code/a\.py: Permission denied; allow writing"),
        one_line(tmp_path / "code" / "a.py", tmp_path),
    ):
        raise PermissionError(13, "Permission denied")
    with pytest.raises(UserError, match=r"^code/b\.py: No space left on device$"), one_line(None, tmp_path):
        raise OSError(28, "No space left on device", str(tmp_path / "code" / "b.py"))


def test_a_read_only_folder_refuses_and_keeps(tmp_path):
    file = tmp_path / "folder" / "a.py"
    write_atomically(file, b"old")
    with (
        tiny.read_only(file.parent),
        pytest.raises(UserError, match=r"folder/a\.py: Permission denied; allow writing"),
        one_line(file, tmp_path),
    ):
        write_atomically(file, b"new")
    assert file.read_bytes() == b"old"
