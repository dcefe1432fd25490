"""A wrong file gets one line that says what and where, whatever is wrong with it."""

import json
import os
import re
from dataclasses import replace

import pytest

from course import progress, session
from course.installing.console import command
from course.report import shown, whole_file_problem
from course.runner import run_checks
from course.syllabus import Module, UserError, module

MODULE = module("actuator_modes")
RIGHT = MODULE.solution.read_text(encoding="utf-8")
RUN, PD_FORCE = "def run(model: mujoco.MjModel, ctrl: float, seconds: float) -> mujoco.MjData:\n", "def pd_force("


def records_of(tmp_path, content, **asked):
    file = tmp_path / "actuator_modes.py"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return run_checks(MODULE, file, **asked)


def line_of(text, content=None):
    """The number of the line in which `text` first stands."""
    content = RIGHT if content is None else content
    return content[: content.index(text)].count("\n") + 1


def with_body(todo, body):
    """The solution with the answer to one TODO replaced by one line."""
    from course.skeleton import replace

    return replace(RIGHT, {todo: f"    {body}\n"})


def messages(records, todo):
    return {r.message for r in records if r.todo == todo}


def test_syntax_error(tmp_path):
    broken = with_body("pd_force", "return KP * (target - q")
    records = records_of(tmp_path, broken)
    assert {r.status for r in records} == {"fail"}
    line = whole_file_problem(records)
    assert line.startswith(
        f"actuator_modes.py:{line_of('return KP * (target - q', broken)}: "
        "Python cannot read this file: '(' was never closed"
    )
    assert "\n" not in line


def test_wrong_indentation(tmp_path):
    line = whole_file_problem(
        records_of(tmp_path, RIGHT.replace("    data.ctrl[0] = ctrl\n", "   data.ctrl[0] = ctrl\n", 1))
    )
    assert re.match(r"actuator_modes\.py:\d+: Python cannot read this file: unindent does not match", line)


def test_not_utf8(tmp_path):
    line = whole_file_problem(
        records_of(tmp_path, RIGHT.replace("KP = 8.0", "KP = 8.0  # caf\u00e9").encode("latin-1", "replace"))
    )
    assert line == f"actuator_modes.py:{line_of('KP = 8.0')}: this file is not UTF-8; save it as UTF-8 in your editor"


def test_nul_bytes(tmp_path):
    line = whole_file_problem(records_of(tmp_path, RIGHT.encode() + b"\n\0\n"))
    assert "NUL byte" in line and "\n" not in line


def test_an_empty_file(tmp_path):
    records = records_of(tmp_path, "")
    assert {r.status for r in records} == {"fail"}
    assert messages(records, "run") == {"actuator_modes.py has no function run(); was it renamed or deleted?"}


def test_a_missing_file(tmp_path):
    line = whole_file_problem(run_checks(MODULE, tmp_path / "actuator_modes.py"))
    assert line == f"actuator_modes.py is not there; `{command()} reset actuator_modes` brings the skeleton back"


def test_a_folder_with_the_name_of_the_file(tmp_path):
    (tmp_path / "actuator_modes.py").mkdir()
    assert whole_file_problem(run_checks(MODULE, tmp_path / "actuator_modes.py")) == "actuator_modes.py is not a file"


def test_what_cannot_be_read_keeps_nobody_waiting(tmp_path):
    file = tmp_path / "actuator_modes.py"
    file.symlink_to(file)
    assert whole_file_problem(run_checks(MODULE, file)) == (
        "actuator_modes.py cannot be read: Too many levels of symbolic links"
    )
    assert shown(file) == file
    if hasattr(os, "mkfifo"):
        file.unlink()
        os.mkfifo(file)
        assert whole_file_problem(run_checks(MODULE, file)) == "actuator_modes.py is not a file"
        assert progress.untouched(MODULE, file) is False


def test_lines_are_counted_as_an_editor_counts_them(tmp_path):
    text = RIGHT.replace("KP = 8.0", "KP = 8.0  # caf\u00e9").replace("\n", "\r").encode("latin-1", "replace")
    assert f"actuator_modes.py:{line_of('KP = 8.0')}: this file is not UTF-8" in records_of(tmp_path, text)[0].message


def test_a_huge_file(tmp_path):
    assert "exercise has less than 1,000,000" in whole_file_problem(records_of(tmp_path, b"#" * 2_000_000))


