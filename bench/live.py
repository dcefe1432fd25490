"""A law of the last ticks on a live arm: it is told what the bus tells, and remembers the ticks before by itself.

live = Live("so101", history=8, token=token, tick=tick)
said = live.step(arm.read())
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.arm import Telemetry
from bench.tracks import Track, row_of
from bench.xla import jax, jnp


class Live:
    """token(row) -> (features,): what is remembered of one tick. tick(memory, row) -> (memory, said): one tick's law.

    row: one frame of a bench.tracks.Track, with nothing known of what it should be. memory: (history, features), the
    oldest first. said: arrays in any nest. robot: as in bench.arms. What tick() uses besides stays as it was at first.
    """

    def __init__(self, robot: str, history: int, token: Callable[[Track], jax.Array], tick: Callable):
        self.robot, self.history = robot, history
        self._token, self._tick = token, jax.jit(tick)
        self._memory: jax.Array | None = None

    def step(self, telemetry: Telemetry) -> Any:
        """What is known now, as arrays of NumPy. Nothing of a later tick is used.

        Before the first tick the arm is taken to have been as it is in it.
        """
        row = row_of(self.robot, telemetry)
        if self._memory is None:
            self._memory = jnp.repeat(self._token(row)[None], self.history, axis=0)
        self._memory, said = self._tick(self._memory, row)
        return jax.tree.map(np.asarray, said)
