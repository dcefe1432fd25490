"""Works on jobs in several processes of this computer."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait as wait_for_any

from course.grading.job import Job, broken, work
from course.record import Record
from course.sandbox.room import use_workshop, workshop

ATTEMPTS = 2  # a job during which our process ended is given to another one, so often in all


def in_processes(jobs: list[Job], processes: int) -> Iterator[tuple[Job, list[Record]]]:
    """Each job with its records, as they come. Closing the iterator drops what is not finished."""
    waiting = [(job, 1) for job in reversed(jobs)]
    # An executor of one process each: if that ends, it is known which job it had, and no other one is lost.
    idle = [_process() for _ in range(min(processes, len(jobs)))]
    running: dict[Future, tuple[ProcessPoolExecutor, Job, int]] = {}
    try:
        while waiting or running:
            while idle and waiting:
                executor, (job, attempt) = idle.pop(), waiting.pop()
                running[executor.submit(work, job)] = executor, job, attempt
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                executor, job, attempt = running.pop(future)
                try:
                    records = future.result()
                except BrokenProcessPool:
                    executor.shutdown()
                    executor = _process()
                    if attempt < ATTEMPTS:
                        idle.append(executor)
                        waiting.append((job, attempt + 1))
                        continue
                    records = broken(job, "the process that asked it ended without a word")
                idle.append(executor)
                yield job, records
    finally:
        for executor in idle:
            executor.shutdown()
        for executor, _, _ in running.values():
            for process in list(executor._processes.values()):  # from Python 3.14 on: executor.kill_workers()
                process.kill()
            executor.shutdown(cancel_futures=True)


def _process() -> ProcessPoolExecutor:
    # Not a fork of this process, which has threads whose locks would stay locked.
    spawn = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(1, mp_context=spawn, initializer=_begin, initargs=(workshop(),))
    with _deaf():
        executor.submit(int)  # a process starts with the first thing that it is given
    return executor


@contextmanager
def _deaf() -> Iterator[None]:
    """What is started in here does not hear Ctrl-C, which is for the one who gives out the jobs."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _begin(shared: str) -> None:
    use_workshop(shared)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    """Whoever gives out the jobs may be killed; an executor's process would wait for the next one for ever."""
    wait_for_any([multiprocessing.parent_process().sentinel])  # type: ignore[union-attr]
    os._exit(1)
