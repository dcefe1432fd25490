"""Answers what comes through the pipe until the pipe closes.

What the student's code prints goes to standard error, which the parent collects and shows.
"""

import builtins
import importlib
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from typing import Any, BinaryIO

from course.child.wire import pack, unpack
from course.child.worker import Message, Worker

MEMORY = 4 * 2**30  # bytes of data; whoever needs more gets a MemoryError and not the whole machine


class Server:
    """Reads questions from one stream and writes the worker's answers to another."""

    def __init__(self, read: BinaryIO, write: BinaryIO) -> None:
        self._write, self._lock = write, threading.Lock()
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._main = threading.get_ident()
        self._worker = Worker(self._call_back)
        threading.Thread(target=self._listen, args=(read,), daemon=True).start()

    def _listen(self, read: BinaryIO) -> None:
        """Receive on a thread of its own, so that "where are you?" is answered while the student's code loops."""
        try:
            while (frame := unpack(read)) is not None:
                if frame[0]["op"] == "where":
                    self._send({"op": "here", "at": self._worker.where(self._main)})
                else:
                    self._inbox.put(frame)
        finally:
            _end()

    def _send(self, head: dict[str, Any], buffers: list[bytes] | None = None) -> None:
        frame = pack(head, buffers or [])
        with self._lock:
            self._write.write(frame)
            self._write.flush()

    def serve(self, layers: list[str]) -> None:
        self._send({"op": "ready", "layers": layers})
        while True:
            self._answer(*self._inbox.get())

    def _answer(self, head: dict[str, Any], buffers: list[bytes]) -> None:
        if head["op"] == "mark":
            with suppress(OSError):
                os.write(2, head["mark"].encode())
            return
        out: list[bytes] = []
        try:
            reply, out = self._worker.do(head, buffers)
        except BaseException as problem:  # SystemExit and KeyboardInterrupt too: whatever it raised is an answer
            reply = {"op": "problem", **self._worker.describe(problem)}
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):  # the file may have closed or replaced them
                stream.flush()
        self._send({**reply, "id": head["id"]}, out)

    def _call_back(self, head: dict[str, Any], buffers: list[bytes]) -> Message:
        self._send(head, buffers)
        return self._inbox.get()


def _end() -> None:
    """The one who asked is gone: leave nobody behind, neither this process nor what it has started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def serve(layers: list[str], imports: list[str]) -> None:
    """Answer until the pipe closes. layers: of the sandbox, already in force. imports: what to import in advance."""
    # Keep the protocol's descriptors for ourselves; what the student prints goes to standard error instead.
    read, write = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    builtins.input = _no_input
    sys.breakpointhook = _no_breakpoint
    _limit_memory()
    for name in imports:
        importlib.import_module(name)
    server = Server(read, write)
    try:
        server.serve(layers)
    finally:  # the file has broken what we stand on; its author can do nothing with our traceback
        os._exit(1)


def _no_input(prompt: object = "") -> str:
    raise EOFError("there is nobody to answer input() while your work is checked")


def _no_breakpoint(*args: Any, **kwargs: Any) -> None:
    with suppress(OSError):
        os.write(2, b"breakpoint() is passed over here; `course check --debug` stops at it\n")


def _limit_memory() -> None:
    with suppress(ImportError):  # Windows has no such limits
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if soft == resource.RLIM_INFINITY or soft > MEMORY:
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, hard))
