"""The commands as a student types them, each in a process of its own, on a folder of their own files."""

import json
import os
import re
import subprocess
import sys
import time
from io import StringIO

import pytest
from rich.console import Console

from course import help, progress, report
from course.record import STATUSES, Record
from course.skeleton import replace, skeleton
from course.syllabus import ROOT, UserError, module, modules

MODULE = module("actuator_modes")
RIGHT = MODULE.solution.read_text(encoding="utf-8")


def course(*arguments, folder="solutions", stdin="", command="course"):
    environment = {**os.environ, "COURSE_EXERCISES": str(folder), "NO_COLOR": "1", "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, "-m", "course", *arguments],
        *(), cwd=ROOT, env=environment, input=stdin, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    for m in modules():
        text = skeleton(m.solution.read_text(encoding="utf-8"))
        (tmp_path / f"{m.slug}.py").write_text(text, encoding="utf-8")
    return tmp_path


def test_alone_it_says_where_you_are_and_what_is_next():
    done = course()
    assert done.returncode == 0 and done.stderr == ""
    for m in modules():
        assert m.name in done.stdout
    for word in ("Next:", "lab", "check", "hint", "code/"):
        assert word in done.stdout


def test_every_command_has_a_help_with_an_example():
    listed = course("--help").stdout
    for name in ("check", "watch", "hint", "show", "run", "lab", "reset", "update", "doctor", "test", "sync"):
        assert re.search(rf"^  {name} ", listed, re.M)
        assert f"Example: course {name}" in course(name, "--help").stdout


def test_a_module_is_begun_when_something_was_done_in_it(tmp_path):
    file = tmp_path / "actuator_modes.py"
    assert not progress.begun({}, MODULE, file), "no file, nothing done"
    file.write_text(skeleton(RIGHT), encoding="utf-8")
    checked = {MODULE.slug: {"run": {"passed": False, "points": 0, "hints": 0}}}
    assert not progress.begun(checked, MODULE, file), "a check alone does nothing"
    assert progress.begun({MODULE.slug: {"run": {"hints": 1}}}, MODULE, file)
    file.write_text(RIGHT, encoding="utf-8")
    assert progress.begun({}, MODULE, file)


def test_a_folder_that_cannot_be_written_costs_the_notes_and_not_the_answer(tmp_path, capsys):
    (tmp_path / "a file").write_text("")
    progress.save({}, tmp_path / "a file" / "progress.json")
    said = capsys.readouterr().err
    assert said.startswith("Your progress is not kept. ") and said.count("\n") == 1


def test_a_terminal_wraps_messages_beneath_their_labels(folder):
    record = {**dict.fromkeys(("student", "attempt", "printed", "check_hash", "course_version"), ""), "seconds": 0.0}
    record |= {"module": MODULE.slug, "todo": "run", "status": "fail", "points": 0, "max": 1, "seed": 0}
    record["message"] = "asked     the angle after one second of a long, long run\nanswered  nothing"
    records = [Record(check="test_one", **record)]
    console = Console(file=StringIO(), width=60, force_terminal=True, color_system=None)
    report.show(MODULE, folder / "x.py", records, console)
    lines = [line.rstrip() for line in console.file.getvalue().splitlines()]
    assert " " * 20 + "asked     the angle after one second of" in lines
    assert " " * 30 + "a long, long run" in lines


def test_check_passes_and_fails_with_its_exit_code(folder):
    assert course("check", "actuator_modes").returncode == 0
    skeleton_only = course("check", "actuator_modes", folder=folder)
    assert skeleton_only.returncode == 1
    assert "to do  run" in skeleton_only.stdout and "0 of 10 points" in skeleton_only.stdout
    (folder / "actuator_modes.py").write_text(RIGHT.replace("- KV * qd", "+ KV * qd"), encoding="utf-8")
    wrong = course("check", "01", folder=folder)
    assert wrong.returncode == 1
    assert "perhaps   the sign of the derivative term is backwards" in wrong.stdout


def test_check_of_everything_skips_what_is_not_begun(folder):
    (folder / "actuator_modes.py").write_text(RIGHT, encoding="utf-8")
    done = course("check", folder=folder)
    assert done.returncode == 1
    assert done.stdout.count("not begun") == len(modules()) - 1 and "10 of 10 points" in done.stdout


def test_the_records_as_json(folder):
    done = course("check", "actuator_modes", "pd_force", "--json", "-", "--seed", "7")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert {r["check"] for r in records} == {"test_agrees_with_mujoco_at_every_step", "test_stops_at_the_limit"}
    assert all(r["status"] in STATUSES and r["seed"] == 7 and r["points"] == r["max"] for r in records)
    assert set(records[0]) >= {
        "student",
        "attempt",
        "module",
        "todo",
        "message",
        "seconds",
        "check_hash",
        "course_version",
    }
    course("check", "actuator_modes", "--json", str(folder / "out.json"), folder=folder)
    assert [json.loads(r)["status"] for r in (folder / "out.json").read_text().splitlines()] == ["todo"] * 6


def test_random_questions_name_their_seed():
    assert re.search(
        r"These questions come again with --seed \d+", course("check", "actuator_modes", "--seed", "random").stdout
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["check", "actuator_mode"], "did you mean actuator_modes?"),
        (["check", "99"], "No module is called '99'"),
        (["check", "actuator_modes", "pd_forc"], "did you mean pd_force?"),
        (
            ["check", "actuator_modes", "--only", "test_nothing"],
            "No check of 01 actuator_modes is called 'test_nothing'",
        ),
        (["check", "--only", "test_x"], "Name the module too"),
        (["check", "actuator_modes", "--json", "no/such/folder/x"], "The results cannot be written to"),
        (["hint", "actuator_modes", "nothing"], "No TODO in module"),
        (["show", "actuator_modes"], "Name the TODO too: run, pd_force, explain"),
    ],
)
def test_a_slip_on_the_command_line_gets_one_line(arguments, says):
    done = course(*arguments)
    assert done.returncode == 2
    assert says in done.stderr and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def test_debug_stops_at_a_breakpoint(folder):
    text = RIGHT.replace("    data.ctrl[0] = ctrl\n", "    data.ctrl[0] = ctrl\n    breakpoint()\n", 1)
    (folder / "actuator_modes.py").write_text(text, encoding="utf-8")
    asked = ("check", "actuator_modes", "--debug", "--only", "test_simulates_the_time_asked")
    done = course(*asked, folder=folder, stdin="p 'here', ctrl\nimport os; os._exit(77)\n")
    assert done.returncode == 77 and "('here', " in done.stdout


