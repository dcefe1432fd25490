"""Children in a sandbox, or behind one wall of it, and a file that tries what it may; for the tests of the sandbox."""

import os
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from course.process import Child
from course.sandbox import choose
from course.sandbox.place import LandlockPlace

linux = pytest.mark.skipif(sys.platform != "linux", reason="the sandboxes are those of Linux")
SANDBOXES = ("bubblewrap", "landlock")
each_sandbox = pytest.mark.parametrize(
    "sandbox",
    [pytest.param(n, marks=pytest.mark.skipif(bool(why := choose.lacking(n)), reason=why)) for n in SANDBOXES],
)


def needs(sandbox):
    return pytest.mark.skipif(bool(reason := choose.lacking(sandbox)), reason=reason)


def for_others(name):
    """Whether somebody else may read a file, all the way from the root."""
    path = Path(name).resolve()
    return bool(path.stat().st_mode & 0o4) and all(folder.stat().st_mode & 0o1 for folder in path.parents)


as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid")
    or os.geteuid() != 0
    or not for_others(sys.executable)
    or not for_others(choose.__file__),
    reason="only root can start a process for somebody else, with an interpreter and a course that all may read",
)

# What a child is asked to try: each function returns 0 or the number of the error.
TRIES = """
import ctypes, os, resource, socket, sys, threading

libc = ctypes.CDLL(None, use_errno=True)


def tried(attempt, *args):
    try:
        attempt(*args)
    except OSError as refused:
        return refused.errno
    return 0


def reads(path): return tried(open, path)
def writes(path): return tried(open, path, "a")
def lists(path): return tried(os.listdir, path)
def links(path, name): return tried(os.link, path, name)
def signals(process): return tried(os.kill, process, 0)
def connects(port): return tried(socket.create_connection, ("127.0.0.1", port))
def forks():
    def fork():
        if os.fork() == 0:
            os._exit(0)
    return tried(fork)
def executes(): return tried(os.execv, sys.executable, [sys.executable, "-c", "raise SystemExit(3)"])
def calls(number, *args):
    return 0 if libc.syscall(number, *map(ctypes.c_long, args)) >= 0 else ctypes.get_errno()
def starts_a_thread():
    thread = threading.Thread(target=print)
    thread.start()
    thread.join()
def limits():
    names = "AS FSIZE CPU NOFILE CORE MEMLOCK".split()
    return {name: list(resource.getrlimit(getattr(resource, "RLIMIT_" + name))) for name in names}
def capabilities():
    header, held = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    libc.capget(header, held)
    return list(held)
def ids(): return os.getuid(), os.geteuid(), os.getgid(), os.getgroups()
def environment(): return dict(os.environ)
def here(): return os.getcwd()
"""


@contextmanager
def child(sandbox, text=TRIES, slug="actuator_modes", keep=None):
    """A child with this file in it. Yields it and the function that asks."""
    asked = Child(slug, (), sandbox, keep)
    try:
        asked.load(text.encode(), "tries", "tries.py", [], 20.0)
        yield asked, lambda name, *args: asked.call(name, args, {}, time.monotonic() + 20.0)
    finally:
        asked.kill()


@contextmanager
def behind(*layers):
    """A child that has only these layers, to see what one of them refuses when the others are not there."""
    choose.PLACES["alone"] = type("Alone", (LandlockPlace,), {"layers": layers})
    try:
        with child("alone") as (_, ask):
            yield ask
    finally:
        del choose.PLACES["alone"]


def below(process):
    """A process and all that it and its children have started."""
    with suppress(OSError):
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        return [process, *(p for child in children for p in below(int(child)))]
    return [process]


def runs(process):
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def started_in(workshop):
    """The processes whose room is in this workshop, whoever their parent is by now."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"PYTHONPATH={workshop}/".encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
    return found


def left_running(processes, seconds=10.0):
    """Those of the processes that still run after so long; they are killed then."""
    until = time.monotonic() + seconds
    while any(map(runs, processes)) and time.monotonic() < until:
        time.sleep(0.02)
    left = [process for process in processes if runs(process)]
    for process in left:
        with suppress(OSError):
            os.kill(process, 9)
    return left
