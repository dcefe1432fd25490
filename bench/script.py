"""How an exercise script talks to the terminal: parts, and one kind line for an unfinished TODO."""

import sys
from collections.abc import Callable


def part(letter: str, title: str) -> None:
    """Print the heading of one part of the lesson."""
    print(f"\nPart {letter}. {title}")


def run_script(main: Callable[[], None]) -> None:
    """Run main(). An unfinished TODO ends the script with one line and exit code 1 instead of a traceback."""
    try:
        main()
    except NotImplementedError as stop:
        if not str(stop).startswith("TODO(you): "):
            raise
        name = str(stop).removeprefix("TODO(you): ")
        sys.exit(f"\nNext: write {name}() in {sys.argv[0]}, then run this again.")
    except KeyboardInterrupt:
        sys.exit("\nStopped.")
