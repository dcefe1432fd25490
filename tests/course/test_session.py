"""Asking a file across the process boundary: models, data, records, functions, handles, and changed arguments."""

import textwrap
import time

import mujoco
import numpy as np
import pytest

from bench.pendulum import build
from course.boundary import Boundary, Handle, Problem
from course.child.wire import Record
from course.session import Session, StudentError, Todo

FILE = """
from dataclasses import dataclass
import copy
import mujoco, numpy as np

@dataclass
class Gains:
    kp: float
    kv: float = 0.0
    _note: object = print

def echo(x): return x
def twice(f, x): return f(f(x))
def make(k): return lambda x: k * x
def apply(f, x): return f(x)
def stiff(gains): return Gains(2 * gains.kp, gains.kv)
def kind(gains): return type(gains).__name__
def spoil(values): values[0] = 9.0; return 0.0
def spoil_named(*, values): values["a"] = 1
def spoil_deep(values): values[0]["a"][0][0] = 9.0
def spoil_gains(gains): gains.kp = 0.0
def spoil_beside(f, values): values[1].append(f)
def look(*values, **more): return 0
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
def data_of_a_copy(model): return steps(copy.copy(model), 50)
def both(model): return {"data": steps(model, 3), "t": 1}
def unwritten(): raise NotImplementedError("TODO(you): unwritten")
def unsupported(): raise NotImplementedError("later")
def call_back_raises(f): return f()
def call_with_two(f): return f(1, 2)
def ask_for_ever(f):
    while True: f(1)
def make_broken(): return lambda: 1 / 0
number = 3.0
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
    asked.seconds = 30.0
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


def test_data_of_a_copy_of_the_model_are_data(ask):
    model = build('<motor joint="hinge"/>')
    data = ask("data_of_a_copy", model)
    assert data.model is model and data.time == ask("steps", model, 50).time


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


def test_a_change_deep_inside_is_reported_and_a_look_is_not(ask):
    for name, args in (
        ("spoil_deep", (({"a": [np.zeros(2)]},),)),
        ("spoil_gains", (Record("Gains", kp=1.0, kv=2.0),)),
        ("spoil_beside", (print, [ask("make", 3), []])),
    ):
        with pytest.raises(StudentError, match="changed its argument"):
            ask(name, *args)
        ask("look", *args)


def test_a_dataclass_that_has_other_fields_by_now_can_still_be_read(ask):
    assert ask("kind", Record("Gains", kp=1.0, ki=2.0)) == "Record"
    assert ask("stiff", Record("Gains", kp=1.0, kv=2.0, ki=3.0)).kp == 2.0


def test_an_error_in_a_function_that_came_back_is_the_students(ask):
    with pytest.raises(StudentError, match=r"^asked\.py:\d+ in <lambda>\(\): ZeroDivisionError: division by zero$"):
        ask("make_broken")()


def test_a_function_called_with_the_wrong_number_of_arguments_is_the_students_error(ask):
    with pytest.raises(StudentError, match=r"asked\.py:\d+ in call_with_two\(\): TypeError: too many positional"):
        ask("call_with_two", lambda x: x)
    assert ask("twice", lambda x: x + 1, 5) == 7


def test_a_value_where_a_function_should_be(ask):
    with pytest.raises(StudentError, match="number is not a function but a float"):
        ask("number")


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


def test_only_the_students_time_counts(asked, ask):
    asked.seconds = 0.5
    ask("echo", 1)
    time.sleep(0.6)
    assert ask("echo", 1) == 1
    with pytest.raises(StudentError, match="ask_for_ever\\(\\) did not come back in time"):
        ask("ask_for_ever", lambda x: x)


FORGED = [
    {"value": ["handle", 0, [["deep"]]]},
    {"value": ["handle", "0", "x"]},
    {"value": ["data", 10**30, ["dict"]]},
    {"value": ["data", 0, ["dict", ["x", 1]]]},
    {"value": {"op": "done"}},
    {"value": 0.0, "changed": [10**4000]},
    {"value": 0.0, "changed": [[[["x"]]]]},
    {"value": 0.0, "changed": {"a": 1}},
    {"value": 0.0, "changed": "everything"},
]


@pytest.mark.parametrize("reply", FORGED, ids=range(len(FORGED)))
def test_a_forged_reply_is_a_problem_and_nothing_else(reply):
    class Forger(Boundary):
        def _request(self, head, buffers, deadline):
            return reply, []

    with pytest.raises(Problem):
        Forger().call("f", (build(),), {}, 0.0)


def test_a_forged_problem_stays_one_short_line():
    for reply in (
        {"kind": ["late"], "text": [[["x"]]], "at": {}, "source": 3},
        {"kind": "raised", "text": "x\n\x1b[2J" * 9_999, "at": ["\n" * 999 + "f", 10**4000]},
        {"kind": "raised", "text": "x", "at": ["f" * 9_999, 3], "source": "y\n" * 9_999},
    ):
        problem = Problem.told(reply)
        said = f"{problem.kind} {problem.text} {problem.function}:{problem.line} {problem.source}"
        assert len(said) < 1_500 and "\n" not in said and "\x1b" not in said
