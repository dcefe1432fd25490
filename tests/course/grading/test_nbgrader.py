"""nbgrader runs its own course on our notebooks, and its gradebook gets the points of `course grade`."""

import ast
import json
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import classroom
import nbformat
import pytest
from canaries import answered, course_with_canaries, found
from nbgrader_term import MODES, NOTEBOOK, POINTS, STUB, comments, gradebook, hand_in, nbgrader, points

from course.grading.folder import Folder
from course.grading.gradebook import Gradebook
from course.release import release
from course.releasing.notebooks import notebook, pieces
from course.skeleton import skeleton
from course.syllabus import UserError

pytest.importorskip("nbgrader")
from course.exporting.nbgrader import OURS, can_be_a_folder, comment, export, first_and_last


@pytest.fixture(scope="module")
def term(tmp_path_factory) -> tuple[Path, list[str]]:
    """An nbgrader course in which two have handed in and one has cheated nbgrader, autograded; and the hidden words."""
    root, words = course_with_canaries(tmp_path_factory.mktemp("course"))
    course_dir = tmp_path_factory.mktemp("nbgrader")
    release([MODES], nbgrader=course_dir, root=root)
    nbgrader(course_dir, "generate_assignment", "actuator_modes")
    right = answered(MODES)
    hand_in(course_dir, "ada", right)
    hand_in(course_dir, "bob", {"run": right["run"], "pd_force": "    return 0.0"})
    hand_in(course_dir, "eve", dict.fromkeys(right, "    return None"), solution=False)
    nbgrader(course_dir, "autograde", "actuator_modes")
    nbgrader(course_dir, "generate_feedback", "actuator_modes")
    return course_dir, words


@pytest.fixture
def course_dir(term, tmp_path) -> Path:
    """The same with a gradebook of its own."""
    return Path(shutil.copytree(term[0], tmp_path / "nbgrader"))


def graded(path: Path, **statuses: str | list[str]) -> Path:
    """The folder of a grading in which each student's file got these statuses, check by check."""
    given = {
        student: classroom.submission(student, student.encode(), display=f"{student.title()} Low")
        for student in statuses
    }
    return classroom.grade(path, *((given[student], of_checks) for student, of_checks in statuses.items()))


def refused(folder: Path, into: Path | None) -> str:
    with pytest.raises(UserError) as problem:
        export(folder, into)
    return str(problem.value)


# --- the notebook ----------------------------------------------------------------------------------------------------


def test_the_code_cells_are_the_solution_in_its_order():
    text = MODES.solution.read_text(encoding="utf-8")
    cells = "\n".join(code for code, _ in pieces(text))
    body = ast.parse(text).body[1:-1]  # without the docstring and the call of main()
    assert [ast.dump(node) for node in ast.parse(cells).body] == [ast.dump(node) for node in body]
    assert [line for line in cells.splitlines() if line.strip().startswith("#")] == [
        line for line in text.splitlines() if line.strip().startswith("#")
    ], "with all comments and markers"
    assert [todo for _, todo in pieces(text) if todo] == list(POINTS)


def test_each_todo_is_a_cell_that_somebody_marks():
    nb = notebook(MODES, MODES.solution.read_text(encoding="utf-8"))
    answers = {c.metadata.tags[0]: c.metadata.nbgrader for c in nb.cells if c.metadata.nbgrader.solution}
    assert list(answers) == [f"todo:{name}" for name in POINTS]
    assert [(m.grade, m.locked, m.points, m.grade_id) for m in answers.values()] == [
        (True, False, most, name) for name, most in POINTS.items()
    ]
    assert all(not c.metadata.nbgrader.grade for c in nb.cells if c.metadata.nbgrader.locked)


def test_two_todos_in_one_class_are_refused():
    answer = "        ### BEGIN SOLUTION\n        return 1\n        ### END SOLUTION\n"
    text = f'"""Doc."""\n\n\nclass Arm:\n    def a(self):\n{answer}\n    def b(self):\n{answer}'
    with pytest.raises(UserError, match="Arm holds the TODOs a, b; nbgrader wants one cell for each"):
        list(pieces(text))


