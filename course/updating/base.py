"""What this clone started from, kept in .course/base: the skeletons, and a hash of every other file of the course.

`course update` compares with it to tell what the student wrote from what the course wrote.
"""

import hashlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from course import skeleton
from course.files import write_atomically
from course.syllabus import ROOT

# What belongs to the student, to git or to a tool. Compared in lower case: a disk may not tell cases apart.
PRIVATE = {".git", "__pycache__", ".ipynb_checkpoints", ".pytest_cache", ".ruff_cache", ".mypy_cache", "node_modules"}
PRIVATE_AT_THE_TOP = {".course", ".venv", "venv", "lab"}
PRIVATE_ENDINGS = (".egg-info", ".tmp", ".pyc")


def ensure_base(root: Path = ROOT) -> None:
    """Note what the files of this clone are before anybody changes them. Milliseconds once, then next to nothing.

    A folder that cannot be written is no reason to stop: whoever called wanted something else.
    """
    try:
        for file in (root / "code").glob("*.py"):
            if not skeleton_base(root, file.stem).exists() and (text := made_skeleton(root, file.stem)) is not None:
                write_atomically(skeleton_base(root, file.stem), text.encode())
        if not manifest_file(root).exists():
            files = committed(root)
            # Without git nobody can tell the course's files from others that lie there.
            found = files or {name: blob_hash((root / name).read_bytes()) for name in walk(root)}
            save_manifest(root, found, complete=bool(files))
    except OSError:
        pass


def skeleton_base(root: Path, slug: str) -> Path:
    """Where the skeleton is kept that code/slug.py started as."""
    return root / ".course" / "base" / "code" / f"{slug}.py"


def made_skeleton(root: Path, slug: str) -> str | None:
    """The skeleton that a course folder has for an exercise, None if it has none.

    Where the solution was withheld, it is the file in code/, if there are no answers in it.
    """
    return skeleton_of(text_of(root / "solutions" / f"{slug}.py")) or untouched(text_of(root / "code" / f"{slug}.py"))


def skeleton_of(solution: str | None) -> str | None:
    """The skeleton of a solution, None where there is none or it has no markers, or wrong ones."""
    try:
        return skeleton.skeleton(solution) if solution is not None and skeleton.blocks(solution) else None
    except ValueError:
        return None  # an author's slip, which `course sync --check` reports


def untouched(exercise: str | None) -> str | None:
    """The text of an exercise if each `# TODO(you)` in it still has its stub, else None."""
    lines = skeleton.lines_of(exercise or "")
    asked = sum(line.strip().startswith("# TODO(you)") for line in lines)
    return exercise if 0 < asked == len(skeleton.open_todos(exercise or "")) else None


def text_of(path: Path) -> str | None:
    """The text of a file with plain line ends, None if it is not there or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def walk(root: Path, folder: Path | None = None) -> Iterator[str]:
    """The files of a course folder, relative and with forward slashes, without what is private or a link."""
    for path in sorted((folder or root).iterdir()):
        name = path.relative_to(root).as_posix()
        if path.is_symlink() or is_private(name):
            continue
        if path.is_dir():
            yield from walk(root, path)
        elif path.is_file():
            yield name


def is_private(name: str) -> bool:
    """Whether a file or folder (relative, forward slashes) is none of the course's."""
    parts = name.lower().split("/")
    return parts[0] in PRIVATE_AT_THE_TOP or any(p in PRIVATE or p.endswith(PRIVATE_ENDINGS) for p in parts)


def blob_hash(content: bytes) -> str:
    """The hash that git gives a file, so that a manifest can come from either."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def is_as_shipped(content: bytes, known: set[str]) -> bool:
    """Whether these bytes have one of the known hashes; git on Windows may have changed the line ends."""
    return blob_hash(content) in known or blob_hash(content.replace(b"\r\n", b"\n")) in known


def manifest_file(root: Path) -> Path:
    return root / ".course" / "base" / "manifest.json"


def manifest(root: Path) -> tuple[dict[str, str], bool]:
    """{file: hash} of the course version that this clone holds, and whether it names the course's files only.

    A damaged or missing one counts as empty.
    """
    try:
        found = json.loads(manifest_file(root).read_text(encoding="utf-8"))
        return dict(found["files"]), found["complete"] is True
    except (OSError, ValueError, KeyError, TypeError):
        return {}, False


def save_manifest(root: Path, files: dict[str, str], complete: bool) -> None:
    # The exercises have bases of their own.
    files = {name: files[name] for name in sorted(files) if not is_exercise(name) and not is_private(name)}
    text = json.dumps({"complete": complete, "files": files}, indent=0)
    write_atomically(manifest_file(root), text.encode())


def is_exercise(name: str) -> bool:
    """Whether a file of the course, code/slug.py, is one that students write in."""
    return name.startswith("code/") and name.endswith(".py") and name.count("/") == 1


def committed(root: Path) -> dict[str, str]:
    """{file: hash} of the commit that is checked out, empty where the folder is no git clone of its own."""
    if not (root / ".git").exists():
        return {}
    command = ["git", "-C", str(root), "ls-tree", "-r", "-z", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    rows = [row.partition("\t") for row in done.stdout.decode(errors="replace").split("\0") if row]
    return {name: info.split()[2] for info, _, name in rows if info.startswith("100")}  # plain files, no links
