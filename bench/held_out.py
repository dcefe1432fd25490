"""The test trials of a data set, performed when they are wanted, for those who have a trained model and no data set.

    data = held_out("openmanipulator_x", ("pick_place_300g", "force_z_plus", "force_z_plus_reference"))
    judged(recipe, setting, params, data, data.robot, explicit=False)        # of bench.training.program

They are those that `bench record` would record, commands, labels and all; no model has learned from them. Thirty
seconds of arm take about one. Needs pyarrow.
"""

import atexit
import shutil
import sys
import tempfile
from collections.abc import Collection
from functools import cache
from pathlib import Path

from rich.progress import track

from bench.recording import DataSet, write
from bench.teleop.nad import plans, trials
from bench.teleop.trial import record

TRAINED = Path(__file__).parent.parent / "data" / "trained" / "openmanipulator_x-transformer-small.ckpt"  # a model


def held_out(robot: str, tasks: Collection[str]) -> DataSet:
    """A data set of the test trial of each of these tasks, in a folder that is gone when the process ends.

    robot: as in bench.arms. tasks: rows of `bench record --list ROBOT`. Raises ValueError for an unknown name. What
    was performed once is remembered.
    """
    if robot not in plans():
        raise ValueError(f"No arm is called {robot!r}; there are: {', '.join(sorted(plans()))}")
    return _performed(robot, tuple(tasks))


@cache
def _performed(robot: str, tasks: tuple[str, ...]) -> DataSet:
    tests = [trial for trial in trials(plans()[robot], 0, tasks, only=3) if trial.split == "test"]
    folder = Path(tempfile.mkdtemp(prefix="held_out_"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    quiet = not sys.stdout.isatty()
    recordings = (record(trial) for trial in track(tests, "performing", transient=True, disable=quiet))
    return DataSet(write(folder / robot, recordings))
