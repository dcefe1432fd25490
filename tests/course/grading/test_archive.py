"""Zip files of strangers: names are data, contents are bounded, nothing is unhanded_in."""

import os
import stat
import zipfile
from datetime import datetime

import handed_in
import pytest

from course.grading import archive
from course.grading.entries import FOLDER, OnDisk, Refused

LIMIT = 1_000


def tree(folder, prefix=""):
    """{name with folders: content, or why there is none}; a folder with nothing in it is None."""
    found = {}
    for entry in folder.entries():
        name = f"{prefix}{entry.name}"
        if entry.kind == FOLDER:
            inside = tree(entry, f"{name}|")
            found |= inside or {name: None}
            continue
        try:
            found[name] = entry.read(LIMIT) if entry.kind == "file" else entry.kind
        except Refused as refused:
            found[name] = str(refused)
    return found


def read(path):
    with archive.opened(OnDisk(path)) as root:
        return tree(root)


def why(path):
    with pytest.raises(Refused) as refused, archive.opened(OnDisk(path)):
        pass
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_files_and_folders(tmp_path):
    path = handed_in.zipped(
        tmp_path / "a.zip", {"ada/x.py": b"1", "ada/deep/er/y.py": b"2", "z.py": b"3", "empty/": b""}
    )
    assert read(path) == {"ada|x.py": b"1", "ada|deep|er|y.py": b"2", "z.py": b"3", "empty": None}


def test_names_are_data(tmp_path):
    names = ["/etc/passwd", "../../up.py", "a\\b\\c.py", "C:\\d.py", "./x.py", "a//y.py"]
    before = sorted(tmp_path.rglob("*"))
    path = handed_in.zipped(tmp_path / "a.zip", {f"{name}": b"" for name in names})
    assert set(read(path)) == {"etc|passwd", "..|..|up.py", "a|b|c.py", "C:|d.py", "x.py", "a|y.py"}
    assert sorted(tmp_path.rglob("*")) == [*before, path], "nothing is written"


def test_names_in_other_encodings(tmp_path):
    path = handed_in.zipped(tmp_path / "a.zip", {"Zoe_QQ.py": b"1", "Zoe_ZZ.py": b"2"})
    handed_in.patched(path, (b"Zoe_QQ", "Zo\u00eb_Q".encode()), (b"Zoe_ZZ", b"Zo\x89\xff_Z"))  # UTF-8; an old DOS page
    assert read(path) == {"Zo\u00eb_Q.py": b"1", "Zo\u00eb\u00a0_Z.py": b"2"}


