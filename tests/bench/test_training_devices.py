"""The NeuralActuator itself, trained on one device and on two that share each batch."""

import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("flax")
pytest.importorskip("pyarrow")

SHARED = """
import json
from functools import partial
from bench.recording import DataSet
from bench.tracks import track_of
from bench.training import Batches, adamw, begin, spread, update_of
from bench.training_data import SAMPLE, episodes
from bench.xla import jax
from solutions.neural_actuator import RECIPE
tracks = [track_of(e, RECIPE.labels(e.force, e.force_valid)) for e in episodes(DataSet(SAMPLE / "so101"), "train")]
setting = RECIPE.setting("so101", tracks, "transformer", False)
optimizer = adamw(1e-3, 5)
update = update_of(RECIPE.loss(setting, "so101", False), optimizer, 0.9)
horizon = partial(RECIPE.horizon, stages=((0, 3), (4, 2)))
batches, terms = Batches(tracks, horizon, RECIPE.history, singles=32, rollouts=4), ([], [])
for shared in (False, True):
    state = begin(RECIPE.init(setting, "small", jax.random.key(0)), optimizer)
    for step in range(5):
        samples = batches(step)
        if shared:
            state, samples = spread(state, samples)
        state, found = update(state, samples)
        used = len(found["loss"].sharding.device_set)
        terms[shared].append({name: float(value) for name, value in found.items()} | {"devices": used})
print(json.dumps(terms))
"""


def test_two_devices_train_the_neural_actuator_as_one_does():
    """Three single steps and two rollouts: every term of the loss, to what float32 lets through."""
    # Compiled in a hurry: five steps are all that there is to do.
    more = "--xla_force_host_platform_device_count=2 --xla_backend_optimization_level=0"
    environment = os.environ | {"XLA_FLAGS": f"{os.environ.get('XLA_FLAGS', '')} {more}"}
    done = subprocess.run(
        [sys.executable, "-c", SHARED], env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    for one, two in zip(*json.loads(done.stdout), strict=True):
        assert (one.pop("devices"), two.pop("devices")) == (1, 2)
        assert one == pytest.approx(two, rel=1e-4)
