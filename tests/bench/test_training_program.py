"""The program around a training: it learns, stops, goes on, keeps the model, and says in one line what is wrong.

Most of it with a recipe of one number, which takes no time; the real recipe of module 16 then says the same online as
in a rollout.
"""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("flax")
pytest.importorskip("pyarrow")

from bench.arm import Telemetry
from bench.live import Live
from bench.recording import DataSet, RecordingError, write
from bench.recording.checksums import write_sums
from bench.tracks import track_of
from bench.training import Batches, CheckpointError, about, save
from bench.training.program import Plan, Recipe, judged, learned, options, restored, run
from bench.training_data import SAMPLE, episodes
from bench.xla import compiled, jax, jnp
from solutions.nad import labels
from solutions.neural_actuator import RECIPE, NeuralActuator, ask, force_of, init, token

SO101 = ["--robot", "so101", "--data", str(SAMPLE / "so101")]


def gain_of(setting, robot, explicit):
    """The loss of a model that says: the arm is where a share of its command is."""

    def loss(params, batch):
        tracks, _ = batch
        square = jnp.mean((params["gain"] * tracks.q_cmd - tracks.q) ** 2)
        return square, {"square": square}

    return loss


def said_by_gain(setting, params, track, explicit):
    return params["gain"] * track.q_cmd[8:], jnp.zeros((len(track) - 8, 3))


ONE_NUMBER = Recipe(
    labels=labels,
    setting=lambda robot, tracks, network, residual: {"typical": np.ones(2)},
    again=lambda robot, network, residual, **numbers: {"typical": np.zeros(2)} | numbers,
    numbers=lambda setting: setting,
    init=lambda setting, size, key: {"gain": jnp.zeros(())},
    loss=gain_of,
    horizon=lambda step, stages: 0,
    predict=said_by_gain,
    others=lambda recordings, free: {},
    history=8,
    networks=("gain",),
    plans={"small": Plan(stages=((0, 300),), rate=0.05, singles=32)},
)


def test_it_learns_keeps_the_model_and_its_scores_and_prints_the_tables(tmp_path, capsys):
    run(ONE_NUMBER, [*SO101, "--out", str(tmp_path)])
    file = tmp_path / "so101-gain-small.ckpt"
    assert file.exists() and str(file) in capsys.readouterr().out
    said = json.loads(file.with_suffix(".json").read_text())
    assert said["steps"] == 300 and said["scores"]["robot"] == "so101"
    setting, params = restored(ONE_NUMBER, file, about(file))
    np.testing.assert_array_equal(setting["typical"], np.ones(2))
    assert 0.9 < float(params["gain"]) < 1.1


def test_stopped_and_started_again_it_ends_where_it_would_have(tmp_path):
    data = DataSet(SAMPLE / "so101")
    tracks = [track_of(e, labels(e.force, e.force_valid)) for e in episodes(data, "train")]
    about_it = {"robot": "so101", "size": "small", "explicit": False, "seed": 3}
    plan, setting = ONE_NUMBER.plans["small"], {"typical": np.ones(2)}
    whole = learned(ONE_NUMBER, setting, tracks, plan, 15, None, about_it)
    half = learned(ONE_NUMBER, setting, tracks, plan, 12, tmp_path / "half", about_it)
    both = learned(ONE_NUMBER, setting, tracks, plan, 15, tmp_path / "half", about_it)
    assert float(half["gain"]) < float(both["gain"]) == float(whole["gain"])


def test_what_is_judged_is_what_was_held_out(tmp_path):
    data = DataSet(SAMPLE / "so101")
    (one,) = judged(ONE_NUMBER, {}, {"gain": jnp.ones(())}, data, "so101", explicit=False, ticks=100)
    (test,) = episodes(data, "test")
    assert (one.task, len(one)) == ("pick_place_300g", 100)
    np.testing.assert_allclose(
        one.q_real, test.q[9:109], atol=1e-6
    )  # the state after the ninth frame's tick comes first
    np.testing.assert_array_equal(one.force_real, test.force[9:109])
    np.testing.assert_allclose(one.q, test.q_cmd[8:108], atol=1e-6)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--robot", "so101", "--data", "nowhere"], "nowhere: is not there; make it: python3 -m bench record so101"),
        (["--robot", "panda", "--data", str(SAMPLE / "so101")], "is of a so101; name another set by --data"),
    ],
)
def test_no_data_set_or_another_robots(words, says, tmp_path):
    with pytest.raises(RecordingError, match=re.escape(says)) as problem:
        run(ONE_NUMBER, [*words, "--out", str(tmp_path)])
    assert "\n" not in str(problem.value)
    assert not list(tmp_path.iterdir())