def test_a_source_notebook_that_was_edited_is_kept(tmp_path):
    assert release([MODES], nbgrader=tmp_path)[0] == f"source/{NOTEBOOK}: new"
    path = tmp_path / "source" / NOTEBOOK
    ours = path.read_bytes()
    assert release([MODES], nbgrader=tmp_path)[0] == f"source/{NOTEBOOK}: as it was"
    path.write_bytes(b"mine")
    line = release([MODES], nbgrader=tmp_path)[0]
    assert line.startswith(f"source/{NOTEBOOK}: replaced. What was there: ")
    assert (tmp_path / line.rpartition(": ")[2]).read_bytes() == b"mine" and path.read_bytes() == ours


# --- nbgrader's own course -------------------------------------------------------------------------------------------


def test_no_answer_and_no_check_reaches_a_student(term):
    course_dir, words = term
    assert found(course_dir / "source", words), "the answers are where the instructor keeps them"
    for folder in ("release", "submitted", "autograded", "feedback"):
        assert list((course_dir / folder).rglob("actuator_modes.*"))
        assert found(course_dir / folder, words) == set(), folder


def test_the_released_notebook_asks_what_the_skeleton_asks(term):
    nb = nbformat.read(term[0] / "release" / NOTEBOOK, as_version=4)
    code = "\n".join(c.source.replace(STUB, f'raise NotImplementedError("TODO(you): {c.metadata.nbgrader.grade_id}")')
                     for c in nb.cells if c.cell_type == "code")  # fmt: skip
    wanted = ast.parse(skeleton(MODES.solution.read_text(encoding="utf-8"))).body[1:-1]
    assert [ast.dump(n) for n in ast.parse(code).body] == [ast.dump(n) for n in [*wanted, *ast.parse("main()").body]]


def test_nbgrader_alone_gives_no_points_but_to_a_forger(term):
    """The reason for all this: whoever calls an answer a test that prints nothing gets full marks from nbgrader."""
    assert set(points(term[0], "ada").values()) == {0.0}
    assert points(term[0], "eve") == POINTS


def test_the_solution_runs_in_the_autograded_notebook(term):
    nb = nbformat.read(term[0] / "autograded" / "ada" / NOTEBOOK, as_version=4)
    assert not [out for cell in nb.cells for out in cell.get("outputs", []) if out.output_type == "error"]
    assert "Part D." in "".join(out.text for out in nb.cells[-1].outputs)


# --- the points of `course grade` in it ------------------------------------------------------------------------------


def test_points_and_messages_arrive_and_twice_is_once(course_dir, tmp_path):
    folder = graded(tmp_path / "graded", ada="pass", bob=["pass", "pass", "fail"], eve="fail")
    lines = export(folder, course_dir)
    assert lines == [
        "actuator_modes: points of 3 students written",
        f"Next, in {course_dir}: nbgrader generate_feedback actuator_modes --force",
    ]
    ours = {s.id: s.grades["actuator_modes"].by_todo() for s in Gradebook.load(folder).students}
    for student in ("ada", "bob", "eve"):
        assert points(course_dir, student) == {todo: got for todo, (got, _) in ours[student].items()}
    assert points(course_dir, "ada") == POINTS and 0 < sum(points(course_dir, "bob").values()) < 10
    assert comments(course_dir, "ada") == dict.fromkeys(POINTS)
    told = comments(course_dir, "bob")["pd_force"]
    assert told.startswith(f"{OURS}\n\n    not yet: pd force 0\n    asked     pd_force(target=2)\n")
    assert "    The same question: course check actuator_modes --seed 7 --only test_pd_force_0" in told
    with gradebook(course_dir) as known:
        assert not any(s.needs_manual_grade for s in known.assignment_submissions("actuator_modes"))
        assert next((s.id, s.first_name, s.last_name) for s in known.students) == ("ada", "Ada", "Low")

    state = {student: (points(course_dir, student), comments(course_dir, student)) for student in ("ada", "bob", "eve")}
    assert export(folder, course_dir) == lines
    assert state == {s: (points(course_dir, s), comments(course_dir, s)) for s in ("ada", "bob", "eve")}


