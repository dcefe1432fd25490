"""The committed sample: sound, small, and what its own command makes today."""

from pathlib import Path

import numpy as np
import pytest

from bench.recording import DataSet, faults
from bench.teleop import trial as performing
from bench.teleop.nad import plans, trials

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
SETS = sorted(path.name for path in SAMPLE.iterdir())


def test_it_is_small():
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < 700_000


@pytest.mark.parametrize("name", SETS)
def test_nothing_is_wrong_with_it(name):
    data = DataSet(SAMPLE / name)
    for recording in data:
        assert [fault for fault in faults(recording) if fault.error] == []
        assert recording.robot == plans()[name].robot


@pytest.mark.parametrize("name", SETS)
def test_its_command_still_makes_it(name):
    """A change of the virtual arms or of the operator asks for a new sample (data/README.md has the commands).

    Another processor may round a command to the next tick, and what the arm makes of it may differ a little, where
    sticking ends a tick earlier or later.
    """
    data = DataSet(SAMPLE / name)
    made = data.made_by
    wanted = trials(plans()[made["set"]], made["seed"], made["tasks"], made["trials"])
    assert [(entry.task, entry.split, entry.length) for entry in data.entries] == [
        (trial.row.task, trial.split, trial.frames) for trial in wanted
    ]
    trial = wanted[-1]
    again, stored = performing.record(trial), data[len(data) - 1]
    np.testing.assert_allclose(again["q_cmd"], stored["q_cmd"], atol=0.002)
    assert np.abs(again["q"] - stored["q"]).mean() < 2e-3
    assert np.abs(again["effort"] - stored["effort"]).mean() < 0.02
