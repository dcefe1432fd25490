"""Hostile and broken hand-ins: each gets its own clear refusal, costs nobody else anything and changes nothing."""

import os
import socket
import stat
import zipfile

import handed_in
import pytest
from handed_in import GAIN, MODES, write

from course.grading import collect as collecting
from course.grading.collect import collect
from course.grading.entries import open_file

NOT_A_FILE = "not a file; hand in the file itself"


def verdicts(found):
    """{student: [(module, refusal)]}"""
    told = {}
    for s in found:
        assert bool(s.source) != bool(s.refusal) and "\n" not in s.refusal and s.refusal.isprintable()
        told.setdefault(s.student, []).append((s.module, s.refusal))
    return told


def of_ada(tmp_path, files):
    """The one verdict on these files of one student, while another's is taken all the same."""
    told = verdicts(collect(write(tmp_path / "class", {f"bob/{MODES}.py": "1"} | files)))
    assert told.pop("bob") == [(MODES, "")]
    ((_, (verdict,)),) = told.items()
    return verdict


def link(path, target):
    try:
        path.symlink_to(target)
    except OSError:
        pytest.skip("no links here")


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        (b"\n\ncaf\xe9", f"{MODES}.py:3: this file is not UTF-8; save it as UTF-8 in your editor"),
        ("x = 1".encode("utf-16"), f"{MODES}.py:1: this file is not UTF-8; save it as UTF-8 in your editor"),
        (b"x = 1\n\0", f"{MODES}.py:2: there is a NUL byte in this file; it is not a text file"),
        (b"#" * 1_000_001, f"{MODES}.py is too large; an exercise has less than 1,000,000 bytes"),
    ],
)
def test_contents(tmp_path, content, refusal):
    assert of_ada(tmp_path / "a", {f"ada/{MODES}.py": content}) == (MODES, refusal)
    path = handed_in.zipped(tmp_path / "class.zip", {f"ada/{MODES}.py": content, f"bob/{MODES}.py": "1"})
    assert verdicts(collect(path)) == {"ada": [(MODES, refusal)], "bob": [(MODES, "")]}


def test_what_runs_is_taken_as_it_is(tmp_path):
    contents = [b"x = 1\r\n\ty = 2\r\n", b"\xef\xbb\xbfx = 1\n", b"x = 1\ry = 2", b"#" * 1_000_000, b"def broken("]
    root = write(tmp_path / "class", {f"{i}a/{MODES}.py": content for i, content in enumerate(contents)})
    assert [(s.source, s.refusal) for s in collect(root)] == [(content, "") for content in contents]


def test_an_empty_file_is_taken(tmp_path):
    (empty,) = collect(write(tmp_path / "class", {f"ada/{MODES}.py": b""}))
    assert (empty.module, empty.source, empty.refusal) == (MODES, b"", "")


def test_a_large_notebook_is_told_what_to_do(tmp_path):
    _, refusal = of_ada(tmp_path, {f"ada/{MODES}.ipynb": b" " * 1_000_001})
    assert refusal.endswith("has less than 1,000,000 bytes; clear the outputs of its cells and save it")


def test_a_file_that_is_200_megabytes_on_paper_only(tmp_path):
    root = write(tmp_path / "class", {f"ada/{MODES}.py": b""})
    os.truncate(root / "ada" / f"{MODES}.py", 200_000_000)
    assert "is too large" in of_ada(tmp_path, {})[1]


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("actuator_mode.py", (MODES, f"actuator_mode.py: is this {MODES}? rename it to {MODES}.py")),
        (f"{MODES}_final.py", (MODES, f"{MODES}_final.py: is this {MODES}? rename it to {MODES}.py")),
        (f"{MODES}.py.txt", (MODES, f"{MODES}.py.txt: is this {MODES}? rename it to {MODES}.py")),
        (f"jo_1_2_{MODES}.py", (MODES, f"jo_1_2_{MODES}.py: is this {MODES}? rename it to {MODES}.py")),
        ("work.zip", ("", "work.zip is an archive; hand in first_steps.py itself, not packed")),
        (f"{MODES}.zip", (MODES, f"{MODES}.zip is an archive; hand in {MODES}.py itself, not packed")),
        (
            "main.py",
            ("", "main.py: no module is called that; name it as the module is named, for example first_steps.py"),
        ),
        ("report.pdf", ("", "no file of a module here; expected e.g. first_steps.py")),
        (f"{MODES}.py/x.txt", (MODES, f"{MODES}.py is a folder, {NOT_A_FILE}")),
        ("work.ipynb/x.txt", ("", f"work.ipynb is a folder, {NOT_A_FILE}")),
        ("d/" * 13 + f"{MODES}.py", ("", "d lies more than 12 folders deep; hand in only the files of the modules")),
    ],
)
def test_names(tmp_path, name, verdict):
    assert of_ada(tmp_path / "a", {f"ada/{name}": "1"}) == verdict
    path = handed_in.zipped(tmp_path / "class.zip", {f"ada/{name}": "1", f"bob/{MODES}.py": "1"})
    assert verdicts(collect(path)) == {"ada": [verdict], "bob": [(MODES, "")]}


