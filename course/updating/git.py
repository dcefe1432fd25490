"""Asking git, with a time limit, without questions at the terminal, and with errors of one line."""

import os
import signal
import subprocess
import tempfile
from pathlib import Path

from course.syllabus import UserError

# Settings of git that say how to reach a server. The others could point it at another clone or index.
CONNECTION = {"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO", "GIT_SSL_NO_VERIFY", "GIT_EXEC_PATH"}
SECONDS = 300  # for a fetch over a slow line; a stalled one ends after 20 s


def git(root: Path, *arguments: str, index: Path | None = None, seconds: float = SECONDS) -> str:
    """What `git -C root ...` prints. Raises UserError in one line if there is no git, no answer or an error.

    index: a file for git to use as its index instead of the clone's own.
    """
    settings = ["http.lowSpeedLimit=1", "http.lowSpeedTime=20", "gc.auto=0", "maintenance.auto=false"]
    command = ["git", "-C", str(root), *(word for setting in settings for word in ("-c", setting)), *arguments]
    # Files, not pipes: a helper process that outlives a killed git would keep a pipe open, and us waiting.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=environment(index),
                start_new_session=os.name != "nt",
            )
        except FileNotFoundError:
            raise UserError("git is not installed; install it, or give a folder or a zip file instead") from None
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise UserError(f"git {arguments[0]} gave no answer in {seconds:.0f} s; try again later") from None
        finally:
            if process.poll() is None:
                end(process)
        out.seek(0)
        err.seek(0)
        if code:
            raise UserError(f"git {arguments[0]}: {complaint(err.read().decode(errors='replace'))}")
        return out.read().decode(errors="replace")


def environment(index: Path | None = None) -> dict[str, str]:
    """The environment for git: nobody is asked anything, and a git hook that called us has no say."""
    found = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in CONNECTION}
    found.setdefault("GIT_SSH_COMMAND", "ssh -o BatchMode=yes -o ConnectTimeout=20")
    found |= {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": "", "GCM_INTERACTIVE": "never"}
    found |= {"LC_ALL": "C"}  # `complaint` reads English
    if index:
        found["GIT_INDEX_FILE"] = str(index)
    return found


def end(process: subprocess.Popen) -> None:
    """End git and, where the system has process groups, what it started."""
    if os.name == "nt":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def complaint(errors: str) -> str:
    """The one line of git's error output that says most."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (telling or lines or ["failed without a word"])[0].removeprefix("fatal: ")


def says_yes(root: Path, *arguments: str) -> bool:
    """Whether a git command ends without an error."""
    try:
        git(root, *arguments, seconds=60)
    except UserError:
        return False
    return True


def is_clone(root: Path) -> bool:
    """Whether this folder is the top of a git clone, and not a folder somewhere inside another one."""
    if not (root / ".git").exists():
        return False
    try:
        return Path(git(root, "rev-parse", "--show-toplevel", seconds=20).rstrip("\n")).resolve() == root.resolve()
    except UserError:
        return False


def show(root: Path, name: str) -> str | None:
    """The committed text of a file, None if there is none."""
    if not is_clone(root):
        return None
    try:
        return git(root, "show", f"HEAD:{name}", seconds=20).replace("\r\n", "\n")
    except UserError:
        return None
