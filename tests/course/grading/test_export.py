"""The tables and JUnit files, read back by the libraries that others read them with."""

import csv
import io
import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from classroom import HOSTILE, NOON, book, digest, grade, hostile_class, records, submission

from course.export import FORMS, export
from course.grading.folder import Folder
from course.grading.grades import number
from course.syllabus import UserError


def rows(path):
    text = path.read_bytes().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    path = hostile_class(tmp_path_factory.mktemp("hostile"))
    (path / "settings.toml").write_text(f'[late]\ndue = "{NOON.isoformat()}"\nlost_per_day = 0.1\n')
    for to in ("csv", "junit", "html"):
        export(path, to)
    return path


def test_grades_of_a_class(tmp_path):
    (tmp_path / "settings.toml").write_text(f'[late]\ndue = "{NOON.isoformat()}"\nlost_per_day = 0.07\n')
    (tmp_path / "roster.csv").write_text("id,name\nada,Ada Ž\n", encoding="utf-8")
    grade(
        tmp_path,
        (submission("ada", submitted=NOON + timedelta(days=1)), ["pass", "pass", "fail"]),
        (submission("bob"), "pass"),
    )
    lines = export(tmp_path, "csv")
    assert lines[0] == "Not on roster.csv, graded all the same: bob"
    assert "count as in time: 1" in lines[1]
    assert lines[2:] == [f"{tmp_path / 'grades.csv'}: 2 students", f"{tmp_path / 'checks.csv'}: 14 checks"]
    assert (tmp_path / "grades.csv").read_bytes().decode("utf-8") == (
        "\ufeffid,name,on_roster,actuator_modes_points,actuator_modes_max,actuator_modes_late_days,"
        "actuator_modes_credit,total\r\nada,Ada Ž,yes,3,10,1,2.79,27.90\r\nbob,,no,10,10,0,10,100.00\r\n"
    )
    first = rows(tmp_path / "checks.csv")[2]
    assert (first["id"], first["check"], first["status"], first["points"], first["max"]) == (
        "ada", "test_pd_force_0", "fail", "0", "2"
    )  # fmt: skip


def test_a_number_has_the_decimals_that_say_something():
    assert [number(x) for x in (0, 7, 100, 6.3, 1 / 3, 2.999, 0.001)] == ["0", "7", "100", "6.3", "0.33", "3", "0"]


def test_no_cell_is_a_formula(hostile):
    for name in ("grades.csv", "checks.csv"):
        found = rows(hostile / name)
        assert len({row["id"] for row in found}) == len({row["id"] for row in rows(hostile / "grades.csv")})
        for row in found:
            for cell in row.values():
                assert not re.match(r"[=+\-@\t\r]", cell) and cell == cell.strip() and "\n" not in cell
    ids = {row["id"] for row in rows(hostile / "grades.csv")}
    assert {"'@SUM(A1)", "'-1+2"} <= ids and not {"@SUM(A1)", "-1+2"} & ids


def test_junit_says_what_the_records_say(hostile):
    outcomes = {"pass": None, "fail": "failure", "refused": "failure", "error": "error", "todo": "skipped"}
    found, expected = set(), set()
    for path in (hostile / "junit").iterdir():
        for suite in ElementTree.parse(path).getroot().iter("testsuite"):
            about = {p.get("name"): p.get("value") for p in suite.find("properties")}
            cases = suite.findall("testcase")
            for tag, total in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
                assert len(suite.findall(f"testcase/{tag}")) == int(suite.get(total))
            assert len(cases) == int(suite.get("tests"))
            points = [int(p.get("value")) for p in suite.iterfind("testcase/properties/property[@name='points']")]
            assert sum(points) == int(about["points"])
            for case in cases:
                [outcome] = [c.tag for c in case if c.tag in outcomes.values()] or [None]
                found.add((about["attempt"], suite.get("name"), case.get("name"), outcome))
    for student in book(hostile).students:
        for grade_ in student.grades.values():
            expected |= {(r.attempt, r.module, r.check, outcomes[r.status]) for r in grade_.records}
    assert found == expected and len(found) > 300


def test_the_same_grading_gives_the_same_bytes(hostile, tmp_path):
    before = digest(hostile)
    for to in ("csv", "junit", "html"):
        export(hostile, to)
        export(hostile, to, tmp_path)
    assert digest(hostile) == before
    elsewhere = digest(tmp_path)
    assert elsewhere.items() <= before.items() and len(elsewhere) == 2 * len(book(hostile).students) + 3


def test_what_is_written_stays_in_the_folder(tmp_path):
    inside = hostile_class(tmp_path / "a" / "b" / "grading")
    for to in ("csv", "junit", "html"):
        export(inside, to)
    outside = [p for p in tmp_path.rglob("*") if p.is_file() and not p.is_relative_to(inside)]
    assert outside == []
    kept = {"results.jsonl", "submissions.jsonl", "grading.json", ".lock", "grades.csv", "checks.csv", "index.html"}
    assert {p.name for p in inside.iterdir()} == kept | {"students", "junit"}


def test_what_cannot_be_exported_is_one_line(tmp_path):
    grade(tmp_path / "grading", (submission("ada"), "pass"))
    (tmp_path / "file").write_text("mine")
    for arguments, says in (
        ((tmp_path, "csv"), "is not the folder of a grading"),
        ((tmp_path / "grading", "pdf"), f"there are: {', '.join(FORMS)}"),
        ((tmp_path / "grading", "csv", tmp_path / "file"), "is not a folder"),
    ):
        with pytest.raises(UserError) as problem:
            export(*arguments)
        assert says in str(problem.value) and "\n" not in str(problem.value)
    assert (tmp_path / "file").read_text() == "mine"


def test_problems_are_printed_with_the_export(tmp_path):
    results = grade(tmp_path, (submission("ada"), "pass")) / "results.jsonl"
    results.write_bytes(results.read_bytes() + b"damaged\n")
    assert "results.jsonl:8" in export(tmp_path, "csv")[0]


def test_an_export_in_the_middle_of_a_grading_disturbs_nobody(tmp_path):
    with Folder(tmp_path) as folder:
        folder.begin(1)
        folder.note([submission(student) for student in HOSTILE])
        folder.append(records(submission(HOSTILE[0])))
        export(tmp_path, "html")
        folder.append(records(submission(HOSTILE[1])))
    export(tmp_path, "csv")
    assert sorted(row["total"] for row in rows(tmp_path / "grades.csv"))[-3:] == ["0.00", "100.00", "100.00"]
