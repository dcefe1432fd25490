"""Runs pip, shows how far it is, and says in plain words why it failed. Standard library only."""

from __future__ import annotations

import contextlib
import os
import sys
import time

from course.installing.console import say


def follow(python: str, arguments: list[str], folder: str, log: str) -> int:
    """Run pip in a folder and into a log file, and show how far it is. Returns pip's exit code."""
    import subprocess

    environment = dict(os.environ, PIP_USER="0", PYTHONUNBUFFERED="1")  # PIP_USER=1 would install outside .venv
    where = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = subprocess.run(where, capture_output=True, text=True).stdout.strip()
    command = [python, "-m", "pip"] + arguments
    with open(log, "wb") as out:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out, close_fds=False
        )
        progress = Progress(packages)
        try:
            while process.poll() is None:
                time.sleep(0.2)
                progress.show(read(log))
        except KeyboardInterrupt:
            # Ctrl-C reached pip as well; let it clean up, but not for ever.
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            raise
        finally:
            progress.end()
    return process.returncode


class Progress:
    """One line that is rewritten in a terminal; in a pipe, only the steps.

    packages: the folder into which pip installs; what is new in it shows how far pip is.
    """

    def __init__(self, packages: str) -> None:
        self.packages = packages
        self.begun = time.time()
        self.live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.count = 0  # of packages to install, once pip has said so

    def show(self, output: str) -> None:
        """output: what pip has printed so far."""
        names = output.partition("\nInstalling collected packages: ")[2].partition("\n")[0]
        if names and not self.count:
            self.end()
            self.begun = time.time()
            self.count = names.count(",") + 1
            say(f"- installing {self.count} package{'s' * (self.count > 1)}")
        if self.live:
            detail = f"{self.installed()} of {self.count}" if self.count else fetching(output)
            line = f"   {time.time() - self.begun:3.0f} s   {detail}"
            print(f"\r{line[:78]:<78}", end="\r", file=sys.stderr, flush=True)

    def installed(self) -> int:
        """How many packages have appeared since pip began to install."""
        with contextlib.suppress(OSError):  # pip works in the same folder; what vanishes is counted next time
            notes = [entry for entry in os.scandir(self.packages) if entry.name.endswith(".dist-info")]
            return sum(entry.stat().st_mtime >= self.begun - 1 for entry in notes)
        return 0

    def end(self) -> None:
        """Leave a clean line behind."""
        if self.live:
            print("\r" + " " * 78, end="\r", file=sys.stderr, flush=True)


def fetching(output: str) -> str:
    """What pip is fetching now, such as "34 so far, now mujoco-4.0.0 (7.1 MB)"."""
    lines = [line.strip() for line in output.split("\n")]
    count = sum(line.startswith(("Collecting ", "Processing ")) for line in lines)
    files = [line for line in lines if line.startswith(("Downloading ", "Using cached ")) and ".whl (" in line]
    if not count or not files:
        return f"{count} so far" if count else "asking what is needed"
    file, _, size = files[-1].rpartition(" (")
    return f"{count} so far, now {'-'.join(file.split()[-1].split('-')[:2])} ({size}"


def last_words(output: str) -> list[str]:
    """The lines of pip's output that say what went wrong, at most four."""
    lines = [line.strip() for line in output.split("\n") if line.strip()]
    telling = [line for line in lines if line.startswith(("ERROR", "error"))] or lines
    return [line[:200] for line in telling[-4:]]


def cause(output: str) -> str:
    """Why pip failed and what to do about it, in a sentence or two."""
    text = output.lower()
    if "no space left" in text:
        return "The disk is full: the course needs about 1 GB."
    if any(sign in text for sign in ("retrying (", "connection", "name resolution", "timed out", "proxy", "ssl")):
        return "The packages could not be fetched: connect to the internet (or check proxy and certificates)."
    if "no matching distribution" in text:
        return "A package is not there for this Python and system: try Python 3.12."
    return "pip could not install the requirements: see its log, and delete the folder .venv if it stays so."


def read(path: str) -> str:
    """The text of a file, "" if there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
