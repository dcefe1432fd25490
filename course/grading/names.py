"""What the names of files and folders say: whose they are, for which module, which attempt, when.

Only what programs do to a name by themselves is undone: the lesson's number in front, another case, a hyphen or blank
for the underscore, "(2)" and "-3" of a browser or platform, "copy" of a file manager. A word that somebody added
("final", "v2") is not: of two such files nothing tells which one is meant.
"""

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from difflib import get_close_matches

from course.boundary import one_line
from course.syllabus import modules

TAKEN = (".py", ".ipynb")
_ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz")
_IGNORED = {"__MACOSX", "__pycache__", "site-packages", "node_modules"}
_LONGEST = 80  # letters of an id or a name that anybody wants to read
_SHORTENED = re.compile(r"~[0-9a-f]{12}$")
_COPIES = r"(?:\s*\(\d{1,6}\)|[-_ ]\d{1,6}|[-_ ]+copy)*"
_ATTEMPT = re.compile(r"(?:(?:attempt|version|try|v)[ _-]*)?(\d{1,6})", re.IGNORECASE)
_TIME = re.compile(
    r"(?<!\d)((?:19|20|21)\d\d)(-?)(\d\d)\2(\d\d)"
    r"(?:[T_ -]+(\d\d)[:.h-]?(\d\d)(?:[:.-]?(\d\d)(?:[.,]\d{1,9})?)?)?"
    r" ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?(?!\d)"
)


@dataclass(frozen=True)
class Told:
    """What a file's name tells. slug: the module, or "". copies: of "(2)" and "-3", in reading order.

    refusal: what is wrong with the name, to be read after it; "" if it is a right one. before: what stands in front of
    the module, such as an id.
    """

    slug: str = ""
    refusal: str = ""
    copies: tuple[int, ...] = ()
    before: str = ""


def tell(name: str) -> Told | None:
    """What a file of this name is, as far as its name goes; None for one that cannot be meant as an answer."""
    stem, suffix = _split(name)
    told = _module(stem)
    if suffix in TAKEN:
        if told and not told.refusal:
            return told
        if told:
            return Told(told.slug, f": is this {told.slug}? rename it to {told.slug}{suffix}", before=told.before)
        example = modules()[0].slug + suffix
        return Told("", f": no module is called that; name it as the module is named, for example {example}")
    slug = told.slug if told and not told.refusal else ""
    if is_archive(name):
        return Told(slug, f" is an archive; hand in {slug or modules()[0].slug}.py itself, not packed")
    if slug and (suffix in ("", ".txt", ".json") or suffix.startswith(TAKEN)):
        kind = ".ipynb" if ".ipynb" in suffix or suffix == ".json" else ".py"
        return Told(slug, f": is this {slug}? rename it to {slug}{kind}")
    return None


def is_ignored(name: str) -> bool:
    """Whether a file or folder is nothing that anybody hands in: a hidden one, or one that programs leave behind."""
    return (name.startswith(".") and name.strip(".") != "") or name in _IGNORED


def is_archive(name: str) -> bool:
    """Whether a file is packed, as far as its name goes."""
    return name.lower().endswith(_ARCHIVES)


def is_module(name: str) -> bool:
    """Whether a folder is named as a module is."""
    told = _module(name)
    return bool(told and not told.refusal)


def attempt_number(folder: str) -> int | None:
    """2 of "2", "attempt 2" and "v2"; None of any other name."""
    match = _ATTEMPT.fullmatch(folder)
    return int(match[1]) if match else None


def time_in(text: str, zone: tzinfo | None = None) -> datetime | None:
    """The first date like 2026-11-01T10-00 in a text, timezone-aware. zone: where it says none; local time if None."""
    match = _TIME.search(text)
    if not match:
        return None
    year, _, month, day, hour, minute, second, offset = match.groups()
    try:
        day_only = datetime(int(year), int(month), int(day))
        time = day_only.replace(hour=int(hour or 0), minute=int(minute or 0), second=int(second or 0))
        zone = zone if offset is None else _zone(offset)
        return time.replace(tzinfo=zone) if zone else time.astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def identity(text: str) -> str:
    """An id or name of any kind as one printable line. Different ones stay different, however long or strange."""
    readable = one_line(text[:_LONGEST].replace("\t", " "))
    if text and readable == text and not _SHORTENED.search(text):
        return text
    return f"{readable or 'nobody'}~{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()[:12]}"


def shown(name: str) -> str:
    """The name of a file, in a message."""
    return one_line(name if len(name) <= _LONGEST else f"{name[: _LONGEST - 20]}...{name[-15:]}")


def _split(name: str) -> tuple[str, str]:
    """Stem and suffix, in lower case: the last suffix of a right name, everything from the first dot of a wrong one."""
    stem, dot, suffix = name.rpartition(".")
    if stem and f".{suffix}".lower() in (*TAKEN, *_ARCHIVES):
        return stem, f".{suffix}".lower()
    stem, dot, suffix = name.partition(".")
    return stem, (dot + suffix).lower()


def _module(stem: str) -> Told | None:
    """The module that a stem names; with a refusal if only nearly; None if none."""
    stem, found = stem.strip(), list[Told]()
    if len(stem) > 300:  # what follows would take its time
        return None
    for module in modules():
        slug = module.slug.replace("_", "[-_ .]")
        pattern = rf"(?:(?P<before>.+?)[-_ .]+)??(?:0*{module.number}[-_ .]+)?{slug}(?P<copies>{_COPIES})"
        if match := re.fullmatch(pattern, stem, re.IGNORECASE | re.DOTALL):
            copies, before = tuple(map(int, re.findall(r"\d+", match["copies"]))), match["before"] or ""
            found.append(Told(module.slug, "nearly" if before else "", copies, before))
        elif re.search(rf"(?:^|[-_ .]){slug}(?:[-_ .]|$)", stem, re.IGNORECASE):
            found.append(Told(module.slug, "nearly"))
    if found:
        return max(found, key=lambda told: (not told.refusal, len(told.slug)))
    slugs = [module.slug for module in modules()]
    near = get_close_matches(re.sub(r"[-\s.]", "_", stem.lower()), slugs, n=1, cutoff=0.8)
    return Told(near[0], "nearly") if near else None


def _zone(offset: str) -> timezone:
    if offset[0] not in "+-":
        return UTC
    hours, minutes = int(offset[:3]), int(offset[0] + offset[-2:])
    return timezone(timedelta(hours=hours, minutes=minutes))
