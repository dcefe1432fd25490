"""The training loop: it learns, stops, goes on as if it had not stopped, and uses every device."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("flax")

from bench.training import CheckpointError, adamw, begin, cosine_with_floor, load, save, spread, train, update_of
from bench.xla import jax, jnp

ABOUT = {"robot": "so101", "size": "small"}
SLOPE, OFFSET = np.array([2.0, -1.0, 0.5]), 0.3


def loss(params, batch):
    error = batch["x"] @ params["slope"] + params["offset"] - batch["y"]
    square = jnp.mean(error**2)
    return square, {"square": square}


def batch(step, samples=8):
    """The samples of a step: drawn from its number alone."""
    x = np.random.default_rng([7, step]).normal(size=(samples, 3))
    return {"x": x, "y": x @ SLOPE + OFFSET}


def start():
    optimizer = adamw(peak=0.05, steps=400)
    return begin({"slope": jnp.zeros(3), "offset": jnp.zeros(())}, optimizer), update_of(loss, optimizer, decay=0.9)


def test_it_finds_the_line():
    state, update = start()
    state = train(state, update, batch, 400)
    np.testing.assert_allclose(state.params["slope"], SLOPE, atol=0.02)
    np.testing.assert_allclose(state.average["offset"], OFFSET, atol=0.02)


def test_the_rate_falls_to_its_floor_and_stays():
    rate = cosine_with_floor(1e-3, steps=100, floor=0.1, warm_up=10)
    assert [float(rate(step)) for step in (0, 10, 100, 5000)] == pytest.approx([0, 1e-3, 1e-4, 1e-4])
    assert float(rate(55)) == pytest.approx(1e-4 + 0.5 * 9e-4, rel=1e-3)  # half way down the cosine


def test_a_gradient_that_is_not_finite_changes_nothing_but_the_count():
    state, update = start()
    after, terms = update(state, batch(0) | {"y": np.full(8, np.nan)})
    assert int(after.step) == 1
    assert np.isnan(terms["loss"])
    jax.tree.map(np.testing.assert_array_equal, after.params, state.params)
    jax.tree.map(np.testing.assert_array_equal, after.optimizer, state.optimizer)


def test_it_goes_on_from_its_file_as_if_it_had_not_stopped(tmp_path):
    whole = train(*start(), batch, 30)
    train(*start(), batch, 12, file=tmp_path / "run.ckpt", about=ABOUT)
    again = train(*start(), batch, 30, file=tmp_path / "run.ckpt", about=ABOUT)
    jax.tree.map(np.testing.assert_array_equal, again, whole)
    assert [path.name for path in tmp_path.iterdir()] == ["run.ckpt"]


KILLED = """
import sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_training import ABOUT, batch, start
from bench.training import train
def slow(step):
    print(step, flush=True)
    time.sleep(0.02)
    return batch(step)
train(*start(), slow, 10_000, file=Path({file!r}), about=ABOUT, seconds=0.0)
"""


def running(file, **options):
    code = KILLED.format(tests=os.path.dirname(__file__), file=str(file))
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, **options)


def test_killed_at_any_moment_it_goes_on_with_the_same_loss(tmp_path):
    file = tmp_path / "run.ckpt"
    with running(file, stderr=subprocess.DEVNULL) as process:
        for line in process.stdout:
            if int(line) == 9:
                break
        process.kill()
    state, update = start()
    found = load(file, state, ABOUT)
    assert 8 <= int(found.step) <= 10
    whole = train(*start(), batch, int(found.step))
    assert float(update(found, batch(int(found.step)))[1]["loss"]) == float(
        update(whole, batch(int(whole.step)))[1]["loss"]
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal for one process")
def test_ctrl_c_keeps_what_is_done(tmp_path):
    file = tmp_path / "run.ckpt"
    with running(file, stderr=subprocess.PIPE) as process:
        for line in process.stdout:
            if int(line) == 9:
                break
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert "KeyboardInterrupt" in process.stderr.read()
    assert int(load(file, start()[0], ABOUT).step) >= 9


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.unlink(), "is not there; train first"),
        (lambda file: file.write_bytes(file.read_bytes()[:-5]), "is damaged; remove it"),
        (lambda file: file.write_bytes(b""), "is damaged; remove it"),
        (lambda file: save(file, start()[0], ABOUT | {"size": "paper"}), "was made with size = paper, not small"),
        (lambda file: save(file, {"other": jnp.zeros(3)}, ABOUT), "holds another network"),
        (lambda file: save(file, start()[0]._replace(params={"slope": jnp.zeros(4), "offset": 0.0}), ABOUT), "another"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_in_one_line(tmp_path, spoil, said):
    file = tmp_path / "run.ckpt"
    save(file, start()[0], ABOUT)
    spoil(file)
    with pytest.raises(CheckpointError, match=said) as raised:
        load(file, start()[0], ABOUT)
    assert "\n" not in str(raised.value)
    assert str(file) in str(raised.value)


def test_the_progress_shows_the_terms(capsys):
    train(*start(), batch, 3, title="a line")
    shown = capsys.readouterr().err
    assert "a line" in shown
    assert "square" in shown


DEVICES = """
import json, sys
sys.path.insert(0, {tests!r})
from test_training import batch, start
from bench.xla import jax
from bench.training import spread
state, update = start()
losses = []
for step in range(5):
    state, samples = spread(state, batch(step))
    state, terms = update(state, samples)
    losses.append(float(terms["loss"]))
print(json.dumps([len(jax.devices()), len(samples["x"].sharding.device_set), losses]))
"""


def test_two_devices_share_a_batch_and_agree_with_one():
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=2"
    code = DEVICES.format(tests=os.path.dirname(__file__))
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"XLA_FLAGS": flags}, capture_output=True, text=True, check=True
    )
    devices, shares, losses = json.loads(done.stdout)
    state, update = start()
    alone = []
    for step in range(5):
        state, terms = update(state, batch(step))
        alone.append(float(terms["loss"]))
    assert (devices, shares) == (2, 2)
    np.testing.assert_allclose(losses, alone, rtol=1e-12)


def test_a_batch_that_cannot_be_shared_is_refused(monkeypatch):
    monkeypatch.setattr(jax, "devices", lambda: [None] * 3)
    with pytest.raises(ValueError, match="A batch of 8 cannot be shared equally by 3 devices"):
        spread(start()[0], batch(0))
