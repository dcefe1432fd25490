"""The folder of a grading: nothing in it is lost, whatever is killed, damaged, full or done twice."""

import errno
import json
import os
import subprocess
import sys
from dataclasses import asdict

import pytest
from classroom import HOSTILE, MODULE, NOON, grade, records, submission

from course.grading.folder import Delivery, Folder
from course.grading.history import checks_hash
from course.syllabus import ROOT, UserError

ADA, BOB = submission("ada"), submission("bob", b"y = 2\n")


def graded(path):
    return {file[0]: [r.seed for r in of_file] for file, of_file in Folder(path).graded().items()}


def refused(action, *arguments):
    with pytest.raises(UserError) as problem:
        action(*arguments)
    assert "\n" not in str(problem.value)
    return str(problem.value)


def test_what_goes_in_comes_out(tmp_path):
    given = [submission(student, student.encode(), name="a\tb.py", submitted=NOON, late=True) for student in HOSTILE]
    written = [records(s, ["fail", "pass"], printed="\x00é\n", message="=1+1\n\u2028") for s in given]
    with Folder(tmp_path) as folder:
        folder.note(given)
        for of_file in written:
            folder.append(of_file)
    again = Folder(tmp_path)
    assert again.records() == [record for of_file in written for record in of_file]
    assert list(again.graded().values()) == written and again.problems == []
    assert again.deliveries() == [
        Delivery(s.student, "", MODULE.slug, s.attempt, s.name, NOON, True, len(s.source), "") for s in given
    ]


def test_a_write_that_was_torn_anywhere_costs_that_file_and_no_other(tmp_path):
    results = grade(tmp_path, (ADA, "pass")) / "results.jsonl"
    before = results.read_bytes()
    with Folder(tmp_path) as folder:
        folder.append(records(BOB, "fail", seed=8))
    whole, count = results.read_bytes(), len(records(ADA))
    for cut in {*range(len(before), len(whole) - 1, 37), *range(len(whole) - 40, len(whole) - 1)}:
        results.write_bytes(whole[:cut])
        assert graded(tmp_path) == {"ada": [7] * count}, cut
        with Folder(tmp_path) as folder:
            folder.append(records(BOB, "fail", seed=9))
        assert graded(tmp_path) == {"ada": [7] * count, "bob": [9] * count}, cut
        assert results.read_bytes().startswith(before) and Folder(tmp_path).problems == []
    results.write_bytes(whole[:-1])  # an editor that takes off the last line break has not torn anything
    assert graded(tmp_path) == {"ada": [7] * count, "bob": [8] * count}
    with Folder(tmp_path) as folder:
        folder.append(records(submission("cy")))
    assert results.read_bytes().startswith(whole) and len(graded(tmp_path)) == 3


def test_the_first_file_may_be_the_torn_one(tmp_path):
    """There is no other file to tell how many checks there are; the syllabus does."""
    results = grade(tmp_path, (ADA, "pass"), check_hash=checks_hash(MODULE)) / "results.jsonl"
    lines = results.read_bytes().splitlines(keepends=True)
    assert list(graded(tmp_path)) == ["ada"]
    results.write_bytes(b"".join(lines[:-1]))
    assert graded(tmp_path) == {}


def test_a_regrade_takes_the_place_of_what_was_before_it_once_it_is_complete(tmp_path):
    grade(tmp_path, (ADA, "fail"))
    newer = records(ADA, "pass", seed=8, check_hash="beef")
    newer = [newer[-1], *newer[:-1]]  # other checks, in another order
    with Folder(tmp_path) as folder:
        folder.append(newer)
    assert Folder(tmp_path).graded() == {("ada", ADA.attempt, MODULE.slug): newer}
    with Folder(tmp_path) as folder:
        folder.append(records(ADA, "todo", seed=9, check_hash="beef")[:-1])  # torn at the end of a line
    assert list(Folder(tmp_path).graded().values()) == [newer]


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (b"\xff\xfe not text", "damaged"),
        (b'{"student": "bob"', "damaged"),
        (b"[" * 100_000, "damaged"),
        (b"7", "damaged"),
        (b'{"student": "bob"}', "lacks an entry"),
        ({"points": "3"}, "wrong one"),
        ({"points": True}, "wrong one"),
        ({"status": "perfect"}, "wrong one"),
        ({"seed": None}, "wrong one"),
    ],
)
def test_a_damaged_line_is_named_and_the_others_count(tmp_path, damage, says):
    results = grade(tmp_path, (ADA, "pass"), (BOB, "pass")) / "results.jsonl"
    lines = results.read_bytes().splitlines()
    if isinstance(damage, dict):
        damage = json.dumps(json.loads(lines[-1]) | damage).encode()
    lines.insert(3, damage)
    results.write_bytes(b"\n".join(lines) + b"\n")
    folder = Folder(tmp_path)
    assert len(folder.records()) == len(lines) - 1 and len(folder.graded()) == 2
    [problem] = folder.problems
    assert problem.startswith("results.jsonl:4:") and says in problem


