"""The trusted side of the boundary: questions are encoded for the student's file, and answers are decoded from it.

Where the file runs is somebody else's business: in a process of its own (process.py), or in this one for the debugger
(debugging.py).
"""

import inspect
import sys
import time
import unicodedata
from collections.abc import Callable
from typing import Any

from course.child.wire import DATA_BYTES, Decoder, Encoder, WireError, data_fields, model_bytes, pour

Message = tuple[dict[str, Any], list[bytes]]  # the head of a frame, and its buffers
_UNSHOWN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # Unicode's categories


def printable(text: str, limit: int = 2_000) -> str:
    """Text from the untrusted side, not too long, without what a terminal obeys, a file refuses or nobody can see."""
    text = text[:limit]
    if text.isprintable():  # the usual case, and a hundred times quicker
        return text
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in _UNSHOWN else "?" for c in text)


def one_line(text: str, limit: int = 2_000) -> str:
    """Such text in one line."""
    return " ".join(filter(None, map(str.strip, printable(text, limit).split("\n"))))


class Problem(Exception):
    """What came back instead of an answer.

    kind: todo, missing, syntax, raised, exit, unsendable, changed, late, died, garbled.
    """

    def __init__(self, kind: str, text: str = "", at: Any = None, source: str = "") -> None:
        super().__init__(kind)
        self.kind, self.text, self.source = kind, one_line(text, 700), one_line(source, 200)
        self.function, self.line, self.cell = "", 0, ""  # cell: ", cell 3" of a notebook
        if isinstance(at, list) and [type(x) for x in at] == [str, int, str] and 0 < at[1] < 10_000_000:
            self.function, self.line, self.cell = one_line(at[0], 80), at[1], one_line(at[2], 20)

    @classmethod
    def told(cls, reply: dict[str, Any]) -> "Problem":
        """What the untrusted side calls a problem."""
        kind, text, source = (t if type(t := reply.get(k)) is str else "" for k in ("kind", "text", "source"))
        return cls(kind, text, reply.get("at"), source)


class Handle:
    """A value that stays on the other side: it can be passed in again, or called."""

    def __init__(self, boundary: "Boundary", number: int, kind: str, name: str) -> None:
        self._boundary, self._number, self.kind, self.name = boundary, number, kind, name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._boundary.ask(self, args, kwargs)

    def __repr__(self) -> str:
        return f"<a {self.kind}>"


class Boundary:
    """Asks one file. Nothing that comes back is trusted. A subclass says where the file runs."""

    alive = True
    exit_code: int | None = None

    def __init__(self) -> None:
        self.ask: Callable[[Handle, tuple, dict[str, Any]], Any] = lambda *_: None  # set by whoever keeps the time
        self._asked = ""
        self._models: list[Any] = []
        self._callbacks: list[Callable] = []

    def _request(self, head: dict[str, Any], buffers: list[bytes], deadline: float) -> Message:
        """The reply to one request. Raises Problem."""
        raise NotImplementedError

    def printed(self) -> tuple[str, int]:
        """What the file's code printed since the last call: its beginning, and how many bytes there were."""
        return "", 0

    def kill(self) -> None:
        """End it, now. It may be called twice."""

    def load(
        self, source: bytes, name: str, file: str, withheld: list[str], seconds: float, given: bytes | None = None
    ) -> None:
        """Run the file's top level. Raises Problem. given: the code around the answers, if source is a notebook."""
        head = {"op": "load", "name": name, "file": file, "withheld": withheld}
        self._request(head, [source] if given is None else [source, given], time.monotonic() + seconds)

    def call(self, function: str | Handle, args: tuple, kwargs: dict[str, Any], deadline: float) -> Any:
        """Call a function by name, or a handle. Returns its answer as plain data or Handle. Raises Problem.

        deadline: on the clock of time.monotonic.
        """
        self._models, self._callbacks = [], []
        self._asked = function if isinstance(function, str) else function.name
        encoder = Encoder(self._encode_other)
        head: dict[str, Any] = {"op": "call", "args": [encoder.value(a) for a in args]}
        head["kwargs"] = {k: encoder.value(v) for k, v in kwargs.items()}
        head |= {"function": function} if isinstance(function, str) else {"handle": self._held(function)}
        reply, buffers = self._request(head, encoder.buffers, deadline)
        if changed := reply.get("changed"):
            which = changed[0] if type(changed) is list else changed
            raise Problem("changed", which if type(which) is str else "?")
        return self._decoded(reply.get("value"), buffers)

    def _decoded(self, node: Any, buffers: list[bytes]) -> Any:
        try:
            return Decoder(buffers, self._decode_other).value(node)
        except WireError as problem:
            raise Problem("garbled") from problem

    def _answer_callback(self, reply: dict[str, Any], buffers: list[bytes]) -> Message:
        """Call a function that a check has passed in, as the file asks for."""
        number, nodes = reply.get("callback"), reply.get("args")
        if type(number) is not int or not 0 <= number < len(self._callbacks) or type(nodes) is not list:
            raise Problem("garbled")
        function, args = self._callbacks[number], [self._decoded(node, buffers) for node in nodes]
        try:
            inspect.signature(function).bind(*args)
        except ValueError:
            pass  # a built-in that does not say what it takes
        except TypeError as problem:  # too few or too many: an error of the file, to be raised there
            return {"op": "answer", "refused": str(problem)}, []
        encoder = Encoder(self._encode_other)
        return {"op": "answer", "value": encoder.value(function(*args))}, encoder.buffers

    def _held(self, handle: Handle) -> int:
        if handle._boundary is not self:
            raise Problem("died")  # with the process that held it
        return handle._number

    def _encode_other(self, value: Any, encoder: Encoder) -> list:
        if isinstance(value, Handle):
            return ["handle", self._held(value)]
        mujoco = sys.modules.get("mujoco")
        if mujoco and isinstance(value, mujoco.MjModel):
            self._models.append(value)
            return ["model", encoder.buffer(model_bytes(value))]
        if mujoco and isinstance(value, mujoco.MjData):
            if not any(value.model is model for model in self._models):
                raise WireError("pass the MjModel before its MjData")
            number = next(i for i, model in enumerate(self._models) if value.model is model)
            return ["data", number, encoder.value(data_fields(value))]
        if callable(value):
            self._callbacks.append(value)
            return ["callback", len(self._callbacks) - 1]
        raise WireError(f"a {type(value).__name__} is not plain data")

    def _decode_other(self, tag: str, rest: list, decoder: Decoder) -> Any:
        if tag == "handle" and [type(x) for x in rest] == [int, str]:
            return Handle(self, rest[0], one_line(rest[1], 60), f"{self._asked}()")
        if tag == "data":
            import mujoco

            values = decoder.value(rest[1])
            if type(values) is not dict or type(rest[0]) is not int:
                raise WireError("malformed data")
            decoder.spend(DATA_BYTES)
            data = mujoco.MjData(self._models[rest[0]])
            pour(values, data)
            return data
        raise WireError(f"an unknown tag {tag[:20]!r}")
