"""What drives which arm: torques on servo arms, position actuators on the Panda."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("flax")

from bench.arms import ARMS
from bench.networks import NETWORKS
from bench.setting import setting_of
from bench.tracks import row_of
from bench.xla import jax
from solutions.surrogate import HISTORY, fast_rollout


@pytest.mark.parametrize("robot", ["so101", "openmanipulator_x"])
def test_torques_alone_drive_a_servo_arm(robot):
    m = len(ARMS[robot].joints) + 1
    setting = setting_of(robot, "mlp", False, *[np.ones(m)] * 3)
    assert not np.any(setting.stiffness) and setting.arm.gravity[2] < -9 and setting.leash == 1


def test_a_panda_whose_network_says_nothing_goes_where_it_is_told():
    """Half a second of standing still, then two seconds after a goal that is 0.1 rad away in every joint."""
    home = np.append(ARMS["panda"].home, 0.02)
    m = len(home)
    setting = setting_of("panda", "mlp", False, np.zeros(7 * m), np.ones(7 * m), np.zeros(m))
    params = NETWORKS["mlp"].init(jax.random.key(0), 7 * m, m, NETWORKS["mlp"].sizes["small"])
    zero = np.zeros(m)
    said = SimpleNamespace(q_cmd=home, q=home, qd=zero, effort=zero, voltage=zero, temperature=zero)
    still = row_of("panda", said)
    track = jax.tree.map(lambda x: np.repeat(np.asarray(x)[None], HISTORY + 500, axis=0), still)
    track.q_cmd[HISTORY + 100 :, :-1] += 0.1
    q, qd, _ = fast_rollout(setting, params, track)
    np.testing.assert_allclose(q[:100], np.tile(home, (100, 1)), atol=1e-6)
    np.testing.assert_allclose(q[-1, :-1], home[:-1] + 0.1, atol=2e-3)
    assert np.abs(q[100:, :-1] - home[:-1]).max() < 0.12 and np.abs(qd[-1]).max() < 0.01
