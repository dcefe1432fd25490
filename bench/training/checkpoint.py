"""A run's state in a file, whole or not at all."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from flax import serialization

from bench.xla import jax


class CheckpointError(ValueError):
    """A file that cannot be used. One line: what, where, what to do."""


def save(file: Path, state: Any, about: dict[str, Any]) -> None:
    """Write a pytree and what it belongs to. Killed at any moment, it leaves the old file or the new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    content = {"about": json.dumps(about, sort_keys=True), "state": serialization.to_state_dict(jax.device_get(state))}
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    with unfinished.open("wb") as out:
        out.write(serialization.msgpack_serialize(content))
        out.flush()
        os.fsync(out.fileno())
    unfinished.replace(file)


def about(file: Path) -> dict[str, Any]:
    """What the file says that it belongs to. Raises CheckpointError for a file that is missing or damaged."""
    return _read(file)[0]


def load(file: Path, like: Any, about: dict[str, Any]) -> Any:
    """The state in the file, with the structure of `like`. It has to belong to the same `about`.

    Raises CheckpointError for a file that is missing, damaged, or about something else.
    """
    found, state = _read(file)
    for name in sorted(about.keys() | found.keys()):
        if about.get(name) != found.get(name):
            differs = f"{name} = {found.get(name)}, not {about.get(name)}"
            raise CheckpointError(f"{file}: was made with {differs}; remove it or name another file")
    try:
        restored = serialization.from_state_dict(like, state)
        shapes = [(np.shape(a), np.shape(b)) for a, b in zip(*map(jax.tree.leaves, (restored, like)), strict=True)]
    except (ValueError, AttributeError, KeyError, TypeError):
        shapes = [((), (0,))]
    if any(a != b for a, b in shapes):
        raise CheckpointError(f"{file}: holds another network; remove it or name another file")
    return restored


def _read(file: Path) -> tuple[dict[str, Any], Any]:
    try:
        content = serialization.msgpack_restore(file.read_bytes())
        return json.loads(content["about"]), content["state"]
    except FileNotFoundError:
        raise CheckpointError(f"{file}: is not there; train first, or name another file") from None
    except Exception:  # msgpack raises whatever its C code meets
        raise CheckpointError(f"{file}: is damaged; remove it and train again") from None
