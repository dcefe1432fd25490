"""settings.toml and roster.csv: what they mean, and one line for what they cannot."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from course.grading.roster import read_roster
from course.grading.settings import LateRule, Settings, keep, read_settings
from course.syllabus import UserError

DUE = datetime(2026, 11, 1, 23, 59, tzinfo=timezone(timedelta(hours=1)))


def settings(tmp_path, text):
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    return read_settings(tmp_path / "settings.toml")


def roster(tmp_path, content):
    (tmp_path / "roster.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_roster(tmp_path / "roster.csv")


def test_nothing_is_needed(tmp_path):
    assert read_settings(tmp_path / "settings.toml") == Settings() == settings(tmp_path, "")
    assert read_roster(tmp_path / "roster.csv") is None
    assert Settings().late_rule("actuator_modes").factor(99) == 1


def test_a_module_has_its_own_rule_upon_the_common_one(tmp_path):
    found = settings(
        tmp_path,
        'attempt = "best"\n[weights]\ngain_bias = 2\n[late]\ndue = 2026-11-01T23:59:00+01:00\nlost_per_day = 0.1\n'
        '[late.gain_bias]\ndue = "2026-11-08"\nmost_lost = 0.5\n',
    )
    assert found.attempt == "best" and found.weights == {"gain_bias": 2.0}
    assert found.late_rule("first_steps") == LateRule(DUE, lost_per_day=0.1)
    own = found.late_rule("gain_bias")
    assert own.due == datetime(2026, 11, 8, 23, 59, 59).astimezone() and own.due.tzinfo
    assert (own.lost_per_day, own.most_lost) == (0.1, 0.5)


@pytest.mark.parametrize("text", ["2026-11-01", '"2026-11-01"', "2026-11-01T23:59:59", '"2026-11-01 23:59:59"'])
def test_a_date_is_its_end_on_the_local_clock(tmp_path, text):
    assert (
        settings(tmp_path, f"[late]\ndue = {text}").late_rule("").due == datetime(2026, 11, 1, 23, 59, 59).astimezone()
    )


@pytest.mark.parametrize(
    ("after", "days"),
    [
        (timedelta(days=-3), 0),
        (timedelta(), 0),
        (timedelta(minutes=30), 0),
        (timedelta(minutes=30, seconds=1), 1),
        (timedelta(days=1), 1),
        (timedelta(days=1, microseconds=1), 2),
        (timedelta(days=6, hours=23), 7),
    ],
)
def test_days_that_have_begun_count_from_the_due_time(after, days):
    rule = LateRule(DUE, grace_minutes=30)
    assert rule.days(DUE + after) == days == rule.days((DUE + after).astimezone(UTC))


def test_what_being_late_costs():
    rule = LateRule(DUE, lost_per_day=0.1, most_lost=0.35, closed_after_days=7)
    assert [rule.factor(days) for days in (0, 1, 3, 4, 7, 8)] == [1, 0.9, 0.7, 0.65, 0.65, 0]
    assert LateRule(DUE, lost_per_day=0.4).factor(5) == 0
    assert LateRule(DUE).days(None) == 0 == LateRule().days(DUE)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("attempt = ", "settings.toml cannot be read"),
        ("attempt = 'latest'", "attempt is 'latest'; it must be one of: newest, best, first, newest_on_time"),
        ("attempt = ['best']", "attempt is"),
        ("atempt = 'best'", "no setting is called atempt; did you mean attempt?"),
        (
            "[weights]\nactuator_mode = 1",
            "no module is called weights.actuator_mode; did you mean weights.actuator_modes",
        ),
        ("[weights]\nzzz = 1", "there are: first_steps, actuator_modes"),
        ("[weights]\ngain_bias = -1", "weights.gain_bias is -1; it must be a number that is not negative"),
        ("[weights]\ngain_bias = nan", "weights.gain_bias is nan"),
        ("[weights]\ngain_bias = inf", "weights.gain_bias is inf"),
        ("[weights]\ngain_bias = true", "weights.gain_bias is True"),
        ("weights = 2", "weights is 2; it must be a table, [weights]"),
        ("[late]\nlost_per_day = 10", "late.lost_per_day is 10; it must be a number from 0 to 1"),
        ("[late]\ndue = 17:00:00", "late.due is"),
        ("[late]\ndue = 'Friday'", "late.due is 'Friday'; it must be a time such as"),
        ("[late.due]\nx = 1", "late.due is"),
        ("[late]\nactuator_modes = 3", "late.actuator_modes is 3; it must be a table, [late.actuator_modes]"),
        ("[late.gain_bias]\nlost_per_dy = 0.1", "no setting is called late.gain_bias.lost_per_dy; did you mean"),
        ("[late.gain_bia]\nlost_per_day = 0.1", "no setting or module is called late.gain_bia; did you mean"),
    ],
)
def test_a_setting_that_makes_no_sense_is_one_line(tmp_path, text, says):
    with pytest.raises(UserError) as problem:
        settings(tmp_path, text)
    assert says in str(problem.value) and "settings.toml" in str(problem.value) and "\n" not in str(problem.value)


CLASS = {"007": "Ada Lovelace", "b": "Žižka; Jan", "c": ""}


@pytest.mark.parametrize(
    "content",
    [
        'id,name\n007,Ada Lovelace\nb,"Žižka; Jan"\nc,\n',
        '\ufeffName;Mail;ID\r\nAda Lovelace;a@x;007\r\n"Žižka; Jan";;b\r\n;;c\r\n\r\n;;\r\n',
        'sep=;\r\nid;name\r\n007;Ada Lovelace\r\nb;"Žižka; Jan"\r\nc\r\n',
        'id\tname\n 007 \tAda Lovelace\nb\t"Žižka; Jan"\nc\t\n'.encode("utf-16"),
        'group,id,name\n1,007,Ada Lovelace\n1,b,"Žižka; Jan"\n2,c,\n'.encode("cp1252", "replace").replace(
            b"?", b"\x8e", 1
        ),
    ],
)
def test_a_roster_comes_as_a_spreadsheet_saves_it(tmp_path, content):
    found = roster(tmp_path, content)
    assert list(found) == list(CLASS)
    assert found["007"] == CLASS["007"] and found["c"] == "" and found["b"][0] == "Ž" and found["b"].endswith("; Jan")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the first line must name a column id"),
        (b"student,name\n1,Ada\n", "its columns: student, name"),
        (b"id,name\n1,Ada\n1,Bob\n", "roster.csv, row 3: the id 1 is there twice"),
        (b"id,name\n,Ada\n", "roster.csv, row 2: the id is missing"),
        (b"\x81\x8d\x8f", "save it as CSV UTF-8"),
        (b'id\n"' + b"x" * 200_000, "no table that can be read"),
    ],
)
def test_a_roster_that_cannot_be_read_is_one_line(tmp_path, content, says):
    with pytest.raises(UserError) as problem:
        roster(tmp_path, content)
    assert says in str(problem.value) and "\n" not in str(problem.value)


def test_copies_are_kept_and_what_they_replace_too(tmp_path):
    folder, given = tmp_path / "grading", tmp_path / "given.csv"
    folder.mkdir()
    given.write_text("id\nada\n")
    keep(folder, None, given)
    keep(folder, None, given)
    assert read_roster(folder / "roster.csv") == {"ada": ""} and not (folder / ".course").exists()
    (folder / "roster.csv").write_text("id\nada\nmended by hand\n")
    keep(folder, None, given)
    assert read_roster(folder / "roster.csv") == {"ada": ""}
    [backup] = (folder / ".course" / "backups").rglob("roster.csv")
    assert "mended by hand" in backup.read_text()
    with pytest.raises(UserError, match="is not there"):
        keep(folder, tmp_path / "none.toml", None)
    given.write_text("x")
    with pytest.raises(UserError):
        keep(folder, None, given)
    assert read_roster(folder / "roster.csv") == {"ada": ""}
