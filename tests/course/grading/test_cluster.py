"""The same jobs on a real scheduler with two workers of its own, all on this computer."""

import json
import os
import signal
import subprocess
import sys
import time

import files
import pytest

from course.grading.cluster import on_cluster
from course.grading.job import work
from course.syllabus import UserError

pytest.importorskip("distributed")


@pytest.fixture
def cluster(tmp_path):
    """A scheduler's address, and its two workers."""
    told = tmp_path / "scheduler.json"
    begin = [sys.executable, "-m", "distributed.cli"]
    where = ["--scheduler-file", str(told)]
    quiet = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = ["dask_scheduler", *where, "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    worker = ["dask_worker", *where, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    processes = []
    try:
        for words in (scheduler, worker, worker):
            processes.append(subprocess.Popen([*begin[:2], f"{begin[2]}.{words[0]}", *words[1:]], **quiet))
            until = time.monotonic() + 60
            while not told.exists() and time.monotonic() < until:
                time.sleep(0.05)
        yield json.loads(told.read_text())["address"], processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def same(records):
    """What must not depend on where a file was asked."""
    return [(r.student, r.check, r.status, r.points, r.message, r.seed, r.check_hash) for r in records]


def test_gives_what_this_process_gives(cluster):
    jobs = [files.job("right"), files.job("wrong", files.WRONG), files.job("leaves", files.LEAVES)]
    jobs.append(files.job("refused", b"", refusal="it is a link"))
    found = {job.student: same(records) for job, records in on_cluster(jobs, cluster[0])}
    assert found == {job.student: same(work(job)) for job in jobs}
    assert [sum(r[3] for r in found[s]) for s in ("right", "leaves", "refused")] == [files.MODULE.points, 0, 0]


def test_a_worker_killed_in_the_middle_loses_nothing(cluster):
    address, workers = cluster
    jobs = [files.job(f"student {i}", seed=i) for i in range(12)]
    found = {}
    for job, records in on_cluster(jobs, address):
        found[job.student] = files.points(records)
        if len(found) == 2:
            os.kill(workers[0].pid, signal.SIGKILL)
    assert found == {job.student: files.MODULE.points for job in jobs}


def test_a_cluster_with_other_checks_gives_no_points(cluster):
    import dataclasses

    jobs = [dataclasses.replace(files.job("ada"), check_hash="of another version")]
    ((_, records),) = on_cluster(jobs, cluster[0])
    assert {r.status for r in records} == {"error"}
    assert "another version of the checks" in records[0].message


def test_no_scheduler_is_said_in_one_line(monkeypatch):
    monkeypatch.setattr("course.grading.cluster.SECONDS", 0.5)
    with pytest.raises(UserError, match=r"No scheduler answers at tcp://127\.0\.0\.1:1"):
        list(on_cluster([files.job("ada")], "tcp://127.0.0.1:1"))