def test_what_a_newer_course_wrote_is_passed_over_in_one_line(tmp_path):
    results = grade(tmp_path, (ADA, "pass"), (BOB, "pass")) / "results.jsonl"
    lines = [json.dumps(json.loads(line) | {"mood": 1, "colour": 2}) for line in results.read_text().splitlines()]
    results.write_text("\n".join(lines) + "\n")
    folder = Folder(tmp_path)
    assert folder.records() == records(ADA) + records(BOB)
    [problem] = folder.problems
    assert problem.startswith("results.jsonl:1:") and "colour, mood" in problem


def test_one_folder_has_one_writer(tmp_path):
    with Folder(tmp_path) as first:
        first.begin(1)
        second = Folder(tmp_path)
        assert "is in use" in refused(second.begin, None)
        assert "is in use" in refused(second.append, records(ADA))
        first.append(records(ADA))
        assert len(second.records()) == len(records(ADA))  # reading is free
    second.append(records(BOB))
    second.close()
    assert len(graded(tmp_path)) == 2


def test_the_lock_of_a_process_that_was_killed_is_nobodys(tmp_path):
    program = f"from course.grading.folder import *; f = Folder(Path({str(tmp_path)!r})); print(f.begin(5)); input()"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as other:
        assert other.stdout.readline() == "5\n"
        assert "is in use" in refused(Folder(tmp_path).begin, None)
        other.kill()
    with Folder(tmp_path) as folder:
        assert folder.begin(None) == 5


def test_the_seed_is_kept_and_those_before_it_are_not_forgotten(tmp_path):
    def begin(seed):
        with Folder(tmp_path / "new" / "one") as folder:
            return folder.begin(seed)

    first = begin(None)
    assert begin(None) == first and 0 <= first < 2**63
    assert (begin(3), begin(None), begin(0), begin(3)) == (3, 3, 0, 3)
    kept = json.loads((tmp_path / "new" / "one" / "grading.json").read_text())
    assert kept["seed"] == 3 and kept["earlier_seeds"] == [first, 0]
    with Folder(tmp_path / "another") as folder:
        assert folder.begin(None) != first
    (tmp_path / "another" / "grading.json").write_text("{")
    assert "grading.json is damaged" in refused(Folder(tmp_path / "another").begin, None)


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    assert "holds other things, such as thesis.tex" in refused(Folder(tmp_path).begin, None)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    assert "is not a folder" in refused(Folder(tmp_path / "thesis.tex").begin, None)
    prepared = tmp_path / "prepared"
    prepared.mkdir()
    (prepared / "roster.csv").write_text("id\nada\n")
    with Folder(prepared) as folder:
        folder.begin(1)
        folder.append(records(ADA))
    (prepared / "grading.json").unlink()
    with Folder(prepared) as folder:
        assert folder.begin(2) == 2


def test_a_delivery_is_noted_as_often_as_it_came(tmp_path):
    later = submission("ada", name="again.py", submitted=NOON)
    with Folder(tmp_path) as folder:
        folder.note([ADA, BOB])
        folder.note([ADA, BOB, later])
        folder.note([ADA, BOB, later, ADA])  # back to the first file, with the same name and date
        folder.note([ADA, BOB, later, ADA])
    names = [(d.student, d.name) for d in Folder(tmp_path).deliveries()]
    assert names == [("ada", ADA.name), ("bob", BOB.name), ("ada", "again.py"), ("ada", ADA.name)]


def test_a_full_disk_is_one_line_and_leaves_no_half(tmp_path, monkeypatch):
    results = grade(tmp_path, (ADA, "pass")) / "results.jsonl"
    before = results.read_bytes()
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(results))
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(full))
    with Folder(tmp_path) as folder:
        assert "No space left" in refused(folder.append, records(BOB))
    assert results.read_bytes() == before


def test_each_line_is_the_record_itself(tmp_path):
    """The format is read by other programs: plain JSON, the fields of the record, nothing else."""
    lines = (grade(tmp_path, (ADA, ["fail", "pass"])) / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [asdict(record) for record in records(ADA, ["fail", "pass"])]
