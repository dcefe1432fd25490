"""Asking a file across the process boundary: models, data, records, functions, handles, and changed arguments."""

import textwrap
import time

import mujoco
import numpy as np
import pytest

from bench.pendulum import build
from course.boundary import Handle
from course.child.wire import Record
from course.session import Session, StudentError, Todo

FILE = """
from dataclasses import dataclass
import mujoco, numpy as np

@dataclass
class Gains:
    kp: float
    kv: float = 0.0

def echo(x): return x
def twice(f, x): return f(f(x))
def make(k): return lambda x: k * x
def apply(f, x): return f(x)
def stiff(gains): return Gains(2 * gains.kp, gains.kv)
def kind(gains): return type(gains).__name__
def spoil(values): values[0] = 9.0; return 0.0
def spoil_named(*, values): values["a"] = 1
def steps(model, n):
    data = mujoco.MjData(model)
    data.ctrl[:] = 1.0
    mujoco.mj_step(model, data, n)
    return data
def heavier(model): model.opt.gravity[:] = 0.0; return float(model.opt.gravity[2])
def gravity(model): return float(model.opt.gravity[2])
def force(model, data): return float(data.actuator_force[0])
def touching(model, data): return data.ncon
def renew(model, data): mujoco.mj_forward(model, data); return float(data.actuator_force[0])
def move(model, data): data.qpos[0] = 1.0; return 0.0
def other_data(model): return mujoco.MjData(mujoco.MjModel.from_xml_string("<mujoco/>"))
def both(model): return {"data": steps(model, 3), "t": 1}
def unwritten(): raise NotImplementedError("TODO(you): unwritten")
def unsupported(): raise NotImplementedError("later")
def call_back_raises(f): return f()
"""


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    file = tmp_path_factory.mktemp("asked") / "asked.py"
    file.write_text(textwrap.dedent(FILE))
    session = Session("asked", file)
    yield session
    session.close()


@pytest.fixture
def ask(asked):
    asked.deadline = time.monotonic() + 30
    return lambda name, *args, **kwargs: asked.call(name, args, kwargs)


def test_plain_values(ask):
    for value in (None, 1, 2.5, "x", (1, [2, {"a": (3,)}]), {"k": np.float32(1.5)}):
        assert ask("echo", value) == value
    assert np.array_equal(ask("echo", np.eye(3)), np.eye(3))


def test_a_model_goes_in_and_its_data_come_back(ask):
    model = build('<motor joint="hinge"/>')
    data = ask("steps", model, 50)
    own = mujoco.MjData(model)
    own.ctrl[:] = 1.0
    mujoco.mj_step(model, own, 50)
    assert data.model is model
    assert (data.time, data.qpos[0], data.actuator_force[0]) == (own.time, own.qpos[0], own.actuator_force[0])
    assert ask("both", model)["data"].time == pytest.approx(0.003)


def test_data_arrive_as_they_are_shown_here(ask):
    model = build('<position joint="hinge" kp="8"/>', block=True)
    data = mujoco.MjData(model)
    data.ctrl[0], data.qpos[0] = 1.0, 0.498
    mujoco.mj_forward(model, data)
    assert ask("force", model, data) == data.actuator_force[0] != 0
    assert ask("touching", model, data) == data.ncon > 0
    data.actuator_force[0] = 7.0
    assert ask("force", model, data) == 7.0


def test_a_changed_model_is_reported_and_does_not_change_the_next_question(ask):
    model = build()
    with pytest.raises(StudentError, match="changed its argument model"):
        ask("heavier", model)
    assert ask("gravity", model) == model.opt.gravity[2] == -9.81


def test_a_changed_state_is_reported_and_a_renewed_force_is_not(ask):
    model = build('<position joint="hinge" kp="8"/>')
    data = mujoco.MjData(model)
    data.ctrl[0] = 1.0
    assert ask("renew", model, data) == 8.0
    with pytest.raises(StudentError, match="changed its argument data"):
        ask("move", model, data)


def test_data_of_another_model_are_not_data(ask):
    assert isinstance(ask("other_data", build()), Handle)


def test_a_dataclass_of_the_file_goes_both_ways(ask):
    gains = ask("stiff", Record("Gains", kp=4.0))
    assert (gains.kp, gains.kv) == (8.0, 0.0)
    assert ask("kind", gains) == "Gains"


def test_functions_go_in_and_come_out(ask):
    assert ask("twice", lambda x: x + 1, 5) == 7
    triple = ask("make", 3)
    assert isinstance(triple, Handle) and triple(5) == 15
    assert ask("apply", triple, 7) == 21


def test_a_changed_argument_is_reported(ask):
    for name, kwargs in (("spoil", {}), ("spoil_named", {"values": {"a": 0}})):
        with pytest.raises(StudentError, match="changed its argument values; work on a copy"):
            ask(name, *([] if kwargs else [np.zeros(2)]), **kwargs)


def test_a_stub_is_a_todo_and_other_unsupported_things_are_not(ask):
    with pytest.raises(Todo, match="unwritten"):
        ask("unwritten")
    with pytest.raises(StudentError, match=r"asked\.py:\d+ in unsupported\(\): NotImplementedError: later"):
        ask("unsupported")


def test_an_error_in_our_own_callback_is_our_own(ask):
    def broken():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ask("call_back_raises", broken)
