"""Several processes of our own work on the files of a class; one that ends takes nothing along."""

import multiprocessing
import os
import signal

import files

from course.grading.job import seed_for, work
from course.grading.pool import in_processes


def test_every_file_gets_its_own_verdict():
    jobs = [files.job("right"), files.job("wrong", files.WRONG), files.job("leaves", files.LEAVES)]
    jobs += [files.job("undone", files.SKELETON), files.job("refused", b"", refusal="it is a link")]
    found = {job.student: records for job, records in in_processes(jobs, 2)}
    points = {student: files.points(records) for student, records in found.items()}
    assert points == {"right": 10, "wrong": points["wrong"], "leaves": 0, "undone": 0, "refused": 0}
    assert 0 < points["wrong"] < 10
    assert {r.status for r in found["undone"]} == {"todo"}
    assert {(r.status, r.message) for r in found["refused"]} == {("refused", "it is a link")}
    assert [r.check for r in found["refused"]] == [r.check for r in found["right"]]


def test_a_process_of_ours_that_ends_loses_nothing():
    jobs = [files.job(f"student {i}", seed=i) for i in range(6)]
    found = {}
    for job, records in in_processes(jobs, 2):
        found[job.student] = files.points(records)
        if len(found) == 1:
            os.kill(multiprocessing.active_children()[0].pid, signal.SIGKILL)
    assert found == {job.student: 10 for job in jobs}


def test_stopping_in_the_middle_leaves_no_process():
    results = in_processes([files.job(f"student {i}") for i in range(6)], 2)
    next(results)
    results.close()
    assert multiprocessing.active_children() == []


def test_what_breaks_on_our_side_is_an_error_and_never_a_pass(monkeypatch):
    def breaks(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr("course.grading.ask.Child", breaks)
    records = work(files.job("ada"))
    assert {r.status for r in records} == {"error"} and files.points(records) == 0
    assert "OSError: no more processes" in records[0].message and "not the student's fault" in records[0].message


def test_nothing_is_asked_without_a_sandbox(monkeypatch):
    monkeypatch.setenv("COURSE_SANDBOX", "none")
    records = work(files.job("ada"))
    assert {r.status for r in records} == {"error"}
    assert "this computer has no sandbox" in records[0].message


def test_each_file_draws_its_own_questions_and_the_same_ones_again():
    some = [seed_for(1, "ada", "a", "m"), seed_for(2, "ada", "a", "m"), seed_for(1, "bob", "a", "m")]
    some += [seed_for(1, "ada", "b", "m"), seed_for(1, "ada", "a", "n"), seed_for(2**80, "ada", "a", "m")]
    assert len(set(some)) == len(some)
    assert all(0 <= seed < 2**31 for seed in some)
    assert some[0] == seed_for(1, "ada", "a", "m")
    assert seed_for(0, "\ud800", "", "") >= 0
