"""The pages: well formed, true, and nobody's text is anything but text in them."""

import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from classroom import HOSTILE, MODULE, NOON, WRONG, book, digest, grade, hostile_class, records, submission

from course.grading.folder import Folder
from course.grading.pages import page_name, write_pages
from course.grading.summary import by_check, histogram, most_failed
from course.report import WORDS

VOID = {"meta", "br"}
ALLOWED = set(
    re.findall(
        r"\w+",
        "html head meta title style body section h1 h2 h3 p ul li dl dt dd div span strong small bdi a q code pre "
        "table thead tbody tr th td br",
    )
)
HARMLESS = re.compile("lang|charset|name|content|http-equiv|class|id|href|scope|style|tabindex|role|aria-[a-z]+")


class Reader(HTMLParser):
    """Reads a page strictly: every element is closed where it should be, and only those that our templates write."""

    def __init__(self, text):
        super().__init__()
        self.open, self.attributes, self.words = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []
        self.text = re.sub(r"\s+", " ", "".join(self.words)).strip()

    def handle_starttag(self, tag, attrs):
        assert tag in ALLOWED, tag
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        self.words.append(" " if tag in ("th", "td", "title") else "")

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.words.append(data)


def pages(path):
    write_pages(book(path), path)
    read = {p.name: p.read_text(encoding="utf-8") for p in [path / "index.html", *(path / "students").iterdir()]}
    return {name: Reader(text) for name, text in read.items()}


def page(path, student="ada"):
    return pages(path)[page_name(student)].text


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    path = hostile_class(tmp_path_factory.mktemp("hostile"))
    return path, pages(path)


def test_nothing_runs_or_loads_in_any_page(hostile):
    for reader in hostile[1].values():
        for tag, name, value in reader.attributes:
            assert HARMLESS.fullmatch(name)
            if name == "href":
                assert re.fullmatch(r"#[a-z_]+|students/[a-z0-9_-]+\.html", value)
            if name == "style":
                assert re.fullmatch(r"(width: \d+%|flex-grow: \d+)", value), (tag, value)


def test_every_page_says_what_it_is_to_any_browser(hostile):
    for reader in hostile[1].values():
        assert ("html", "lang", "en") in reader.attributes and ("meta", "charset", "utf-8") in reader.attributes
        ids = [value for _, name, value in reader.attributes if name == "id"]
        assert len(ids) == len(set(ids))
        assert {value for _, name, value in reader.attributes if name == "aria-labelledby"} <= set(ids)


def test_every_student_has_a_page_that_every_file_system_takes(hostile):
    path, read = hostile
    students = [s.id for s in book(path).students]
    names = {page_name(student) for student in students}
    assert read.keys() == {"index.html", *names} and len({name.casefold() for name in names}) == len(students)
    for name in map(page_name, [*HOSTILE, "", ".", "AUX", "com1.txt", "\ud800", "日本"]):
        assert re.fullmatch(r"[a-z0-9_][a-z0-9_-]*-[0-9a-f]{12}\.html", name) and len(name) < 80
    links = {value for _, name, value in read["index.html"].attributes if name == "href"}
    assert {f"students/{name}" for name in names} == links


def test_a_page_is_about_one_student_only(hostile):
    path, read = hostile
    plain = [s.id for s in book(path).students if s.id.startswith("student")]
    for student in plain:
        text = read[page_name(student)].text
        assert student in text and not any(other in text for other in plain if other != student)
        assert "1234567890123" not in text  # the seed of the class


def test_what_nobody_can_see_is_not_in_a_page(hostile):
    for reader in hostile[1].values():
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", reader.text)


def test_the_same_grading_gives_the_same_bytes(hostile):
    path, _ = hostile
    before = digest(path)
    write_pages(book(path), path)
    assert digest(path) == before


def test_the_numbers_of_the_class_are_those_of_the_records(hostile):
    """Against a count over the records themselves."""
    path, read = hostile
    gradebook = book(path)
    counted = Counter(r.status for s in gradebook.students for g in s.grades.values() for r in g.records)
    for status, (word, _) in WORDS.items():
        assert f"{counted[status]} {word}" in read["index.html"].text
    for module in gradebook.modules:
        for summary in by_check(gradebook, module):
            found = [r for s in gradebook.students for r in s.grades[module.slug].records if r.check == summary.check]
            assert Counter(r.status for r in found) == {k: n for k, n in summary.counts.items() if n}
            assert summary.asked == len(found)