def test_a_misspelt_todo(tmp_path):
    records = records_of(tmp_path, RIGHT.replace("def pd_force(", "def pd_forse("))
    assert messages(records, "pd_force") == {
        "actuator_modes.py has no function pd_force(); there is a pd_forse(), is that it?"
    }
    assert {r.status for r in records if r.todo == "run"} == {"pass"}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return None", "answered  nothing (None)"),
        ("pass", "perhaps   the return statement is missing"),
        ("return 'three'", "answered  the text 'three'"),
        ("return np.array([1.0, 2.0])", "answered  an array of shape (2,)"),
        ("return np.array([])", "answered  an array of shape (0,)"),
        ("return float('nan')", "answered  nan"),
        ("return np.float32('inf')", "expected  a finite number in N m"),
        ("return True", "answered  True"),
        ("return lambda: 3.0", "answered  a function"),
        ("return [1.0, 2.0]", "answered  a list of 2"),
        ("return {'force': 1.0}", "answered  a dict of 1"),
        ("return 10**400", "expected  a finite number in N m"),
        ("return np.array(['a'])", "pd_force(): its answer cannot be handed over"),
        ("return 10**5000", "answered  a whole number of more than 300 digits"),
        ("return np.broadcast_to(0.0, (10**9, 10))", "its answer cannot be handed over: more than 64 MB"),
        ("return 1 << 10**7", "its answer cannot be handed over: a whole number of more than 1000000 bits"),
        ("return type('\\x1b[2J\\n[red]', (), {})()", "answered  a ?[2J [red]\n"),
        ("return target", "expected"),
    ],
)
def test_a_wrong_type_or_shape(tmp_path, body, says):
    records = records_of(tmp_path, with_body("pd_force", body), todo="pd_force")
    assert {r.status for r in records} == {"fail"}
    assert all(says in r.message for r in records), records[0].message


def test_an_object_that_equals_everything(tmp_path):
    always = "'__eq__': lambda s, o: True, '__sub__': lambda s, o: 0.0, '__abs__': lambda s: 0.0"
    liar = f"return type('Liar', (float,), {{{always}}})()"
    records = records_of(tmp_path, with_body("pd_force", liar), todo="pd_force")
    assert {r.status for r in records} == {"fail"}
    assert "answered  0 N m" in records[0].message, "it is taken for the number that it holds"


def test_a_right_answer_in_another_numeric_type_passes(tmp_path):
    for body in (
        "return np.clip(KP * (target - q) - KV * qd, -FORCE_LIMIT, FORCE_LIMIT)",
        "return np.array(np.clip(KP * (target - q) - KV * qd, -FORCE_LIMIT, FORCE_LIMIT))",
        "return max(-3.0, min(3.0, 8 * (target - q) - 1.2 * qd))",
        "return np.longdouble(np.clip(KP * (target - q) - KV * qd, -FORCE_LIMIT, FORCE_LIMIT))",
        "return type('Torque', (float,), {})(np.clip(KP * (target - q) - KV * qd, -FORCE_LIMIT, FORCE_LIMIT))",
    ):
        assert {r.status for r in records_of(tmp_path, with_body("pd_force", body), todo="pd_force")} == {"pass"}


def test_an_exception_names_the_line(tmp_path):
    wrong = with_body("pd_force", "return KP * (targt - q)")
    (message,) = messages(records_of(tmp_path, wrong, todo="pd_force"), "pd_force")
    assert message.startswith(
        f"actuator_modes.py:{line_of('targt', wrong)} in pd_force(): NameError: name 'targt' is not defined"
    )
    assert "\n" not in message


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("raise ValueError('one\\ntwo\\x1b[2J \\ud800')", "ValueError: one two?[2J ?"),
        ("eval('1 +')", "SyntaxError: invalid syntax"),
        ("assert q is None, 'q\\nis'", "AssertionError: q is"),
        ("raise type('E', (Exception,), {'__class__': property(exit)})", "an exception that cannot be shown"),
        ("raise type('E', (NotImplementedError,), {'__str__': exit})", "an exception that cannot be shown"),
        ("raise type('E', (Exception,), {'__str__': exit})", "E: <exception str() failed>"),
    ],
)
def test_an_exception_is_one_line_whatever_it_is(tmp_path, body, says):
    wrong = with_body("pd_force", body)
    records = records_of(tmp_path, wrong, todo="pd_force")
    (message,) = messages(records, "pd_force")
    assert message.startswith(f"actuator_modes.py:{line_of(body, wrong)} in pd_force(): ") and says in message
    assert "\n" not in message and json.loads(records[0].to_json().encode())["message"] == message


def test_an_exception_at_import(tmp_path):
    line = whole_file_problem(records_of(tmp_path, RIGHT.replace("KP = 8.0", "KP = eight", 1)))
    assert line.startswith(f"actuator_modes.py:{line_of('KP = 8.0')}: NameError")


@pytest.mark.parametrize("leave", ["sys.exit(0)", "raise SystemExit", "exit()"])
def test_sys_exit(tmp_path, leave):
    wrong = with_body("pd_force", f"import sys; {leave}")
    (message,) = messages(records_of(tmp_path, wrong, todo="pd_force"), "pd_force")
    assert (
        message == f"actuator_modes.py:{line_of('import sys', wrong)} in pd_force(): "
        "it calls exit; a function hands its result back with return"
    )


def test_sys_exit_at_import(tmp_path):
    assert "it calls exit" in whole_file_problem(records_of(tmp_path, "import sys\nsys.exit(0)\n" + RIGHT))


def test_a_process_that_ends_itself(tmp_path):
    records = records_of(tmp_path, with_body("pd_force", "import os; os._exit(0)"))
    assert messages(records, "pd_force") == {"the process ended in the middle of pd_force() (exit code 0)"}
    assert {r.status for r in records if r.todo == "run"} == {"pass"}, "the other TODOs are still asked"


