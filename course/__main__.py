"""`python3 -m course`: see to it that the requirements are there, then do what was asked."""

from course import bootstrap


def main():
    """Run the command line. Also the entry point of the installed command `course`."""
    bootstrap.enter("course")
    from course.cli import main as command_line  # only now: it needs what `enter` may have had to install

    command_line()


if __name__ == "__main__":
    main()
