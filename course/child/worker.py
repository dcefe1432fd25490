"""One student's module: it is loaded, its functions are called, and what goes wrong is said in the file's words."""

import contextlib
import difflib
import importlib.abc
import inspect
import sys
import traceback
import types
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from course.child import notebook
from course.child.wire import (
    DATA_BYTES,
    Decoder,
    Encoder,
    Record,
    WireError,
    data_fields,
    model_bytes,
    pack,
    pour,
)

MAX_MESSAGE = 600
Message = tuple[dict[str, Any], list[bytes]]  # the head of a frame, and its buffers


class _Withheld(importlib.abc.MetaPathFinder):
    """Refuses the import of an answer while the question is being asked."""

    def __init__(self, names: list[str]) -> None:
        self.names = set(names)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        if fullname in self.names:
            raise ImportError(f"{fullname} holds an answer that is being checked; write your own")


class _Missing(Exception):
    def __init__(self, name: str, near: str) -> None:
        super().__init__(name)
        self.near = near


class Worker:
    """One student's module, and the values that live on this side of the boundary."""

    def __init__(self, call_back: Callable[[dict[str, Any], list[bytes]], Message]) -> None:
        """call_back: asks the other side for the value of a function that it has passed in."""
        self.module = types.ModuleType("exercise")
        self._file = ""
        self._call_back = call_back
        self._handles: list[Any] = []
        self._models: list[tuple[Any, bytes]] = []  # each with the bytes that it came as
        self._withheld: _Withheld | None = None

    def do(self, head: dict[str, Any], buffers: list[bytes]) -> Message:
        """Load the file or call one of its functions. Raises whatever that raises."""
        return self._load(head, *buffers) if head["op"] == "load" else self._call(head, buffers)

    def close(self) -> None:
        """Let go of the interpreter: what was withheld can be imported again."""
        if self._withheld in sys.meta_path:
            sys.meta_path.remove(self._withheld)

    def _load(self, head: dict[str, Any], source: bytes, given: bytes | None = None) -> Message:
        """Run the file's top level. given: the code around the answers, if the file is a notebook with answers."""
        self._withheld, self._file = _Withheld(head["withheld"]), head["file"]
        sys.meta_path.insert(0, self._withheld)
        self.module = types.ModuleType(head["name"])
        self.module.__file__ = self._file
        sys.modules[head["name"]] = self.module  # dataclasses look their module up
        if given is None:
            exec(compile(source, self._file, "exec", dont_inherit=True), self.module.__dict__)
        else:
            exec(compile(given, "the given code", "exec", dont_inherit=True), self.module.__dict__)
            notebook.define(source, self._file, self.module.__dict__)
        return {"op": "done"}, []

    def _call(self, head: dict[str, Any], buffers: list[bytes]) -> Message:
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

    def _function(self, name: str) -> Any:
        if hasattr(self.module, name):
            found = getattr(self.module, name)
            if not callable(found):
                raise TypeError(f"{name} is not a function but a {type(found).__name__}")
            return found
        mine = [n for n, v in vars(self.module).items() if getattr(v, "__module__", "") == self.module.__name__]
        near = difflib.get_close_matches(name, mine, n=1, cutoff=0.5)
        raise _Missing(name, near[0] if near else "")

    def _record(self, kind: str, /, **values: Any) -> Any:
        own = getattr(self.module, kind, None)
        with contextlib.suppress(TypeError):  # a class with other fields by now: the old ones can still be read
            if isinstance(own, type) and is_dataclass(own):
                return own(**values)
        return Record(kind, **values)

    # What is not plain data: models and data of MuJoCo, functions, and everything else as an opaque handle.

    def _decode_other(self, tag: str, rest: list, decoder: Decoder) -> Any:
        if tag == "handle":
            return self._handles[rest[0]]
        if tag == "callback":
            return lambda *args: self._ask_back(rest[0], args)
        import mujoco

        if tag == "model":
            # Rebuilt for every call: an answer that changes the model must not change the next question.
            saved = decoder.buffers[rest[0]]
            self._models.append((mujoco.MjModel.from_binary_path("model.mjb", {"model.mjb": saved}), saved))
            return self._models[-1][0]
        if tag == "data":
            model, values = self._models[rest[0]][0], decoder.value(rest[1])
            data = mujoco.MjData(model)
            pour(values, data)
            mujoco.mj_forward(model, data)  # contacts and other index fields come from here,
            pour(values, data)  # the numbers from the one who asks
            return data
        raise WireError(f"an unknown tag {tag!r}")

    def _encode_other(self, value: Any, encoder: Encoder) -> list:
        jax = sys.modules.get("jax")
        if jax and isinstance(value, jax.Array):
            return encoder.value(np.asarray(value))
        mujoco = sys.modules.get("mujoco")
        if mujoco and isinstance(value, mujoco.MjData):
            for number, (model, saved) in enumerate(self._models):
                if value.model is model or model_bytes(value.model) == saved:  # a copy of the model is as good
                    encoder.spend(DATA_BYTES)
                    return ["data", number, encoder.value(data_fields(value))]
        for number, known in enumerate(self._handles):
            if known is value:
                return ["handle", number, type(value).__name__[:60]]
        self._handles.append(value)
        return ["handle", len(self._handles) - 1, type(value).__name__[:60]]

    def _ask_back(self, number: int, args: tuple) -> Any:
        encoder = Encoder(self._encode_other)
        question = {"op": "callback", "callback": number, "args": [encoder.value(a) for a in args]}
        head, buffers = self._call_back(question, encoder.buffers)
        if "refused" in head:
            raise TypeError(head["refused"])
        return Decoder(buffers, self._decode_other, self._record).value(head["value"])

    # Where it went wrong, in the words of the file.

    def where(self, thread: int) -> list | None:
        """The function and the line of the file in which a thread is now."""
        return self._place(traceback.walk_stack(sys._current_frames().get(thread)), innermost_first=True)

    def _place(self, frames: Any, innermost_first: bool = False) -> list | None:
        own = [(f.f_code, line) for f, line in frames if f.f_code.co_filename.startswith(self._file)]
        if not own:
            return None
        code, line = own[0 if innermost_first else -1]
        return [code.co_name, line, code.co_filename[len(self._file) :]]

    def describe(self, problem: BaseException) -> dict[str, Any]:
        """What was just raised and where, as plain data. Never raises, whatever an exception of the file may do."""
        trace = sys.exc_info()[2]  # not problem.__traceback__, which may be the file's own
        at = self._place(traceback.walk_tb(trace))
        try:
            return {"at": at, **self._described(problem, trace, at)}
        except BaseException:
            return {"kind": "raised", "text": "an exception that cannot be shown", "at": at}

    def _described(self, problem: BaseException, trace: Any, at: list | None) -> dict[str, Any]:
        if isinstance(problem, _Missing):
            return {"kind": "missing", "text": problem.near}
        if isinstance(problem, NotImplementedError) and str(problem).startswith("TODO(you): "):
            return {"kind": "todo", "text": str(problem).removeprefix("TODO(you): ")[:80]}
        if type(problem) is NotImplementedError and not problem.args and at:  # the stub of other graders
            return {"kind": "todo", "text": at[0][:80]}
        if isinstance(problem, SystemExit):
            return {"kind": "exit"}
        if isinstance(problem, SyntaxError) and at is None:
            shown = (problem.text or "").strip()[:120]
            return {
                "kind": "syntax",
                "text": problem.msg[:MAX_MESSAGE],
                "at": ["", problem.lineno or 0, (problem.filename or "").removeprefix(self._file)],
                "source": shown,
            }
        if isinstance(problem, WireError):
            return {"kind": "unsendable", "text": str(problem)[:MAX_MESSAGE], "at": None}
        # The interpreter's words with its "Did you mean", without the marked source that a SyntaxError shows first.
        told = traceback.TracebackException(type(problem), problem, trace, limit=0, compact=True)
        text = next(line for line in told.format_exception_only() if line[:1] != " ")
        return {"kind": "raised", "text": text if len(text) <= MAX_MESSAGE else text[:MAX_MESSAGE] + " ..."}


