"""Where a new version comes from: folders and zip files, damaged and malicious ones too."""

import stat
import zipfile

import pytest
import tiny

import course.updating.source
from course.update import update


@pytest.fixture
def root(tmp_path):
    return tiny.worked_in(tmp_path / "mine")


@pytest.fixture
def new(tmp_path):
    return tiny.next_version(tmp_path / "new")


def test_the_folder_around_this_course_is_no_new_version(root):
    assert "is this course itself" in tiny.refused(str(root.parent), root)


def test_a_source_that_is_no_course_is_one_line(root, tmp_path):
    (tmp_path / "empty").mkdir()
    assert "is no version of this course" in tiny.refused(str(tmp_path / "empty"), root)
    assert "No folder, zip file or git remote is called nowhere" in tiny.refused("nowhere", root)
    assert "is this course itself" in tiny.refused(str(root), root)
    assert "update FOLDER, FILE.zip or a git address" in tiny.refused(None, root)
    assert not (root / ".course" / "incoming").exists()


def zipped(folder, path, prefix=""):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, prefix + file.relative_to(folder).as_posix())
    return path


@pytest.mark.parametrize("prefix", ["", "inside-the-actuator-main/"])
def test_a_zip_file_is_merged_with_and_without_a_folder_around(root, new, tmp_path, prefix):
    update(str(zipped(new, tmp_path / "new.zip", prefix)), root=root)
    assert tiny.text(root, "code/fall.py") == tiny.merged() and not (root / ".course" / "incoming").exists()


@pytest.mark.parametrize(
    "name", ["../evil.py", "/evil.py", "a/../../evil.py", "..\\evil.py", "C:\\evil.py", "C:evil.py"]
)
def test_a_zip_file_that_climbs_out_is_refused(root, new, tmp_path, name):
    path = zipped(new, tmp_path / "new.zip")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(zipfile.ZipInfo(name), "evil")
    before = tiny.snapshot(root)
    assert "would land outside the folder" in tiny.refused(str(path), root)
    assert tiny.snapshot(root) == before and not list(tmp_path.rglob("*evil*"))


def test_a_link_in_a_zip_file_is_skipped(root, new, tmp_path):
    path = zipped(new, tmp_path / "new.zip")
    link = zipfile.ZipInfo("data")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc")
    update(str(path), root=root)
    assert not (root / "data").exists()


def test_a_zip_bomb_is_refused_before_it_is_unpacked(root, new, tmp_path, monkeypatch):
    monkeypatch.setattr(course.updating.source, "MOST_BYTES", 2**20)
    path = zipped(new, tmp_path / "new.zip")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", bytes(2**21))
    assert "is too large for this course: more than 1 MB unpacked" in tiny.refused(str(path), root)


@pytest.mark.parametrize("damage", ["cut", "flipped", "no zip", "empty", "encrypted"])
def test_a_damaged_zip_file_is_one_line_and_changes_nothing(root, new, tmp_path, damage):
    path = zipped(new, tmp_path / "new.zip")
    content = bytearray(path.read_bytes())
    if damage == "flipped":
        at = content.index(b"solutions/fall.py") + 40
        content[at : at + 20] = bytes(20)
    if damage == "encrypted":
        at = content.index(b"PK\x01\x02")
        content[at + 8] |= 1
    path.write_bytes({"cut": content[:900], "no zip": b"hello", "empty": b""}.get(damage, bytes(content)))
    before = tiny.snapshot(root)
    line = tiny.refused(str(path), root)
    assert "\n" not in line and ("is damaged; fetch it again" in line or "is encrypted" in line)
    assert tiny.snapshot(root) == before
