"""The files that say what the course is and needs agree with each other."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import course
from course.installing import requirements

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.txt").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, list[str]]:
    """Name to version in requirements.txt; several where they differ between Pythons or systems."""
    found: dict[str, list[str]] = {}
    for line in LOCK.splitlines():
        if line and not line.startswith("#"):
            name, version = re.fullmatch(r"([\w.-]+)==([\w.]+)(?: ;[^#]*)?(?:\s*#.*)?", line).groups()
            found.setdefault(normal(name), []).append(version)
    return found


ALL = [line for group in requirements.wanted().values() for line in group]


@pytest.mark.parametrize("line", ALL)
def test_locked_versions_are_those_that_pyproject_allows(line):
    name, specifier = requirements.split(line)
    versions = pins()[normal(name)]
    assert all(requirements.satisfies(version, specifier) for version in versions)


def test_versions_that_belong_together():
    """The lessons print this MuJoCo's numbers, MJX is released with it, and a compiler flag is set for this jaxlib."""
    locked = pins()
    assert (locked["mujoco"], locked["mujoco-mjx"], locked["jaxlib"]) == (["4.0.0"], ["3.17.0"], ["0.10.2"])


def test_the_lock_names_no_place():
    """No index, no host, no folder, no file: it must serve everybody."""
    assert not re.search(r"://|[/\\@]|--index|--find-links|--hash", LOCK.replace("--no-emit-index-url", ""))


def test_conda_gets_the_same_requirements():
    yaml = pytest.importorskip("yaml")
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *conda, pip = environment["dependencies"]
    assert environment["name"] == PROJECT["project"]["name"]
    assert conda == [f"python{PROJECT['project']['requires-python']}", "pip"]
    assert pip["pip"][:2] == ["-c requirements.txt", "-e ."]
    assert pip["pip"][2:] == PROJECT["project"]["dependencies"]


def test_one_version():
    version = PROJECT["project"]["version"]
    assert course.__version__ == version
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_every_requirement_says_why_it_is_there():
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if line.strip().strip('",').split("  #")[0].rstrip('", ') in ALL:
            group = "\n".join(lines[max(0, number - 7) : number + 1])
            assert "#" in group, line


def test_what_an_old_python_reads_is_old_enough():
    """Everything that runs before the version is looked at parses on Python 3.8, and ruff is told to keep it so."""
    first = [ROOT / "course" / "__main__.py", ROOT / "bench" / "__main__.py"]
    read, waiting = set(), first
    while waiting:
        file = waiting.pop()
        if file in read:
            continue
        read.add(file)
        tree = ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 8))
        waiting.append(file.parent / "__init__.py")
        imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module]
        for node in imports:
            package, _, module = node.module.partition(".")
            if package == "course":
                names = [module] if module else [alias.name for alias in node.names]
                waiting += [ROOT / "course" / (name.replace(".", "/") + ".py") for name in names]
    patterns = PROJECT["tool"]["ruff"]["per-file-target-version"]
    lazily = {ROOT / "course" / "installing" / "requirements.py"}
    assert {file for pattern in patterns for file in ROOT.glob(pattern)} == read | lazily


def table() -> list[list[str]]:
    """The rows of the README's table of modules: number, slug, title, minutes, state."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in README.splitlines()]
    return [row for row in rows if len(row) == 5 and row[0].isdigit()]


def test_readme_lists_the_modules_that_are_done():
    syllabus = tomllib.loads((ROOT / "lessons" / "syllabus.toml").read_text(encoding="utf-8"))["module"]
    done = [[f"{m['number']:02d}", m["slug"], m["title"], str(m["minutes"]), "done"] for m in syllabus]
    assert [row for row in table() if row[4] == "done"] == done
    assert [int(row[0]) for row in table()] == list(range(23))
    assert {row[4] for row in table()} <= {"done", "planned"}


def test_readme_commands_are_those_that_are_run():
    assert "\n    python3 -m course\n" in README
    assert "\n    python3 -m course test\n" in README
    assert "\npython3 -m course test\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_readme_names_only_commands_that_exist():
    from course.cli import program

    named = set(re.findall(r"(?:^    |`|-m )course ([a-z]+)", README, re.M))
    assert named and named <= set(program.commands)


def test_exercises_are_no_package():
    """The standard library owns the name `code`; a package of ours would break pdb, and with it breakpoint()."""
    assert not (ROOT / "code" / "__init__.py").exists()
