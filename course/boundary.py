"""The trusted side of the process boundary: start a child, hand it one file, call it, and never wait for ever.

The sandbox around the child belongs in `Child.__init__`, where the process is started; everything else stays as it is.
"""

import contextlib
import os
import queue
import re
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from course.child.wire import Decoder, Encoder, WireError, data_fields, pack, pour, unpack
from course.syllabus import ROOT

START_SECONDS = 60.0  # a cold disk and a busy machine, not the student's fault
KEPT_OUTPUT = 4_000  # characters of a check's printed output that are kept
_CONTROL = re.compile(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]|[\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def printable(text: str, limit: int = 2_000) -> str:
    """Text from the untrusted side without control characters (a terminal obeys them), and not too long."""
    return _CONTROL.sub("?", text)[:limit]


class Problem(Exception):
    """What came back instead of an answer.

    kind: todo, missing, syntax, raised, exit, unsendable, changed, late, died, garbled.
    """

    def __init__(self, kind: str, text: str = "", at: list | None = None, source: str = "") -> None:
        super().__init__(kind)
        self.kind, self.text, self.source = kind, printable(text), printable(source)
        self.function, self.line = "", 0
        if isinstance(at, list) and [type(x) for x in at] == [str, int]:
            self.function, self.line = printable(at[0], 80), at[1]


class Handle:
    """A value that stays in the child: it can be passed in again, or called."""

    def __init__(self, child: "Child", number: int, kind: str) -> None:
        self._child, self._number, self.kind = child, number, kind

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._child.call(self, args, kwargs, deadline=self._child.deadline)

    def __repr__(self) -> str:
        return f"<a {self.kind}>"


class Child:
    """One process that runs one student's file. Nothing in it is trusted after `load`."""

    def __init__(self, imports: tuple[str, ...] = ()) -> None:
        """Start it, without waiting. imports: modules that it imports while nobody waits for it."""
        self.deadline = time.monotonic() + START_SECONDS
        self._process: Any = subprocess.Popen(
            [sys.executable, "-X", "utf8", "-m", "course.child", *imports],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "MUJOCO_GL": "disable"},  # no check draws, and looking for a display takes time
            start_new_session=True,  # Ctrl-C is for the one who watches, not for the child
        )
        self._replies: queue.Queue = queue.Queue(8)  # one is expected; a flood waits in the child's own memory
        self._ended: Problem | None = None
        self._output = _Output(self._process.stderr)
        self._models: list[Any] = []
        self._callbacks: list[Callable] = []
        self._calls = 0
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        try:
            while (frame := unpack(self._process.stdout)) is not None:
                self._replies.put(frame)
            self._replies.put(Problem("died"))
        except (WireError, ValueError, OSError):
            self._replies.put(Problem("garbled"))

    def load(self, source: bytes, name: str, file: str, withheld: list[str], deadline: float) -> None:
        """Run the file's top level. deadline: on the clock of time.monotonic. Raises Problem."""
        ready, _ = self._next(time.monotonic() + START_SECONDS)
        if ready.get("op") != "ready":
            raise Problem("died")
        self._request({"op": "load", "name": name, "file": file, "withheld": withheld}, [source], deadline)

    def call(self, function: str | Handle, args: tuple, kwargs: dict[str, Any], deadline: float) -> Any:
        """Call a function by name, or a handle. Returns its answer as plain data or Handle. Raises Problem."""
        self.deadline = deadline
        self._models, self._callbacks = [], []
        encoder = Encoder(self._encode_other)
        head: dict[str, Any] = {"op": "call", "args": [encoder.value(a) for a in args]}
        head["kwargs"] = {k: encoder.value(v) for k, v in kwargs.items()}
        head |= {"handle": function._number} if isinstance(function, Handle) else {"function": function}
        reply, buffers = self._request(head, encoder.buffers, deadline)
        if changed := reply.get("changed"):
            raise Problem("changed", str(changed[0] if isinstance(changed, list) else changed))
        try:
            return Decoder(buffers, self._decode_other).value(reply.get("value"))
        except WireError as problem:
            raise Problem("garbled") from problem

    def _request(self, head: dict, buffers: list[bytes], deadline: float) -> tuple[dict, list[bytes]]:
        self._calls += 1
        number = f"{self._calls}-{secrets.token_hex(8)}"  # an answer prepared before the question does not fit
        self._write({**head, "id": number}, buffers)
        while True:
            reply, out = self._next(deadline)
            op = reply.get("op")
            if op == "callback":
                self._answer_callback(reply, out)
            elif reply.get("id") != number or op not in ("done", "problem"):
                raise Problem("garbled")
            elif op == "problem":
                raise Problem(
                    str(reply.get("kind")), str(reply.get("text")), reply.get("at"), str(reply.get("source", ""))
                )
            else:
                return reply, out

    def _write(self, head: dict, buffers: list[bytes]) -> None:
        try:
            self._process.stdin.write(pack(head, buffers))
            self._process.stdin.flush()
        except (OSError, ValueError) as problem:
            raise Problem("died") from problem

    def _next(self, deadline: float) -> tuple[dict, list[bytes]]:
        if self._ended:
            raise self._ended
        try:
            reply = self._replies.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise Problem("late", at=self._where()) from None
        if isinstance(reply, Problem):
            self._ended = reply
            raise reply
        return reply

    def _where(self) -> list | None:
        """Ask the child's listening thread which line of the file is running now."""
        try:
            self._write({"op": "where"}, [])
            reply = self._replies.get(timeout=0.5)
            return None if isinstance(reply, Problem) else reply[0].get("at")
        except (Problem, queue.Empty):
            return None

    def _answer_callback(self, reply: dict, buffers: list[bytes]) -> None:
        try:
            decoder = Decoder(buffers, self._decode_other)
            function = self._callbacks[int(reply["callback"])]
            args = [decoder.value(a) for a in reply["args"]]
        except (KeyError, ValueError, TypeError, IndexError, WireError) as problem:
            raise Problem("garbled") from problem
        encoder = Encoder(self._encode_other)
        self._write({"op": "answer", "value": encoder.value(function(*args))}, encoder.buffers)

    def _encode_other(self, value: Any, encoder: Encoder) -> list:
        if isinstance(value, Handle):
            return ["handle", value._number]
        mujoco = sys.modules.get("mujoco")
        if mujoco and isinstance(value, mujoco.MjModel):
            return self._encode_model(value, encoder)
        if mujoco and isinstance(value, mujoco.MjData):
            if not any(value.model is model for model in self._models):
                raise WireError("pass the MjModel before its MjData")
            number = next(i for i, model in enumerate(self._models) if value.model is model)
            return ["data", number, encoder.value(data_fields(value))]
        if callable(value):
            self._callbacks.append(value)
            return ["callback", len(self._callbacks) - 1]
        raise WireError(f"a {type(value).__name__} is not plain data")

    def _encode_model(self, model: Any, encoder: Encoder) -> list:
        import mujoco

        content = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
        mujoco.mj_saveModel(model, None, content)
        self._models.append(model)
        return ["model", encoder.buffer(content.tobytes())]

    def _decode_other(self, tag: str, rest: list, decoder: Decoder) -> Any:
        if tag == "handle" and type(rest[0]) is int:
            return Handle(self, rest[0], printable(str(rest[1]), 60))
        if tag == "data":
            import mujoco

            values = decoder.value(rest[1])
            if type(values) is not dict or type(rest[0]) is not int:
                raise WireError("malformed data")
            data = mujoco.MjData(self._models[rest[0]])
            pour(values, data)
            return data
        raise WireError(f"an unknown tag {tag[:20]!r}")

    def printed(self) -> tuple[str, int]:
        """What the student's code printed since the last call: its beginning, and how many bytes there were."""
        mark = secrets.token_hex(16)
        try:
            self._write({"op": "mark", "mark": mark}, [])
        except Problem:
            mark = ""
        text, size = self._output.take(mark, seconds=0.3)
        return printable(text, KEPT_OUTPUT), size

    @property
    def exit_code(self) -> int | None:
        """How the process ended, if it has. Waits a moment: the pipe closes before the process is gone."""
        try:
            return self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """End it now. It may be called twice."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                stream.close()


class _Output:
    """Collects what a child prints, and throws away what nobody will read."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._changed = stream, threading.Condition()
        self._head, self._tail, self._size, self._ended = b"", b"", 0, False
        threading.Thread(target=self._collect, daemon=True).start()

    def _collect(self) -> None:
        try:
            while chunk := self._stream.read1(65536):
                with self._changed:
                    self._size += len(chunk)
                    if len(self._head) < 4 * KEPT_OUTPUT:
                        self._head += chunk
                    self._tail = (self._tail + chunk)[-200:]
                    self._changed.notify()
        except (OSError, ValueError):
            pass
        with self._changed:
            self._ended = True
            self._changed.notify()

    def take(self, mark: str, seconds: float) -> tuple[str, int]:
        """The output up to the mark, which the child prints last."""
        token = mark.encode()
        with self._changed:
            self._changed.wait_for(lambda: self._ended or (bool(token) and token in self._tail), seconds)
            size = self._size - (len(token) if token in self._tail else 0)
            text = self._head.replace(token, b"") if token else self._head
            self._head, self._tail, self._size = b"", b"", 0
        return text.decode("utf-8", "replace"), size