def test_feedback_shows_points_and_messages_and_runs_nothing(course_dir, tmp_path):
    given = classroom.submission("bob", b"x")
    evil = "asked </code></pre><script>alert(1)</script>\n$$\n\\begin{x}<b>\n```\n<img src=x onerror=alert(2)>"
    with Folder(tmp_path / "graded") as folder:
        folder.begin(1)
        folder.note([given])
        folder.append(classroom.records(given, ["pass", "fail"], message=evil))
    export(tmp_path / "graded", course_dir)
    nbgrader(course_dir, "generate_feedback", "actuator_modes", "--student", "bob", "--force")
    page = (course_dir / "feedback" / "bob" / NOTEBOOK.replace(".ipynb", ".html")).read_text(encoding="utf-8")
    assert "(Score: 2.0 / 10.0)" in page
    assert "asked &lt;/code&gt;&lt;/pre&gt;&lt;script&gt;alert(1)" in page and "&lt;img src=x onerror" in page
    assert "<script>alert" not in page and "<img src=x" not in page


def test_who_handed_in_without_nbgrader_is_added(course_dir, tmp_path):
    at = datetime(2026, 11, 1, 12, tzinfo=UTC) + timedelta(minutes=5)
    given = classroom.submission("cyd", submitted=at, display="Cyd Van Low")
    export(classroom.grade(tmp_path / "graded", (given, "pass")), course_dir)
    assert points(course_dir, "cyd") == POINTS
    with gradebook(course_dir) as known:
        assert known.find_submission("actuator_modes", "cyd").timestamp == datetime(2026, 11, 1, 12, 5)
        student = known.find_student("cyd")
        assert (student.first_name, student.last_name) == ("Cyd Van", "Low")


def test_points_that_nbgrader_alone_has_given_are_told(course_dir, tmp_path):
    lines = export(graded(tmp_path / "graded", ada="pass"), course_dir)
    assert "actuator_modes, eve: 10 points from nbgrader alone; grade this submission too" in lines


def test_what_a_person_wrote_and_gave_stays(course_dir, tmp_path):
    with gradebook(course_dir) as known:
        known.find_comment("run", "actuator_modes", "actuator_modes", "bob").manual_comment = "See me, *please*."
        known.find_grade("run", "actuator_modes", "actuator_modes", "bob").extra_credit = 1.0
        known.db.commit()
    export(graded(tmp_path / "failed", bob="fail"), course_dir)
    told = comments(course_dir, "bob")["run"]
    assert told.startswith(f"See me, *please*.\n\n{OURS}\n\n    not yet: ")
    assert points(course_dir, "bob")["run"] == 1.0
    export(graded(tmp_path / "passed", bob="pass"), course_dir)
    assert comments(course_dir, "bob")["run"] == "See me, *please*."
    assert points(course_dir, "bob")["run"] == POINTS["run"] + 1.0


def test_a_cell_with_another_weight_gets_its_share(course_dir, tmp_path):
    with gradebook(course_dir) as known:
        known.find_grade_cell("pd_force", "actuator_modes", "actuator_modes").max_score = 30
        known.db.commit()
    export(graded(tmp_path / "graded", bob=["pass", "pass", "pass", "fail"]), course_dir)
    assert points(course_dir, "bob") == {"run": 3.0, "pd_force": 20.0, "explain": 0.0}


