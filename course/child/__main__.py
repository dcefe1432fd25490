"""The process in which a student's file runs.

Start it as `python -m course.child CONFINEMENT [MODULE TO IMPORT IN ADVANCE ...]` with the protocol on standard input
and output. CONFINEMENT: what confine.py applies, as JSON; {} for nothing.
"""

import json
import sys

from course.child.confine import confine


def main() -> None:
    wanted = json.loads(sys.argv[1])
    layers = confine(wanted) if wanted else []
    # Only now: NumPy starts threads, and what is closed to this one would stay open to them.
    from course.child.server import serve

    serve(layers, sys.argv[2:])


if __name__ == "__main__":
    main()
