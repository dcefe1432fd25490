"""The process in which a student's file runs, from outside: start it, ask it, never wait for ever, end it.

Where it runs, and behind which walls, is the business of course/sandbox.
Pipes are read and written by threads, because not every system can give a read or a write a deadline. A process that
has escaped may hold a pipe open for ever; then its thread waits, and nobody waits for the thread.
"""

import contextlib
import queue
import re
import secrets
import threading
import time
from pathlib import Path
from typing import Any

from course.boundary import Boundary, Message, Problem, printable
from course.child.wire import WireError, pack, parse, receive
from course.sandbox.choose import PLACES, strongest

START_SECONDS = 60.0  # a cold disk and a busy machine, not the student's fault
KEPT_OUTPUT = 4_000  # characters of a check's printed output that are kept


class Child(Boundary):
    """One process that runs one student's file. Nothing in it is trusted after `load`."""

    def __init__(
        self, slug: str = "", imports: tuple[str, ...] = (), sandbox: str | None = None, keep: Path | None = None
    ) -> None:
        """Start it, without waiting.

        slug: the module whose file it will run. imports: modules that it imports while nobody waits for it.
        sandbox: one of course.sandbox.choose.PLACES; the strongest that this computer has if None. keep: a folder that
        it may write and that stays.
        """
        super().__init__()
        self._place = PLACES[sandbox or strongest()](slug, imports, keep)
        self._process = self._place.process
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._inbox: queue.Queue[bytes | Problem] = queue.Queue(2)  # one is expected; a flood is not read on
        self._ended: Problem | None = None
        self._output = _Output(self._process.stderr)
        self._reader = threading.Thread(target=self._receive, daemon=True)
        self._killed = False
        self._reader.start()
        threading.Thread(target=self._send, daemon=True).start()

    @property
    def alive(self) -> bool:  # type: ignore[override]
        return self._reader.is_alive()

    @property
    def exit_code(self) -> int | None:  # type: ignore[override]
        """How the process ended, if it has. Waits a moment: the pipe closes before the process is gone."""
        return self._place.exit_code(0.5)

    def load(self, source: bytes, name: str, file: str, withheld: list[str], seconds: float, given: Any = None) -> None:
        try:
            ready, _ = self._next(time.monotonic() + START_SECONDS)
            if ready.get("layers") != list(self._place.layers):
                raise RuntimeError("the process for the student's file is not confined as it was told to be")
        except Problem as problem:
            said = self.printed()[0].splitlines() or ["it said nothing"]
            raise RuntimeError(f"the process for the student's file did not start: {said[-1]}") from problem
        super().load(source, name, file, withheld, seconds, given)

    def printed(self) -> tuple[str, int]:
        mark = self._output.next_mark()
        self._write({"op": "mark", "mark": mark})
        text, size = self._output.take(mark, seconds=0.3)
        return printable(text, KEPT_OUTPUT), size

    def kill(self) -> None:
        """End it and what it has started."""
        if self._killed:
            return  # its number may be somebody else's by now
        self._killed = True
        self._place.end()
        self._output.stop()
        self._outbox.put(None)

    def _request(self, head: dict[str, Any], buffers: list[bytes], deadline: float) -> Message:
        number = secrets.token_hex(8)  # an answer prepared before the question does not fit
        self._write({**head, "id": number}, buffers)
        while True:
            reply, out = self._next(deadline)
            op = reply.get("op")
            if op == "callback":
                self._write(*self._answer_callback(reply, out))
            elif reply.get("id") != number or op not in ("done", "problem"):
                raise Problem("garbled")
            elif op == "problem":
                raise Problem.told(reply)
            else:
                return reply, out

    def _next(self, deadline: float) -> Message:
        if self._ended:
            raise self._ended
        try:
            seconds = deadline - time.monotonic()
            frame = self._inbox.get(timeout=seconds) if seconds > 0 else None
        except queue.Empty:
            frame = None
        if frame is None:
            at = self._where()
            # A process that is gone can be silent too: while something that it started holds its pipes open.
            raise Problem("late", at=at) if self._process.poll() is None else Problem("died")
        if isinstance(frame, Problem):
            self._ended = frame
            raise frame
        try:
            return parse(frame)
        except WireError as problem:
            raise Problem("garbled") from problem

    def _where(self) -> Any:
        """Ask the child's listening thread which line of the file is running now."""
        self._write({"op": "where"})
        until = time.monotonic() + 0.5
        with contextlib.suppress(queue.Empty, WireError, ValueError):
            while isinstance(frame := self._inbox.get(timeout=until - time.monotonic()), bytes):
                head, _ = parse(frame)
                if head.get("op") == "here":
                    return head.get("at")
        return None

    # Each pipe belongs to its thread, which closes it.

    def _write(self, head: dict[str, Any], buffers: list[bytes] | None = None) -> None:
        self._outbox.put(pack(head, buffers or []))

    def _send(self) -> None:
        try:
            with self._process.stdin as stream:
                while (frame := self._outbox.get()) is not None:
                    rest = memoryview(frame)
                    while rest:
                        rest = rest[stream.write(rest) :]
        except (OSError, ValueError):
            self._put(Problem("died"))

    def _receive(self) -> None:
        with self._process.stdout as stream:
            try:
                while (frame := receive(stream)) is not None and self._put(frame):
                    pass
                self._put(Problem("died"))
            except (WireError, OSError, ValueError):
                self._put(Problem("garbled"))

    def _put(self, frame: bytes | Problem) -> bool:
        try:
            self._inbox.put_nowait(frame)
        except queue.Full:
            return False
        return True


class _Output:
    """Collects what a child prints, and throws away what nobody will read."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._changed = stream, threading.Condition()
        self._head, self._tail, self._size, self._ended = b"", b"", 0, False
        self._token, self._marks = secrets.token_hex(16), 0
        threading.Thread(target=self._collect, daemon=True).start()

    def _collect(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._stream as stream:
            while (chunk := stream.read(65536)) and not self._ended:
                with self._changed:
                    self._size += len(chunk)
                    if len(self._head) < 4 * KEPT_OUTPUT:
                        self._head += chunk
                    self._tail = (self._tail + chunk)[-200:]
                    self._changed.notify()
        self.stop()

    def stop(self) -> None:
        """Nothing more is wanted, or nothing more will come."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def next_mark(self) -> str:
        """What the child shall print next, so that its output up to here is known to have come."""
        self._marks += 1
        return f"<{self._token}-{self._marks}>"

    def take(self, mark: str, seconds: float) -> tuple[str, int]:
        """The output up to the mark, as far as it comes in time. Earlier marks may come late, and are not shown."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or mark.encode() in self._tail, seconds)
            text, marks = re.subn(rb"<%b-\d+>" % self._token.encode(), b"", self._head)
            size = self._size - marks * len(mark)
            self._head, self._tail, self._size = b"", b"", 0
        return text.decode("utf-8", "replace"), max(size, 0)
