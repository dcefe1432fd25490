"""The closed format: what goes in comes out, and nothing else can."""

import io
import json
import struct
from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass, field
from enum import IntEnum

import mujoco
import numpy as np
import pytest

from bench.pendulum import build
from course.child.wire import DTYPES, Decoder, Encoder, Record, WireError, data_fields, pack, pour, unpack


def there_and_back(value):
    encoder = Encoder()
    head, buffers = unpack(io.BytesIO(pack({"value": encoder.value(value)}, encoder.buffers)))
    return Decoder(buffers).value(head["value"])


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, False, 0, -1, 2**63, 10**2000, 0.1, float("inf"), -0.0, 1j, "", "é\ud800\0", b"\0\xff"),
        *([], [[]], (1, 2.0), {"a": 1}, {1: (2,), (3, "x"): None}, [{"deep": [(None, [b""])]}]),
    ],
)
def test_plain_values_come_back_the_same(value):
    back = there_and_back(value)
    assert back == value and type(back) is type(value)


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=str)
def test_arrays_come_back_the_same(dtype):
    rng = np.random.default_rng(3)
    for shape in ((), (0,), (3,), (2, 0, 4), (2, 3, 4)):
        array = rng.integers(0, 2, size=shape).astype(dtype)
        back = there_and_back(array)
        assert back.dtype == dtype and back.shape == shape and np.array_equal(back, array)
        assert back.flags.writeable


def test_views_and_scalars_come_back_as_what_they_show():
    array = np.arange(12.0).reshape(3, 4)[::2, ::-1].T
    assert np.array_equal(there_and_back(array), array)
    assert there_and_back(array.astype(">f8")).tolist() == array.tolist()
    back = there_and_back(np.float32(0.1))
    assert back == np.float32(0.1) and type(back) is np.float32


def test_a_dataclass_comes_back_as_its_fields():
    @dataclass
    class Balance:
        actuator: float
        kind: str

    back = there_and_back([Balance(1.5, "blocked")])[0]
    assert type(back) is Record and (back.actuator, back.kind, back._kind) == (1.5, "blocked", "Balance")
    assert vars(there_and_back(back)) == vars(back)


@pytest.mark.parametrize(
    "value", [object(), lambda: 0, np.array([object()]), np.array(["text"]), range(3), {1, 2}, int]
)
def test_what_is_not_plain_data_is_refused(value):
    with pytest.raises(WireError):
        there_and_back(value)


def test_a_subclass_crosses_as_what_it_holds_whatever_it_says():
    class Liar(float):
        __eq__ = lambda self, other: True  # noqa: E731
        __hash__ = float.__hash__
        __float__ = lambda self: 7.0  # noqa: E731

    back = there_and_back(Liar(1.0))
    assert type(back) is float and back == 1.0 and back != 7.0
    for value, plain in (
        (IntEnum("Mode", "motor position").position, 2),
        (namedtuple("Pair", "a b")(1, 2.0), (1, 2.0)),
        (OrderedDict(a=1), {"a": 1}),
        (defaultdict(list, {1: [2]}), {1: [2]}),
        (np.str_("motor"), "motor"),
    ):
        back = there_and_back(value)
        assert back == plain and type(back) is type(plain)
    back = there_and_back(np.ma.array([1.0, 2.0]))
    assert type(back) is np.ndarray and back.tolist() == [1.0, 2.0]


def test_rare_floats_cross_as_the_widest_common_ones():
    assert there_and_back(np.longdouble(0.5)) == 0.5
    assert there_and_back(np.ones(2, np.longdouble)).dtype == np.float64
    assert there_and_back(np.complex64(1j)) == 1j


def test_private_and_unset_fields_of_a_dataclass_stay_behind():
    @dataclass
    class Gains:
        kp: float
        _cache: object = None
        unset: float = field(init=False)

    assert vars(there_and_back(Gains(8.0, object()))) == {"kp": 8.0, "_kind": "Gains"}


def test_a_frozen_dataclass_may_be_a_key():
    @dataclass(frozen=True)
    class Key:
        name: str

    ((key, value),) = there_and_back({(Key("a"), 1): 2.0}).items()
    assert (key[0].name, value) == ("a", 2.0)


