"""The submissions under tests/course/attacks, hostile and honest, and what must come of each.

A file there says in comments at its top what it does, and then what is expected:

    points: 10                  or, for each TODO: run 0, pd_force 3, explain 4
    within: 30 s                the time in which its verdict must come; 20 s if it does not say
    prints: fork refused        a text that it must have printed, so that it is known to have tried
    put: alone                  what is put before it: nothing; the right solution if it does not say
    put: first                  it stands before the right solution

A file that got what it should not get prints BREACH. "@SECRET@" and the like stand for what a test lays out as bait.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from course.grading.history import checks_hash
from course.grading.job import Job
from course.skeleton import BEGIN, END, answer, replace, skeleton
from course.syllabus import module

FOLDER = Path(__file__).parent.parent / "attacks"
MODULE = module("actuator_modes")
SOLUTION = MODULE.solution.read_text(encoding="utf-8")
MOST = {todo.name: todo.points for todo in MODULE.todos}
ORDINARY = 20.0  # s; four times the deadline of one check, for the busiest computer


@dataclass(frozen=True)
class Case:
    """One submission. points: for each TODO. within: s. prints: what it must have printed."""

    name: str
    source: bytes
    points: dict[str, int]
    within: float = ORDINARY
    prints: str = ""
    file: str = field(default="actuator_modes.py", compare=False)

    def job(self, bait: dict[str, str], seed: int = 7) -> Job:
        source = self.source
        for name, value in bait.items():
            source = source.replace(f"@{name}@".encode(), value.encode())
        return Job(self.name, "attempt", MODULE.slug, self.file, source, "", seed, checks_hash(MODULE), trust=False)


def points(text: str) -> dict[str, int]:
    """What "10", "0" or "run 0, pd_force 3, explain 4" means."""
    if text.isdigit():
        assert text in ("0", "10"), "say how many for each TODO"
        return MOST if text == "10" else dict.fromkeys(MOST, 0)
    found = dict(part.split() for part in text.split(", "))
    assert found.keys() == MOST.keys()
    return {todo: int(number) for todo, number in found.items()}


def read(path: Path) -> Case:
    """One file of the corpus."""
    text = path.read_text(encoding="utf-8")
    told = dict(re.findall(r"^# (points|within|prints|put): (.+)$", text, re.MULTILINE))
    put = told.get("put", "last")
    source = {"last": f"{SOLUTION}\n\n{text}", "first": f"{text}\n{SOLUTION}", "alone": text}[put]
    within = float(told.get("within", f"{ORDINARY} s").removesuffix(" s"))
    name = path.relative_to(FOLDER).with_suffix("").as_posix()
    return Case(name, source.encode(), points(told["points"]), within, told.get("prints", ""))


def computed() -> list[Case]:
    """Honest files that are better made than written: half right in every way, and unusual as bytes."""
    cases = []
    for number in range(1, 7):
        right = [todo for place, todo in enumerate(MOST) if number >> place & 1]
        answers = {todo: f"    {BEGIN}\n{answer(SOLUTION, todo)}    {END}\n" for todo in right}
        stubs = {b: f'    raise NotImplementedError("TODO(you): {b}")\n' for b in MOST if b not in right}
        earned = {todo: MOST[todo] if todo in right else 0 for todo in MOST}
        if "pd_force" not in right:
            earned["explain"] = 0  # it calls pd_force
        cases.append(Case(f"honest/only {' and '.join(right)}", replace(SOLUTION, answers | stubs).encode(), earned))
    text = SOLUTION.encode()
    doubled = SOLUTION.replace("    ", "\t").encode()
    padding = b"# " + b"x" * 96 + b"\n"
    unusual = {
        "the skeleton": (skeleton(SOLUTION).encode(), "0"),
        "Windows line ends": (text.replace(b"\n", b"\r\n"), "10"),
        "line ends of an old Mac": (text.replace(b"\n", b"\r"), "10"),
        "tabs": (doubled, "10"),
        "tabs and spaces": (text + b"\ndef more():\n\tx = 1\n        return x\n", "0"),
        "form feeds": (text.replace(b"\n\n\n", b"\n\x0c\n\n"), "10"),
        "a byte order mark": (b"\xef\xbb\xbf" + text, "10"),
        "999 kB": (text + padding * ((999_000 - len(text)) // len(padding)), "10"),
        "one long line": (text + b"x = '" + b"y" * 900_000 + b"'\n", "10"),
        "a NUL byte": (text + b"x = '\0'\n", "0"),
        "not UTF-8": (text + b"x = 'caf\xe9'\n", "0"),
        "UTF-16": (SOLUTION.encode("utf-16"), "0"),
        "nothing": (b"", "0"),
        "a hundred thousand brackets": (text + b"(" * 100_000, "0"),
        "a hundred thousand signs": (text + b"x = " + b"-" * 100_000 + b"1\n", "0"),
        "ten thousand blocks": (text + b"".join(b" " * n + b"if 1:\n" for n in range(300)) + b" " * 300 + b"0\n", "0"),
        "elif without end": (text + b"if 0: pass\n" + b"elif 0: pass\n" * 20_000, "0"),
    }
    return cases + [Case(f"bytes/{name}", source, points(told)) for name, (source, told) in unusual.items()]


CASES = [read(path) for path in sorted(FOLDER.rglob("*.py"))] + computed()