def test_being_late_is_charged_once(course_dir, tmp_path):
    given = classroom.submission("bob", submitted=datetime(2026, 11, 3, tzinfo=UTC))
    folder = classroom.grade(tmp_path / "graded", (given, "pass"))

    def penalty():
        with gradebook(course_dir) as known:
            return known.find_submission("actuator_modes", "bob").late_submission_penalty

    with gradebook(course_dir) as known:  # nbgrader's own rule has taken everything
        known.find_submission_notebook("actuator_modes", "actuator_modes", "bob").late_submission_penalty = 10
        known.db.commit()
    export(folder, course_dir)
    assert penalty() == 10, "without a rule of ours it is nbgrader's business"
    (folder / "settings.toml").write_text("[late]\ndue = 2026-11-01T00:00:00Z\nlost_per_day = 0.1\n")
    export(folder, course_dir)
    assert penalty() == pytest.approx(2.0)
    (folder / "settings.toml").write_text("[late]\ndue = 2026-12-01\n")
    export(folder, course_dir)
    assert penalty() == 0


def test_a_broken_check_asks_for_a_person(course_dir, tmp_path):
    export(graded(tmp_path / "graded", bob="error"), course_dir)
    with gradebook(course_dir) as known:
        assert known.find_submission("actuator_modes", "bob").needs_manual_grade


def test_ids_that_are_no_folder_are_left_out_by_name(course_dir, tmp_path):
    names = ["../../etc", "a*b", "", "x" * 129, "ada"]
    files = [(classroom.submission(name, name.encode()), "pass") for name in names]
    lines = export(classroom.grade(tmp_path / "graded", *files), course_dir)
    assert sum("is no id for nbgrader" in line for line in lines) == 4
    assert points(course_dir, "ada") == POINTS
    with gradebook(course_dir) as known:
        assert {s.id for s in known.students} == {"ada", "bob", "eve"}


def test_small_parts():
    assert first_and_last("Ada King Lovelace") == first_and_last("Lovelace, Ada King") == ("Ada King", "Lovelace")
    assert first_and_last("lovelaceada") == ("", "lovelaceada")
    assert not any(map(can_be_a_folder, ("", ".", "..", "a/b", "a\\b", " a", "a\n", "[a]")))
    assert all(map(can_be_a_folder, ("ada", "12345", "ada.l@example.org", "Ada Lovelace", "é")))
    assert comment(None, []) is None and comment("  ", []) is None


def test_what_comes_first_is_named(term, tmp_path, monkeypatch):
    folder = graded(tmp_path / "graded", ada="pass")
    assert refused(folder, None) == "Name the folder of the nbgrader course: --into COURSE_DIR"
    assert refused(folder, tmp_path) == (
        f"{tmp_path / 'gradebook.db'} is not there; "
        "in that folder type first: nbgrader generate_assignment actuator_modes"
    )
    given = classroom.submission("ada", slug="first_steps")
    assert refused(classroom.grade(tmp_path / "other", (given, "pass")), term[0]) == (
        "first_steps: nbgrader has no such assignment; first: nbgrader generate_assignment first_steps"
    )
    (tmp_path / "gradebook.db").write_bytes(b"this is no database, and it is long enough to be taken for one" * 9)
    assert "cannot be written: file is not a database" in refused(folder, tmp_path)
    monkeypatch.setattr("course.bootstrap.missing", lambda extras: extras)
    assert refused(folder, term[0]).startswith("nbgrader is not installed. Type: ")


def test_a_class_is_graded_from_the_submitted_notebooks(course_dir, tmp_path):
    """From end to end: the real checks on what nbgrader has collected, the points in its gradebook and feedback."""
    graded, course = tmp_path / "graded", [sys.executable, "-m", "course"]
    told = [*course, "grade", str(course_dir / "submitted"), "-o", str(graded), "--trust"]
    done = subprocess.run(told, capture_output=True, text=True, timeout=300)
    assert (graded / "results.jsonl").exists(), done.stdout + done.stderr
    told = [*course, "export", str(graded), "--to", "nbgrader", "--into", str(course_dir)]
    done = subprocess.run(told, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert points(course_dir, "ada") == POINTS
    assert points(course_dir, "bob") == {"run": 3.0, "pd_force": 0.0, "explain": 0.0}
    assert points(course_dir, "eve") == dict.fromkeys(POINTS, 0.0)
    statuses = {(r["student"], r["todo"]): r["status"] for r in map(json.loads, (graded / "results.jsonl").open())}
    assert statuses["bob", "explain"] == "todo"
