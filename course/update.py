"""`course update`: a new version of the course in a folder in which somebody has worked."""

from pathlib import Path

from course.files import backup_folder, one_line, refusal, sweep
from course.lab import renew_copies
from course.syllabus import ROOT, UserError
from course.updating.base import committed, ensure_base, made_skeleton, manifest, save_manifest
from course.updating.exercises import finish, remove_exercises, update_exercise
from course.updating.git import git, is_clone, says_yes
from course.updating.shipped import Done, remove_files, replace_files
from course.updating.source import Version, fetch

# Everything is imported above and nothing later: the files of this very program may be replaced while it runs.

MOST_NAMES = 8  # of files to list of one kind


def update(source: str | None = None, root: Path = ROOT) -> list[str]:
    """Merge a new version of the course into the student's files, and return what happened, one line each.

    source: a git remote or address, a folder or a zip file; None is the remote called origin. Raises UserError. Each
    file is replaced in one step, and what it was is kept first; after a crash the same command finishes the work.
    """
    with one_line(None, root):
        ensure_base(root)
        finish(root)
        with fetch(source, root) as version:
            return bring(version, root)


def bring(version: Version, root: Path) -> list[str]:
    """Bring a version into the course folder: exercises, other files, working copies, and the notes on all that."""
    backups = backup_folder(root)
    lines, problems = update_exercises(version, root, backups)

    shipped, complete = manifest(root)
    known = {name: {hashed} for name, hashed in shipped.items()}
    if is_from_course(version, root):
        for name, hashed in committed(root).items():
            known.setdefault(name, set()).add(hashed)
    done = replace_files(root, version, known, backups)
    gone = sorted(name for name in shipped if name not in done.hashes)
    if complete:
        remove_files(root, gone, known, done)
    lines += [*done.lines, *summary(done), *renew_copies(root)]
    problems += done.problems
    if problems:
        raise UserError("\n".join([*lines, *problems, "The update is not complete: mend that and run it again."]))

    save_manifest(root, done.hashes, complete=True)
    lines += settle_git(version, root)
    return lines or ["You have this version already; nothing changed."]


def update_exercises(version: Version, root: Path, backups: Path) -> tuple[list[str], list[str]]:
    """Bring each exercise of the new version into code/. Returns what there is to say, and what went wrong."""
    lines, problems = [], []
    slugs = exercises_of(version.folder)
    for slug in sorted(slugs):
        path = root / "code" / f"{slug}.py"
        new = made_skeleton(version.folder, slug)
        if new is None:
            problems.append(f"code/{slug}.py: kept, for the new version has no skeleton of it")
            continue
        try:
            lines += update_exercise(root, slug, new, backups)
        except OSError as error:
            problems.append(refusal(error, path, root))
        except UserError as error:
            problems.append(str(error))
    sweep(root / "code")
    return lines + list(remove_exercises(root, slugs, backups)), problems


def exercises_of(folder: Path) -> set[str]:
    """The slugs of the exercises of a version."""
    there = {path.stem for path in (folder / "code").glob("*.py")}
    return there | {path.stem for path in (folder / "solutions").glob("*.py") if made_skeleton(folder, path.stem)}


def summary(done: Done) -> list[str]:
    """One line for each kind of change, with the names as far as they can be read at a glance."""
    lines = []
    for kind, names in (("new", done.added), ("replaced", done.replaced), ("removed", done.removed)):
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        if names:
            lines.append(f"{len(names)} {kind}: {', '.join(names[:MOST_NAMES])}{more}")
    return lines


def is_from_course(version: Version, root: Path) -> bool:
    """Whether what is committed here came with the course, and is not a commit of the user's own."""
    if not is_clone(root):
        return False
    if version.commit and says_yes(root, "merge-base", "--is-ancestor", "HEAD", version.commit):
        return True
    return says_yes(root, "rev-parse", "--verify", "--quiet", "HEAD") and bool(
        git(root, "branch", "--remotes", "--contains", "HEAD").strip()
    )


def settle_git(version: Version, root: Path) -> list[str]:
    """Let a clone stand at the new commit, so that `git status` shows the user's own changes and nothing else."""
    if not is_clone(root):
        return []
    alone = "git is left as it was, so `git status` lists the new version as changes"
    if version.commit is None:
        return [f"{alone}."] if git(root, "status", "--porcelain").strip() else []
    if says_yes(root, "merge-base", "--is-ancestor", version.commit, "HEAD"):
        return []  # it stands there, or further on
    if not says_yes(root, "merge-base", "--is-ancestor", "HEAD", version.commit):
        return [
            f"{alone}: there are commits of yours. To join: commit all, then git merge -s ours {version.commit[:10]}"
        ]
    if not says_yes(root, "diff", "--cached", "--quiet"):
        return [f"{alone}: something is staged. Type git restore --staged . and update again"]
    if is_busy(root):
        return [f"{alone}: a merge or rebase is going on. Finish it and update again"]
    git(root, "reset", "--quiet", "--mixed", version.commit)
    return []


def is_busy(root: Path) -> bool:
    """Whether git is in the middle of something that a reset would end."""
    folder = root / git(root, "rev-parse", "--git-dir").strip()
    return any((folder / name).exists() for name in ("MERGE_HEAD", "CHERRY_PICK_HEAD", "rebase-merge", "rebase-apply"))
