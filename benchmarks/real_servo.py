"""A learned actuator on a real servo: how far its rollouts are from unseen runs, beside models made of physics.

    python benchmarks/real_servo.py [FOLDER]

FOLDER holds the pendulum logs of Rhoban's bam, branch xl330 (default: ../shared/data/bam_xl330): a Dynamixel XL330 with
a weight on an arm, six seconds a run. Twelve runs are learned from, four are held out, one of each trajectory and gain.
The logs hold no current: the effort is the duty. Every model starts a run in the state of its ninth frame or before and
is told the goals and the gain P; "told the duty" is told the recorded duty instead of P, which says where the real
servo was. Mean absolute error of the angle over the first 100, 300 and 1000 ticks of 180 Hz, in degrees. Some minutes.
"""

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from servo import LOGS, STAND, fitted, position

from bench.kinematics import Links
from bench.servo import parameters as servo_parameters
from bench.servo.fit import Log, read_log, replay, split
from bench.servo.stand import GRAVITY
from bench.smoothing import smooth
from bench.tracks import Track
from bench.training import Batches, adamw, begin, train, update_of
from bench.xla import jax, jnp
from solutions.nad import features, normalise
from solutions.rnea import inverse_dynamics
from solutions.surrogate import HISTORY, KINDS, Setting, actuated_rollout, curriculum, one_step_loss

RATE = 180.0  # Hz; the logs have about 190 rows a second
HORIZONS = (100, 300, 1000)  # ticks
FULL_DUTY = 885.0  # of the register Present_PWM
STALL = 0.6  # N m: no more comes out of this servo (e-manual: 0.52 at 5 V)
STAGES = ((0, 3000), (64, 400), (256, 400))  # ticks of a rollout, steps of training
STEPS, LEARNING_RATE = sum(steps for _, steps in STAGES), 1e-3


def pendulum(armature: float) -> Links:
    """The stand as one link. armature: kg m^2, of the rotor."""
    mass = STAND.mass + STAND.arm_mass
    com = -(STAND.mass + STAND.arm_mass / 2) * STAND.length / mass
    about_com = STAND.inertia - mass * com**2
    return Links(
        offset=np.zeros((1, 3)),
        rotation=np.eye(3)[None],
        axis=np.array([[0.0, -1.0, 0.0]]),
        mass=np.array([mass]),
        com=np.array([[0.0, 0.0, com]]),
        inertia=about_com * np.eye(3)[None],
        armature=np.array([armature]),
        damping=np.zeros(1),
        gravity=GRAVITY * np.array([-np.sin(STAND.tilt), 0.0, -np.cos(STAND.tilt)]),
        effector=np.array([0.0, 0.0, -STAND.length]),
        effector_rotation=np.eye(3),
        parent=(-1,),
        tip=0,
    )


def track_of(file: Path, log: Log, duty: bool) -> Track:
    """A log at RATE. duty: the effort is the duty that was recorded; otherwise the gain P, which the others know."""
    rows = json.loads(file.read_text(encoding="utf-8"))["entries"]
    time = np.arange(log.time[0], log.time[-1], 1 / RATE)
    before = np.searchsorted(log.time, time, side="right") - 1  # registers hold until they are read again

    def column(name: str) -> np.ndarray:
        return np.array([row[name] for row in rows], float)[before, None]

    q, qd, qdd = smooth(np.interp(time, log.time, log.q)[:, None], RATE)
    columns = {
        "q_cmd": log.goal[before, None],
        "u": (column("load") / FULL_DUTY if duty else log.gain / 800) * log.enabled[before, None],
        "voltage": column("input_volts"),
        "temperature": column("temp"),
        "seen_q": log.q[before, None],
        "seen_qd": column("speed"),
        "q": q,
        "qd": qd,
        "qdd": qdd,
        "force": np.zeros((len(time), 3)),
        "gate": np.zeros(len(time)),
        "mask": np.zeros(len(time)),
        "condition": np.ones((len(time), 1)),
    }
    return Track(**{name: np.asarray(values, np.float32) for name, values in columns.items()})


