"""The process in which a student's file runs: it loads one file and answers calls until its pipe closes.

Start it as `python -m course.child [MODULE TO IMPORT IN ADVANCE ...]` with the protocol on standard input and output.
What the student's code prints goes to standard error, which the parent collects and shows.
"""

import builtins
import difflib
import importlib
import importlib.abc
import inspect
import os
import queue
import sys
import threading
import traceback
import types
from dataclasses import is_dataclass
from typing import Any, BinaryIO

import numpy as np

from course.child.wire import Decoder, Encoder, Record, WireError, data_fields, pack, pour, unpack

MAX_MESSAGE = 600


class _Withheld(importlib.abc.MetaPathFinder):
    """Refuses the import of an answer while the question is being asked."""

    def __init__(self, names: list[str]) -> None:
        self.names = set(names)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        if fullname in self.names:
            raise ImportError(f"{fullname} holds an answer that is being checked; write your own")


class Worker:
    """One student's module, and the values that live on this side of the boundary."""

    def __init__(self, read: BinaryIO, write: BinaryIO) -> None:
        self._write, self._lock = write, threading.Lock()
        self._inbox: queue.SimpleQueue = queue.SimpleQueue()
        self._main = threading.get_ident()
        self._handles: list[Any] = []
        self._models: list[Any] = []
        self.module = types.ModuleType("exercise")
        threading.Thread(target=self._listen, args=(read,), daemon=True).start()

    def _listen(self, read: BinaryIO) -> None:
        """Receive on a thread of its own, so that "where are you?" is answered while the student's code loops."""
        while (frame := unpack(read)) is not None:
            if frame[0]["op"] == "where":
                self._send({"op": "here", "at": self._where()})
            else:
                self._inbox.put(frame)
        os._exit(0)

    def _send(self, head: dict[str, Any], buffers: list[bytes] | None = None) -> None:
        frame = pack(head, buffers or [])
        with self._lock:
            self._write.write(frame)
            self._write.flush()

    def serve(self) -> None:
        self._send({"op": "ready"})
        while True:
            self._answer(*self._inbox.get())

    def _answer(self, head: dict[str, Any], buffers: list[bytes]) -> None:
        if head["op"] == "mark":
            sys.stdout.flush()
            sys.stderr.flush()
            os.write(2, head["mark"].encode())
            return
        out: list[bytes] = []
        try:
            if head["op"] == "load":
                self._load(head, buffers[0])
                reply = {"op": "done"}
            else:
                reply, out = self._call(head, buffers)
        except BaseException as problem:  # SystemExit and KeyboardInterrupt too: whatever it raised is an answer
            reply = {"op": "problem", **self._describe(problem)}
        sys.stdout.flush()
        self._send({**reply, "id": head["id"]}, out)

    def _load(self, head: dict[str, Any], source: bytes) -> None:
        sys.meta_path.insert(0, _Withheld(head["withheld"]))
        self.module = types.ModuleType(head["name"])
        self.module.__file__ = head["file"]
        sys.modules[head["name"]] = self.module  # dataclasses look their module up
        exec(compile(source, head["file"], "exec", dont_inherit=True), self.module.__dict__)

    def _call(self, head: dict[str, Any], buffers: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
        self._models = []
        decoder = Decoder(buffers, self._decode_other, self._record)
        function = self._handles[head["handle"]] if "handle" in head else self._function(head["function"])
        args = [decoder.value(a) for a in head["args"]]
        kwargs = {k: decoder.value(v) for k, v in head["kwargs"].items()}
        named = _named(function, args, kwargs)
        before = {name: _frozen(value) for name, value in named.items()}
        answer = function(*args, **kwargs)
        changed = [name for name, value in named.items() if _frozen(value) != before[name]]
        encoder = Encoder(self._encode_other)
        try:
            value = encoder.value(answer)
        except WireError as problem:
            raise WireError(f"its answer cannot be handed over: {problem}") from None
        return {"op": "done", "value": value, "changed": changed}, encoder.buffers

    def _record(self, kind: str, /, **values: Any) -> Any:
        own = getattr(self.module, kind, None)
        return own(**values) if isinstance(own, type) and is_dataclass(own) else Record(kind, **values)

    def _function(self, name: str) -> Any:
        if hasattr(self.module, name):
            return getattr(self.module, name)
        mine = [
            n
            for n, v in vars(self.module).items()
            if callable(v) and getattr(v, "__module__", "") == self.module.__name__
        ]
        near = difflib.get_close_matches(name, mine, n=1, cutoff=0.5)
        raise _Missing(name, near[0] if near else "")

    # What is not plain data: models and data of MuJoCo, functions, and everything else as an opaque handle.

    def _decode_other(self, tag: str, rest: list, decoder: Decoder) -> Any:
        if tag == "handle":
            return self._handles[rest[0]]
        if tag == "callback":
            return lambda *args: self._call_back(rest[0], args)
        import mujoco

        if tag == "model":
            # Rebuilt for every call: an answer that changes the model must not change the next question.
            self._models.append(mujoco.MjModel.from_binary_path("model.mjb", {"model.mjb": decoder.buffers[rest[0]]}))
            return self._models[-1]
        if tag == "data":
            data = mujoco.MjData(self._models[rest[0]])
            values = decoder.value(rest[1])
            pour(values, data)
            mujoco.mj_forward(self._models[rest[0]], data)  # contacts and other index fields come from here,
            pour(values, data)  # the numbers from the one who asks
            return data
        raise WireError(f"an unknown tag {tag!r}")

    def _encode_other(self, value: Any, encoder: Encoder) -> list:
        mujoco = sys.modules.get("mujoco")
        if mujoco and isinstance(value, mujoco.MjData):
            for number, model in enumerate(self._models):
                if value.model is model:
                    return ["data", number, encoder.value(data_fields(value))]
        for number, known in enumerate(self._handles):
            if known is value:
                return ["handle", number, type(value).__name__[:60]]
        self._handles.append(value)
        return ["handle", len(self._handles) - 1, type(value).__name__[:60]]

    def _call_back(self, number: int, args: tuple) -> Any:
        encoder = Encoder(self._encode_other)
        self._send({"op": "callback", "callback": number, "args": [encoder.value(a) for a in args]}, encoder.buffers)
        head, buffers = self._inbox.get()
        return Decoder(buffers, self._decode_other, self._record).value(head["value"])

    # Where it went wrong, in the words of the file.

    def _where(self) -> list | None:
        return self._place(traceback.walk_stack(sys._current_frames().get(self._main)), innermost_first=True)

    def _place(self, frames: Any, innermost_first: bool = False) -> list | None:
        own = [(f.f_code.co_name, line) for f, line in frames if f.f_code.co_filename == self.module.__file__]
        return list(own[0 if innermost_first else -1]) if own else None

    def _describe(self, problem: BaseException) -> dict[str, Any]:
        at = self._place(traceback.walk_tb(problem.__traceback__))
        if isinstance(problem, _Missing):
            return {"kind": "missing", "text": problem.near, "at": None}
        if isinstance(problem, NotImplementedError) and str(problem).startswith("TODO(you): "):
            return {"kind": "todo", "text": str(problem).removeprefix("TODO(you): ")[:80], "at": at}
        if isinstance(problem, SystemExit):
            return {"kind": "exit", "text": "", "at": at}
        if isinstance(problem, SyntaxError) and at is None:
            text = (problem.text or "").strip()[:120]
            return {
                "kind": "syntax",
                "text": str(problem.msg)[:MAX_MESSAGE],
                "at": ["", problem.lineno or 0],
                "source": text,
            }
        if isinstance(problem, WireError):
            return {"kind": "unsendable", "text": str(problem)[:MAX_MESSAGE], "at": None}
        try:
            text = "".join(traceback.TracebackException.from_exception(problem).format_exception_only()).strip()
        except Exception:
            text = type(problem).__name__
        return {"kind": "raised", "text": text[:MAX_MESSAGE], "at": at}


class _Missing(Exception):
    def __init__(self, name: str, near: str) -> None:
        super().__init__(name)
        self.near = near


def _named(function: Any, args: list, kwargs: dict) -> dict[str, Any]:
    """The arguments of a call under the names that the function gives them."""
    try:
        return dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):  # the call will say so itself, or has no names
        return {f"number {i}": value for i, value in enumerate(args, 1)} | kwargs


