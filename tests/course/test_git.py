"""A new version from git: into a clone, from an address, and when git does not answer."""

import os
import subprocess
import sys
import time

import pytest
import tiny
from tiny import NEWER, half_done

import course.updating.git
from course.syllabus import UserError
from course.update import update
from course.updating.base import ensure_base
from course.updating.git import git


@pytest.fixture
def root(tmp_path):
    return tiny.worked_in(tmp_path / "mine")


@pytest.fixture
def new(tmp_path):
    return tiny.next_version(tmp_path / "new")


@pytest.fixture
def upstream(tmp_path):
    """The repository of the course, at its first version."""
    folder = tiny.course(tmp_path / "upstream")
    tiny.commit(folder)
    return folder


@pytest.fixture
def clone(tmp_path, upstream):
    """A student's clone with one answer."""
    tiny.git(tmp_path, "clone", "--quiet", str(upstream), "clone")
    root = tmp_path / "clone"
    ensure_base(root)
    return tiny.write(root, {"code/fall.py": half_done(), "notes.md": "my notes"})


def publish(upstream):
    """The second version."""
    tiny.course(upstream, fall=NEWER)
    tiny.write(upstream, {"README.md": "The course, second edition.\n", "lessons/02_more.ipynb": tiny.notebook("3")})
    (upstream / "tests" / "test_fall.py").unlink()
    tiny.commit(upstream)


def test_a_clone_is_merged_and_git_shows_the_student_s_changes_only(clone, upstream):
    publish(upstream)
    lines = update(root=clone)
    assert lines[0].startswith("code/fall.py: merged") and "1 removed: tests/test_fall.py" in lines
    assert tiny.git(clone, "status", "--porcelain").splitlines() == [" M code/fall.py", "?? notes.md"]
    assert tiny.git(clone, "rev-parse", "HEAD") == tiny.git(upstream, "rev-parse", "HEAD")
    assert tiny.git(clone, "rev-list", "--count", "HEAD..origin/main").strip() == "0"
    assert "+    g = GRAVITY  # mine" in tiny.git(clone, "diff").splitlines()
    assert tiny.text(clone, "code/fall.py") == tiny.merged()
    assert update(root=clone) == ["You have this version already; nothing changed."]


def test_a_clone_of_a_clone_that_pulled_by_hand_is_merged(clone, upstream):
    tiny.write(upstream, {"README.md": "one and a half\n"})
    tiny.commit(upstream)
    tiny.git(clone, "pull", "--quiet")
    publish(upstream)
    lines = update(root=clone)
    assert not any("README.md: replaced. Yours" in line for line in lines), "a pulled file is not the student's"
    assert tiny.text(clone, "code/fall.py") == tiny.merged()


def test_commits_of_the_student_stay_and_git_is_left_alone(clone, upstream):
    tiny.commit(clone)
    head = tiny.git(clone, "rev-parse", "HEAD")
    publish(upstream)
    lines = update(root=clone)
    assert lines[-1].startswith("git is left as it was") and "there are commits of yours" in lines[-1]
    assert tiny.git(clone, "rev-parse", "HEAD") == head and tiny.text(clone, "code/fall.py") == tiny.merged()
    # What the line advises works.
    tiny.commit(clone)
    tiny.git(clone, *lines[-1].partition("then git ")[2].split())
    assert tiny.git(clone, "status", "--porcelain") == "" and tiny.text(clone, "code/fall.py") == tiny.merged()
    assert update(root=clone) == ["You have this version already; nothing changed."]


def test_a_committed_change_of_an_instructor_is_kept_aside_too(clone, upstream):
    tiny.write(clone, {"README.md": "my class\n"})
    tiny.commit(clone)
    publish(upstream)
    update(root=clone)
    assert tiny.backups(clone)["README.md"] == b"my class\n"


def test_staged_changes_are_not_unstaged(clone, upstream):
    tiny.git(clone, "add", "code/fall.py")
    publish(upstream)
    lines = update(root=clone)
    assert "something is staged" in lines[-1] and "M " in tiny.git(clone, "status", "--porcelain")
    tiny.git(clone, "restore", "--staged", ".")
    update(root=clone)
    assert tiny.git(clone, "status", "--porcelain").splitlines() == [" M code/fall.py", "?? notes.md"]


def test_an_address_a_bare_repository_and_a_folder_that_is_no_clone(root, upstream, tmp_path):
    publish(upstream)
    tiny.git(tmp_path, "clone", "--quiet", "--bare", str(upstream), "bare.git")
    update(str(tmp_path / "bare.git"), root=root)
    assert tiny.text(root, "code/fall.py") == tiny.merged() and not (root / ".git").exists()
    tiny.write(root, {"code/fall.py": half_done(), "README.md": "The course.\n"})
    update((tmp_path / "bare.git").as_uri(), root=root)
    assert tiny.text(root, "README.md") == "The course, second edition.\n"


def test_ignored_files_of_a_folder_that_is_a_clone_do_not_come_along(root, upstream):
    tiny.write(upstream, {".gitignore": "build/\n", "build/x": "1", "extra.md": "not committed yet"})
    update(str(upstream), root=root)
    assert not (root / "build").exists() and (root / "extra.md").exists()


def test_the_branch_that_the_clone_follows_is_the_source(clone, upstream):
    tiny.git(upstream, "switch", "--quiet", "--create", "next")
    publish(upstream)
    assert update(root=clone) == ["You have this version already; nothing changed."]


def test_a_course_inside_another_repository_leaves_that_alone(tmp_path, new):
    tiny.git(tmp_path, "init", "--quiet")
    root = tiny.write(tiny.course(tmp_path / "mine"), {"code/fall.py": half_done()})
    assert tiny.refused(None, root).startswith("Say where the new version is")
    update(str(new), root=root)
    assert tiny.text(root, "code/fall.py") == tiny.merged()


def test_an_unreachable_remote_is_one_line(clone, tmp_path):
    tiny.git(clone, "remote", "set-url", "origin", str(tmp_path / "gone"))
    line = tiny.refused(None, clone)
    assert line.startswith("git fetch: ") and "\n" not in line
    line = tiny.refused("https://localhost:9/course.updating.git", clone)
    assert line.startswith("git fetch: unable to access") and "\n" not in line


def test_without_git_there_is_one_line(clone, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert "Say where the new version is" in tiny.refused(None, clone)
    assert tiny.refused("https://localhost:9/course.updating.git", clone).startswith(
        "git is not installed; install it, or give a folder"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the slow git is a shell script")
def test_a_git_that_does_not_answer_is_ended_with_all_it_started(tmp_path, monkeypatch):
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nsleep 30 &\necho $! > child\nsleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.chdir(tmp_path)
    begin = time.monotonic()
    with pytest.raises(UserError, match="git fetch gave no answer in 1 s; try again later"):
        git(tmp_path, "fetch", seconds=1)
    assert time.monotonic() - begin < 10
    child = int((tmp_path / "child").read_text())
    time.sleep(0.2)
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(child)], capture_output=True, text=True).stdout.strip()
    assert state in ("", "Z") or state.startswith("Z")


def test_git_asks_nobody_and_ignores_a_hook_s_settings(monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/elsewhere/index")
    found = course.updating.git.environment()
    assert found["GIT_TERMINAL_PROMPT"] == "0" and "BatchMode=yes" in found["GIT_SSH_COMMAND"]
    assert "GIT_DIR" not in found and "GIT_INDEX_FILE" not in found
