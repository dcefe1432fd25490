"""Runs pip, shows how far it is, and says in plain words why it failed. Standard library only."""

from __future__ import annotations

import contextlib
import os
import sys
import time

from course.console import say


def follow(command: list[str], folder: str, log: str) -> int:
    """Run pip in a folder and into a log file, and show from that how far it is. Returns pip's exit code."""
    import subprocess

    environment = dict(os.environ, PIP_USER="0", PYTHONUNBUFFERED="1")  # PIP_USER=1 would install outside .venv
    with open(log, "wb") as out:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out, close_fds=False
        )
        progress = Progress()
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
    """One line that is rewritten in a terminal; in a pipe, only the steps."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.installing = False

    def show(self, output: str) -> None:
        """output: what pip has printed so far."""
        _, installing, packages = output.partition("\nInstalling collected packages: ")
        if installing and not self.installing:
            self.end()
            self.installing = True
            self.begun = time.monotonic()
            count = packages.partition("\n")[0].count(",") + 1
            say(f"3. Installing {count} packages")
        if self.live:
            detail = "" if self.installing else fetching(output)
            line = f"   {time.monotonic() - self.begun:3.0f} s   {detail}"
            print(f"\r{line[:78]:<78}", end="\r", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave a clean line behind."""
        if self.live:
            print("\r" + " " * 78, end="\r", file=sys.stderr, flush=True)


def fetching(output: str) -> str:
    """What pip is fetching now, such as "34 so far, now mujoco-4.0.0 (7.1 MB)"."""
    names = [line for line in output.split("\n") if line.lstrip().startswith(("Downloading ", "Using cached "))]
    wheels = [line for line in names if ".whl " in line and ".metadata" not in line]
    count = output.count("\nCollecting ")
    if not wheels:
        return f"{count} found so far" if count else ""
    file, _, size = wheels[-1].split(None, 1)[1].replace("cached ", "").partition(" ")
    return f"{count} so far, now {'-'.join(file.split('-')[:2])} {size}"


def last_words(output: str) -> list[str]:
    """The lines of pip's output that say what went wrong, at most six."""
    lines = [line.strip() for line in output.split("\n") if line.strip()]
    telling = [line for line in lines if line.startswith(("ERROR", "error", "WARNING: Retrying"))] or lines
    return [line[:200] for line in telling[-6:]]


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
