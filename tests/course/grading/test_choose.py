"""Which sandbox is taken, what is said about those that are not, and that none is none."""

import files
import pytest

from course.grading.job import work
from course.sandbox import choose
from course.syllabus import UserError


@pytest.fixture
def computer(monkeypatch, tmp_path):
    """A computer that has everything, and the function that takes something away."""
    monkeypatch.delenv("COURSE_SANDBOX", raising=False)
    monkeypatch.setattr(choose.seccomp, "available", lambda: True)
    monkeypatch.setattr(choose.landlock, "version", lambda: 7)
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    def takes_away(what):
        choose.lacking.cache_clear()
        if what == "Linux":
            monkeypatch.setattr(choose.sys, "platform", "darwin")
        if what == "libseccomp":
            monkeypatch.setattr(choose.seccomp, "available", lambda: False)
        if what == "Landlock":
            monkeypatch.setattr(choose.landlock, "version", lambda: 0)
        if what == "bubblewrap":
            program.unlink()
        if what == "namespaces":
            program.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")

    takes_away("nothing")
    yield takes_away
    choose.lacking.cache_clear()


@pytest.mark.parametrize(
    ("missing", "best", "words"),
    [
        ([], "bubblewrap", ""),
        (["bubblewrap"], "landlock", "sudo apt install bubblewrap"),
        (["namespaces"], "landlock", "setting up uid map: Permission denied"),
        (["Landlock"], "bubblewrap", ""),
        (["Landlock", "bubblewrap"], "none", "sudo apt install bubblewrap"),
        (["libseccomp"], "none", "sudo apt install libseccomp2"),
        (["Linux"], "none", "there is one on Linux only"),
    ],
)
def test_the_strongest_is_taken_and_what_a_stronger_one_needs_is_said(computer, missing, best, words):
    for what in missing:
        computer(what)
    assert choose.strongest() == best
    assert words in choose.lacking("bubblewrap") and "\n" not in choose.lacking("bubblewrap")
    assert bool(words) == bool(choose.lacking("bubblewrap"))


def test_another_one_can_be_named_but_not_one_that_is_not_there(computer, monkeypatch):
    monkeypatch.setenv("COURSE_SANDBOX", "landlock")
    assert choose.strongest() == "landlock"
    computer("Landlock")
    for name, said in {
        "landlock": "asks for landlock: the kernel has no Landlock",
        "chroot": "there are: bubblewrap",
    }.items():
        monkeypatch.setenv("COURSE_SANDBOX", name)
        with pytest.raises(UserError, match=said):
            choose.strongest()


def test_without_a_sandbox_nothing_is_graded_unless_that_was_agreed_to(computer):
    for what in ("Landlock", "bubblewrap"):
        computer(what)
    assert {r.status for r in work(files.job("ada"))} == {"error"}
