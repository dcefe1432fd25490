"""`python3 -m bench`: the commands of the lab. They come with the modules that need them."""

from course import bootstrap
from course.installing.environment import python_to_type

PLANNED = "record, import, info and replay (recordings), arm (the SO-101, real or emulated)"


def main():
    """Say what there is and what is planned."""
    bootstrap.enter("bench")
    print(f"The lab has no commands yet; planned: {PLANNED}.")
    print(f"What runs today: {python_to_type()} -m bench.cover, which draws the picture at the top of the README.")


if __name__ == "__main__":
    main()
