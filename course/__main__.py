"""`python3 -m course`: see to it that the requirements are there, then do what was asked."""

import sys

from course import bootstrap


def main():
    """Run the command line. Also the entry point of the installed command `course`."""
    try:
        bootstrap.enter("course")
        from course.cli import main as command_line  # only now: it needs what `enter` may have had to install

        command_line()
    except KeyboardInterrupt:  # while all this is being imported; later, each command sees to it
        print("\nStopped.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
