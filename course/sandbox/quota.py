"""What the kernel sets no limit to, and so is looked at from outside: threads, and all files together."""

import contextlib
import os
from pathlib import Path

THREADS = 100 + 8 * (os.cpu_count() or 1)  # JAX starts some for each processor
FILES = 10_000  # an empty one takes memory too
SCRATCH = 64 * 2**20  # bytes that a file of a student's may write in all


def too_many_threads(process: int) -> bool:
    """Whether a process takes numbers that the whole computer shares. Raises OSError when it has ended."""
    return os.stat(f"/proc/{process}/task").st_nlink - 2 > THREADS


def too_many_files(file_system: str) -> bool:
    """Whether a file system of its own, whose bytes the kernel counts, has too many files."""
    there = os.statvfs(file_system)
    return there.f_files - there.f_ffree > FILES


def overfull(scratch: Path, process: int, most: int = SCRATCH) -> bool:
    """Whether a folder in which a process is writing holds too much, or hides what it holds. most: bytes."""
    size, files, folders = _without_a_name(scratch, process), 0, [str(scratch)]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    files += 1
                    size += _blocks(entry.path)
                    if size > most or files > FILES:
                        return True
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            continue  # gone in the meantime
        except OSError:
            return True  # closed to its owner, or deeper than a path can be long
    return size > most


def _without_a_name(scratch: Path, process: int) -> int:
    """Bytes of the files that were removed while they are open or mapped. Raises OSError when the process has ended."""
    size = 0
    for number in os.listdir(f"/proc/{process}/fd"):
        with contextlib.suppress(FileNotFoundError):  # closed in the meantime
            if os.readlink(opened := f"/proc/{process}/fd/{number}").endswith(" (deleted)"):
                size += _blocks(opened, follow=True)
    with open(f"/proc/{process}/maps", "rb") as maps:
        for line in maps:
            if line.endswith(b" (deleted)\n") and os.fsencode(scratch) in line:
                begin, _, end = line.split()[0].partition(b"-")
                size += int(end, 16) - int(begin, 16)
    return size


def _blocks(path: str, follow: bool = False) -> int:
    try:
        return os.stat(path, follow_symlinks=follow).st_blocks * 512
    except OSError:
        return 0
