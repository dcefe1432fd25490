"""Where a student's file runs. `start` gives a process; a place knows how to end it and all that belongs to it."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from course.child import landlock, seccomp
from course.child.confine import NOBODY
from course.sandbox.quota import SCRATCH, overfull, too_many_files, too_many_threads
from course.sandbox.room import DEVICES, clear, readable, room, workshop
from course.syllabus import ROOT

PYTHON = [sys.executable, "-X", "utf8"]
MEMORY = 4 * 2**30  # bytes of address space; JAX sets aside half of it without using it
CPU = 900  # s; a child that has outlived everybody ends by itself
NOWHERE = "/scratch"  # what bubblewrap calls the scratch folder
ENVIRONMENT = {
    "MUJOCO_GL": "disable",  # no check draws, and looking for a display takes time
    "MPLBACKEND": "agg",  # a forgotten plt.show() goes on instead of waiting for somebody to close a window
}
# One thread for linear algebra and few heaps: the other processors grade other files.
THRIFTY = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}


class Place:
    """No sandbox: the child has the rights of whoever starts it, and a limit on memory. For one's own file."""

    layers: tuple[str, ...] = ()

    def __init__(self, slug: str, imports: tuple[str, ...], keep: Path | None = None) -> None:
        """keep: a folder that the child may write too and that stays, for what JAX has compiled; None for none."""
        self.slug, self.keep = slug, (str(keep),) if keep else ()
        self.process: Any = subprocess.Popen(
            self.command(imports),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # a buffer has a lock, and whoever closes it waits for the thread that reads
            start_new_session=True,  # Ctrl-C is for the one who watches; and what it starts can be ended with it
            **self.surroundings(),
        )

    def command(self, imports: tuple[str, ...]) -> list[str]:
        return [*PYTHON, "-m", "course.child", "{}", *imports]

    def surroundings(self) -> dict[str, Any]:
        return {"cwd": ROOT, "env": {**os.environ, **ENVIRONMENT}}

    def exit_code(self, seconds: float) -> int | None:
        """How the process ended, waiting so long for it: negative for a signal, None if it has not ended."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def end(self) -> None:
        """Kill the process and what it has started, and wait for the end."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()

    def confinement(self, **more: Any) -> str:
        """What the child is told to do to itself."""
        sizes = {"memory": MEMORY, "files": SCRATCH // 2, "cpu": CPU}
        return json.dumps({"layers": self.layers, "read": [], "write": [], "parent": os.getpid(), **sizes, **more})


class WatchedPlace(Place):
    """A place whose process is ended when it takes too much of what the kernel does not count for us."""

    def __init__(self, slug: str, imports: tuple[str, ...], keep: Path | None = None) -> None:
        super().__init__(slug, imports, keep)
        self._ended = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def _watch(self) -> None:
        with contextlib.suppress(OSError):  # it has ended
            inside = self.inside()
            with contextlib.suppress(PermissionError):
                # Where memory runs out, this process goes and not the one that grades.
                Path(f"/proc/{inside}/oom_score_adj").write_text("1000")
            while not (self._ended.wait(0.1) or too_many_threads(inside) or self.overfull(inside)):
                if any(overfull(Path(folder), inside) for folder in self.keep):
                    break
        if not self._ended.is_set():
            self.process.kill()

    def inside(self) -> int:
        """The number of the process in which the student's file runs. Raises OSError if it has not come so far."""
        return self.process.pid

    def overfull(self, inside: int) -> bool:
        """Whether it has written too much."""
        raise NotImplementedError

    def end(self) -> None:
        self._ended.set()
        self._watcher.join(5.0)
        super().end()


class LandlockPlace(WatchedPlace):
    """The kernel opens nothing for the child but its room, the interpreter and a scratch folder; no new processes."""

    layers = ("limits", "landlock", "seccomp")

    def __init__(self, slug: str, imports: tuple[str, ...], keep: Path | None = None) -> None:
        self._scratch = Path(tempfile.mkdtemp(dir=workshop(), prefix="scratch-"))
        if "account" in self.layers:
            os.chown(self._scratch, NOBODY, NOBODY)
            os.chmod(workshop(), 0o711)
            keep = None  # it is not that account's
        super().__init__(slug, imports, keep)

    def command(self, imports: tuple[str, ...]) -> list[str]:
        own = room(self.slug, workshop())
        write = [str(self._scratch), "/dev/null", *self.keep]
        told = self.confinement(read=[str(own), *readable(self.slug)], write=write)
        return [*PYTHON, "-s", "-P", "-m", "course.child", told, *imports]

    def surroundings(self) -> dict[str, Any]:
        own = room(self.slug, workshop())
        return {"cwd": self._scratch, "env": _environment(str(own), str(self._scratch), *self.keep)}

    def overfull(self, inside: int) -> bool:
        return overfull(self._scratch, inside)

    def end(self) -> None:
        super().end()
        clear(self._scratch)


class LimitedPlace(LandlockPlace):
    """As much of that as a system without a sandbox has, and for root nobody's account. For containers that are thrown
    away afterwards."""

    @property
    def layers(self) -> tuple[str, ...]:  # type: ignore[override]
        files = ["landlock"] if landlock.version() else ["account"] if os.geteuid() == 0 else []
        return ("limits", *files, *(["seccomp"] if seccomp.available() else []))


class BubblewrapPlace(WatchedPlace):
    """Namespaces of its own: other processes, the network and other files are not there at all.

    Inside it the child confines itself as with Landlock, where the kernel has it: two walls.
    """

    def __init__(self, slug: str, imports: tuple[str, ...], keep: Path | None = None) -> None:
        self.layers = ("limits", *(["landlock"] if landlock.version() else []), "seccomp")
        # bubblewrap says there which process is the first one inside. Not a pipe: if we were gone, bubblewrap would die
        # of writing into it, and leave a process behind that waits for it for ever.
        self._told = os.memfd_create("told")
        self._inside = 0
        super().__init__(slug, imports, keep)

    def command(self, imports: tuple[str, ...]) -> list[str]:
        own, seen = str(room(self.slug, workshop())), readable(self.slug)
        binds = [word for path in (own, *seen) if path not in DEVICES for word in ("--ro-bind", path, path)]
        binds += [word for path in self.keep for word in ("--bind", path, path)]
        devices = [word for path in DEVICES for word in ("--dev-bind", path, path)]
        told = self.confinement(read=[own, *seen], write=[NOWHERE, "/dev/null", *self.keep], parent=0)
        return [
            *(shutil.which("bwrap") or "bwrap", "--unshare-all", "--as-pid-1", "--die-with-parent"),
            *("--cap-drop", "ALL"),
            *("--uid", "65534", "--gid", "65534", "--hostname", "sandbox", "--info-fd", str(self._told)),
            *(*binds, *devices, "--size", str(SCRATCH), "--tmpfs", NOWHERE, "--chdir", NOWHERE, "--remount-ro", "/"),
            *("--", *PYTHON, "-s", "-P", "-m", "course.child", told, *imports),
        ]

    def surroundings(self) -> dict[str, Any]:
        own = str(room(self.slug, workshop()))
        return {"cwd": "/", "env": _environment(own, NOWHERE, *self.keep), "pass_fds": (self._told,)}

    def exit_code(self, seconds: float) -> int | None:
        code = super().exit_code(seconds)
        return code if code is None or code <= 128 else 128 - code  # bubblewrap reports a signal as a shell does

    def inside(self) -> int:
        try:
            while not (said := os.pread(self._told, 4096, 0)).endswith(b"}\n"):
                if self.process.poll() is not None:
                    raise ProcessLookupError
                time.sleep(0.002)
        finally:
            os.close(self._told)
        self._inside = json.loads(said)["child-pid"]
        return self._inside

    def overfull(self, inside: int) -> bool:
        with contextlib.suppress(OSError):  # bubblewrap is still building
            return too_many_files(f"/proc/{inside}/root{NOWHERE}")
        return False

    def end(self) -> None:
        self._ended.set()
        self._watcher.join(5.0)
        if self._inside and self.process.poll() is None:
            # The first process inside takes all others with it. bubblewrap waits for its end, and we for bubblewrap's.
            with contextlib.suppress(OSError):
                os.kill(self._inside, signal.SIGKILL)
                self.exit_code(5.0)
        super().end()


def _environment(course: str, scratch: str, keep: str = "") -> dict[str, str]:
    """All that the child's environment holds. What else stands in ours is nobody's business."""
    compiled = {"JAX_COMPILATION_CACHE_DIR": keep, "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"} if keep else {}
    own = {"PYTHONPATH": course, "HOME": scratch, "TMPDIR": scratch, "PATH": os.defpath, "LANG": "C.UTF-8"}
    return {**own, "PYTHONDONTWRITEBYTECODE": "1", **compiled, **ENVIRONMENT, **THRIFTY}
