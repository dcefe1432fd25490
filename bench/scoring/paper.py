"""The paper's tables, from `paper.toml`, as they are printed there."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("paper.toml")


@dataclass(frozen=True)
class Line:
    """One row of a table. task: of `nad.toml`. printed: by horizon and column, such as "0.10"."""

    task: str
    label: str
    printed: dict[tuple[int, str], str]


@dataclass(frozen=True)
class PaperTable:
    """Table III to VI, IX or X. columns: the paper's, then those that only we have. average: as printed, or empty."""

    number: str
    title: str
    robot: str
    horizons: tuple[int, ...]
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    average: dict[tuple[int, str], str]


@dataclass(frozen=True)
class PaperMethods:
    """Table VII. columns: (task, label). methods: the paper's name, a part of our name, its row, its average."""

    title: str
    robot: str
    horizon: int
    columns: tuple[tuple[str, str], ...]
    methods: tuple[tuple[str, str, tuple[str, ...], str], ...]


@cache
def paper_tables() -> tuple[PaperTable, ...]:
    """Tables III to VI, IX and X."""
    found = []
    for number, entry in _entries().items():
        if number == "VII":
            continue
        horizons, columns = tuple(entry["horizons"]), tuple(entry["columns"].split())
        keys = [(horizon, column) for horizon in horizons for column in columns]

        def printed(text: str, keys: list[tuple[int, str]] = keys) -> dict[tuple[int, str], str]:
            return dict(zip(keys, text.replace("|", " ").split(), strict=True))

        lines = tuple(Line(row["task"], row["label"], printed(row["paper"])) for row in entry["rows"])
        average = printed(entry["average"]) if "average" in entry else {}
        columns += tuple(entry["ours"].split())
        found.append(PaperTable(number, entry["title"], entry["robot"], horizons, columns, lines, average))
    return tuple(found)


@cache
def paper_methods() -> PaperMethods:
    """Table VII."""
    entry = _entries()["VII"]
    columns = tuple((column["task"], column["label"]) for column in entry["columns"])
    rows = ((row["method"], row["ours"], tuple(row["paper"].split()), row["average"]) for row in entry["rows"])
    return PaperMethods(entry["title"], entry["robot"], entry["horizon"], columns, tuple(rows))


def _entries() -> dict:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))
