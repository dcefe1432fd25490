"""Which file counts and for how much, against numbers that were worked out by hand."""

import json
from datetime import timedelta

import pytest
from classroom import MODULE, NOON, book, checks, grade, hostile_class, records, submission

from course.grading.folder import Folder
from course.grading.settings import ATTEMPTS
from course.grading.summary import changes
from course.grading.words import told
from course.syllabus import UserError

DAY = timedelta(days=1)
LATE = f'[late]\ndue = "{NOON.isoformat()}"\nlost_per_day = 0.25\n'
HALF = ["pass", "pass", "pass", "fail"]  # 5 points of 10: two for the first check of a TODO, one for each of the rest


def of(path, student="ada", module=MODULE.slug):
    return {s.id: s for s in book(path).students}[student].grades[module]


def file(text, days=None, **more):
    return submission("ada", text.encode(), submitted=None if days is None else NOON + days * DAY, name=text, **more)


def test_the_hand_count():
    """What `HALF` is worth, so that the numbers below can be checked by eye."""
    assert checks() == [
        ("run", "test_run_0", 2), ("run", "test_run_1", 1),
        ("pd_force", "test_pd_force_0", 2), ("pd_force", "test_pd_force_1", 1),
        ("explain", "test_explain_0", 2), ("explain", "test_explain_1", 1), ("explain", "test_explain_2", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("how", "counts", "credit"), [("newest", "c", 0), ("best", "a", 5), ("first", "a", 5), ("newest_on_time", "b", 3)]
)
def test_which_file_counts(tmp_path, how, counts, credit):
    """b came in time and is worth 3; the whole of the points came four days late, too late for any of them."""
    (tmp_path / "settings.toml").write_text(f"attempt = '{how}'\n{LATE}")
    grade(
        tmp_path,
        (file("c", 3.5), "pass"),  # handed out of order, as files in a folder are
        (file("a", -2), HALF),
        (file("b", 0), ["pass", "pass", "fail"]),
    )
    found = of(tmp_path)
    assert [(a.name, a.late_days, a.counts) for a in found.attempts] == [
        ("a", 0, counts == "a"), ("b", 0, counts == "b"), ("c", 4, counts == "c")
    ]  # fmt: skip
    assert (found.counting.name, found.credit) == (counts, credit)


def test_days_late_take_their_part(tmp_path):
    (tmp_path / "settings.toml").write_text(LATE)
    grade(tmp_path, (file("a", 1.5), HALF))
    found = of(tmp_path)
    assert (found.points, found.max, found.late_days, found.factor, found.credit) == (5, 10, 2, 0.5, 2.5)
    assert found.by_todo() == {"run": (3, 3), "pd_force": (2, 3), "explain": (0, 4)}
    assert [r.check for r in found.records] == [name for _, name, _ in checks()]


def test_a_mark_of_the_platform_is_shown_and_costs_nothing(tmp_path):
    grade(tmp_path, (file("a", 1.5, late=True), "pass"))
    found = of(tmp_path)
    assert found.counting.marked_late and (found.late_days, found.credit) == (0, 10)


@pytest.mark.parametrize("how", ATTEMPTS)
def test_a_refused_file_takes_the_place_of_no_other(tmp_path, how):
    (tmp_path / "settings.toml").write_text(f"attempt = '{how}'")
    refused = submission("ada", b"", name="bad.py", refusal="not UTF-8", submitted=NOON + DAY)
    early = submission("ada", b"", name="dir.py", refusal="a folder", submitted=NOON - DAY)
    grade(tmp_path / "both", (early, "refused"), (file("a", 0), HALF), (refused, "refused"))
    assert of(tmp_path / "both").counting.name == "a"
    grade(tmp_path / "alone", (refused, "refused"))
    found = of(tmp_path / "alone")
    assert found.counting.refusal == "refused it is" and (found.points, found.max) == (0, 10)


def test_the_same_bytes_again_are_no_later_than_they_were(tmp_path):
    """a, then b, then a once more: a is the newest, and it came in time."""
    (tmp_path / "settings.toml").write_text(LATE)
    with Folder(tmp_path) as folder:
        folder.note([file("a", -1), file("b", 0), submission("ada", b"a", name="a", submitted=NOON + 3 * DAY)])
        for given in (file("a"), file("b")):
            folder.append(records(given))
    found = of(tmp_path)
    assert [a.name for a in found.attempts] == ["b", "a"] and found.counting.name == "a"
    assert found.late_days == 0 and found.submitted == NOON - DAY and found.counting.again == NOON + 3 * DAY


def test_without_times_the_order_of_the_files_decides(tmp_path):
    grade(tmp_path, (file("b", 5), HALF), (file("a"), "pass"))
    assert [a.name for a in of(tmp_path).attempts] == ["b", "a"]


def test_what_is_still_to_be_graded_has_no_points_yet(tmp_path):
    grade(tmp_path, (file("a", 0), "pass"))
    with Folder(tmp_path) as folder:
        folder.note([file("b", 1)])
    found = of(tmp_path)
    assert found.counting.name == "b" and found.records == [] and (found.points, found.max) == (0, MODULE.points)
    assert found.by_todo() == {todo.name: (0, todo.points) for todo in MODULE.todos}


def test_a_result_counts_even_if_the_note_of_the_file_is_lost(tmp_path):
    grade(tmp_path, (file("a", 0), "pass"))
    (tmp_path / "submissions.jsonl").unlink()
    assert of(tmp_path).points == 10


def test_the_roster_adds_who_is_missing_and_marks_who_is_not_on_it(tmp_path):
    (tmp_path / "roster.csv").write_text("id,name\nzoe,aaron first\nada,\n", encoding="utf-8")
    (tmp_path / "settings.toml").write_text("[weights]\ngain_bias = 3\n")
    grade(
        tmp_path,
        (submission("ada", b"1", display="Ada"), HALF),
        (submission("eve", b"2", display="Eve"), "pass"),
        (submission("eve", b"3", "gain_bias"), "pass"),
    )
    found = book(tmp_path)
    assert [m.slug for m in found.modules] == ["actuator_modes", "gain_bias"]
    assert [(s.id, s.name, s.on_roster, s.handed_in, s.total) for s in found.students] == [
        ("zoe", "aaron first", True, False, 0),
        ("ada", "Ada", True, True, 12.5),  # half of a quarter of the weight
        ("eve", "Eve", False, True, 100),
    ]
    few = "counts for all 3 students, and 1 handed it in"
    assert found.problems[:2] == [
        "Not on roster.csv, graded all the same: eve",
        "On roster.csv, but nothing handed in: zoe",
    ]
    assert len(found.problems) == 3 and few in found.problems[2] and "gain_bias" in found.problems[2]


def test_one_students_extra_module_costs_nobody_points_if_the_class_has_not_to_do_it(tmp_path):
    grade(
        tmp_path,
        (submission("ada", b"1"), "pass"),
        (submission("bob", b"2"), "pass"),
        (submission("bob", b"3", "gain_bias"), "todo"),
        (submission("cyd", b"4"), "pass"),
    )
    assert [s.total for s in book(tmp_path).students] == [50, 50, 50]
    (tmp_path / "settings.toml").write_text('modules = ["actuator_modes"]\n')
    found = book(tmp_path)
    assert [s.total for s in found.students] == [100, 100, 100] and found.problems == []


def test_what_a_platform_calls_late_without_a_time_is_one_day_late(tmp_path):
    (tmp_path / "settings.toml").write_text(f'[late]\ndue = "{NOON.isoformat()}"\nlost_per_day = 0.1\n')
    grade(tmp_path, (submission("ada", b"1", late=True), "pass"), (submission("bob", b"2"), "pass"))
    found = book(tmp_path)
    assert [s.grades["actuator_modes"].credit for s in found.students] == [9, 10]
    assert found.problems == ["Files of which nothing tells when they came, and which count as in time: 1"]


def test_whoever_goes_back_to_an_earlier_file_is_graded_by_that_one(tmp_path):
    first, second = submission("ada", b"1", name="x.py"), submission("ada", b"2", name="x-1.py")
    again = submission("ada", b"1", name="x-2.py")
    grade(tmp_path, (first, "pass"), (second, "fail"))
    with Folder(tmp_path) as folder:
        folder.note([again])
    assert book(tmp_path).students[0].grades["actuator_modes"].points == 10
    same = tmp_path / "same"
    grade(same, (first, "pass"), (second, "fail"))
    with Folder(same) as folder:
        folder.note([first, second, first])
    assert book(same).students[0].grades["actuator_modes"].points == 10


def test_a_roster_of_other_ids_is_said_aloud(tmp_path):
    (tmp_path / "roster.csv").write_text("id\n4711\n")
    grade(tmp_path, (file("a"), "pass"))
    [problem] = book(tmp_path).problems
    assert "4711" in problem and "ada" in problem


def test_what_one_should_know_is_among_the_problems(tmp_path):
    grade(tmp_path, (file("a"), "pass"))
    old = submission("ada", b"old", "cogwheels")
    line = json.loads((tmp_path / "results.jsonl").read_text().splitlines()[0])
    with Folder(tmp_path) as folder:
        folder.note([old])
        folder.append(records(submission("bob"), check_hash="other"))
    with open(tmp_path / "results.jsonl", "a") as results:
        results.write("nonsense\n" + json.dumps(line | {"module": "cogwheels", "attempt": old.attempt}) + "\n")
    damaged, cogwheels, unequal = book(tmp_path).problems
    assert "damaged" in damaged and "cogwheels" in cogwheels and "2 versions of its checks" in unequal


def test_files_of_no_module_are_kept_with_their_student(tmp_path):
    lost = submission("ada", b"", "", name="homework.doc", refusal="of which module?")
    with Folder(tmp_path) as folder:
        folder.begin(1)
        folder.note([lost])
    [student] = book(tmp_path).students
    assert [(d.name, d.refusal) for d in student.unplaced] == [("homework.doc", "of which module?")]
    assert student.handed_in and student.total == 0 and book(tmp_path).modules == []


def test_what_a_regrade_changed(tmp_path):
    given = file("a", 0)
    grade(tmp_path, (given, ["pass", "fail", "todo"]))
    with Folder(tmp_path) as folder:
        folder.append(records(given, ["fail", "fail", "todo"], seed=8))
        folder.append(records(given, ["fail", "pass", "todo"], seed=9)[:-1] + records(given, "todo", seed=9)[-1:])
    first, second = changes(book(tmp_path))
    assert (first.check, first.before, first.after, first.regrade) == ("test_run_0", ("pass", 2), ("fail", 0), 1)
    assert (second.check, second.before, second.after, second.regrade) == ("test_run_1", ("fail", 0), ("pass", 1), 2)
    assert told(second) == "ada, actuator_modes: run 1: not yet (0 points), now pass (1 point)"
    assert [len(run) for run in of(tmp_path).counting.earlier] == [7, 7]


def test_a_folder_that_is_no_grading_is_one_line(tmp_path):
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(UserError, match="is not the folder of a grading"):
            book(path)


def test_every_point_of_a_whole_class_is_accounted_for(tmp_path):
    """Against a count from the raw lines: the last grading of each file, and each student's newest file."""
    hostile_class(tmp_path)
    latest = {}
    for line in (tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines():
        r = json.loads(line)
        latest.setdefault((r["student"], r["module"], r["attempt"]), {})[r["check"]] = r["points"]
    newest = {}
    for line in (tmp_path / "submissions.jsonl").read_text(encoding="utf-8").splitlines():
        d = json.loads(line)
        if d["module"]:
            key = d["student"], d["module"]
            newest[key] = max(newest.get(key, ("", "")), (d["submitted"], d["attempt"]))
    expected = {key: sum(latest[*key, attempt].values()) for key, (_, attempt) in newest.items()}
    found = {(s.id, slug): g.points for s in book(tmp_path).students for slug, g in s.grades.items() if g.attempts}
    assert found == expected and len(found) > 50