def test_an_empty_folder(tmp_path):
    (tmp_path / "class" / "ada").mkdir(parents=True)
    assert of_ada(tmp_path, {}) == ("", "no file of a module here; expected e.g. first_steps.py")


def test_links(tmp_path):
    outside = write(tmp_path / "secret", {f"{MODES}.py": "an answer"})
    root = write(tmp_path / "class", {f"bob/{MODES}.py": "1", "ada/x.csv": "", "cy/x.csv": "", "eve/x.csv": ""})
    link(root / "ada" / f"{MODES}.py", outside / f"{MODES}.py")
    link(root / "cy" / "code", outside)
    link(root / "dee.d", outside)
    link(root / "eve" / "again", root)
    link(root / "eve" / f"{MODES}.py", "nowhere")
    link(root / "hw.zip", handed_in.zipped(outside / "a.zip", {f"flo/{MODES}.py": "1"}))
    told = {student: sorted(of) for student, of in verdicts(collect(root)).items()}
    assert told == {
        "ada": [(MODES, f"{MODES}.py is a link, {NOT_A_FILE}")],
        "bob": [(MODES, "")],
        "cy": [("", f"code is a link, {NOT_A_FILE}")],
        "dee.d": [("", f"dee.d is a link, {NOT_A_FILE}")],
        "eve": [("", f"again is a link, {NOT_A_FILE}"), (MODES, f"{MODES}.py is a link, {NOT_A_FILE}")],
        "hw": [("", f"hw.zip is a link, {NOT_A_FILE}")],
    }


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes_and_sockets_keep_nobody_waiting(tmp_path, monkeypatch):
    root = write(tmp_path / "class", {"ada/x.csv": "", "bob/x.csv": ""})
    os.mkfifo(root / "ada" / f"{MODES}.py")
    with pytest.raises(OSError, match="it is not a file"):
        open_file(root / "ada" / f"{MODES}.py")  # if it took a file's place after somebody looked
    monkeypatch.chdir(root / "bob")  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{MODES}.py")
        assert verdicts(collect(root)) == {
            "ada": [(MODES, f"{MODES}.py is a pipe, {NOT_A_FILE}")],
            "bob": [(MODES, f"{MODES}.py is a socket, {NOT_A_FILE}")],
        }


def test_what_cannot_be_read(tmp_path):
    root = write(tmp_path / "class", {f"ada/{MODES}.py": "1", f"bob/code/{MODES}.py": "1", f"cy/{MODES}.py": "1"})
    (root / "ada" / f"{MODES}.py").chmod(0)
    (root / "bob" / "code").chmod(0)
    try:
        if os.access(root / "bob" / "code", os.R_OK):
            pytest.skip("the system refuses nothing to this user")
        assert verdicts(collect(root)) == {
            "ada": [(MODES, f"{MODES}.py cannot be read: Permission denied")],
            "bob": [("", "code cannot be opened: Permission denied")],
            "cy": [(MODES, "")],
        }
    finally:
        (root / "bob" / "code").chmod(0o755)


def test_members_of_a_zip_file(tmp_path):
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as made:
        made.writestr(handed_in.info(f"ada/{MODES}.py", mode=stat.S_IFLNK | 0o777), b"/etc/passwd")
        made.writestr(handed_in.info(f"bob/{MODES}.py", method=zipfile.ZIP_BZIP2), bytes(1_000))
        made.writestr(handed_in.info(f"cy/{MODES}.py", method=zipfile.ZIP_STORED), b"KP = 8.0")
        made.writestr(handed_in.info(f"dee/{MODES}.py"), bytes(200_000_000))
        made.writestr(handed_in.info(f"eve/{MODES}.py", mode=stat.S_IFCHR | 0o666), b"")
        made.writestr(handed_in.info(f"flo/{MODES}.py"), b"1")
        made.writestr(handed_in.info(f"gil/{MODES}.py"), b"1")
        made.write(handed_in.zipped(tmp_path / "inner.zip", {f"{MODES}.py": "1"}), "hal.zip")
    handed_in.flagged(tmp_path / "class.zip", f"flo/{MODES}.py", 1)
    handed_in.patched(tmp_path / "class.zip", (b"KP = 8.0", b"KP = 9.0"))
    assert verdicts(collect(tmp_path / "class.zip")) == {
        "ada": [(MODES, f"{MODES}.py is a link, {NOT_A_FILE}")],
        "bob": [(MODES, f"{MODES}.py is compressed by method 12; use an ordinary zip file")],
        "cy": [(MODES, f"{MODES}.py is damaged in the zip file; hand it in again")],
        "dee": [(MODES, f"{MODES}.py is too large; an exercise has less than 1,000,000 bytes")],
        "eve": [(MODES, f"{MODES}.py is a device, {NOT_A_FILE}")],
        "flo": [(MODES, f"{MODES}.py is encrypted in the zip file; hand it in without a password")],
        "gil": [(MODES, "")],
        "hal": [("", "hal.zip is an archive; hand in first_steps.py itself, not packed")],
    }


