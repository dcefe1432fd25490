"""A law of the last ticks on a live arm: it is told what the bus tells, and remembers the ticks before by itself.

live = Live("so101", history=8, token=token, tick=tick)
said = live.step(arm.read())
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.arm import Telemetry
from bench.tracks import Track, row_of
from bench.xla import NETWORK, jax, jnp


class Live:
    """token(row) -> (features,): what is remembered of one tick. tick(memory, row) -> (memory, said): one tick's law.

    row: one frame of a bench.tracks.Track, with nothing known of what it should be. memory: (history, features), the
    oldest first. said: arrays in any nest. robot: as in bench.arms. What tick() uses besides stays as it was at first.
    """

    def __init__(self, robot: str, history: int, token: Callable[[Track], jax.Array], tick: Callable):
        self.robot, self.history = robot, history
        # A batch of one: what XLA makes of (1, 9, d) @ (d, d) is a fifth quicker than what it makes of (9, d) @ (d, d).
        self._token, self._ticks = token, jax.jit(jax.vmap(tick), compiler_options=NETWORK)
        self._memory: jax.Array | None = None

    def step(self, telemetry: Telemetry) -> Any:
        """What is known now, as arrays of NumPy. Nothing of a later tick is used.

        Before the first tick the arm is taken to have been as it is in it.
        """
        row = row_of(self.robot, telemetry)
        if self._memory is None:
            self._memory = jnp.repeat(self._token(row)[None], self.history, axis=0)[None]
        self._memory, said = self._ticks(self._memory, jax.tree.map(lambda x: x[None], row))
        return jax.tree.map(lambda x: np.asarray(x)[0], said)
