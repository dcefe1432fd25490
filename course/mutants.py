"""Known-wrong answers. A check that lets one of them pass is broken."""

import importlib.util
from dataclasses import dataclass

from course.skeleton import answer, replace
from course.syllabus import ROOT, Module


@dataclass(frozen=True)
class Mutant:
    """A mistake in the answer to one TODO.

    slip: the mistake in a few words. old: text that stands exactly once inside the solution block. new: what replaces it.
    check: the check that must fail. says: a word of the message that the student then reads.
    """

    todo: str
    slip: str
    old: str
    new: str
    check: str
    says: str

    def file(self, solution: str) -> str:
        """The solution with this mistake in it. Raises ValueError if `old` is not there exactly once."""
        right = answer(solution, self.todo)
        if right.count(self.old) != 1:
            raise ValueError(f"{self.todo}, {self.slip}: {self.old!r} stands {right.count(self.old)} times in the answer")
        return replace(solution, {self.todo: right.replace(self.old, self.new)})


def mutants(module: Module) -> list[Mutant]:
    """The module's list MUTANTS, from tests/mutants/<slug>.py."""
    path = ROOT / "tests" / "mutants" / f"{module.slug}.py"
    spec = importlib.util.spec_from_file_location(f"mutants_of_{module.slug}", path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded.MUTANTS
