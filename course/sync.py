"""For authors: code/slug.py from solutions/slug.py, and whether the two agree."""

from collections.abc import Sequence
from pathlib import Path

from course import skeleton
from course.files import is_elsewhere, one_line, read, replace_unchanged, sweep, write_atomically
from course.syllabus import ROOT, Module, UserError, modules
from course.updating.base import is_exercise, skeleton_base, skeleton_of, text_of, walk
from course.updating.git import show


def sync(check: bool = False, root: Path = ROOT, among: Sequence[Module] | None = None) -> list[str]:
    """Write code/ from solutions/, or with check=True write nothing and fail if anything would change.

    Returns the lines to print. Raises UserError with one line per problem; the files without a problem are written.
    among: the modules, those of the syllabus if None.
    """
    among = modules() if among is None else among
    problems, lines = [], []
    for module in among:
        try:
            problems += faults(module, root)
            lines += differences(module, root) if check else write(module, root)
        except UserError as problem:
            problems.append(str(problem))
    problems += strays(among, root)
    if check:
        problems += lines
        lines = ["code/ agrees with solutions/."]
    if problems:
        raise UserError("\n".join(problems))
    return lines or ["code/ agreed with solutions/ already."]


def faults(module: Module, root: Path) -> list[str]:
    """What is wrong with a solution itself: its markers, or names that differ from the syllabus."""
    text = solution(module, root)
    if text is None:
        return []
    name = f"solutions/{module.slug}.py"
    try:
        found = [block.todo for block in skeleton.blocks(text)]
    except ValueError as error:
        raise UserError(f"{name}, {error}") from error
    wanted = [todo.name for todo in module.todos]
    if found != wanted:
        listed = ", ".join(found) or "none"
        return [f"{name} has the TODOs {listed} where lessons/syllabus.toml has {', '.join(wanted)}; make them agree"]
    return []


def solution(module: Module, root: Path) -> str | None:
    """The text of a module's solution, None if it has none yet."""
    path = root / "solutions" / f"{module.slug}.py"
    text = text_of(path)
    if text is None and path.exists():
        raise UserError(f"solutions/{module.slug}.py is not UTF-8; save it as UTF-8")
    return text


def differences(module: Module, root: Path) -> list[str]:
    """What `sync` would change for one module."""
    wanted = skeleton_of(solution(module, root))
    exercise = root / "code" / f"{module.slug}.py"
    if wanted is None or text_of(exercise) == wanted:
        return []
    return [f"code/{module.slug}.py {'differs' if exercise.exists() else 'is missing'}; run `course sync`"]


def write(module: Module, root: Path) -> list[str]:
    """Write the skeleton of one module unless somebody has worked in the file."""
    wanted = skeleton_of(solution(module, root))
    if wanted is None:
        return []
    path = root / "code" / f"{module.slug}.py"
    name = f"code/{path.name}"
    lines = []
    with one_line(path, root):
        if is_elsewhere(path, root):
            raise UserError(f"{name} is a link or in a linked folder; put a plain file in its place")
        old = read(path)
        if text_of(path) != wanted:
            if old is not None and not is_pristine(module, root):
                raise UserError(f"{name} has answers or changes in it; to drop them: course reset {module.slug}")
            replace_unchanged(path, old, wanted.encode())
            lines = [f"{name} written"]
        if text_of(skeleton_base(root, module.slug)) != wanted:
            write_atomically(skeleton_base(root, module.slug), wanted.encode())
        sweep(path.parent)
    return lines


def is_pristine(module: Module, root: Path) -> bool:
    """Whether code/slug.py is a skeleton that this clone has seen: the one it started from, or the committed one."""
    present = text_of(root / "code" / f"{module.slug}.py")
    if present is None:
        return False  # not UTF-8, so not ours
    if present == text_of(skeleton_base(root, module.slug)):
        return True
    # The committed code/slug.py proves nothing, for students commit their answers; the committed solution does.
    return present == skeleton_of(show(root, f"solutions/{module.slug}.py"))


def strays(among: Sequence[Module], root: Path) -> list[str]:
    """Python files in code/ that no module owns."""
    owned = {f"code/{module.slug}.py" for module in among}
    lines = []
    for name in walk(root, root / "code") if (root / "code").is_dir() else ():
        if name == "code/__init__.py":
            lines.append("code/__init__.py would hide the standard library's module `code`; delete it")
        elif is_exercise(name) and name not in owned:
            lines.append(f"{name} belongs to no module of lessons/syllabus.toml; move it elsewhere or add the module")
    return lines
