"""A module from the start: the skeleton again, the student's file in a dated backup."""

from pathlib import Path

from course import progress
from course.files import back_up, is_elsewhere, one_line, read, replace_unchanged, sweep, write_atomically
from course.report import command
from course.syllabus import ROOT, Module, UserError
from course.updating.base import made_skeleton, skeleton_base, skeleton_of, text_of


def reset(module: Module, root: Path = ROOT) -> list[str]:
    """Put the skeleton of a module in place of the student's file, and return the lines to print.

    It asks nothing of the student's file: it may be missing, broken or in any encoding. Raises UserError.
    """
    path = root / "code" / f"{module.slug}.py"
    name = f"code/{path.name}"
    base = skeleton_base(root, module.slug)
    wanted = starting_point(module, root)
    if wanted is None:
        raise UserError(f"There is no skeleton for {module.slug}; {command()} update brings one")
    with one_line(path, root):
        if is_elsewhere(path, root):
            raise UserError(f"{name} is a link or in a linked folder; put a plain file in its place first")
        if path.is_dir():
            raise UserError(f"{name} is a folder; move it elsewhere first")
        sweep(path.parent)
        old = read(path)
        if old is not None and text_of(path) == wanted:
            lines = [f"{name} is the skeleton already; nothing changed."]
        else:
            lines = [f"{name} is the skeleton again."]
            if old is not None:
                copy = back_up(path, root, content=old)
                lines.append(f"Your file is kept as {copy.relative_to(root).as_posix()}")
            replace_unchanged(path, old, wanted.encode())
        if text_of(base) != wanted:
            write_atomically(base, wanted.encode())
    progress.start_again(module, root / ".course" / "progress.json")
    return lines


def starting_point(module: Module, root: Path) -> str | None:
    """The skeleton from the solution, or where that is withheld, the one that this clone started with."""
    from_solution = skeleton_of(text_of(root / "solutions" / f"{module.slug}.py"))
    return from_solution or text_of(skeleton_base(root, module.slug)) or made_skeleton(root, module.slug)
