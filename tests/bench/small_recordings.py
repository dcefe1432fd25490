"""Small recordings and data sets for the tests, made without an arm and, where they are foreign, without our writer."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bench.recording import Recording

SO101 = ("shoulder_pan", "shoulder_lift", "elbow_flex", "wrist_flex", "wrist_roll", "gripper")


def recording(rng, frames=120, joints=("a", "b", "c"), task="swing", **about):
    """A smooth motion with every column filled."""
    n, rate = len(joints), about.get("rate", 60.0)
    time = np.arange(frames) / rate
    q = np.sin(time[:, None] * rng.uniform(1, 3, n) + rng.uniform(0, 6, n))
    contact = time > time[-1] / 2
    columns = {
        "timestamp": time,
        "q_cmd": q + 0.02,
        "q": q,
        "qd": np.gradient(q, axis=0) * rate,
        "effort": 0.1 * q + rng.normal(0, 0.01, q.shape),
        "voltage": np.full(q.shape, 7.4),
        "temperature": np.full(q.shape, 31.0),
        "force": contact[:, None] * [0.0, 0.0, -1.5],
        "force_valid": np.ones(frames, dtype=bool),
        "contact": contact,
        "condition": np.ones(q.shape, dtype=bool),
        "tau_true": 0.2 * q,
    }
    return Recording("so101", tuple(joints), task, columns, effort_unit="duty", **about)


def changed(recording, **columns):
    """The same recording with other columns; None takes one away."""
    fields = {name: getattr(recording, name) for name in recording.__dataclass_fields__}
    kept = {name: values for name, values in {**recording.columns, **columns}.items() if values is not None}
    return Recording(**fields | {"columns": kept})


def lerobot_set(folder, version, episodes, fps=30, names=SO101, stats=True, **info):
    """A set as LeRobot writes it. episodes: (action, state) pairs of arrays (frames, joints), in the set's own unit."""
    (folder / "meta").mkdir(parents=True)
    vector = {"dtype": "float32", "shape": [len(names)], "names": [f"{name}.pos" for name in names]}
    features = {"action": vector, "observation.state": vector}
    features["observation.images.top"] = {
        "dtype": "video",
        "shape": [4, 4, 3],
        "names": ["height", "width", "channels"],
    }
    features["timestamp"] = {"dtype": "float32", "shape": [1], "names": None}
    for name in ("frame_index", "episode_index", "index", "task_index"):
        features[name] = {"dtype": "int64", "shape": [1], "names": None}
    tables, rows, begin = [], [], 0
    for episode, (action, state) in enumerate(episodes):
        frames = len(action)
        tables.append(
            pa.table(
                {
                    "action": pa.array(np.asarray(action, np.float32).tolist(), pa.list_(pa.float32(), len(names))),
                    "observation.state": pa.array(np.asarray(state, np.float32).tolist(), pa.list_(pa.float32())),
                    "timestamp": pa.array((np.arange(frames) / fps).astype(np.float32)),
                    "frame_index": np.arange(frames),
                    "episode_index": np.full(frames, episode),
                    "index": np.arange(begin, begin + frames),
                    "task_index": np.zeros(frames, dtype=np.int64),
                }
            )
        )
        row = {"episode_index": episode, "tasks": ["grasp the cube"], "length": frames}
        known = {
            name: {key: getattr(np, key)(values, axis=0).tolist() for key in ("min", "max", "mean")}
            for name, values in (("action", action), ("observation.state", state))
        }
        rows.append((row, known if stats else {}, begin))
        begin += frames
    described = {"codebase_version": version, "robot_type": "so101_follower", "fps": fps, "features": features}
    described |= {"total_episodes": len(episodes), "total_frames": begin, "total_tasks": 1, "chunks_size": 1000}
    described |= {"splits": {"train": f"0:{len(episodes)}"}}
    if version == "v2.1":
        described["data_path"] = "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet"
        (folder / "data" / "chunk-000").mkdir(parents=True)
        for episode, table in enumerate(tables):
            pq.write_table(table, folder / "data" / "chunk-000" / f"episode_{episode:06d}.parquet")
        json_lines(folder / "meta" / "episodes.jsonl", [row for row, _, _ in rows])
        found = [{"episode_index": row["episode_index"], "stats": known} for row, known, _ in rows]
        json_lines(folder / "meta" / "episodes_stats.jsonl", found)
        json_lines(folder / "meta" / "tasks.jsonl", [{"task_index": 0, "task": "grasp the cube"}])
    else:
        described["data_path"] = "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
        (folder / "data" / "chunk-000").mkdir(parents=True)
        pq.write_table(pa.concat_tables(tables), folder / "data" / "chunk-000" / "file-000.parquet")
        (folder / "meta" / "episodes" / "chunk-000").mkdir(parents=True)
        flat = [
            row
            | {"data/chunk_index": 0, "data/file_index": 0}
            | {"dataset_from_index": begin, "dataset_to_index": begin + row["length"]}
            | {f"stats/{name}/{key}": value for name, entry in known.items() for key, value in entry.items()}
            for row, known, begin in rows
        ]
        pq.write_table(pa.Table.from_pylist(flat), folder / "meta" / "episodes" / "chunk-000" / "file-000.parquet")
    (folder / "meta" / "info.json").write_text(json.dumps(described | info, indent=4))
    return folder


def json_lines(file, rows):
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
