"""A copy of the course with a different word hidden in every answer, check and mutant, and a search for such words."""

import base64
import io
import shutil
import zipfile
from pathlib import Path

from course.skeleton import answer, blocks, lines_of, replace
from course.syllabus import ROOT, Module, modules

WORD = "canary{:04d}quirk"
FOLDERS = ("bench", "code", "course", "lessons", "models", "data", "solutions", "tests")
JUNK = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "grading")


def course_with_canaries(folder: Path) -> tuple[Path, list[str]]:
    """Copy the course into a folder, plant a word in each secret, and return the folder and the words."""
    words: list[str] = []
    for name in FOLDERS:
        if (ROOT / name).is_dir():
            # The tests of the grader hold no secret; its code is copied with the rest of course/.
            shutil.copytree(
                ROOT / name, folder / name, ignore=JUNK if name == "tests" else shutil.ignore_patterns("__pycache__")
            )
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    for module in modules():
        path = folder / "solutions" / f"{module.slug}.py"
        path.write_text(with_words(path.read_text(encoding="utf-8"), words), encoding="utf-8")
        for path in (folder / "tests" / f"test_{module.slug}.py", folder / "tests" / "mutants" / f"{module.slug}.py"):
            path.write_text(f"{path.read_text(encoding='utf-8')}\nHIDDEN = '{new_word(words)}'\n", encoding="utf-8")
    return folder, words


def with_words(solution: str, words: list[str]) -> str:
    """The solution with a word as a comment, a name and a text in each answer."""
    lines = lines_of(solution)
    planted = {}
    for block in blocks(solution):
        indent = lines[block.begin][: -len(lines[block.begin].lstrip())]
        word = new_word(words)
        own = f"{indent}{word} = '{word}'  # {word}\n{answer(solution, block.todo)}"
        planted[block.todo] = f"{lines[block.begin]}{own}{lines[block.end - 1]}"
    return replace(solution, planted)


def new_word(words: list[str]) -> str:
    words.append(WORD.format(len(words)))
    return words[-1]


def found(folder: Path, words: list[str]) -> set[str]:
    """The words that stand in the files of a folder or in their names, plain, in base64 or packed in zip files."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {word for word in words if any(holds(word, name.encode() + b"\n" + data) for name, data in files.items())}


def holds(word: str, data: bytes) -> bool:
    if any(form in data for form in forms(word)):
        return True
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return any(holds(word, name.encode() + b"\n" + archive.read(name)) for name in archive.namelist())
    return False


def forms(word: str) -> list[bytes]:
    """The word as it is and as base64 writes it, whatever stands before it."""
    shifted = [base64.b64encode(b"x" * shift + word.encode()).rstrip(b"=")[:-1] for shift in range(3)]
    return [word.encode(), *(code[(4 * shift + 2) // 3 :] for shift, code in enumerate(shifted))]


def answered(module: Module) -> dict[str, str]:
    """{TODO: the lines of its answer}, without a word in them: what a student may have written."""
    text = module.solution.read_text(encoding="utf-8")
    return {todo.name: answer(text, todo.name) for todo in module.todos}
