"""`python3 -m bench`: see to it that the requirements are there, then run a command of the lab."""

import sys

from course import bootstrap


def main():
    """Run the command line."""
    try:
        bootstrap.enter("bench")
        if bootstrap.missing(["lab"]):
            sys.exit(f"The lab needs more packages. Type: {bootstrap.install_command('lab')}")
        from bench.cli import main as command_line  # only now: it needs what `enter` may have had to install

        command_line()
    except KeyboardInterrupt:  # while all this is being imported; later, the command sees to it
        print("\nStopped.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
