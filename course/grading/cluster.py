"""Works on jobs on the computers of a dask.distributed cluster, each of which has this course installed."""

from collections.abc import Iterator

from course.grading.job import Job, broken, work
from course.record import Record
from course.syllabus import UserError

RETRIES = 3  # a job whose computer was lost is given to another one, so often
SECONDS = 10.0  # to wait for the scheduler


def on_cluster(jobs: list[Job], scheduler: str) -> Iterator[tuple[Job, list[Record]]]:
    """Each job with its records, as they come. Raises UserError if the scheduler does not answer.

    scheduler: its address, such as tcp://10.0.0.5:8786. Whoever can reach it can run programs there: see its manual.
    """
    try:
        from distributed import Client, as_completed
    except ImportError:
        from course.bootstrap import install_command

        raise UserError(f"--scheduler needs more packages. Type: {install_command('cluster')}") from None
    try:
        client = Client(scheduler, timeout=SECONDS, name="course grade")
    except (OSError, ValueError) as problem:
        raise UserError(f"No scheduler answers at {scheduler}: {problem}") from None
    with client:
        futures = client.map(work, jobs, pure=False, retries=RETRIES, batch_size=100)
        known = dict(zip(futures, jobs, strict=True))
        try:
            for future in as_completed(futures):
                job = known.pop(future)
                if future.status == "finished":
                    yield job, future.result()
                else:
                    yield job, broken(job, f"the cluster gave it up ({future.exception()})")
                future.release()
        finally:
            client.cancel(list(known))
