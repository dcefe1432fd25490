"""Words to the person at the terminal, from an interpreter that may have nothing installed. Standard library only.

Everything goes to standard error: standard output belongs to the command that was asked for. Modules that a usual start
does not need are imported where they are used, here and in the files around; that saves every command some 20 ms.
"""

from __future__ import annotations

import contextlib
import os
import sys

WINDOWS = os.name == "nt"


class Stop(SystemExit):
    """Ends the program with one line on standard error and exit code 1."""


def say(line: str) -> None:
    """One line to the person at the terminal."""
    print(line, file=sys.stderr, flush=True)


@contextlib.contextmanager
def ctrl_c_stops_cleanly():
    """Ctrl-C ends in one line and the exit code that shells expect."""
    try:
        yield
    except KeyboardInterrupt:
        say(f"\nStopped. To go on, type: {command()}")
        sys.exit(130)


def command() -> str:
    """What the user types to reach the course, so that every message names a command that works."""
    return os.environ.get("COURSE_COMMAND", "python3 -m course")


def how_called(module: str) -> str:
    """The command that the user typed, without its arguments: "python3 -m course", "course", ..."""
    if os.path.basename(sys.argv[0]) != "__main__.py":
        return as_typed(sys.argv[0])
    python = getattr(sys, "orig_argv", [sys.executable])[0]
    if WINDOWS and os.path.isabs(python) and sys.prefix == sys.base_prefix:
        python = "py"  # the launcher hides behind the interpreter that it starts
    return f"{as_typed(python)} -m {module}"


def as_typed(program: str) -> str:
    """A program as one would type it: by its bare name where that will do, else its path, quoted if need be."""
    name = os.path.basename(program)
    if name == program:
        return program
    import shutil

    name = name[:-4] if name.lower().endswith(".exe") else name
    found = shutil.which(name)
    # Any plain Python will do, for it leads back here. Another program, or an environment's Python, must be this one.
    plain = name.startswith("python") and sys.prefix == sys.base_prefix
    if found and (plain or os.path.realpath(found) == os.path.realpath(program)):
        return name
    return quoted(program)


def quoted(text: str) -> str:
    """One argument of a command line, for the shell of this system."""
    if WINDOWS:
        return f'"{text}"' if " " in text else text
    import shlex

    return shlex.quote(text)


def tilde(path: str) -> str:
    """A path with the home directory as ~, shorter and fit to be shown to others."""
    home = os.path.expanduser("~")
    return "~" + path[len(home) :] if path.startswith(home + os.sep) else path
