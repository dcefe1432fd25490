"""Record a whole data set on several processors. Stopped at any moment, the same command goes on where it was."""

import hashlib
import json
import multiprocessing
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from bench.recording import Recording, RecordingError, write
from bench.teleop import trial as performing
from bench.teleop.nad import Trial

BENCH = Path(__file__).parent.parent
MADE_FROM = ("arm", "servo", "teleop", "recording", "arms.py", "../models")  # what decides on the numbers


def record(
    folder: Path,
    trials: Sequence[Trial],
    made_by: dict,
    jobs: int,
    progress: Callable[[int], None] = lambda frames: None,
) -> None:
    """Record the trials, all of one plan, and write them to the folder as one data set.

    jobs: processes. progress: called with the frames of each trial that is done, those of an earlier run included.
    What is done is kept in FOLDER.unfinished until the set is complete; it is used again only if the trials and
    everything that decides on their numbers are the same. Raises RecordingError if the folder exists already.
    """
    if folder.exists():
        raise RecordingError(folder, "is there already", "remove it or name another folder")
    desk = Desk(folder.with_name(f"{folder.name}.unfinished"), trials)
    todo = []
    for trial in trials:
        if desk.has(trial):
            progress(trial.frames)
        else:
            todo.append(trial)
    for trial in perform(todo, desk, jobs):
        progress(trial.frames)
    write(folder, desk.recordings(), made_by)
    desk.clear()


class Desk:
    """Where finished trials lie until the set is complete: a folder with one file a trial."""

    def __init__(self, folder: Path, trials: Sequence[Trial]):
        self.folder = folder
        self.trials = list(trials)
        mark, print_ = folder / "made_from", fingerprint(trials)
        if not mark.exists() or mark.read_text(encoding="utf-8") != print_:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            mark.write_text(print_, encoding="utf-8")

    def file(self, trial: Trial) -> Path:
        return self.folder / f"{trial.row.task}_{trial.number}.npz"

    def has(self, trial: Trial) -> bool:
        return self.file(trial).exists()

    def put(self, trial: Trial, recording: Recording) -> None:
        """Keep a recording; the file is there only when it is complete."""
        about = {name: getattr(recording, name) for name in recording.__dataclass_fields__ if name != "columns"}
        file = self.file(trial)
        unfinished = file.with_suffix(f".{os.getpid()}.tmp")
        with unfinished.open("wb") as out:
            np.savez(out, allow_pickle=False, about=np.array(json.dumps(about)), **recording.columns)
        unfinished.replace(file)

    def recordings(self) -> Iterator[Recording]:
        """All recordings, in the order of the trials."""
        for trial in self.trials:
            try:
                with np.load(self.file(trial)) as stored:
                    about = json.loads(str(stored["about"]))
                    columns = {name: stored[name] for name in stored.files if name != "about"}
            except (OSError, ValueError, KeyError, BadZipFile):
                raise RecordingError(self.file(trial), "is damaged", "remove it and give the same command") from None
            yield Recording(**about | {"joints": tuple(about["joints"]), "columns": columns})

    def clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def fingerprint(trials: Iterable[Trial]) -> str:
    """A hash of the trials and of every file that decides on their numbers."""
    digest = hashlib.sha256("\n".join(map(repr, trials)).encode())
    for part in MADE_FROM:
        path = (BENCH / part).resolve()
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix in (".py", ".toml", ".xml", ".json"):
                digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def perform(trials: Sequence[Trial], desk: Desk, jobs: int) -> Iterator[Trial]:
    """Record the trials and keep them on the desk; gives each trial when it is done, the longest begun first."""
    longest_first = sorted(trials, key=lambda trial: -trial.frames)
    if jobs == 1 or len(trials) < 2:
        for trial in longest_first:
            yield _record_and_keep(trial, desk)
        return
    # spawn: the same on every system, and no half-copied state of a library with threads.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_serve_the_parent)
    try:
        with _ctrl_c_waits():
            waiting: set[Future[Trial]] = {pool.submit(_record_and_keep, trial, desk) for trial in longest_first}
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
        pool.shutdown()
    except BrokenProcessPool:
        problem = "a process was ended from outside"
        raise RecordingError(desk.folder, problem, "is there enough memory? The same command goes on") from None
    finally:
        _stop(pool)


def _record_and_keep(trial: Trial, desk: Desk) -> Trial:
    desk.put(trial, performing.record(trial))
    return trial


@contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Ctrl-C comes after this block; in the middle of starting a process it would leave half a process.

    What is begun here never gets Ctrl-C itself: processes inherit the blocked signal (not on Windows).
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # Ctrl-C goes to the main thread only
        return
    pressed: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
    if pressed:
        raise KeyboardInterrupt


def _serve_the_parent() -> None:
    """In each process: leave Ctrl-C to the parent, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the pool now: a trial takes seconds, and nobody who pressed Ctrl-C wants to wait for it."""
    for worker in list((pool._processes or {}).values()):
        with suppress(OSError, ValueError):
            worker.terminate()
    pool.shutdown(cancel_futures=True)