def test_debug_says_what_the_check_says(folder):
    """The same verdict from inside this process, with the student's traceback and without ours."""
    (folder / "actuator_modes.py").write_text(RIGHT, encoding="utf-8")
    assert course("check", "actuator_modes", "--debug", folder=folder).returncode == 0
    answers = {
        "run": "    model.opt.timestep = 1.0; return mujoco.MjData(model)\n",  # must not reach the next question
        "pd_force": "    return 1 / 0\n",
        "explain": "    import sys; sys.exit(0)\n",
    }
    (folder / "actuator_modes.py").write_text(replace(RIGHT, answers), encoding="utf-8")
    asked = ("check", "actuator_modes", "--json", str(folder / "out.json"))
    seen = []
    for arguments in (asked, (*asked, "--debug")):
        done = course(*arguments, folder=folder)
        assert done.returncode == 1
        records = [json.loads(r) for r in (folder / "out.json").read_text().splitlines()]
        seen.append([(r["check"], r["status"], r["message"]) for r in records])
    assert seen[0] == seen[1] and [status for _, status, _ in seen[0]] == ["fail"] * 6
    assert done.stderr.count("Traceback") == 2 and "in pd_force" in done.stderr and "course/" not in done.stderr


def test_quitting_the_debugger_stops_the_check(folder):
    text = RIGHT.replace("    data.ctrl[0] = ctrl\n", "    data.ctrl[0] = ctrl\n    breakpoint()\n", 1)
    (folder / "actuator_modes.py").write_text(text, encoding="utf-8")
    done = course("check", "actuator_modes", "--debug", folder=folder, stdin="q\n")
    assert done.returncode == 130 and done.stderr.strip().endswith("Stopped.")


