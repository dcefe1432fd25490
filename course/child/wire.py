"""The closed format in which calls and answers cross the process boundary.

A frame is `u32 size | u32 json size | json | raw buffers`. The JSON holds plain values and small tagged lists; arrays
and bytes stand in the buffers behind it. Reading a frame builds numbers, strings, containers and arrays of listed types
and can execute nothing, whoever wrote it.
"""

import json
import struct
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

MAX_BYTES = 64 * 2**20
DATA_BYTES = 2**20  # what an MjData counts for beside its fields; memory for contacts is set aside with it
MAX_JSON = 20 * 2**20
MAX_NODES = 200_000
MAX_DEPTH = 40
MAX_TEXT = 1_000_000  # characters, all texts together
MAX_KEYS = 1_000  # of a dict, texts not counted: numbers can be chosen so that all of them collide
DTYPES = {
    t: np.dtype(t) for t in ("<f8", "<f4", "<f2", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "|b1", "<c16")
}
WIDEST = {"f": DTYPES["<f8"], "c": DTYPES["<c16"]}  # what a rarer float crosses as: long double, complex64

# What a subclass holds, whatever it says about itself: an IntEnum, a named tuple, an OrderedDict, a matrix.
PLAIN: dict[type, Callable[[Any], Any]] = {
    float: float.__float__,
    int: int.__int__,
    str: str.__str__,
    list: list.copy,
    tuple: lambda value: tuple.__getitem__(value, slice(None)),
    dict: dict.copy,
    np.ndarray: np.asarray,
}