def test_too_deep_too_many_too_large_are_refused():
    deep = []
    for _ in range(60):
        deep = [deep]
    endless = np.broadcast_to(0.0, (10**9, 10))  # shows 80 GB and holds 8 bytes
    colliding = {k * (2**61 - 1): 0 for k in range(2_000)}
    for value in (
        *(deep, [0] * 300_000, "x" * 2_000_000, ["x" * 900_000] * 2, 1 << 10_000_000, colliding),
        *(np.zeros(10_000_000), [np.zeros(5_000_000)] * 2, endless),
    ):
        with pytest.raises(WireError):
            there_and_back(value)
    loop = []
    loop.append(loop)
    with pytest.raises(WireError):
        there_and_back(loop)


def frame(head, buffers=()):
    text = json.dumps(head).encode()
    body = struct.pack("<I", len(text)) + text + b"".join(buffers)
    return struct.pack("<I", len(body)) + body


@pytest.mark.parametrize(
    "raw",
    [
        struct.pack("<II", 2**31, 4),
        struct.pack("<II", 8, 2**31),
        struct.pack("<II", 2**26, 2**25),
        frame({"sizes": [10]}),
        frame({"sizes": [-1]}),
        frame({"sizes": "many"}),
        frame({}),
        frame([1, 2]),
        struct.pack("<II", 8, 4) + b"{not",
        struct.pack("<II", 100_004, 100_000) + b"[" * 100_000,
    ],
)
def test_a_forged_frame_is_refused(raw):
    with pytest.raises(WireError):
        unpack(io.BytesIO(raw))


@pytest.mark.parametrize("raw", [b"", b"\1\2\3", frame({"sizes": []})[:-1]])
def test_a_cut_frame_is_the_end(raw):
    assert unpack(io.BytesIO(raw)) is None


@pytest.mark.parametrize(
    "node",
    [
        *({"a": 1}, [], [1], ["nonsense"], ["array"], ["array", "<f8", [2], 9], ["array", "<f8", [3], 0]),
        *(
            ["array", "|O", [1], 0],
            ["array", "<f8", [-1], 0],
            ["array", "<f8", ["2"], 0],
            ["array", "<f8", [2**60, 2**60], 0],
        ),
        *(
            ["dict", [["list"], 1]],
            ["dict", 3],
            ["complex", "a"],
            ["int", "zz"],
            ["bytes", 7],
            ["record", 5],
            ["handle", 0],
        ),
        *(["record", "A", ["__class__", 1]], ["record", "A", ["_kind", "B"]], ["record", "A", ["not a name", 1]]),
    ],
)
def test_a_forged_node_is_refused(node):
    with pytest.raises(WireError):
        Decoder([b"0" * 16]).value(node)


def test_a_short_frame_cannot_fill_memory():
    """One buffer named often, and keys that all collide."""
    often = ["list", *[["array", "<f8", [2**22], 0]] * 3]
    colliding = ["dict", *[[["int", hex(k * (2**61 - 1))], 0] for k in range(50_000)]]
    for node in (often, ["list", *[["bytes", 0]] * 3], colliding):
        with pytest.raises(WireError):
            Decoder([bytes(2**25)]).value(node)


def test_random_bytes_never_do_more_than_be_refused():
    rng = np.random.default_rng(5)
    good = pack({"value": ["list", 1, ["array", "<f8", [2], 0]]}, [b"0" * 16])
    for _ in range(2_000):
        raw = bytearray(good)
        for place in rng.integers(0, len(raw), size=rng.integers(1, 5)):
            raw[place] = rng.integers(0, 256)
        try:
            if (found := unpack(io.BytesIO(bytes(raw)))) is not None:
                Decoder(found[1]).value(found[0].get("value"))
        except WireError:
            pass


def test_data_is_poured_into_data_of_the_same_model_only():
    model = build('<position joint="hinge" kp="8"/>')
    data, mine = mujoco.MjData(model), mujoco.MjData(model)
    data.ctrl[0] = 1.0
    mujoco.mj_step(model, data, 100)
    pour(there_and_back(data_fields(data)), mine)
    assert (mine.time, mine.qpos[0], mine.actuator_force[0]) == (data.time, data.qpos[0], data.actuator_force[0])
    for forged in ({"qpos": np.zeros(2)}, {"ncon": np.zeros(1)}, {"qpos": "x"}, {"qpos": np.zeros(1, np.float32)}):
        with pytest.raises(WireError):
            pour(forged, mine)
