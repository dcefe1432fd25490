"""Logs of a servo pendulum become recordings."""

import json
from pathlib import Path

import numpy as np
import pytest

from bench.importing import Units, open_source
from bench.importing.source import recordings
from bench.recording import DataSet, RecordingError, write

LOGS = Path(__file__).parents[3] / "shared" / "data" / "bam_xl330"


def log(frames=50, **header):
    """A log as the identification project writes it."""
    entries = [
        {
            "timestamp": 10 + 0.005 * i,
            "goal_position": 0.01 * i,
            "position": 0.009 * i,
            "speed": 1.5,
            "load": 885 if i % 2 else 65536 - 442,
            "input_volts": 7.4,
            "temp": 30,
            "torque_enable": True,
        }
        for i in range(frames)
    ]
    return {
        "mass": 0.49,
        "length": 0.1,
        "kp": 200,
        "vin": 7.4,
        "motor": "xl330",
        "trajectory": "sin_sin",
        "entries": entries,
    } | header


def saved(folder, content):
    (folder / "run.json").write_text(content if isinstance(content, str) else json.dumps(content))
    return folder / "run.json"


def test_a_log_becomes_a_recording(tmp_path):
    got = next(recordings(open_source(saved(tmp_path, log()), Units())))
    assert (got.robot, got.joints, got.task, got.effort_unit) == ("xl330_pendulum", ("joint",), "sin_sin", "duty")
    assert got.parameters == {"mass": 0.49, "length": 0.1, "kp": 200.0, "vin": 7.4}
    assert got.rate == pytest.approx(200, rel=1e-6)
    np.testing.assert_allclose(got["timestamp"], 0.005 * np.arange(50), atol=1e-6)
    np.testing.assert_allclose(got["q"][:, 0], 0.009 * np.arange(50), rtol=1e-6)
    np.testing.assert_allclose(got["effort"][:4, 0], [-442 / 885, 1, -442 / 885, 1], rtol=1e-6)
    assert "force" not in got
    dropped = log()
    for i in range(30, 50):
        dropped["entries"][i]["torque_enable"] = False
    got = next(recordings(open_source(saved(tmp_path, dropped), Units())))
    assert got.parameters["let_go"] == pytest.approx(0.15)
    assert "tau_true" not in got


def entry(index, **change):
    def edit(content):
        content["entries"][index] = {k: v for k, v in {**content["entries"][index], **change}.items() if v != "gone"}
        return content

    return edit


BAD = {
    "not JSON": (lambda content: json.dumps(content)[:-40], r"run\.json: is not JSON .*; is the copy complete"),
    "nothing": (lambda content: "", r"is not JSON"),
    "list": (lambda content: "[1]", r"holds a list instead of an object"),
    "no entries": (lambda content: {"entries": []}, r"has no entries; is it a pendulum's log"),
    "another program's": (lambda content: {"a": 1}, r"has no entries"),
    "a column gone": (entry(7, load="gone"), r"column load: entry 7 has no number"),
    "text": (entry(7, speed="fast"), r"column speed: entry 7 has no number"),
    "truth for a number": (entry(7, position=True), r"column position: entry 7 has no number"),
    "nan": (entry(7, position=float("nan")), r"column q is not a number in 1 of 50 frames, first in frame 7; leave"),
    "unsorted": (entry(7, timestamp=9.0), r"column timestamp does not grow at frame 7"),
    "twice": (entry(7, timestamp=10.03), r"column timestamp does not grow at frame 7"),
    "gap": (
        lambda c: c | {"entries": c["entries"][:20] + c["entries"][40:]},
        r"column timestamp has 1 gaps, .* of 0\.105 s",
    ),
    "not a register": (entry(7, load=70000), r"column load is not a 16-bit register"),
    "on again": (entry(7, torque_enable=False), r"column torque_enable switches off and on again"),
    "huge": (entry(7, position=1e300), r"column q (is not a number|reaches)"),
}


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("kind", BAD)
def test_a_bad_log_gets_one_line_and_no_data_set(tmp_path, kind):
    make, message = BAD[kind]
    source = open_source(saved(tmp_path, make(log())), Units())
    with pytest.raises(RecordingError, match=message) as problem:
        write(tmp_path / "ours", recordings(source))
    assert "\n" not in str(problem.value)
    assert str(tmp_path / "run.json") in str(problem.value)
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_what_is_no_recording_is_said(tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    for path, message in (
        (tmp_path, "is not a data set; a LeRobot set .* and a servo pendulum's logs"),
        (tmp_path / "gone", "is not there"),
    ):
        with pytest.raises(RecordingError, match=message):
            open_source(path, Units())


@pytest.mark.skipif(not LOGS.is_dir(), reason="the real logs are not in this copy")
def test_real_logs(tmp_path):
    """Sixteen runs of a real servo, whose duty is its gain times its error: 256 is the divisor (facts of the logs)."""
    data = DataSet(write(tmp_path / "ours", recordings(open_source(LOGS, Units()))))
    assert len(data) == 16
    divisors = []
    for got in data:
        error = (got["q_cmd"] - got["q"])[:, 0] * 4096 / (2 * np.pi)
        duty = 885 * got["effort"][:, 0]
        sound = (np.abs(duty) > 20) & (np.abs(duty) < 800) & (got["timestamp"] < got.parameters.get("let_go", np.inf))
        divisors.append(got.parameters["kp"] * np.median(error[sound] / duty[sound]))
        assert 5 < got["voltage"].min() < got["voltage"].max() < 10
    assert np.median(divisors) == pytest.approx(257, abs=1)
    assert np.ptp(divisors) < 15
