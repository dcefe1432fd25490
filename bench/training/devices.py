"""Several devices, one batch: each computes the loss of its share, and the gradients are averaged."""

from typing import Any

import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from bench.xla import jax


def spread(state: Any, batch: Any) -> tuple[Any, Any]:
    """The same state on every device that JAX sees, and the batch cut along its first axis, a share for each device.

    XLA sees that and adds the sum over devices by itself; the function that is compiled stays as it is. Raises
    ValueError if the batch does not fall into equal shares.
    """
    devices = jax.devices()
    samples = jax.tree.leaves(batch)[0].shape[0]
    if samples % len(devices):
        raise ValueError(f"A batch of {samples} cannot be shared equally by {len(devices)} devices")
    mesh = Mesh(np.array(devices), ("batch",))
    whole, shares = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("batch"))
    return jax.device_put(state, whole), jax.device_put(batch, shares)