def test_a_number_that_is_none_stops_it_before_the_first_step(tmp_path):
    broken = DataSet(SAMPLE / "so101")[0]
    effort = broken["effort"].copy()
    folder = write(tmp_path / "set", [broken])
    effort[100, 2] = np.nan
    spoil(folder, "effort", effort)
    with pytest.raises(RecordingError) as problem:
        run(ONE_NUMBER, ["--robot", "so101", "--data", str(folder), "--out", str(tmp_path / "out")])
    assert "effort" in str(problem.value) and "\n" not in str(problem.value)
    assert not (tmp_path / "out").exists()


def spoil(folder, column, values):
    """Write a column over, with checksums that fit: as another program would have written it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    (file,) = (folder / "data").rglob("*.parquet")
    table = pq.read_table(file)
    place = table.schema.get_field_index(column)
    kind = table.schema.field(place)
    pq.write_table(table.set_column(place, kind, pa.array(values.tolist(), kind.type)), file)
    write_sums(folder)


def test_a_damaged_or_foreign_file_to_go_on_from(tmp_path):
    unfinished = tmp_path / "so101-gain-small.unfinished"
    unfinished.write_bytes(b"half of it")
    with pytest.raises(CheckpointError, match="is damaged; remove it"):
        run(ONE_NUMBER, [*SO101, "--steps", "5", "--out", str(tmp_path)])
    unfinished.unlink()
    run(ONE_NUMBER, [*SO101, "--steps", "5", "--out", str(tmp_path)])
    with pytest.raises(CheckpointError, match=r"was made with seed = 0, not 1") as problem:
        run(ONE_NUMBER, [*SO101, "--steps", "5", "--seed", "1", "--out", str(tmp_path)])
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("words", [["--size", "huge"], ["--network", "perceptron"], ["--robot", "spot"]])
def test_an_unknown_choice_ends_with_the_choices(words, capsys):
    with pytest.raises(SystemExit) as stop:
        options(RECIPE, [*SO101, *words])
    assert stop.value.code == 2
    assert words[1] in (said := capsys.readouterr().err) and "choose from" in said


@pytest.mark.parametrize("words", [["--steps", "0"], ["--steps", "-3"], ["--steps", "many"], ["--seed", "-1"]])
def test_a_number_that_cannot_be_is_refused(words, capsys):
    with pytest.raises(SystemExit):
        options(RECIPE, [*SO101, *words])
    assert f"argument {words[0]}: {words[1]!r} is not a whole number from" in capsys.readouterr().err


def test_a_place_where_nothing_can_be_kept_is_refused_before_the_training(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CheckpointError, match="no folder can be made there") as problem:
        run(ONE_NUMBER, [*SO101, "--out", str(tmp_path / "file")])
    assert "\n" not in str(problem.value)


def test_a_set_without_tests_is_refused_before_the_training(tmp_path):
    folder = write(tmp_path / "set", [one for one in DataSet(SAMPLE / "so101") if one.split != "test"])
    with pytest.raises(RecordingError, match="no episode is of the split test"):
        run(ONE_NUMBER, ["--robot", "so101", "--data", str(folder), "--out", str(tmp_path / "out")])
    assert not (tmp_path / "out").exists()


# The real recipe, with a small network that has learned nothing


@pytest.fixture(scope="module")
def small():
    """An untrained model of an SO-101, and a test episode."""
    (test,) = episodes(DataSet(SAMPLE / "so101"), "test")
    track = track_of(test, labels(test.force, test.force_valid))
    setting = RECIPE.setting("so101", [track], "mlp", False)
    return setting, init(setting, "small", jax.random.key(0)), test, track


def telemetry(test, k, **other):
    names = ("q_cmd", "q", "qd", "voltage", "temperature", "force", "force_valid", "contact", "condition")
    row = {name: getattr(test, name)[k] for name in names}
    more = {"timestamp": k / test.rate, "effort": test.u[k], "tau_true": np.zeros(test.q.shape[1])}
    return Telemetry(**row | more | other)


def test_online_it_says_what_the_same_nine_measured_frames_say(small):
    setting, params, test, track = small
    live = NeuralActuator(setting, params, "so101")
    said = [live.step(telemetry(test, k))["force"] for k in range(14)]
    tokens = token(setting, track.seen_q, track.seen_qd, track)
    for k in range(8, 14):
        window = force_of(ask(setting, params, tokens[k - 8 : k + 1]))
        np.testing.assert_allclose(said[k], window, atol=1e-5)


def test_online_nothing_of_the_truth_or_of_later_is_used(small):
    setting, params, test, _ = small
    one, other = (NeuralActuator(setting, params, "so101") for _ in range(2))
    unknown = {"force": np.full(3, 9.0), "tau_true": np.full(6, 9.0), "contact": True, "condition": np.zeros(6)}
    for k in range(3):
        told = one.step(telemetry(test, k))
        jax.tree.map(np.testing.assert_array_equal, told, other.step(telemetry(test, k, **unknown)))
    assert told["force"].shape == (3,) and told["condition"].shape == told["torque"].shape == (6,)
    assert 0 < told["contact"] < 1


def test_before_the_first_tick_the_arm_was_as_in_it():
    live = Live("so101", 2, lambda row: row.seen_q, lambda memory, row: (memory[1:], memory))
    rows = episodes(DataSet(SAMPLE / "so101"), "test")[0]
    np.testing.assert_allclose(live.step(telemetry(rows, 0)), np.tile(rows.q[0], (2, 1)), atol=1e-6)


@pytest.mark.parametrize("is_virtual", [True, False])
def test_the_classical_estimators_know_every_arm_and_want_no_truth(is_virtual):
    data = DataSet(SAMPLE / "so101")
    recordings = [data[entry.index] for entry in data.entries]
    if not is_virtual:  # only a virtual arm knows the torque behind its gears
        recordings = [replace(r, columns={n: x for n, x in r.columns.items() if n != "tau_true"}) for r in recordings]
    said = RECIPE.others(recordings, recordings[:1])
    assert ("true joint torque" in said) == is_virtual and {"ID-Linear", "observer, 1/s"} < said.keys()
    for forces in said.values():
        assert [force.shape for force in forces] == [(len(r), 3) for r in recordings]
        assert all(np.isfinite(force).all() for force in forces)
    assert RECIPE.others(recordings, []) == {}  # nothing to fit them to


def test_a_model_comes_back_from_its_file_and_other_files_are_refused(small, tmp_path):
    setting, params, test, _ = small
    names = {"robot": "so101", "size": "small", "network": "mlp", "residual": False, "explicit": False, "seed": 0}
    file = tmp_path / "a.ckpt"
    save(file, {"numbers": RECIPE.numbers(setting), "params": params}, names)
    back, fresh = NeuralActuator.load(file), NeuralActuator(setting, params, "so101")
    jax.tree.map(np.testing.assert_array_equal, *(m.step(telemetry(test, 0)) for m in (back, fresh)))
    save(file, {"numbers": RECIPE.numbers(setting), "params": params}, names | {"network": "gru"})
    with pytest.raises(CheckpointError, match="holds another network"):
        NeuralActuator.load(file)
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(CheckpointError, match="is damaged"):
        NeuralActuator.load(file)
    with pytest.raises(CheckpointError, match="is not there"):
        NeuralActuator.load(tmp_path / "b.ckpt")


@pytest.mark.parametrize("explicit", [False, True])
def test_single_steps_and_rollouts_of_the_real_recipe(small, explicit):
    setting, params, _, track = small
    loss = RECIPE.loss(setting, "so101", explicit)
    batches = Batches([track], lambda step: 3 * step, RECIPE.history, singles=4, rollouts=2)
    _, terms = jax.eval_shape(loss, params, batches(0))
    assert set(terms) == {"torque", "joint", "grip", "force", "gate"}  # of the condition module 17 knows more
    slope, terms = jax.eval_shape(jax.grad(loss, has_aux=True), params, batches(1))
    assert set(terms) == {"joint", "grip", "force", "gate"}
    assert jax.tree.structure(slope) == jax.tree.structure(params)


def test_a_step_without_any_known_force_still_teaches(small):
    setting, params, _, track = small
    unknown = replace(track, mask=0 * track.mask, force=np.full_like(track.force, np.nan))
    tracks, draws = Batches([unknown], lambda step: 0, RECIPE.history, singles=4)(0)
    loss = RECIPE.loss(setting, "so101", False)
    slope, terms = compiled(jax.grad(loss, has_aux=True))(params, (tracks, draws))
    assert terms["force"] == terms["gate"] == 0 < terms["torque"]
    assert all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(slope))
