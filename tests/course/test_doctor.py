"""`course doctor` looks without breaking: drivers in their own process, no name in a report, one remedy for each."""

import re
import sys

import pytest

from course import bootstrap, doctor
from course.doctor import Finding
from course.installing import requirements


@pytest.fixture
def no_graphics(monkeypatch):
    """Leave out the slow part, which test_a_back_end_... looks at."""
    monkeypatch.setattr(doctor, "graphics", lambda: [Finding("ok", "egl", "draws (MUJOCO_GL=egl)")])


def test_report_is_plain_text_without_a_name(no_graphics, monkeypatch, capsys, tmp_path):
    home = tmp_path / "home" / "erika"
    monkeypatch.setattr(doctor.Path, "home", lambda: home)
    monkeypatch.setattr(doctor.getpass, "getuser", lambda: "erika")
    monkeypatch.setattr(doctor, "serial_ports", lambda: [Finding("ok", "ports", f"{home}/a and /media/erika/b")])
    monkeypatch.setenv("FORCE_COLOR", "1")
    doctor.doctor(report=True)
    report = capsys.readouterr().out
    assert "~/a and /media/USER/b" in report
    assert "erika" not in report
    assert "\x1b" not in report
    for name in ("course", "Python", "mujoco", "learn", "egl"):
        assert re.search(rf"^  \w+ +{name} ", report, re.M), name


def test_colour_is_never_the_only_sign(no_graphics, monkeypatch, capsys):
    """Each line begins with its verdict in words, and NO_COLOR is kept."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    doctor.doctor()
    out = capsys.readouterr().out
    assert not re.search(r"\x1b\[[\d;]*3\d", out)
    assert re.search(r"^  ok    mujoco", out, re.M)


def test_a_wrong_version_must_be_mended(no_graphics, monkeypatch, capsys):
    found = requirements.found
    monkeypatch.setattr(requirements, "found", lambda name: "3.3.0" if name == "mujoco" else found(name))
    assert doctor.doctor(report=True) == 1
    assert "mend  mujoco         3.3.0 (wanted ==4.0.0)" in capsys.readouterr().out


def test_an_extra_says_how_to_get_it_or_why_not(monkeypatch):
    monkeypatch.setattr(requirements, "found", lambda name: None)
    monkeypatch.setattr(bootstrap, "missing", lambda extras=(): [])
    assert bootstrap.install_command("learn") in doctor.one_extra("learn", ["jax==0.10.2"])[0].remedy
    monkeypatch.setattr(bootstrap, "unavailable", lambda extra="": "There is no jaxlib here.")
    assert doctor.one_extra("learn", ["jax==0.10.2"])[0].remedy == "There is no jaxlib here."


def test_a_back_end_that_hangs_is_given_up(monkeypatch):
    monkeypatch.setattr(doctor, "RENDER_ONE_FRAME", "import time; time.sleep(60)")
    monkeypatch.setattr(doctor, "GL_SECONDS", 0.5)
    assert doctor.one_back_end("egl").found == "gave no picture within 0 s"


def test_a_back_end_that_crashes_is_told(monkeypatch):
    monkeypatch.setattr(doctor, "RENDER_ONE_FRAME", "import os; os._exit(3)")
    assert doctor.one_back_end("egl") == Finding("note", "egl", "no picture: code 3", doctor.one_back_end("egl").remedy)


def test_a_back_end_is_tried_with_mujoco_itself():
    """One that no system has: MuJoCo's own words come back, and not its clean-up's."""
    finding = doctor.one_back_end("vulkan")
    assert finding.verdict == "note"
    assert "invalid value for environment variable MUJOCO_GL" in finding.found


def test_ports_without_pyserial_come_from_the_device_files(monkeypatch):
    monkeypatch.setitem(sys.modules, "serial.tools", None)
    monkeypatch.setattr(doctor.glob, "glob", lambda pattern: ["/dev/ttyACM0"] if "ACM" in pattern else [])
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: False)
    monkeypatch.setattr(doctor.os, "name", "posix")
    (finding,) = doctor.serial_ports()
    assert (finding.verdict, finding.what) == ("note", "/dev/ttyACM0")
    assert "dialout" in finding.remedy
