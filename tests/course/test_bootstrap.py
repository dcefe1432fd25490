"""From a fresh clone to a running course: the environment is made once, survives what happens to it, and says so.

Nothing here needs a network: a stand-in for pip installs nothing and behaves as FAKE_PIP says, and a stand-in for venv
leaves out the slow part, which is putting pip into the environment.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from course import bootstrap
from course.installing import environment, requirements
from course.installing.fetch import cause, fetching

ROOT = Path(__file__).resolve().parents[2]
BASE_PYTHON = getattr(sys, "_base_executable", sys.executable)
POSIX = os.name != "nt"

FAKE_PIP = """
import os, sys, time
from pathlib import Path
if "--version" in sys.argv:
    sys.exit(0)
behaviour = os.environ.get("FAKE_PIP", "works")
with open(os.environ["PIP_CALLS"], "a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
print("Obtaining file:///somewhere\\nCollecting mujoco==4.0.0", flush=True)
if behaviour == "offline":
    print("WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError'")
    sys.exit("ERROR: No matching distribution found for setuptools>=77")
print("Installing collected packages: mujoco, inside-the-actuator", flush=True)
time.sleep(float(os.environ.get("PIP_SECONDS", "0")))
print("Successfully installed mujoco-4.0.0", flush=True)
"""
FAKE_VENV = """
import os, sys
sys.path.remove(os.environ["PYTHONPATH"])
for name in [name for name in sys.modules if name.partition(".")[0] == "venv"]:
    del sys.modules[name]
import venv
venv.create(sys.argv[1], symlinks=os.name != "nt")
"""
FAKE_CLI = """
import os, sys
def main():
    sys.stdout.write(" ".join([os.path.basename(sys.prefix), *sys.argv[1:]]) + "|" + sys.stdin.read())
    print("|" + os.environ["COURSE_COMMAND"])
    sys.exit(7)
"""


class Clone:
    """A copy of what a newcomer's first command meets, in a folder with a space and umlauts in its name."""

    def __init__(self, folder: Path, tools: Path) -> None:
        self.folder, self.tools = folder, tools
        self.calls = tools / "calls"
        self.settings: dict[str, str] = {}

    @property
    def venv(self) -> Path:
        return self.folder / ".venv"

    def start(self, *arguments: str) -> subprocess.Popen:
        dropped = {"COURSE_COMMAND", bootstrap.CALLED_AS}
        kept = {key: value for key, value in os.environ.items() if key not in dropped}
        env = {**kept, "PYTHONPATH": str(self.tools), "PIP_CALLS": str(self.calls), **self.settings}
        command = [BASE_PYTHON, "-m", "course", *arguments]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, cwd=self.folder, env=env, encoding="utf-8", start_new_session=True, **pipes)

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, standard output and standard error of `python -m course ...`, with "input" on standard input."""
        process = self.start(*arguments)
        out, err = process.communicate("input", timeout=60)
        return process.returncode, out.strip(), err.strip()

    def pip_calls(self) -> list[str]:
        return self.calls.read_text().splitlines() if self.calls.exists() else []

    def change_requirements(self) -> None:
        with open(self.folder / "requirements.txt", "a") as lock:
            lock.write("# another line\n")


@pytest.fixture
def clone(tmp_path):
    tools = tmp_path / "tools"
    for name, text in {"pip": FAKE_PIP, "venv": FAKE_VENV}.items():
        (tools / name).mkdir(parents=True)
        (tools / name / "__init__.py").touch()
        (tools / name / "__main__.py").write_text(text)
    folder = tmp_path / "Kurs für Änne"
    (folder / "course").mkdir(parents=True)
    for name in ("__init__", "__main__", "bootstrap"):
        shutil.copy(ROOT / "course" / f"{name}.py", folder / "course")
    shutil.copytree(ROOT / "course" / "installing", folder / "course" / "installing")
    (folder / "course" / "cli.py").write_text(FAKE_CLI)
    (folder / "requirements.txt").write_text("mujoco==4.0.0\n")
    # Never satisfied by the Python that runs the tests, which is to be treated as a bare one.
    (folder / "pyproject.toml").write_text(
        '[project]\ndependencies = ["no-such-thing==1"]\n[project.optional-dependencies]\nlearn = ["jax==0.10.2"]\n'
    )
    return Clone(folder, tools)


def test_first_start_makes_the_environment_and_the_second_says_nothing(clone):
    code, out, err = clone.run("check", "a b")
    assert (code, out.split("|")[:2]) == (7, [".venv check a b", "input"])
    assert out.split("|")[2].endswith("-m course")
    assert "first start" in err and "Ready after" in err
    assert clone.pip_calls() == [
        "install --no-input --disable-pip-version-check --progress-bar off -c requirements.txt -e ."
    ]
    assert clone.run("check", "a b") == (7, out, "")
    assert len(clone.pip_calls()) == 1


def test_changed_requirements_renew_it(clone):
    clone.run()
    (clone.venv / "kept").touch()
    clone.change_requirements()
    assert "have changed" in clone.run()[2]
    assert (len(clone.pip_calls()), (clone.venv / "kept").exists(), clone.run()[2]) == (2, True, "")


def test_offline_first_start_says_what_to_do_and_the_next_call_goes_on(clone):
    clone.settings["FAKE_PIP"] = "offline"
    code, out, err = clone.run()
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith("The packages could not be fetched: connect to the internet")
    assert "pip: ERROR: No matching distribution found for setuptools>=77" in err
    assert "Traceback" not in err
    clone.settings["FAKE_PIP"] = "works"
    assert clone.run()[0] == 7


def test_offline_after_an_update_goes_on_with_what_is_there(clone):
    clone.run()
    (clone.folder / "pyproject.toml").write_text("[project]\ndependencies = []\n[project.optional-dependencies]\n")
    clone.settings["FAKE_PIP"] = "offline"
    code, _, err = clone.run()
    assert code == 7
    assert "going on with that" in err


@pytest.mark.skipif(not POSIX, reason="Windows has no signal that cannot be caught")
def test_a_killed_install_leaves_no_stamp_and_is_made_afresh(clone):
    clone.settings["PIP_SECONDS"] = "3"
    process = clone.start()
    wait_for(lambda: "Installing" in read(clone.venv / "install.log"))
    process.kill()
    process.wait()
    clone.settings["PIP_SECONDS"] = "0"
    assert not (clone.venv / "complete").exists()
    (clone.venv / "half copied").touch()
    code, _, err = clone.run()
    assert code == 7
    assert "waiting for it" in err  # pip outlived the process that started it, and nobody got in its way
    assert "broken off" in err
    assert not (clone.venv / "half copied").exists()


@pytest.mark.skipif(not POSIX, reason="Ctrl-C is sent to a console there, not to a process")
def test_ctrl_c_ends_in_one_line(clone):
    import signal

    clone.settings["PIP_SECONDS"] = "60"
    process = clone.start()
    wait_for(lambda: "Installing" in read(clone.venv / "install.log"))
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all that run in it
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err.splitlines()[-1].startswith("Stopped. To go on, type: ")
    assert "Traceback" not in err


def test_two_at_once_install_once(clone):
    clone.settings["PIP_SECONDS"] = "1"
    both = [clone.start("one"), clone.start("two")]
    results = [process.communicate("input", timeout=60) for process in both]
    assert [process.returncode for process in both] == [7, 7]
    assert len(clone.pip_calls()) == 1
    assert sum("first start" in err for _, err in results) == 1


def test_a_moved_folder_gets_a_new_environment(clone):
    clone.run()
    (clone.venv / "old").touch()
    moved = clone.folder.parent / "elsewhere"
    clone.folder.rename(moved)
    clone.folder = moved
    code, _, err = clone.run()
    assert code == 7
    assert "moved or copied" in err
    assert not (clone.venv / "old").exists()


@pytest.mark.skipif(not POSIX, reason="a Windows environment holds a copy of the launcher, not a link")
def test_a_vanished_base_python_is_replaced(clone):
    clone.run()
    python = clone.venv / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    code, _, err = clone.run()
    assert code == 7
    assert "is gone" in err


@pytest.mark.skipif(not POSIX, reason="a Windows environment is tied to its Python's folder")
def test_an_upgraded_base_python_gets_a_new_environment(clone):
    clone.run()
    settings = clone.venv / "pyvenv.cfg"
    settings.write_text(settings.read_text().replace("version = 3.", "version = 2."))
    assert clone.run()[0] == 7
    assert "version = 3." in settings.read_text()
    assert len(clone.pip_calls()) == 2


def test_an_environment_with_the_right_versions_is_used_as_it_is(clone):
    """A conda environment or a container: the versions are compared, and nothing is made."""
    (clone.folder / "pyproject.toml").write_text("[project]\ndependencies = []\n[project.optional-dependencies]\n")
    (clone.folder / "mujoco.py").touch()
    code, out, err = clone.run()
    assert (code, err) == (7, "")
    assert not out.startswith(".venv")
    assert not clone.venv.exists()


def test_a_folder_that_cannot_be_written_gets_one_line(monkeypatch):
    def refuse(path, exist_ok=False):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(environment.os, "makedirs", refuse)
    with pytest.raises(bootstrap.Stop, match=r"Cannot write .*\.venv \(Permission denied\).* copy the course"):
        environment.make_venv()


def python_2_years_old(monkeypatch, **found):
    """The course started by Python 3.9, on a Linux where shutil.which finds these programs."""
    old = SimpleNamespace(version_info=(3, 9, 2), argv=["__main__.py", "check", "a b"], platform="linux")
    monkeypatch.setattr(bootstrap, "sys", old)
    monkeypatch.setattr(bootstrap, "WINDOWS", False)
    monkeypatch.setattr(shutil, "which", found.get)


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ({"python3.12": "x", "apt-get": "x"}, "Type: python3.12 -m course check 'a b'"),
        ({"conda": "x", "apt-get": "x"}, "Type: conda env create -f environment.yml"),
        ({"apt-get": "x"}, "Type: sudo apt install python3.11-venv && python3.11 -m course check 'a b'"),
        ({}, "package manager"),
    ],
)
def test_an_old_python_says_what_to_type(monkeypatch, found, says):
    python_2_years_old(monkeypatch, **found)
    with pytest.raises(bootstrap.Stop) as stop:
        bootstrap.check_python()
    line = str(stop.value)
    assert line.startswith("The course needs Python 3.11 or newer; this is Python 3.9. ")
    assert says in line and "\n" not in line


def test_missing_ensurepip_names_the_package(monkeypatch):
    monkeypatch.setattr(bootstrap, "importable", lambda name: name != "ensurepip")
    monkeypatch.setattr(bootstrap, "unavailable", lambda: "")
    monkeypatch.setattr(shutil, "which", {"apt-get": "/usr/bin/apt-get"}.get)
    with pytest.raises(bootstrap.Stop, match="sudo apt install python{}.{}-venv".format(*sys.version_info[:2])):
        bootstrap.check_python()


@pytest.mark.parametrize(
    ("version", "specifier", "holds"),
    [
        ("4.0.0", "==4.0.0", True),
        ("4.0", "==4.0.0", True),
        ("4.0.1", "==4.0.0", False),
        ("4.0.0rc1", "==4.0.0", False),
        ("4.0.0+local", "==4.0.0", True),
        ("2.10", ">=2.3,<3", True),
        ("2.2.9", ">=2.3,<3", False),
        ("3.0.0", ">=2.3,<3", False),
        ("3.0.0rc1", ">=2.3,<3", False),
        ("2.3.0.dev1", ">=2.3", False),
        ("2.3.post1", ">=2.3", True),
        ("1.9", "~=1.0", True),
        ("2.0", "~=1.0", False),
        ("0.17.6", "~=0.17.0", True),
        ("0.18.0", "~=0.17.0", False),
        ("2026.09.1", ">=2026.9.1", True),
    ],
)
def test_versions_are_compared_as_pip_compares_them(version, specifier, holds):
    from packaging.specifiers import SpecifierSet

    assert requirements.satisfies(version, specifier) is holds
    assert SpecifierSet(specifier).contains(version, prereleases=True) is holds


def test_other_operators_are_refused():
    with pytest.raises(ValueError, match="only =="):
        requirements.satisfies("1.0", "!=1.1")


def test_missing_says_what_was_found(monkeypatch):
    monkeypatch.setattr(requirements, "wanted", lambda: {"": ["mujoco==4.0.0", "numpy>=2.3,<3"], "learn": ["jax==1"]})
    monkeypatch.setattr(requirements, "found", {"mujoco": "3.3.0", "numpy": "2.4.6"}.get)
    assert bootstrap.missing(["learn"]) == ["mujoco==4.0.0 (found 3.3.0)", "jax==1 (not installed)"]


@pytest.mark.parametrize(
    ("system", "processor", "python", "extra", "says"),
    [
        ("linux", "x86_64", (3, 11), "learn", ""),
        ("darwin", "arm64", (3, 14), "learn", ""),
        ("darwin", "x86_64", (3, 12), "", "Intel processor"),
        ("linux", "x86_64", (3, 15), "", ""),
        ("linux", "x86_64", (3, 15), "learn", "no jaxlib 0.10.2 for Python 3.15"),
    ],
)
def test_what_cannot_be_had_is_said_before_pip_tries(monkeypatch, system, processor, python, extra, says):
    monkeypatch.setattr("platform.machine", lambda: processor)
    monkeypatch.setattr(environment, "sys", SimpleNamespace(platform=system, version_info=python))
    monkeypatch.setattr(environment, "WINDOWS", False)
    assert says in environment.unavailable(extra)
    assert bool(says) is bool(environment.unavailable(extra))


def test_the_install_command_names_the_environment_that_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    line = bootstrap.install_command("learn")
    assert "-m pip install -c requirements.txt -e " in line and ".[learn]" in line
    monkeypatch.chdir(ROOT.parent)
    assert str(ROOT / "requirements.txt") in bootstrap.install_command("learn")


def test_progress_names_what_is_being_fetched():
    output = "\nCollecting numpy\n  Downloading numpy-2.4.6-cp311-cp311-manylinux.whl (16.9 MB)\nCollecting rich\n"
    assert fetching(output) == "2 so far, now numpy-2.4.6 (16.9 MB)"


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("WARNING: Retrying (Retry(total=4)): Temporary failure in name resolution", "connect to the internet"),
        ("ERROR: No matching distribution found for mujoco==4.0.0", "not there for this Python"),
        ("error: subprocess-exited-with-error", "see its log"),
    ],
)
def test_a_failure_of_pip_is_explained(output, says):
    assert says in cause(output)


def wait_for(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