def test_the_most_failed_check_and_its_most_common_wrong_answer(tmp_path):
    given = [submission(name, name.encode()) for name in "abcdef"]
    wrong = ["1 N m", "2 N m", "2 N m", "2 N m", "1 N m", "work.py:3: NameError"]
    with Folder(tmp_path) as folder:
        folder.begin(1)
        folder.note(given)
        for number, (s, answer) in enumerate(zip(given, wrong, strict=True)):
            message = WRONG.format(number, answer.removesuffix(" N m")) if "N m" in answer else answer
            folder.append(
                [replace(r, message=message) for r in records(s, ["fail" if number else "pass", "pass", "fail"])]
            )
    gradebook = book(tmp_path)
    hardest = most_failed(by_check(gradebook, MODULE))
    assert (hardest.check, hardest.counts["fail"]) == ("test_pd_force_0", 6)
    assert hardest.answered == ("2 N m", 3) and hardest.perhaps == ("the sign of kv", 5)
    text = pages(tmp_path)["index.html"].text
    assert "Failed most often: pd force 0 (pd_force), by 6 of 6. The most common wrong answer: 2 N m, 3 times." in text


def test_a_histogram_counts_everybody_once():
    assert histogram([0, 10, 10, 5], 10)[::5] == [("0", 1), ("5", 1), ("10", 2)]
    for most in range(60):
        points = list(range(most + 1))
        rows = histogram(points, most)
        assert sum(count for _, count in rows) == len(points) and len(rows) <= 11


def test_a_page_says_what_to_do_next(tmp_path):
    given = submission("ada", display="Ada Lovelace", submitted=NOON)
    grade(tmp_path, (given, ["pass", "fail", "todo", "error", "pass"]), printed="x" * 9_000)
    text = page(tmp_path)
    assert text.startswith("Ada Lovelace, Inside the Actuator") and "5 of 10 points" not in text
    assert "6 of 10 points" in text and "60.00 % in all" in text
    assert "✓ pass: run 0 (2 of 2)" in text and "✗ not yet: run 1 (0 of 1)" in text
    assert "The same question again: course check actuator_modes --seed 7 --only test_run_1" in text
    assert text.count("--only") == 1 and "This says nothing about your code." in text
    assert text.count("Your code printed:") == 3 and "(6000 characters left out)" in text


def test_one_reason_is_said_once(tmp_path):
    given = submission("ada")
    with Folder(tmp_path) as folder:
        folder.begin(1)
        folder.append([replace(r, message="work.py:1: Python cannot read this") for r in records(given, "fail")])
    text = page(tmp_path)
    assert text.count("Python cannot read this") == 1 and "--only" not in text


def test_the_late_sentence_can_be_checked_by_hand(tmp_path):
    (tmp_path / "settings.toml").write_text(
        "[late]\ndue = 2026-10-31T20:00:00+09:00\nlost_per_day = 0.2\nmost_lost = 0.5\n"
    )
    grade(tmp_path, (submission("ada", submitted=NOON), "pass"))
    said = (
        "It was due 2026-10-31 20:00 UTC+09:00 and came 2026-11-01 21:00 UTC+09:00: 2 days late, begun days included. "
        "Each costs 20 %, though never more than 50 %, so 60 % of 10 points count: 6."
    )
    assert said in page(tmp_path) and "actuator_modes 2 days late" in pages(tmp_path)["index.html"].text


def test_nothing_handed_in_refused_and_waiting_are_three_things(tmp_path):
    (tmp_path / "roster.csv").write_text("id,name\nada,Ada\nbob,Bob\ncy,Cy\ndee,Dee\n")
    with Folder(tmp_path) as folder:
        folder.begin(1)
        refused = submission("bob", b"", name="b.py", refusal="b.py is a folder")
        folder.note(
            [submission("ada"), refused, submission("cy", b"", "", name="c.doc", refusal="c.doc: which module?")]
        )
        folder.append(records(refused, "refused", message="b.py is a folder"))
    read = {name: reader.text for name, reader in pages(tmp_path).items()}
    assert "This file has not been graded yet" in read[page_name("ada")]
    assert "The file was not taken, so there are no points: b.py is a folder" in read[page_name("bob")]
    assert "Files of no module c.doc: c.doc: which module?" in read[page_name("cy")]
    assert "Nothing was handed in for this module: 0 of 10 points" in read[page_name("dee")]
    index = read["index.html"]
    assert "4 students: 3 handed in, 0 not on the roster" in index
    assert "3 files: 2 not taken, 1 still to be graded" in index
    assert "b.py b.py is a folder" in index and "c.doc c.doc: which module?" in index


def test_a_regrade_is_shown_to_whom_it_concerns(tmp_path):
    given = submission("ada", name="work.py")
    grade(tmp_path, (given, "fail"))
    with Folder(tmp_path) as folder:
        folder.append(records(given, ["pass", "fail"], seed=8))
    for text in (page(tmp_path), pages(tmp_path)["index.html"].text):
        assert re.search(r"run 0:? not yet \(0 points\),?(?: now)? pass \(2 points\)", text)


def test_damage_is_shown_on_the_first_page(tmp_path):
    grade(tmp_path, (submission("ada"), "pass"))
    with open(tmp_path / "results.jsonl", "a") as results:
        results.write(json.dumps({"student": "<i>"}) + "\n")
    assert "results.jsonl:8: this line lacks an entry" in pages(tmp_path)["index.html"].text
