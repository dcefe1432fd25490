"""Where a new version of the course comes from: a git remote or address, a folder, or a zip file."""

import lzma
import shutil
import stat
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from course.report import command
from course.syllabus import UserError
from course.updating.base import walk
from course.updating.git import git, is_clone, says_yes

MOST_BYTES = 200 * 2**20  # of an unpacked zip file: the course is far smaller, a zip bomb is larger
MOST_FILES = 20_000


@dataclass(frozen=True)
class Version:
    """A version of the course, ready to be read."""

    folder: Path
    commit: str | None = None  # set if it came from git into this clone

    def files(self) -> list[str]:
        """Its files, relative and with forward slashes; of a clone, those that git does not ignore."""
        names = list(walk(self.folder))
        if is_clone(self.folder):
            listed = git(self.folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
            names = [name for name in names if name in set(listed)]
        return names


@contextmanager
def fetch(source: str | None, root: Path) -> Iterator[Version]:
    """The version that source names. What it needs on the disk is gone afterwards. Raises UserError."""
    incoming = root / ".course" / "incoming"
    shutil.rmtree(incoming, ignore_errors=True)  # of an update that was killed
    incoming.mkdir(parents=True, exist_ok=True)
    try:
        version = open_source(source, root, incoming)
        folder = course_folder(version.folder)
        if folder is None:
            raise UserError(
                f"{source or 'The remote'} is no version of this course: lessons/syllabus.toml is not in it"
            )
        if folder.resolve() == root.resolve():
            raise UserError(f"{source} is this course itself; give the folder of the new version")
        yield Version(folder, version.commit)
    finally:
        shutil.rmtree(incoming, ignore_errors=True)


def open_source(source: str | None, root: Path, incoming: Path) -> Version:
    """Find out what kind of source it is, and get it."""
    clone = is_clone(root)
    remotes = git(root, "remote").split() if clone else []
    if source is None:
        if "origin" not in remotes:
            raise UserError(f"Say where the new version is: {command()} update FOLDER, FILE.zip or a git address")
        source = "origin"
    path = Path(source).expanduser()
    if source in remotes:
        return from_git(source, root, incoming)
    if path.is_dir():
        if not is_bare(path):
            return Version(path.resolve())
        source = str(path.resolve())
    elif path.is_file():
        unzip(path, incoming / "tree")
        return Version(incoming / "tree")
    if is_bare(path) or "://" in source or ("@" in source and ":" in source):
        return from_git(source, root, incoming) if clone else cloned(source, root, incoming)
    raise UserError(f"No folder, zip file or git remote is called {source}; check the name")


def is_bare(folder: Path) -> bool:
    """Whether a folder is a git repository without files of its own, as on a server or a shared disk."""
    return (folder / "objects").is_dir() and (folder / "HEAD").is_file()


def from_git(source: str, root: Path, incoming: Path) -> Version:
    """Fetch into this clone, and write the files of the fetched commit beside it."""
    print(f"Fetching from {source} ...", file=sys.stderr, flush=True)
    git(root, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--", source, branch(source, root))
    commit = git(root, "rev-parse", "FETCH_HEAD^{commit}").strip()
    # git writes the files itself, as it would into the clone: with this system's line ends.
    index = incoming / "index"
    git(root, "read-tree", commit, index=index)
    git(root, "checkout-index", "--all", "--force", f"--prefix={incoming / 'tree'}/", index=index)
    return Version(incoming / "tree", commit)


def branch(source: str, root: Path) -> str:
    """The branch of a remote that this clone follows, its main one if it follows none."""
    if says_yes(root, "symbolic-ref", "--quiet", "HEAD"):
        here = git(root, "symbolic-ref", "--short", "HEAD").strip()
        setting = git(root, "config", "--default", "", "--get", f"branch.{here}.remote").strip()
        if setting == source:
            return git(root, "config", "--default", "HEAD", "--get", f"branch.{here}.merge").strip()
    return "HEAD"


def cloned(source: str, root: Path, incoming: Path) -> Version:
    """The newest commit of a git address, for a course folder that is no clone."""
    print(f"Fetching from {source} ...", file=sys.stderr, flush=True)
    git(root, "clone", "--quiet", "--depth=1", "--no-tags", "--", source, str(incoming / "tree"))
    return Version(incoming / "tree")


def course_folder(folder: Path) -> Path | None:
    """The folder with the course in it: this one, or the only one inside (a zip file often has one around all)."""
    inside = [x for x in folder.iterdir() if x.is_dir() and x.name != "__MACOSX"] if folder.is_dir() else []
    for candidate in [folder, *inside[: 1 if len(inside) == 1 else 0]]:
        if (candidate / "lessons" / "syllabus.toml").is_file():
            return candidate
    return None


def unzip(path: Path, into: Path) -> None:
    """Unpack a zip file of the course, which may be damaged or malicious."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [(checked(entry, path), entry) for entry in archive.infolist() if not is_link(entry)]
            if len(entries) > MOST_FILES or sum(entry.file_size for _, entry in entries) > MOST_BYTES:
                raise UserError(f"{path} is too large for this course: more than {MOST_BYTES // 2**20} MB unpacked")
            for name, entry in entries:
                unpack(archive, entry, into / name)
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, ValueError) as error:
        raise UserError(f"{path} is no zip file or is damaged; fetch it again") from error


def checked(entry: zipfile.ZipInfo, path: Path) -> PurePosixPath:
    """The name of an entry, if it stays inside the folder into which it is unpacked."""
    name = PurePosixPath(entry.filename.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or ":" in entry.filename:
        raise UserError(f"{path} is refused: its entry {entry.filename!r} would land outside the folder")
    if entry.flag_bits & 1:
        raise UserError(f"{path} is encrypted; unpack it yourself and give the folder")
    return name


def is_link(entry: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(entry.external_attr >> 16)


def unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> None:
    """Write one entry. zipfile reads no more than the size that the entry states, which was added up before."""
    if entry.filename.endswith(("/", "\\")):
        target.mkdir(parents=True, exist_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(entry) as packed, target.open("wb") as file:
        shutil.copyfileobj(packed, file)
    if entry.external_attr >> 16 & 0o100:
        target.chmod(target.stat().st_mode | 0o111)