def test_a_damaged_export_does_not_stop_the_others(tmp_path):
    root = write(tmp_path / "class", {"hw1.zip": b"PK damaged", "hw3.rar": b"Rar!"})
    handed_in.zipped(root / "hw2.zip", {f"ada/{MODES}.py": "1", f"bob/{MODES}.py": "1"})
    told = verdicts(collect(root))
    assert told.pop("hw1")[0][1].startswith("hw1.zip is no zip file or is damaged; download it again")
    assert told.pop("hw3")[0][1].startswith("hw3.rar is an archive")
    assert told == {"ada": [(MODES, "")], "bob": [(MODES, "")]}


def test_one_student_cannot_use_up_the_grader(tmp_path, monkeypatch):
    monkeypatch.setattr(collecting, "MOST_FILES", 3)
    monkeypatch.setattr(collecting, "MOST_STRANGE", 2)
    monkeypatch.setattr(collecting, "MOST_BYTES", 50_000)
    monkeypatch.setattr(collecting, "MOST_ENTRIES", 30)
    files = {f"ada/{MODES}-{i:02}.py": f"{i}" for i in range(6)}
    files |= {f"bob/venv/{i}.py": "1" for i in range(9)} | {f"bob/{MODES}.py": "1"}
    files |= {f"cy/{i:02}.csv": "" for i in range(40)}
    files |= {f"dee/{i}/{MODES}.py": "#" * 20_000 for i in range(4)}
    files |= {f"eve/{MODES}.py": "1"}
    told = verdicts(collect(handed_in.zipped(tmp_path / "class.zip", files)))
    more = "more files, which are too many or too large; hand in only the files of the modules"
    assert sorted(told["ada"]) == [("", f"3 {more}"), (MODES, ""), (MODES, ""), (MODES, "")]
    assert (MODES, "") in told["bob"] and ("", f"7 {more}") in told["bob"] and len(told["bob"]) == 4
    assert told["cy"] == [("", "cy holds too many files; hand in only the files of the modules")]
    assert sorted(told["dee"]) == [("", f"2 {more}"), (MODES, ""), (MODES, "")]
    assert told["eve"] == [(MODES, "")]
    kept = [s.source for s in collect(tmp_path / "class.zip") if s.student == "ada" and s.source]
    assert kept == [b"3", b"4", b"5"], "the newest are kept"


def test_ten_thousand_files(tmp_path):
    root = write(tmp_path / "class", {f"ada/node_modules/{i}.py": "" for i in range(2_000)} | {f"ada/{MODES}.py": "1"})
    write(root, {f"ada/junk/{i}.csv": "" for i in range(8_000)})
    assert verdicts(collect(root)) == {"ada": [(MODES, "")]}


def test_a_whole_class_at_once(tmp_path):
    """Everything above in one folder: each is told its own, and the honest ones are taken."""
    root = write(
        tmp_path / "class",
        {
            f"ada/{MODES}.py": "1",
            f"ada/{GAIN}.ipynb": "{}",
            f"bob/1/{MODES}.py": b"\xff",
            f"bob/2/{MODES}.py": "1",
            "cy/main.py": "1",
            f"dee/{MODES}.py": b"#" * 1_000_001,
            f"eve/{MODES}.py/x": "",
            f"flo_5_55_{MODES}.py": "1",
            f"Gil_6_assignsubmission_file_/{MODES}.py": "1\r\n\t",
            "assignment_1_export/submission_metadata.yml": "submission_1:\n  :submitters:\n  - :sid: hal\n",
            f"assignment_1_export/submission_1/{MODES}.py": "1",
            "hw.zip": b"PK damaged",
            "README.md": "",
        },
    )
    (root / "ida").mkdir()
    handed_in.zipped(root / "more.zip", {f"jo/{MODES}.py": "1", f"kim/{MODES}.py": b"\0"})
    before = {path: path.lstat() for path in sorted(tmp_path.rglob("*"))}
    told = verdicts(collect(root))
    assert {path: path.lstat() for path in sorted(tmp_path.rglob("*"))}.keys() == before.keys()
    taken = {student: [module for module, refusal in of if not refusal] for student, of in told.items()}
    assert taken == {
        "5": [MODES],
        "Gil": [MODES],
        "ada": [MODES, GAIN],
        "bob": [MODES],
        "cy": [],
        "dee": [],
        "eve": [],
        "hal": [MODES],
        "hw": [],
        "ida": [],
        "jo": [MODES],
        "kim": [],
    }
    assert told["bob"][-1] == (MODES, ""), "the newest attempt is the last"
    assert len({refusal for of in told.values() for _, refusal in of if refusal}) == 7, "each in its own words"
