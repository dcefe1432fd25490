"""Known-wrong answers. A check that lets one of them pass is broken."""

from dataclasses import dataclass

from course.loading import load_file
from course.skeleton import answer, replace
from course.syllabus import ROOT, Module


@dataclass(frozen=True)
class Mutant:
    """A mistake in the answer to one TODO.

    slip: the mistake in a few words. old: text that stands once inside the solution block. new: what replaces it.
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
            raise ValueError(
                f"{self.todo}, {self.slip}: {self.old!r} stands {right.count(self.old)} times in the answer"
            )
        return replace(solution, {self.todo: right.replace(self.old, self.new)})


def mutants(module: Module) -> list[Mutant]:
    """The module's list MUTANTS, from tests/mutants/<slug>.py."""
    return load_file(ROOT / "tests" / "mutants" / f"{module.slug}.py", f"mutants_of_{module.slug}").MUTANTS
