"""Recordings: what an arm was told, what it reported and what it felt, tick by tick; on disk the LeRobot v3.0 layout.

    data = DataSet("data/sample/so101")       # opens a set; reads frames when they are asked for
    recording = data[0]                       # one episode
    recording["q"]                            # rad, shape (frames, joints); columns and units: bench.recording.columns
    write("my_set", [recording, ...])         # whole or not at all
    faults(recording)                         # what is wrong with it

SI units, radians, the robot's base frame; force is that of the environment on the robot. Needs pyarrow.
"""

from bench.recording.columns import COLUMNS, Column
from bench.recording.episode import Recording
from bench.recording.errors import RecordingError
from bench.recording.faults import Fault, faults
from bench.recording.reader import DataSet, Entry
from bench.recording.writer import write

__all__ = ["COLUMNS", "Column", "DataSet", "Entry", "Fault", "Recording", "RecordingError", "faults", "write"]