def test_an_endless_loop(tmp_path):
    wrong = with_body("pd_force", "while True: q = q + 0.0")
    records = records_of(tmp_path, wrong)
    late = next(r for r in records if r.todo == "pd_force")
    assert late.status == "fail"
    where = f"actuator_modes.py:{line_of('while True', wrong)} in pd_force()"
    assert late.message == f"pd_force() did not come back in time; it was at {where}. Does a loop there ever end?"
    assert late.seconds < 7
    waited = [r.todo for r in records if r.seconds > 3]
    assert waited == ["pd_force", "explain"], "no function is waited for twice (explain calls pd_force)"
    assert messages(records, "pd_force") == {late.message}
    assert {r.status for r in records if r.todo == "run"} == {"pass"}


def test_an_endless_loop_at_import(tmp_path, monkeypatch):
    monkeypatch.setattr("course.session.LOAD_SECONDS", 1.0)
    line = whole_file_problem(records_of(tmp_path, RIGHT.replace("KP = 8.0", "while True: pass\nKP = 8.0", 1)))
    assert line.startswith("loading the file did not come back in time; it was at actuator_modes.py:")


def test_megabytes_of_printing(tmp_path):
    loud = RIGHT.replace("    data.ctrl[0] = ctrl\n", "    data.ctrl[0] = ctrl\n    print('x' * 3_000_000)\n", 1)
    records = records_of(tmp_path, loud, todo="run")
    assert {r.status for r in records} == {"pass"}, "printing is not wrong, only loud"
    assert all(len(r.printed) < 5_000 for r in records)
    assert re.search(
        r"\.\.\. 9\.0 MB in all, the rest is not kept\. Is there a print\(\) inside a loop\?", records[0].printed
    )


def test_what_is_printed_is_shown(tmp_path):
    records = records_of(tmp_path, with_body("pd_force", "print('target', target); return 0.0"), todo="pd_force")
    assert records[0].printed.startswith("target ")


def test_printed_escape_codes_do_not_reach_the_terminal(tmp_path):
    records = records_of(tmp_path, with_body("pd_force", r"print('\x1b[2Jgone\r\x07'); return 0.0"), todo="pd_force")
    assert records[0].printed == "?[2Jgone??\n"


def test_input_has_nobody_to_ask(tmp_path):
    records = records_of(tmp_path, with_body("pd_force", "return float(input())"), todo="pd_force")
    assert "there is nobody to answer input()" in records[0].message


def test_the_answer_cannot_be_imported(tmp_path):
    wrong = with_body("pd_force", "from solutions.actuator_modes import pd_force as f; return f(target, q, qd)")
    assert "holds an answer that is being checked" in records_of(tmp_path, wrong, todo="pd_force")[0].message


def test_nor_what_the_syllabus_withholds(tmp_path, monkeypatch):
    hidden = replace(module("actuator_modes"), withheld=("bench.scoring",))
    monkeypatch.setattr(session, "modules", lambda: (hidden,))
    wrong = with_body("pd_force", "from bench.scoring.metrics import FALSE; return FALSE")
    assert (
        "bench.scoring holds an answer that is being checked" in records_of(tmp_path, wrong, todo="pd_force")[0].message
    )


def test_memory_and_recursion_errors_are_answers_too(tmp_path):
    for body in ("return pd_force(target, q, qd)", "return np.ones(10**13).sum()", "raise Exception('x' * 10**6)"):
        records = records_of(tmp_path, with_body("pd_force", body), todo="pd_force")
        assert {r.status for r in records} == {"fail"}
        assert all(len(r.message) < 1_500 for r in records)


def test_a_forgotten_breakpoint_or_figure_costs_nothing(tmp_path):
    for line in ("breakpoint()", "import matplotlib.pyplot as plt; plt.plot([1]); plt.show()"):
        text = RIGHT.replace("    data.ctrl[0] = ctrl\n", f"    data.ctrl[0] = ctrl\n    {line}\n", 1)
        assert {r.status for r in records_of(tmp_path, text, todo="run")} == {"pass"}


CHECKS = """
import pytest
from course.testing import check

@pytest.fixture
def broken():
    raise ValueError

@check(todo="run", points=1)
def test_a(rng): ...

@check(todo="run", points=2)
def test_b(broken): ...
"""


def test_a_check_of_which_nothing_is_heard_is_our_fault_and_no_pass(tmp_path, monkeypatch):
    checks = tmp_path / "test_deaf.py"
    monkeypatch.setattr(Module, "checks", property(lambda self: checks))
    checks.write_text(CHECKS)
    records = records_of(tmp_path, RIGHT)
    assert [(r.check, r.status, r.points) for r in records] == [("test_a", "pass", 1), ("test_b", "error", 0)]
    checks = tmp_path / "test_not_python.py"
    checks.write_text("def broken(:")
    with pytest.raises(UserError, match="The checks of 01 actuator_modes cannot be read, which is our fault"):
        records_of(tmp_path, RIGHT)