def _frozen(value: Any) -> bytes | None:
    """An argument as bytes, so that a change made to it can be seen after the call. None for what cannot be changed."""
    mujoco = sys.modules.get("mujoco")
    if mujoco and isinstance(value, mujoco.MjModel):
        content = np.zeros(mujoco.mj_sizeModel(value), np.uint8)
        mujoco.mj_saveModel(value, None, content)
        return content.tobytes()
    if mujoco and isinstance(value, mujoco.MjData):  # its state: mj_forward may renew what follows from that
        spec = mujoco.mjtState.mjSTATE_FULLPHYSICS | mujoco.mjtState.mjSTATE_USER
        state = np.zeros(mujoco.mj_stateSize(value.model, spec))
        mujoco.mj_getState(value.model, value, state, spec)
        return state.tobytes()
    if not isinstance(value, (list, dict, Record, np.ndarray)) and not is_dataclass(value):
        return None
    encoder = Encoder()
    try:
        return pack({"value": encoder.value(value)}, encoder.buffers)
    except (WireError, TypeError, ValueError):
        return b"not plain data"


def main() -> None:
    # Keep the protocol's descriptors for ourselves; what the student prints goes to standard error instead.
    read, write = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    builtins.input = _no_input
    for name in sys.argv[1:]:
        importlib.import_module(name)
    Worker(read, write).serve()


def _no_input(prompt: object = "") -> str:
    raise EOFError("there is nobody to answer input() while your work is checked")


if __name__ == "__main__":
    main()
