"""Which requirements of pyproject.toml are there, at which version. Standard library only, like course/bootstrap.py.

Versions are compared because an old MuJoCo imports as well as the right one and prints other numbers. Only the
operators ==, >=, < and ~= occur in pyproject.toml, which keeps the comparison small.
"""

from __future__ import annotations

import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
REQUIREMENT = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(.*)")
CLAUSE = re.compile(r"(==|>=|<|~=)\s*([0-9][0-9A-Za-z.+]*)")
NUMBERS = re.compile(r"^\d+(\.\d+)*")


def wanted() -> dict[str, list[str]]:
    """The requirements in pyproject.toml: those of the core under "", those of each extra under its name."""
    import tomllib

    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        project = tomllib.load(file)["project"]
    return {"": project["dependencies"], **project["optional-dependencies"]}


def missing(extras: list[str] | tuple[str, ...] = ()) -> list[str]:
    """Requirements of the core and of these extras that are absent or of the wrong version, each with what was found.

    For instance ["mujoco==4.0.0 (found 3.3.0)", "jax==0.10.2 (not installed)"]. Raises KeyError for an unknown extra.
    """
    groups = wanted()
    lines = []
    for requirement in [line for name in ["", *extras] for line in groups[name]]:
        name, specifier = split(requirement)
        version = found(name)
        if version is None:
            lines.append(f"{requirement} (not installed)")
        elif not satisfies(version, specifier):
            lines.append(f"{requirement} (found {version})")
    return lines


def found(name: str) -> str | None:
    """The installed version of a distribution, or None."""
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def split(requirement: str) -> tuple[str, str]:
    """ "numpy>=2.3,<3" is ("numpy", ">=2.3,<3")."""
    match = REQUIREMENT.fullmatch(requirement.strip())
    if match is None:
        raise ValueError(f"not a requirement: {requirement!r}")
    return match.group(1), match.group(2)


def satisfies(version: str, specifier: str) -> bool:
    """Whether a version lies in a range such as ">=2.3,<3".

    As in PEP 440, "<3" keeps out the pre-releases of 3 and ">=2.3" those of 2.3. Raises ValueError for other operators.
    """
    return all(holds(version, clause.strip()) for clause in specifier.split(",") if clause.strip())


def holds(version: str, clause: str) -> bool:
    """Whether a version fits one clause, such as ">=2.3"."""
    match = CLAUSE.fullmatch(clause)
    if match is None:
        raise ValueError(f"only ==, >=, < and ~= are compared here, not {clause!r}")
    operator, bound = match.groups()
    if operator == "==":
        return key(version) == key(bound)
    if operator == "<":
        return release(version) < release(bound)
    at_least = key(version) >= key(bound)
    if operator == ">=":
        return at_least
    # ~=1.4.2 means at least 1.4.2, and 1.4.*
    shared = len(parts(bound)) - 1
    return at_least and series(version, shared) == series(bound, shared)


def key(version: str) -> tuple[tuple[int, ...], int, str]:
    """What versions are ordered by: the release, then pre-release before release before post-release."""
    suffix = NUMBERS.sub("", version.split("+")[0]).lower()
    phase = 0 if not suffix else 1 if suffix.startswith(".post") else -1
    return release(version), phase, suffix


def parts(version: str) -> list[int]:
    """The numbers that a version begins with: 4.0.0rc1 is [4, 0, 0]. Raises ValueError for what is no version."""
    match = NUMBERS.match(version)
    if match is None:
        raise ValueError(f"not a version: {version!r}")
    return [int(part) for part in match.group().split(".")]


def release(version: str) -> tuple[int, ...]:
    """The same without trailing zeros, since 4.0.0 and 4.0 are one release."""
    numbers = parts(version)
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def series(version: str, length: int) -> list[int]:
    """The first numbers of a version, with zeros where it has fewer."""
    return [*parts(version), *[0] * length][:length]