# Float fields of MjData whose shape the model alone decides. Index and contact fields never cross: C code trusts them.
DATA_FIELDS = (
    *("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "userdata"),
    *("qacc", "qacc_warmstart", "act_dot", "sensordata", "energy", "history"),
    *("xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis"),
    *("geom_xpos", "geom_xmat", "site_xpos", "site_xmat"),
    *("subtree_com", "cvel", "actuator_length", "actuator_velocity", "actuator_force"),
    *("qfrc_bias", "qfrc_passive", "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_actuator", "qfrc_constraint"),
    *("qfrc_inverse", "qfrc_smooth", "qacc_smooth"),
)


class WireError(Exception):
    """A frame or a value that does not fit the format."""


class Record(SimpleNamespace):
    """A dataclass of the exercise file after crossing: its fields, and the name of its class."""

    def __init__(self, kind: str, /, **values: Any) -> None:
        super().__init__(**values)
        self._kind = kind

    __hash__ = object.__hash__  # type: ignore[assignment]  # a frozen dataclass may be the key of a dict


class Encoder:
    """Turns one value into JSON and buffers. `other(value)` may name a tagged list for what is not plain data."""

    def __init__(self, other: Callable[[Any, "Encoder"], list] | None = None) -> None:
        self.buffers: list[bytes] = []
        self._other = other
        self._nodes = self._size = self._characters = 0

    def buffer(self, content: bytes) -> int:
        self.buffers.append(content)
        return len(self.buffers) - 1

    def value(self, value: Any, depth: int = 0) -> Any:
        self._nodes += 1
        if depth > MAX_DEPTH:
            raise WireError(f"nested deeper than {MAX_DEPTH} levels")
        if self._nodes > MAX_NODES:
            raise WireError(f"more than {MAX_NODES} values; return an array instead")
        kind = type(value)  # exact types first: a subclass could lie about anything
        if value is None or kind in (bool, float):
            return value
        if kind is int:
            if value.bit_length() > MAX_TEXT:
                raise WireError(f"a whole number of more than {MAX_TEXT} bits")
            return value if value.bit_length() < 4000 else ["int", self._text(hex(value))]
        if kind is str:
            return self._text(value)
        if kind is complex:
            return ["complex", value.real, value.imag]
        if kind in (list, tuple):
            return [kind.__name__, *(self.value(item, depth + 1) for item in value)]
        if kind is dict:
            if sum(type(k) is not str for k in value) > MAX_KEYS:
                raise WireError(f"a dict with more than {MAX_KEYS} keys that are not texts")
            return ["dict", *([self.value(k, depth + 1), self.value(v, depth + 1)] for k, v in value.items())]
        if kind in (bytes, bytearray):
            self.spend(len(value))
            return ["bytes", self.buffer(bytes(value))]
        if kind is np.ndarray or issubclass(kind, (np.number, np.bool_)):
            return self._array(np.asarray(value), "array" if kind is np.ndarray else "scalar")
        if kind is Record:
            return self._record(value._kind, vars(value), depth)
        if is_dataclass(value) and not isinstance(value, type):
            there = {f.name: getattr(value, f.name) for f in fields(value) if hasattr(value, f.name)}
            return self._record(kind.__name__, there, depth)
        for plain, held in PLAIN.items():
            if issubclass(kind, plain):
                return self.value(held(value), depth)
        if self._other is None:
            raise WireError(f"a {kind.__name__} is not plain data")
        return self._other(value, self)

    def _record(self, kind: str, values: dict[str, Any], depth: int) -> list:
        pairs = ([self._text(k), self.value(v, depth + 1)] for k, v in values.items() if k[0] != "_")
        return ["record", self._text(kind), *pairs]

    def _array(self, array: np.ndarray, tag: str) -> list:
        if array.dtype.newbyteorder("<").str not in DTYPES:
            if array.dtype.kind not in WIDEST:
                raise WireError(f"an array of type {array.dtype} is not plain data")
            array = array.astype(WIDEST[array.dtype.kind])
        self.spend(array.nbytes)  # before it is copied: a view may show more than there is memory
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        return [tag, array.dtype.str, list(array.shape), self.buffer(array.tobytes())]

    def _text(self, text: str) -> str:
        self._characters += len(text)
        if self._characters > MAX_TEXT:
            raise WireError(f"more than {MAX_TEXT} characters of text")
        return text

    def spend(self, size: int) -> None:
        self._size += size
        if self._size > MAX_BYTES:
            raise WireError(f"more than {MAX_BYTES // 2**20} MB")


class Decoder:
    """Builds one value from JSON and buffers. `other(tag, rest, decoder)` builds what is not plain data."""

    def __init__(
        self,
        buffers: list[bytes],
        other: Callable[[str, list, "Decoder"], Any] | None = None,
        record: Callable[..., Any] = Record,
    ) -> None:
        self.buffers = buffers
        self._other, self._record = other, record
        self._nodes = self._size = 0

    def value(self, node: Any, depth: int = 0) -> Any:
        self._nodes += 1
        if depth > MAX_DEPTH or self._nodes > MAX_NODES:
            raise WireError("too deep or too many values")
        if node is None or type(node) in (bool, int, float, str):
            return node
        if type(node) is not list or not node or type(node[0]) is not str:
            raise WireError("a node without a tag")
        tag, rest = node[0], node[1:]
        try:
            return self._tagged(tag, rest, depth + 1)
        except (TypeError, ValueError, IndexError, KeyError, OverflowError) as problem:
            raise WireError(f"a malformed {tag[:20]}") from problem

    def spend(self, size: int) -> None:
        """Count the memory that a value takes here: a short frame may name the same buffer again and again."""
        self._size += size
        if self._size > MAX_BYTES:
            raise WireError("more than it came with")

    def _tagged(self, tag: str, rest: list, depth: int) -> Any:
        if tag == "list":
            return [self.value(item, depth) for item in rest]
        if tag == "tuple":
            return tuple(self.value(item, depth) for item in rest)
        if tag == "dict":
            pairs = [(self.value(k, depth), self.value(v, depth)) for k, v in rest]
            if sum(type(k) is not str for k, _ in pairs) > MAX_KEYS:
                raise WireError("too many keys")
            return dict(pairs)
        if tag == "record":
            kind, pairs = rest[0], rest[1:]
            if type(kind) is not str or not all(type(k) is str and k.isidentifier() and k[0] != "_" for k, _ in pairs):
                raise WireError("a malformed record")
            return self._record(kind, **{k: self.value(v, depth) for k, v in pairs})
        if tag == "int":
            return int(rest[0], 16)
        if tag == "complex":
            return complex(*rest)
        if tag == "bytes":
            self.spend(len(self.buffers[rest[0]]))
            return self.buffers[rest[0]]
        if tag in ("array", "scalar"):
            dtype, shape, index = rest
            if not all(type(n) is int and n >= 0 for n in shape):
                raise WireError("a malformed shape")
            self.spend(len(self.buffers[index]))
            array = np.frombuffer(self.buffers[index], DTYPES[dtype]).reshape(shape).copy()
            return array if tag == "array" else array[()]
        if self._other is None:
            raise WireError(f"an unknown tag {tag[:20]!r}")
        return self._other(tag, rest, self)


def pack(head: dict[str, Any], buffers: list[bytes]) -> bytes:
    """One frame."""
    text = json.dumps({**head, "sizes": [len(b) for b in buffers]}).encode()
    body = struct.pack("<I", len(text)) + text + b"".join(buffers)
    return struct.pack("<I", len(body)) + body


def unpack(stream: Any) -> tuple[dict[str, Any], list[bytes]] | None:
    """The next frame, or None at the end of the stream. Raises WireError for anything that is not a frame."""
    body = receive(stream)
    return None if body is None else parse(body)


def receive(stream: Any) -> bytes | None:
    """The bytes of the next frame, unread, or None at the end of the stream (a file opened for reading bytes)."""
    start = _exactly(stream, 8)
    if len(start) < 8:
        return None
    size, text_size = struct.unpack("<II", start)
    if size > MAX_JSON + 2 * MAX_BYTES or text_size > MAX_JSON or text_size + 4 > size:
        raise WireError("a frame of impossible size")
    body = _exactly(stream, size - 4)
    return None if len(body) < size - 4 else start[4:] + body


def _exactly(stream: Any, size: int) -> bytes:
    """That many bytes, fewer only at the end: a raw pipe gives what it has."""
    found = stream.read(size) or b""
    if len(found) == size:
        return found
    parts = bytearray(found)
    while found and len(parts) < size:
        found = stream.read(min(size - len(parts), 2**20)) or b""
        parts += found
    return bytes(parts)


def parse(body: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """What a frame says: its head and its buffers. Raises WireError."""
    text_end = 4 + struct.unpack_from("<I", body)[0]
    try:
        head = json.loads(body[4:text_end])
        sizes = head.pop("sizes")
        if len(sizes) > MAX_NODES or not all(type(n) is int and n >= 0 for n in sizes):
            raise WireError("malformed sizes")
        if sum(sizes) != len(body) - text_end:
            raise WireError("a frame whose buffers do not add up")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise WireError("a frame that is not one") from problem
    buffers, at = [], text_end
    for n in sizes:
        buffers.append(body[at : at + n])
        at += n
    return head, buffers


def model_bytes(model: Any) -> bytes:
    """An MjModel as MuJoCo saves it."""
    import mujoco

    content = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, content)
    return content.tobytes()


def data_fields(data: Any) -> dict[str, np.ndarray]:
    """The float fields of an MjData that may cross, and its time."""
    found = {name: np.array(getattr(data, name)) for name in DATA_FIELDS if np.size(getattr(data, name))}
    return {"time": np.array(data.time), **found}


def pour(values: dict[str, np.ndarray], data: Any) -> None:
    """Write such fields into an MjData of the same model. Raises WireError for a field or shape that is not its own."""
    for name, value in values.items():
        if name == "time":
            data.time = float(value)
            continue
        if name not in DATA_FIELDS or type(value) is not np.ndarray or value.dtype != np.float64:
            raise WireError(f"a data field {str(name)[:30]!r}")
        own = getattr(data, name)
        if own.shape != value.shape:
            raise WireError(f"{name} has shape {value.shape}, the model's is {own.shape}")
        own[:] = value
