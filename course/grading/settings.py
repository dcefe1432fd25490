"""How points become grades: settings.toml in the folder of a grading. Everything in it is optional.

modules = ["actuator_modes"]    # what the class has to do; everything that anybody has handed in if this is left out
attempt = "newest"              # which file counts: newest, best, first or newest_on_time

[weights]                       # of a module in the total; 1 where nothing is said
actuator_modes = 2.0

[late]                          # for every module; [late.actuator_modes] changes it for one
due = 2026-11-01T23:59:00+01:00 # a date alone means the end of that day; without an offset, local time
grace_minutes = 30              # later than this after `due` is late
lost_per_day = 0.1              # fraction of the points, for every day that has begun since `due`
most_lost = 0.5                 # never more than this
closed_after_days = 7           # after so many days nothing counts
"""

import math
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from course.files import back_up, one_line, read, write_atomically
from course.grading.roster import read_roster
from course.syllabus import UserError, modules

NAME = "settings.toml"
ATTEMPTS = ("newest", "best", "first", "newest_on_time")
DAY = timedelta(days=1)


@dataclass(frozen=True)
class LateRule:
    """due: timezone-aware. lost_per_day, most_lost: fractions of the points. The fields are explained at the top."""

    due: datetime | None = None
    grace_minutes: float = 0.0
    lost_per_day: float = 0.0
    most_lost: float = 1.0
    closed_after_days: float = math.inf

    def days(self, submitted: datetime | None) -> int:
        """How many days late: those that have begun since `due`; 0 within the grace, or if nobody knows when."""
        if self.due is None or submitted is None or submitted <= self.due + timedelta(minutes=self.grace_minutes):
            return 0
        return -((self.due - submitted) // DAY)  # rounded up

    def factor(self, days: int) -> float:
        """What is left of the points, as a fraction, of a file that came so many days late."""
        if days > self.closed_after_days:
            return 0.0
        return round(1 - min(days * self.lost_per_day, self.most_lost), 9)  # 0.7, and not 0.7000000000000001


@dataclass(frozen=True)
class Settings:
    """modules: those of the class, all if there are none. late: by module; "" is the rule of all the others."""

    attempt: str = "newest"
    modules: tuple[str, ...] = ()
    weights: dict[str, float] = field(default_factory=dict)
    late: dict[str, LateRule] = field(default_factory=lambda: {"": LateRule()})

    def late_rule(self, module: str) -> LateRule:
        return self.late.get(module, self.late[""])


def read_settings(path: Path) -> Settings:
    """The settings in a file, the defaults if it is not there. Raises UserError with file, key and what is possible."""
    with one_line(path, path.parent):
        content = read(path)
    try:
        found = tomllib.loads((content or b"").decode("utf-8-sig").replace("\r\n", "\n"))
    except ValueError as problem:
        raise UserError(f"{path.name} cannot be read: {problem}") from None
    try:
        return _settings(found)
    except UserError as problem:
        raise UserError(f"{path.name}: {problem}") from None


def keep(folder: Path, settings: Path | None, roster: Path | None) -> None:
    """Copy what the instructor has given into the folder of a grading, each only if it can be read.

    What it replaces there goes to a backup under `.course/backups` in that folder.
    """
    for given, name, reader in ((settings, NAME, read_settings), (roster, "roster.csv", read_roster)):
        if given is None:
            continue
        if not given.is_file():
            raise UserError(f"{given} is not there, or is not a file")
        reader(given)
        with one_line(None, folder.parent):
            new, old = given.read_bytes(), read(folder / name)
            if old not in (None, new):
                back_up(folder / name, root=folder, content=old)
            if old != new:
                write_atomically(folder / name, new)


def _settings(found: dict[str, Any]) -> Settings:
    slugs = [module.slug for module in modules()]
    _only_known(found, ("attempt", "modules", "weights", "late"), "setting")
    attempt = found.get("attempt", "newest")
    if attempt not in ATTEMPTS:
        raise UserError(f"attempt is {attempt!r}; it must be one of: {', '.join(ATTEMPTS)}")
    wanted = found.get("modules", [])
    if not isinstance(wanted, list) or not all(isinstance(slug, str) for slug in wanted):
        raise UserError(f"modules is {wanted!r}; it must be a list of names such as [{slugs[0]!r}]")
    _only_known(dict.fromkeys(wanted), slugs, "module")
    weights, late = _table(found, "weights"), _table(found, "late")
    _only_known(weights, slugs, "module", "weights.")
    _only_known(late, (*RULES, *slugs), "setting or module", "late.")
    default = {key: value for key, value in late.items() if key in RULES}
    return Settings(
        attempt,
        tuple(wanted),
        {slug: _number(value, f"weights.{slug}", math.inf) for slug, value in weights.items()},
        {"": _late_rule(default, "late")}
        | {slug: _late_rule(default | _table(late, slug, "late."), f"late.{slug}") for slug in late if slug in slugs},
    )


# What each of a rule's numbers may be at most.
RULES = {"due": 0, "grace_minutes": math.inf, "lost_per_day": 1, "most_lost": 1, "closed_after_days": math.inf}


def _late_rule(found: dict[str, Any], where: str) -> LateRule:
    _only_known(found, RULES, "setting", f"{where}.")
    numbers = {key: _number(value, f"{where}.{key}", RULES[key]) for key, value in found.items() if key != "due"}
    return LateRule(due=_due(found["due"], f"{where}.due") if "due" in found else None, **numbers)


def _due(value: Any, where: str) -> datetime:
    if isinstance(value, str):
        with suppress(ValueError):
            value = date.fromisoformat(value) if len(value) <= 10 else datetime.fromisoformat(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time(23, 59, 59))
    if not isinstance(value, datetime):
        raise UserError(f"{where} is {value!r}; it must be a time such as 2026-11-01T23:59:00+01:00, or a date")
    return value if value.tzinfo else value.astimezone()


def _number(value: Any, where: str, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most or value == math.inf:
        span = f"from 0 to {most}" if most < math.inf else "that is not negative"
        raise UserError(f"{where} is {value!r}; it must be a number {span}")
    return float(value)


def _table(found: dict[str, Any], name: str, where: str = "") -> dict[str, Any]:
    table = found.get(name, {})
    if not isinstance(table, dict):
        raise UserError(f"{where}{name} is {table!r}; it must be a table, [{where}{name}], with its entries beneath it")
    return table


def _only_known(found: dict[str, Any], known: Iterable[str], kind: str, where: str = "") -> None:
    known = list(known)
    for name in found:
        if name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.4)
            hint = f"did you mean {where}{near[0]}?" if near else "there are: " + ", ".join(known)
            raise UserError(f"no {kind} is called {where}{name}; {hint}")