def test_a_name_twice_is_two_files(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr("x.py", b"1")
        made.writestr("x.py", b"2")
    with archive.opened(OnDisk(tmp_path / "a.zip")) as root:
        assert [entry.read(LIMIT) for entry in root.entries()] == [b"1", b"2"]


def test_a_large_member_is_read_as_far_as_asked(tmp_path):
    path = handed_in.zipped(tmp_path / "a.zip", {"bomb.py": bytes(50_000_000), "ok.py": b"1"})
    assert read(path) == {"bomb.py": bytes(LIMIT), "ok.py": b"1"}


def test_a_size_that_lies(tmp_path):
    path = handed_in.zipped(tmp_path / "a.zip", {"bomb.py": bytes(123_456), "ok.py": b"1"})
    handed_in.patched(path, ((123_456).to_bytes(4, "little"), (77).to_bytes(4, "little")))
    assert read(path) == {"bomb.py": "is damaged in the zip file; hand it in again", "ok.py": b"1"}


def test_damage_stays_with_its_member(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr(handed_in.info("bad.py", method=zipfile.ZIP_STORED), b"KP = 8.0")
        made.writestr(handed_in.info("ok.py"), b"1")
    handed_in.patched(tmp_path / "a.zip", (b"KP = 8.0", b"KP = 9.0"))
    assert read(tmp_path / "a.zip") == {"bad.py": "is damaged in the zip file; hand it in again", "ok.py": b"1"}


def test_encrypted(tmp_path):
    path = handed_in.zipped(tmp_path / "a.zip", {"secret.py": b"1", "ok.py": b"1"})
    handed_in.flagged(path, "secret.py", 1)
    said = "is encrypted in the zip file; hand it in without a password"
    assert read(path) == {"secret.py": said, "ok.py": b"1"}


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_without_bound_are_not_tried(tmp_path, method):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr(handed_in.info("bomb.py", method=method), bytes(1_000_000))
    assert read(tmp_path / "a.zip") == {"bomb.py": f"is compressed by method {method}; use an ordinary zip file"}


def test_a_method_that_nobody_knows(tmp_path):
    path = handed_in.zipped(tmp_path / "a.zip", {"x.py": b"1"})
    handed_in.patched(path, (b"\x14\x00\x00\x00\x08\x00", b"\x14\x00\x00\x00\x5d\x00"))
    assert read(path) == {"x.py": "is compressed by method 93; use an ordinary zip file"}


def test_members_that_share_their_bytes(tmp_path):
    path = handed_in.overlapping(tmp_path / "a.zip", ["a.py", "b.py", "c.py"], 1_000_000)
    with zipfile.ZipFile(path, "a") as more:
        more.writestr(handed_in.info("ok.py"), b"1")
    damaged = "is damaged in the zip file; hand it in again"
    assert read(path) == {"a.py": damaged, "b.py": damaged, "c.py": damaged, "ok.py": b"1"}


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        (stat.S_IFLNK, "link"),
        (stat.S_IFIFO, "pipe"),
        (stat.S_IFSOCK, "socket"),
        (stat.S_IFCHR, "device"),
        (stat.S_IFBLK, "device"),
    ],
)
def test_what_is_no_file(tmp_path, mode, kind):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr(handed_in.info("x.py", mode=mode | 0o777), b"/etc/passwd")
    assert read(tmp_path / "a.zip") == {"x.py": kind}


def test_a_folder_that_only_its_mode_tells(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr(handed_in.info("x.py", mode=stat.S_IFDIR | 0o777), b"")
    assert read(tmp_path / "a.zip") == {"x.py": None}


def test_dates(tmp_path):
    path = handed_in.zipped(tmp_path / "a.zip", {"x.py": b"1"})
    with archive.opened(OnDisk(path)) as root:
        assert root.entries()[0].modified == datetime(*handed_in.DATE).astimezone()
    for date in ((1980, 1, 1, 0, 0, 0), (2026, 15, 0, 0, 0, 0)):  # none; none that there is
        handed_in.DATE, usual = date, handed_in.DATE
        try:
            path = handed_in.zipped(tmp_path / "b.zip", {"x.py": b"1"})
        finally:
            handed_in.DATE = usual
        with archive.opened(OnDisk(path)) as root:
            assert root.entries()[0].modified is None


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip file", b"PK\5\6" + bytes(18) + b"?", b"PK\1\2" * 100])
def test_what_is_no_zip_file(tmp_path, content):
    (tmp_path / "a.zip").write_bytes(content)
    if content.startswith(b"PK\5\6"):
        assert read(tmp_path / "a.zip") == {}
    else:
        assert why(tmp_path / "a.zip").startswith("is no zip file or is damaged")


def test_a_truncated_zip_file(tmp_path):
    path = handed_in.zipped(tmp_path / "a.zip", {f"{i}.py": os.urandom(100) for i in range(10)})
    path.write_bytes(path.read_bytes()[:-40])
    assert why(path).startswith("is no zip file or is damaged")


def test_too_many_members(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MOST_MEMBERS", 3)
    path = handed_in.zipped(tmp_path / "a.zip", {f"{i}.py": b"" for i in range(4)})
    assert why(path) == "holds more than 3 files; unpack it and give the folder"


def test_folders_without_end(tmp_path):
    path = handed_in.zipped(tmp_path / "a.zip", {"d/" * 10_000 + "x.py": b"1", "ok.py": b"1"})
    found = read(path)
    assert found.pop("ok.py") == b"1"
    assert found == {"|".join(["d"] * archive.DEEPEST): None}


def test_a_link_is_not_opened(tmp_path):
    handed_in.zipped(tmp_path / "a.zip", {"x.py": b"1"})
    try:
        (tmp_path / "b.zip").symlink_to("a.zip")
    except OSError:
        pytest.skip("no links here")
    assert why(tmp_path / "b.zip").startswith("cannot be read")
