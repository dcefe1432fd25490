"""What students get: a folder in which they can work, with no check and no answer to what is being asked in it.

Only what is named here gets into it. A second release into the same folder is an update of that folder, so what
somebody has written there stays.
"""

import json
import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Template

from course import __version__
from course.files import write_atomically
from course.releasing.master import builds_on, lesson, prose_and_code, solution, without_markers
from course.skeleton import skeleton
from course.syllabus import Module, UserError
from course.update import update
from course.updating.base import manifest_file, save_manifest
from course.updating.source import Version

MARK = "release.json"  # says that a folder is a release, and of what
FOLDERS = ("bench/", "course/", "models/", "data/")
AT_THE_TOP = {
    *("LICENSE", "CITATION.cff", "pyproject.toml", "requirements.txt", "environment.yml"),
    *(".gitignore", ".gitattributes"),
}
TEMPLATE = Path(__file__).parent / "handout.md"


def release(modules: Sequence[Module], into: Path, root: Path) -> list[str]:
    """Write the students' copy of these modules, or renew it, and return the lines to print. Raises UserError.

    into: a new or empty folder, or an earlier release.
    """
    into = into.absolute()
    first = not (into / MARK).exists()
    if first and not is_empty(into):
        raise UserError(f"{into} is not empty and is no earlier release; name a new folder")
    content = files(modules, root)
    # First of all, so that the same command finishes what a killed one has begun.
    write_atomically(into / MARK, content[MARK])
    if not manifest_file(into).exists() and not (into / ".git").exists():
        save_manifest(into, {}, complete=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, data in content.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        lines = update(folder, root=into)
    names = ", ".join(module.name for module in modules)
    lines = [*([] if first else lines), f"{into}: what students get of {names}; {len(content)} files"]
    with_it = [f"solutions/{slug}.py" for slug in builds_on(modules, root)]
    return lines + ([f"With it come answers that these modules build on: {', '.join(with_it)}"] if with_it else [])


def is_empty(folder: Path) -> bool:
    """Whether nothing would be lost in a folder, which need not exist yet; a git repository without files is empty."""
    if folder.exists() and not folder.is_dir():
        return False
    return not folder.exists() or all(path.name == ".git" for path in folder.iterdir())


def files(modules: Sequence[Module], root: Path) -> dict[str, bytes]:
    """{name: content} of everything in the students' copy. Raises UserError."""
    needed = builds_on(modules, root)
    for module in modules:
        if module.slug in needed:
            raise UserError(
                f"solutions/{module.slug}.py answers {module.name}, and another module that you name imports it; "
                "release the two one after the other"
            )
    there = Version(root).files()
    names = [name for name in there if name.startswith(FOLDERS) or name in AT_THE_TOP]
    pages = [*root.glob("lessons/*.md"), *(lesson(module, root) for module in modules)]
    names += [page.relative_to(root).as_posix() for page in pages]
    names += pictures(pages, there)
    content = {name: (root / name).read_bytes() for name in names}
    content |= {f"code/{m.slug}.py": skeleton(solution(m, root)).encode() for m in modules}
    if needed:
        content["solutions/__init__.py"] = (root / "solutions" / "__init__.py").read_bytes()
    for slug in needed:
        text = (root / "solutions" / f"{slug}.py").read_text(encoding="utf-8")
        content[f"solutions/{slug}.py"] = without_markers(text).encode()
    syllabus = (root / "lessons" / "syllabus.toml").read_text(encoding="utf-8")
    content["lessons/syllabus.toml"] = rows(syllabus, {m.slug for m in modules}).encode()
    content["README.md"] = readme(modules).encode()
    mark = {"course": __version__, "modules": [m.slug for m in modules]}
    return content | {MARK: (json.dumps(mark, indent=1) + "\n").encode()}


def pictures(pages: Iterable[Path], there: Iterable[str]) -> list[str]:
    """The files in lessons/figures/ that a page names."""
    text = "\n".join(
        prose_and_code(page) if page.suffix == ".ipynb" else page.read_text(encoding="utf-8") for page in pages
    )
    return [name for name in there if name.startswith("lessons/figures/") and name.removeprefix("lessons/") in text]


def rows(syllabus: str, slugs: set[str]) -> str:
    """The text of a syllabus with the rows of these modules only."""
    head, *modules = re.split(r"^(?=\[\[module\]\])", syllabus, flags=re.M)
    kept = [row for row in modules if (m := re.search(r'^slug\s*=\s*["\'](\w+)', row, re.M)) and m[1] in slugs]
    return head + "".join(kept)


def readme(modules: Sequence[Module]) -> str:
    """The README of the students' copy."""
    table = "\n".join(f"| {m.number:02d} | {m.slug} | {m.title} | {m.minutes} | {m.points} |" for m in modules)
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(rows=table, slug=modules[0].slug)
