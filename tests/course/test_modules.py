"""Every module agrees with itself: the solution passes, the skeleton is to do, each mutant fails where it says."""

import ast
from functools import cache

import pytest

from course.boundary import Problem
from course.mutants import mutants
from course.process import Child
from course.runner import run_checks
from course.session import imports_of
from course.skeleton import blocks, open_todos, skeleton
from course.syllabus import ROOT, modules

MODULES = [pytest.param(m, id=m.slug) for m in modules()]
MUTANTS = [pytest.param(m, x, id=f"{m.slug}-{x.todo}-{x.slip}") for m in modules() for x in mutants(m)]


@cache
def solution(module):
    return module.solution.read_text(encoding="utf-8")


@cache
def solved(module, seed=0):
    """The records of the solution."""
    return run_checks(module, module.solution, seed=seed)


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("seed", [0, 1, 2026])
def test_the_solution_passes_every_check(module, seed):
    assert [(r.check, r.message) for r in solved(module, seed) if r.status != "pass"] == []


@pytest.mark.parametrize("module", MODULES)
def test_the_skeleton_is_to_do_everywhere(module, tmp_path):
    file = tmp_path / f"{module.slug}.py"
    file.write_text(skeleton(solution(module)), encoding="utf-8")
    assert {(r.check, r.status) for r in run_checks(module, file)} == {(r.check, "todo") for r in solved(module)}


class Shared(Child):
    """A process that runs several files of our own, one after the other: importing JAX takes longer than a check.

    A student's file has one to itself. This one ends with the first answer that leaves its state in doubt.
    """

    MOST = 12  # files: its processor time is limited

    def __init__(self, slug):
        super().__init__(slug, imports_of(slug))
        self.slug, self.files, self.doubtful = slug, 0, False

    def load(self, *args, **kwargs):
        self.files += 1
        (super().load if self.files == 1 else super(Child, self).load)(*args, **kwargs)

    def kill(self):
        if self.doubtful:
            super().kill()

    def _request(self, *args):
        try:
            return super()._request(*args)
        except BaseException as problem:  # of a check's own function too, for whose answer the process waits
            self.doubtful |= not isinstance(problem, Problem) or problem.kind in ("late", "died", "garbled")
            raise


@pytest.fixture(scope="module")
def shared():
    """Gives the shared process of a module. There is one at a time, since modules come one after the other."""
    now = []

    def end():
        for child in now:
            child.doubtful = True
            child.kill()
        now.clear()

    def of(slug):
        if not now or now[0].slug != slug or now[0].files >= Shared.MOST or now[0].doubtful or not now[0].alive:
            end()
            now.append(Shared(slug))
        return now[0]

    yield of
    end()


@pytest.mark.parametrize(("module", "mutant"), MUTANTS)
def test_the_check_catches_the_mutant(module, mutant, tmp_path, shared):
    file = tmp_path / f"{module.slug}.py"
    file.write_text(mutant.file(solution(module)), encoding="utf-8")
    (record,) = run_checks(module, file, check=mutant.check, start=lambda: shared(module.slug))
    assert record.status == "fail", f"{mutant.check} lets it pass"
    assert mutant.says.lower() in record.message.lower(), record.message


@pytest.mark.parametrize("module", MODULES)
def test_the_syllabus_agrees_with_the_files(module):
    text = solution(module)
    names = [todo.name for todo in module.todos]
    assert [b.todo for b in blocks(text)] == names == list(open_todos(skeleton(text)))
    points = dict.fromkeys(names, 0)
    for record in solved(module):
        points[record.todo] += record.max
    assert points == {todo.name: todo.points for todo in module.todos}
    for todo in module.todos:
        assert len(todo.hints) == 3 and all(len(h) > 20 for h in todo.hints), f"{todo.name} needs three hints"
        assert len([x for x in mutants(module) if x.todo == todo.name]) >= 3, f"{todo.name} needs three mutants"


@pytest.mark.parametrize("module", MODULES)
def test_an_exercise_file_teaches_one_lesson(module):
    lines = solution(module).splitlines()
    assert len(lines) <= 250
    assert sum("# TODO(you):" in line for line in lines) == len(module.todos), "one `# TODO(you):` for each TODO"
    tree = ast.parse(solution(module))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for todo in module.todos:
        assert ast.get_docstring(functions[todo.name]), f"{todo.name} needs a docstring"
    earlier = {f"solutions.{m.slug}" for m in modules() if m.number < module.number}
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert {name for name in imported if name.startswith("solutions")} <= earlier
    assert not any(name.split(".")[0] in ("course", "tests") for name in imported)


def test_code_is_a_folder_of_scripts_and_never_a_package():
    assert not (ROOT / "code" / "__init__.py").exists()