def _named(function: Any, args: list, kwargs: dict) -> dict[str, Any]:
    """The arguments of a call under the names that the function gives them."""
    try:
        return dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except Exception:  # the call will say so itself, or has no names
        return {f"number {i}": value for i, value in enumerate(args, 1)} | kwargs


def _frozen(value: Any) -> bytes | None:
    """An argument as bytes, so that a change made to it can be seen after the call. None for what cannot be changed."""
    if isinstance(value, (float, int, str, types.NoneType)):
        return None
    encoder = Encoder(_frozen_other)
    try:
        return pack({"value": encoder.value(value)}, encoder.buffers)
    except Exception:  # what has been put into it may do anything when it is looked at
        return b"not plain data"


def _frozen_other(value: Any, encoder: Encoder) -> list:
    mujoco = sys.modules.get("mujoco")
    if mujoco and isinstance(value, mujoco.MjModel):
        return ["model", encoder.buffer(model_bytes(value))]
    if mujoco and isinstance(value, mujoco.MjData):  # its state: mj_forward may renew what follows from that
        spec = mujoco.mjtState.mjSTATE_FULLPHYSICS | mujoco.mjtState.mjSTATE_USER
        state = np.zeros(mujoco.mj_stateSize(value.model, spec))
        mujoco.mj_getState(value.model, value, state, spec)
        return ["data", encoder.buffer(state.tobytes())]
    return ["other", id(value)]