def learned(tracks: list[Track], armature: float, network: str) -> Callable[[Track], np.ndarray]:
    """A network trained by single steps, then by rollouts: the angles, rad, of its rollout along another track."""
    arm = pendulum(armature)
    rows = np.concatenate([features(t.q_cmd, t.q, t.qd, t.u, t.voltage, t.temperature) for t in tracks])
    motion = [np.concatenate([getattr(t, name) for t in tracks]).astype(float) for name in ("q", "qd", "qdd")]
    torques = jax.jit(jax.vmap(partial(inverse_dynamics, arm)))(*motion)
    seen = normalise(rows)
    setting = Setting(
        arm=arm,
        mean=seen.mean,
        scale=seen.scale,
        typical=2 * np.std(torques, axis=0),
        limit=np.full(1, STALL),
        rated=np.zeros(1),
        seconds=1 / RATE,
        substeps=4,
        network=network,
    )

    def loss(params, batch):
        tracks, draws = batch
        if tracks.q.shape[1] == HISTORY + 1:
            return one_step_loss(setting, params, tracks, draws)[0], {}
        q = jax.vmap(partial(actuated_rollout, setting, params))(tracks[:, :-1])[0]
        return 100 * jnp.mean((q - tracks.q[:, HISTORY + 1 :]) ** 2), {}

    kind, optimizer = KINDS[network], adamw(LEARNING_RATE, STEPS, warm_up=100)
    state = begin(kind.init(jax.random.key(0), rows.shape[1], 1, kind.sizes["small"]), optimizer)
    batches = Batches(tracks, partial(curriculum, stages=STAGES), HISTORY)
    params = train(state, update_of(loss, optimizer, 0.998), batches, STEPS, title=network).average
    run = jax.jit(lambda track: actuated_rollout(setting, params, track)[0][:, 0])
    return lambda track: np.asarray(run(track[: HISTORY + HORIZONS[-1]]))


def along(log: Log, q: np.ndarray) -> np.ndarray:
    """Angles at the log's times, rad, at the ticks that are judged."""
    return np.interp(np.arange(HISTORY + 1, HISTORY + 1 + HORIZONS[-1]) / RATE, log.time, q)


Model = Callable[[Log], np.ndarray]  # angles at the ticks that are judged, rad


def models(fit: list[Log], track: Callable[[Log, bool], Track]) -> Iterator[tuple[str, Model]]:
    """Each row's name and model, made when it is asked for."""
    shipped = servo_parameters.load("xl330")
    yield "stays where it is", lambda log: np.full(HORIZONS[-1], along(log, log.q)[0])
    yield "q = goal", lambda log: along(log, log.goal)
    engine = fitted(position, [0.004, 0.05, 0.6, 0.002, 0.02, 0.016, 0.03], fit)
    yield "<position>, fitted", lambda log: along(log, engine(log))
    yield "bench.servo, fitted", lambda log: along(log, replay(shipped, STAND, log))
    for network in ("mlp", "transformer"):
        for duty, told in ((False, "P"), (True, "the duty")):
            run = learned([track(log, duty) for log in fit], shipped.motor.inertia, network)
            yield f"{network}, told {told}", lambda log, run=run, duty=duty: run(track(log, duty))


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else LOGS
    files = sorted(folder.glob("*.json"))
    if not files:
        sys.exit(f"There are no logs in {folder}; name the folder of bam's XL330 pendulum logs.")
    logs = [read_log(file) for file in files]
    file_of = {id(log): file for log, file in zip(logs, files, strict=True)}
    fit, held_out = split(logs)
    names = ", ".join(log.name for log in held_out)
    print(f"{'':26s}" + "".join(f"{f'@{h}':>8s}" for h in HORIZONS) + f"   each run: {names}")
    for name, model in models(fit, lambda log, duty: track_of(file_of[id(log)], log, duty)):
        errors = np.degrees([np.abs(model(log) - along(log, log.q)) for log in held_out])
        means = "".join(f"{errors[:, :h].mean():8.2f}" for h in HORIZONS)
        print(f"{name:26s}{means}   " + "  ".join(f"{e.mean():5.2f}" for e in errors), flush=True)


if __name__ == "__main__":
    main()
