"""Works on jobs in several processes of this computer."""

import multiprocessing
import signal
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

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
    return ProcessPoolExecutor(1, mp_context=spawn, initializer=_begin, initargs=(workshop(),))


def _begin(shared: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who gives out the jobs
    use_workshop(shared)
