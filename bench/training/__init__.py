"""Training that can be watched, stopped and continued, whatever is trained.

    optimizer = adamw(peak=1e-4, steps=10_000)
    update = update_of(loss, optimizer)               # loss(params, batch) -> (value, its terms by name)
    state = begin(params, optimizer)
    state = train(state, update, batch, steps=10_000, file=Path("run.ckpt"), about={"size": "small"})
    state.average                                     # the parameters' moving average, which is what one uses

batch(step) gives the step's samples and nothing else decides on them: a run that was killed and goes on from its file
has the same losses as one that never stopped. On a computer with several devices each gets its share of a batch.
"""

from bench.training.batches import Batches
from bench.training.checkpoint import CheckpointError, about, load, save
from bench.training.devices import spread
from bench.training.loop import train
from bench.training.optimizer import State, adamw, begin, cosine_with_floor, update_of

__all__ = [
    "Batches",
    "CheckpointError",
    "State",
    "about",
    "adamw",
    "begin",
    "cosine_with_floor",
    "load",
    "save",
    "spread",
    "train",
    "update_of",
]
