"""What the names of files and folders tell: module, attempt, time, student."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from course.grading import names
from course.syllabus import modules

SLUG = "actuator_modes"
RENAME = f": is this {SLUG}? rename it to {SLUG}"


@pytest.mark.parametrize("module", modules(), ids=lambda m: m.slug)
def test_every_module_is_told_from_its_files_and_its_lesson(module):
    for name in (f"{module.slug}.py", module.lesson.name, f"{module.slug}-2.ipynb"):
        told = names.tell(name)
        assert (told.slug, told.refusal) == (module.slug, "")


@pytest.mark.parametrize(
    ("name", "copies"),
    [
        ("actuator_modes.py", ()),
        ("01_actuator_modes.py", ()),
        ("1-actuator_modes.ipynb", ()),
        ("actuator_modes (2).py", (2,)),
        ("actuator_modes(10).ipynb", (10,)),
        ("actuator_modes-3.py", (3,)),
        ("actuator_modes_4.py", (4,)),
        ("actuator_modes-1 (2).py", (1, 2)),
        ("Actuator_Modes.PY", ()),
        ("ACTUATOR-MODES.IpyNb", ()),
        ("actuator modes.py", ()),
        ("Actuator modes - Copy (2).py", (2,)),
        ("actuator_modes copy.py", ()),
    ],
)
def test_what_programs_do_to_a_name_is_undone(name, copies):
    assert names.tell(name) == names.Told(SLUG, "", copies)


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("actuator_mode.py", ".py"),
        ("actuatormodes.py", ".py"),
        ("actuator_modes2.py", ".py"),
        ("\u0430ctuator_modes.py", ".py"),  # a Cyrillic letter
        ("actuator_modes_final.py", ".py"),
        ("actuator_modes_final_v2.ipynb", ".ipynb"),
        ("02_actuator_modes.py", ".py"),
        ("my_actuator_modes.py", ".py"),
        ("actuator_modes.py.py", ".py"),
        ("actuator_modes.py.txt", ".py"),
        ("actuator_modes.ipynb.txt", ".ipynb"),
        ("actuator_modes.json", ".ipynb"),
        ("actuator_modes.txt", ".py"),
        ("actuator_modes", ".py"),
    ],
)
def test_a_name_that_is_nearly_right_is_named(name, suffix):
    told = names.tell(name)
    assert (told.slug, told.refusal) == (SLUG, RENAME + suffix)


@pytest.mark.parametrize("name", ["work.ipynb", "main.py", "x" * 5_000 + ".py", "_" * 290 + ".py", "\u202e\n\0.py"])
def test_a_name_that_tells_nothing(name):
    told = names.tell(name)
    assert told.slug == "" and told.refusal.startswith(": no module is called that; name it as the module is named")


@pytest.mark.parametrize(
    "name", ["report.pdf", "README.md", "data.csv", "actuator_modes.png", "actuator_modes.html", ""]
)
def test_what_cannot_be_an_answer(name):
    assert names.tell(name) is None


@pytest.mark.parametrize(
    ("name", "slug"), [("work.zip", ""), ("actuator_modes.ZIP", SLUG), ("actuator_modes.tar.gz", "")]
)
def test_archives(name, slug):
    told = names.tell(name)
    assert (
        told.slug == slug and "is an archive; hand in " in told.refusal and told.refusal.endswith("itself, not packed")
    )


def test_of_two_modules_in_a_name_the_one_at_its_end_is_meant():
    told = names.tell("pd_droop_gain_bias.py")
    assert (told.slug, told.before) == ("gain_bias", "pd_droop") and told.refusal


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-11-01T10-00", datetime(2026, 11, 1, 10).astimezone()),
        ("attempt 2026-11-01_10.30.05", datetime(2026, 11, 1, 10, 30, 5).astimezone()),
        ("20261101T1030", datetime(2026, 11, 1, 10, 30).astimezone()),
        ("2026-11-01", datetime(2026, 11, 1).astimezone()),
        ("2026-11-01T10:00:00Z", datetime(2026, 11, 1, 10, tzinfo=UTC)),
        ("2026-11-01T10-00-0530", datetime(2026, 11, 1, 10, tzinfo=timezone(-timedelta(hours=5, minutes=30)))),
        ("2015-02-02 15:58:23.948203 UTC", datetime(2015, 2, 2, 15, 58, 23, tzinfo=UTC)),
        ("2016-05-05 16:00:00.000000000 +02:00", datetime(2016, 5, 5, 14, tzinfo=UTC)),
        ("2", None),
        ("s1234567", None),
        ("12345678", None),
        ("202611011030", None),
        ("2026-11-31", None),
        ("2026-11-01T25-00", None),
        ("2026-11-01T10:00+99:00", None),
    ],
)
def test_times(text, time):
    assert names.time_in(text) == time


def test_a_time_without_a_zone_is_taken_in_the_given_one():
    assert names.time_in("2026-11-01 10:00", UTC) == datetime(2026, 11, 1, 10, tzinfo=UTC)
    assert names.time_in("2026-11-01 10:00 +01:00", UTC) == datetime(2026, 11, 1, 9, tzinfo=UTC)


def test_numbers_of_attempts():
    told = {name: names.attempt_number(name) for name in ("2", "10", "attempt 3", "v4", "Try_5", "ada2", "2b", "")}
    assert told == {"2": 2, "10": 10, "attempt 3": 3, "v4": 4, "Try_5": 5, "ada2": None, "2b": None, "": None}


def test_ordinary_ids_stay_as_they_are():
    for text in ("ada", "Ada Lovelace", "../../etc", "a/b", "ADA", "\u00e9", "e\u0301", "s.o'neil@example.org", "<b>"):
        assert names.identity(text) == text


def test_strange_ids_become_printable_and_stay_apart():
    strange = ["", " ", "ada ", "a\nda", "a\tda", "a\x1b[2Jda", "\u202eada", "?ada", "\udcff", "x" * 5_000, "x" * 4_999]
    strange += [names.identity(text) for text in strange]  # nobody can take another's id by spelling out its short form
    told = [names.identity(text) for text in strange]
    assert len(set(told)) == len(set(strange))
    assert all(text.isprintable() and 0 < len(text) < 100 for text in told)


def test_what_programs_leave_behind_is_ignored():
    for name in (".DS_Store", "._actuator_modes.py", ".git", ".ipynb_checkpoints", "__MACOSX", "__pycache__"):
        assert names.is_ignored(name)
    for name in ("..", "...", "ada", "_", "actuator_modes.py"):
        assert not names.is_ignored(name), "an id may be anything"