def test_odd_characters_reach_the_report_and_the_file_of_records(folder):
    text = RIGHT.replace("    data.ctrl[0] = ctrl\n", "    raise ValueError('[red] x[:100:] [/] \\ud800')\n", 1)
    (folder / "actuator_modes.py").write_text(text, encoding="utf-8")
    done = course("check", "actuator_modes", "--json", str(folder / "out.json"), folder=folder)
    assert done.returncode == 1 and "ValueError: [red] x[:100:] [/] ?" in done.stdout
    assert len((folder / "out.json").read_text(encoding="utf-8").splitlines()) == 6


def test_run_prints_the_parts_and_stops_kindly_at_a_stub(folder):
    solution = course("run", "actuator_modes", "--solution", folder=folder)
    assert solution.returncode == 0 and "Part A" in solution.stdout and "Part C" in solution.stdout
    stub = course("run", "actuator_modes", folder=folder)
    assert stub.returncode == 1 and "Traceback" not in stub.stderr
    assert "Next: write run() in" in stub.stderr


def test_hints_come_one_after_the_other(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(progress, "PATH", tmp_path / "progress.json")
    monkeypatch.setattr(progress.load, "__defaults__", (progress.PATH,))
    monkeypatch.setattr(progress.save, "__defaults__", (progress.PATH,))
    seen = []
    for _ in range(4):
        help.hint(MODULE, None)
        seen.append(capsys.readouterr().out)
    for stage in range(3):
        assert f"hint {stage + 1} of 3" in seen[stage]
        assert MODULE.todos[0].hints[stage][:30] in seen[stage]
    assert "hint 3 of 3" in seen[3] and "--give-up" in seen[3]


def test_the_answer_is_shown_after_passing_or_giving_up(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(progress.load, "__defaults__", (tmp_path / "progress.json",))
    with pytest.raises(UserError, match="pd_force has not passed yet"):
        help.show(MODULE, "pd_force", give_up=False)
    help.show(MODULE, "pd_force", give_up=True)
    shown = capsys.readouterr().out
    assert "the reference" in shown and "np.clip(KP * (target - q)" in shown and "SOLUTION" not in shown
    assert "def pd_force" not in shown and "TODO(you): kp" not in shown, "the part that both have is left out"
    known = progress.load()
    progress.entry(known, MODULE, "pd_force")["passed"] = True
    progress.save(known, tmp_path / "progress.json")
    help.show(MODULE, "pd_force", give_up=False)


def test_progress_keeps_what_passed_and_survives_a_damaged_file(tmp_path):
    path = tmp_path / "progress.json"
    path.write_text("{broken")
    assert progress.load(path) == {}
    known = progress.load(path)
    progress.entry(known, MODULE, "run").update(passed=True, points=3)
    progress.save(known, path)
    assert progress.points(progress.load(path), MODULE) == 3


def test_a_killed_check_leaves_the_file_and_the_notes_whole(folder, tmp_path):
    file, notes = folder / "actuator_modes.py", tmp_path / "progress.json"
    file.write_text(RIGHT, encoding="utf-8")
    program = (
        "import sys; from pathlib import Path; from course import progress; from course.runner import run_checks; "
        "from course.syllabus import module; m = module('actuator_modes'); file, notes = map(Path, sys.argv[1:])\n"
        "while True: progress.note_results(m, run_checks(m, file, todo='pd_force'), notes); print(flush=True)"
    )
    command = [sys.executable, "-c", program, str(file), str(notes)]
    for wait in (0.0, 0.003, 0.011, 0.042):
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as checking:
            checking.stdout.readline()
            time.sleep(wait)
            checking.kill()
        assert file.read_text(encoding="utf-8") == RIGHT
        assert progress.load(notes)["actuator_modes"]["pd_force"]["passed"] is True
