"""Recordings of other programs, read as ours.

    source = open_source(path, Units("degrees"))     # a LeRobot v2.1 or v3.0 set, or logs of a servo pendulum
    source.notes                                     # what was left out, and why
    write(folder, source.recordings())

Nothing is guessed: where a file does not say a unit, the caller must.
"""

from bench.importing.source import Source, open_source
from bench.importing.units import Units

__all__ = ["Source", "Units", "open_source"]
