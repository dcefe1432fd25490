"""Gradescope's autograder for one module: a zip file in the layout that Gradescope documents.

setup.sh and run_autograder lie at its top, the part of the course that grades this module beside them. Instructors
upload it; it holds the checks and the answers.
"""

import io
import zipfile
from pathlib import Path

from course.files import read, write_atomically
from course.releasing.master import builds_on, solution
from course.releasing.students import FOLDERS, rows
from course.syllabus import Module, UserError
from course.updating.source import Version

HERE = Path(__file__).parent
COURSE = "inside-the-actuator/"  # the folder with the course in it, as the two scripts call it
AT_THE_TOP = ("LICENSE", "README.md", "pyproject.toml", "requirements.txt")
ALWAYS = (1980, 1, 1, 0, 0, 0)  # every entry's date, so that the same course makes the same bytes


def release(module: Module, target: Path, root: Path) -> list[str]:
    """Write the autograder of a module to a zip file, and return the lines to print. Raises UserError."""
    old = read(target)
    if old is not None and not is_autograder(old):
        raise UserError(f"{target} is there already and is no autograder; name a new file")
    content = files(module, root)
    write_atomically(target, zipped(content))
    return [
        f"{target}: the autograder of {module.name}, {len(content)} files. Checks and answers are in it, so it is for "
        f"Gradescope's upload page only. Make the assignment worth {module.points} points"
    ]


def is_autograder(content: bytes) -> bool:
    try:
        return "run_autograder" in zipfile.ZipFile(io.BytesIO(content)).namelist()
    except zipfile.BadZipFile:
        return False


def files(module: Module, root: Path) -> dict[str, bytes]:
    """{name: content} of everything in the autograder. Raises UserError."""
    solution(module, root)  # wrong markers are told here, and not in the container
    slugs = [module.slug, *builds_on([module], root)]
    names = [name for name in Version(root).files() if name.startswith(FOLDERS) or name in AT_THE_TOP]
    names += ["solutions/__init__.py", *(f"solutions/{slug}.py" for slug in slugs)]
    names += [f"tests/test_{slug}.py" for slug in slugs]
    if missing := [name for name in names if not (root / name).is_file()]:
        raise UserError(f"{missing[0]} is not there, so {module.name} cannot be graded with this copy")
    content = {COURSE + name: (root / name).read_bytes() for name in names}
    syllabus = (root / "lessons" / "syllabus.toml").read_text(encoding="utf-8")
    content[f"{COURSE}lessons/syllabus.toml"] = rows(syllabus, set(slugs)).encode()
    target = f".[{','.join(module.needs)}]" if module.needs else "."
    content["setup.sh"] = (HERE / "setup.sh").read_bytes().replace(b"@TARGET@", target.encode())
    content["run_autograder"] = (HERE / "run_autograder").read_bytes().replace(b"@MODULE@", module.slug.encode())
    return content


def zipped(content: dict[str, bytes]) -> bytes:
    """A zip file of this content; the two scripts can be run from it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(content):
            entry = zipfile.ZipInfo(name, ALWAYS)
            entry.create_system = 3  # Unix, whose permissions follow
            entry.external_attr = (0o644 if "/" in name else 0o755) << 16
            archive.writestr(entry, content[name], zipfile.ZIP_DEFLATED)
    return packed.getvalue()
