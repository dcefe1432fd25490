"""`course grade` as an instructor types it: it resumes, regrades, refuses, and says what it did."""

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path

import files
import pytest

from course.grade import grade
from course.syllabus import ROOT, Module, UserError

CLASS = {"ada": files.RIGHT, "bob": files.WRONG, "cyd": files.SKELETON, "dan": files.LEAVES}


def command(*words, **settings):
    return subprocess.Popen(
        [sys.executable, "-m", "course", "grade", *map(str, words)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "200", **settings},
        start_new_session=True,
    )


def course_grade(*words, expected=0, **settings):
    """Its output."""
    process = command(*words, **settings)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == expected, output
    return output


def hand_in(folder: Path, texts: dict[str, str]) -> Path:
    for student, text in texts.items():
        (folder / student).mkdir(parents=True, exist_ok=True)
        (folder / student / "actuator_modes.py").write_text(text, encoding="utf-8")
    return folder


def results(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()]


def points(folder: Path) -> dict[str, int]:
    found: Counter = Counter()
    for r in results(folder):
        found[r["student"]] += r["points"]
    return dict(found)


def test_a_class_is_graded_once_and_what_is_new_later(tmp_path):
    submissions, graded = hand_in(tmp_path / "class", CLASS), tmp_path / "graded"
    told = course_grade(submissions, "-o", graded, "--jobs", 2)
    assert "4 students, 4 files, 0 refused" in told
    first = points(graded)
    assert (first["ada"], first["cyd"], first["dan"]) == (10, 0, 0) and 0 < first["bob"] < 10
    for name in ("grades.csv", "index.html", "submissions.jsonl"):
        assert (graded / name).stat().st_size
    assert len(list((graded / "students").glob("*.html"))) == 4

    hand_in(submissions, {"eve": files.RIGHT})
    assert "4 of 5 files have their results from before" in course_grade(submissions, "-o", graded)
    assert points(graded) == {**first, "eve": 10}
    assert len({r["seed"] for r in results(graded)}) == 5


def test_a_zip_file_gives_what_its_folder_gives(tmp_path):
    submissions = hand_in(tmp_path / "class", CLASS)
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for path in submissions.rglob("*.py"):
            archive.write(path, path.relative_to(submissions))
    for source, into in ((submissions, "a"), (tmp_path / "class.zip", "b")):
        course_grade(source, "-o", tmp_path / into, "--seed", 5)

    def told(into):
        kept = ("student", "attempt", "check", "status", "points", "message", "seed")
        return sorted([r[k] for k in kept] for r in results(tmp_path / into))

    assert told("a") == told("b")


def test_a_regrade_stands_beside_the_old_results_and_asks_the_same(tmp_path):
    submissions, graded = hand_in(tmp_path / "class", CLASS), tmp_path / "graded"
    course_grade(submissions, "-o", graded)
    before = results(graded)
    course_grade(submissions, "-o", graded, "--regrade")
    after = results(graded)
    assert after[: len(before)] == before and len(after) == 2 * len(before)

    def asked(records):
        return sorted((r["student"], r["check"], r["seed"], r["message"]) for r in records)

    assert asked(after[len(before) :]) == asked(before)
    course_grade(submissions, "-o", graded, "--regrade", "--seed", 3)
    assert not {r["seed"] for r in results(graded)[len(after) :]} & {r["seed"] for r in before}


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_ended_goes_on_where_it_was(tmp_path, end):
    submissions, graded = hand_in(tmp_path / "class", {f"s{i:02}": files.RIGHT for i in range(12)}), tmp_path / "graded"
    process = command(submissions, "-o", graded, "--jobs", 2)
    until = time.monotonic() + 60
    while time.monotonic() < until and not ((graded / "results.jsonl").exists() and results_so_far(graded) >= 2):
        time.sleep(0.02)
    if end == signal.SIGKILL:
        os.killpg(process.pid, end)
        process.wait()
    else:
        process.send_signal(end)
        output, _ = process.communicate(timeout=30)
        assert "The same command goes on where it was" in output and "Traceback" not in output
        assert process.returncode == 130
    done = results_so_far(graded)
    assert 1 <= done < 12  # what was being written at that moment may be taken back
    assert f"{done} of 12 files have their results from before" in course_grade(submissions, "-o", graded)
    assert points(graded) == {f"s{i:02}": 10 for i in range(12)}


def results_so_far(graded: Path) -> int:
    """How many files have all of their results, whatever the last line looks like."""
    lines = (graded / "results.jsonl").read_bytes().split(b"\n")[:-1]
    checks = Counter(json.loads(line)["student"] for line in lines)
    return sum(n == 6 for n in checks.values())


def test_a_copy_without_checks_says_so(tmp_path, monkeypatch):
    submissions = hand_in(tmp_path / "class", {"ada": files.RIGHT})
    monkeypatch.setattr(Module, "checks", tmp_path / "not_in_this_copy.py")
    with pytest.raises(UserError, match="are with your instructor"):
        grade(submissions, tmp_path / "graded")
    assert not (tmp_path / "graded").exists()


def test_only_one_run_writes_to_a_folder(tmp_path):
    submissions, graded = hand_in(tmp_path / "class", {f"s{i}": files.RIGHT for i in range(8)}), tmp_path / "graded"
    first = command(submissions, "-o", graded, "--jobs", 1)
    until = time.monotonic() + 60
    while not (graded / "results.jsonl").exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert "is in use by another" in course_grade(submissions, "-o", graded, expected=2)
    first.communicate(timeout=60)
    assert first.returncode == 0 and points(graded) == {f"s{i}": 10 for i in range(8)}


def test_without_a_sandbox_it_refuses_unless_it_is_trusted(tmp_path):
    submissions = hand_in(tmp_path / "class", {"ada": files.RIGHT})
    told = course_grade(submissions, "-o", tmp_path / "graded", expected=2, COURSE_SANDBOX="none")
    assert "There is no sandbox" in told and "--trust" in told and len(told.splitlines()) == 1
    assert not (tmp_path / "graded").exists()
    told = course_grade(submissions, "-o", tmp_path / "graded", "--trust", COURSE_SANDBOX="none")
    assert "NO SANDBOX" in told
    assert points(tmp_path / "graded") == {"ada": 10}


@pytest.mark.parametrize(
    "words, told",
    [
        (["nowhere", "-o", "graded"], "nowhere"),
        (["class", "-o", "class"], "would be taken for a student"),
        (["class", "-o", "graded", "--settings", "class/ada/actuator_modes.py"], "actuator_modes.py"),
        (["class", "-o", "graded", "--roster", "nowhere.csv"], "nowhere.csv"),
        (["class", "-o", "graded", "--scheduler", "tcp://127.0.0.1:1"], "No scheduler answers"),
        (["class", "-o", "graded", "--jobs", "0"], "--jobs"),
        (["class", "-o", "graded", "--module", "actuator_mode"], "did you mean actuator_modes?"),
    ],
)
def test_mistakes_are_said_in_one_line(tmp_path, words, told):
    hand_in(tmp_path / "class", {"ada": files.RIGHT})
    words = [str(tmp_path / w) if w in ("nowhere", "graded", "nowhere.csv") or "class" in w else w for w in words]
    output = course_grade(*words, expected=2)
    assert told in output.splitlines()[-1] and "Traceback" not in output
    assert (tmp_path / "class" / "ada" / "actuator_modes.py").read_text(encoding="utf-8") == files.RIGHT
