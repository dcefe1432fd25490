"""The list of modules: found by any of their names, and a slip in the list is one line."""

import pytest

from course import syllabus
from course.syllabus import UserError, module, modules


@pytest.mark.parametrize("name", ["actuator_modes", "1", "01", "01_actuator_modes", "code/actuator_modes.py"])
def test_a_module_has_several_names(name):
    assert module(name).slug == "actuator_modes"


@pytest.mark.parametrize("name", ["", "99", "99_actuator_modes", "02_actuator_modes", "actuator modes", "../x"])
def test_other_names_are_refused(name):
    with pytest.raises(UserError, match="No module is called"):
        module(name)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[module]]\nslug = 'servo'\n", "syllabus.toml, servo: an entry is missing or unknown"),
        ("[[module]\n", "syllabus.toml cannot be read"),
        ("", "syllabus.toml cannot be read"),
    ],
)
def test_a_slip_in_the_list_is_one_line(monkeypatch, tmp_path, text, says):
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "syllabus.toml").write_text(text)
    monkeypatch.setattr(syllabus, "ROOT", tmp_path)
    modules.cache_clear()
    try:
        with pytest.raises(UserError, match=says) as stop:
            modules()
        assert "\n" not in str(stop.value)
    finally:
        modules.cache_clear()
