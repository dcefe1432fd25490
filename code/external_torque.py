"""Feeling without a sensor, the classical way: what the motors' currents tell about a push, and what friction hides.

Run it:     python code/external_torque.py
Check it:   python3 -m course check external_torque
The lesson: lessons/08_external_torque.ipynb

tau_id = tau_act + J^T f: inverse dynamics says what motors and environment give together, a current what the motors
give. Forces are what the environment does to the robot, in the base frame.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from bench.arm import EFFECTS
from bench.arms import ARMS
from bench.kinematics import Array, Links, links_of
from bench.locked import model_of
from bench.payload_set import FREE, FRICTION, LIFTS, PLACES, PUSHES, RATE, ROBOT, SENSING, TABLE_VII, episodes, pressed
from bench.recording import Recording
from bench.script import part, run_script
from bench.smoothing import last_direction, smooth
from bench.xla import compiled, jax, jnp
from solutions.rnea import inverse_dynamics, jacobian, mass_matrix

Signals = dict[str, np.ndarray]  # a recording as an estimator sees it; signals() says what is in it

N = 4  # joints; the gripper's is left out
SLOW = 0.05  # rad/s: below it the direction of a motion is unclear
FADES = 0.5  # rad/s at which Stribeck's extra friction has mostly gone
SHORTEST = 0.03  # m: through shorter levers a force is not felt
FALSE = 0.5  # N: an estimate above it claims a contact
GAINS = (10.0, 1.0, 0.05)  # 1/s
FEW_FREE, FEW_WEIGHTS, FEW_PUSHES = FREE[2:4] + FREE[5:], (LIFTS[1], PLACES[2]), PUSHES[::4]  # where time is short

# Given: arms, and what an estimator is told about a recording. Rotors count; friction does not.
body = cache(lambda robot: replace(links_of(model_of(robot)), damping=np.zeros(len(ARMS[robot].joints))))
ROTORS = body(ROBOT)
LINKS = replace(ROTORS, armature=np.zeros(N))  # what a torque sensor behind the gears would feel
many_torques = jax.jit(jax.vmap(inverse_dynamics, in_axes=(None, 0, 0, 0)))
many_jacobians = jax.jit(jax.vmap(lambda arm, q: jacobian(arm, q)[:3], in_axes=(None, 0)))


def signals(recording: Recording) -> Signals:
    """Given: by name, frames first, of the n arm joints:

    q, qd, qdd: rad, rad/s, rad/s^2, smoothed. current: A. flank: 1, -1 or 0, the direction in which a joint moved last,
    so on which side of the gap its teeth lie. tau_id: N m, inverse dynamics of links and rotors, from the motion.
    tau_links: without rotors. tau_true: N m, what a virtual arm's gear really gave. jacobian: m/rad, (frames, 3, n).
    """
    arm = body(recording.robot)
    columns = {"q": "q", "current": "effort"} | ({"tau_true": "tau_true"} if "tau_true" in recording else {})
    read = {name: recording[column][:, : len(arm.parent)].astype(float) for name, column in columns.items()}
    q, qd, qdd = smooth(read["q"], recording.rate)
    arms = {"tau_id": arm, "tau_links": replace(arm, armature=0 * arm.armature)}
    torques = {name: np.array(many_torques(arm, q, qd, qdd)) for name, arm in arms.items()}
    motion = {"q": q, "qd": qd, "qdd": qdd, "flank": last_direction(qd, SLOW)}
    return read | motion | torques | {"jacobian": np.array(many_jacobians(arm, q))}


def free_motion(tasks: Collection[str] = FREE, effects: Iterable[str] = EFFECTS) -> Signals:
    """Given: training trials in which nothing touches the arm, one after the other. effects: of the arm."""
    runs = [signals(recording) for recording in episodes(tasks, split="train", effects=effects)]
    return {name: np.concatenate([run[name] for run in runs]) for name in runs[0]}


# Yours: two estimators of the torque at the joints, an observer, a force, a report.


def id_linear(free: Signals, run: Signals) -> np.ndarray:
    """The environment's torque at each joint of `run`, N m, (frames, n), if a motor's torque is kt * current + b.

    Of free and run this uses "current", A, and "tau_id", N m, both (frames, n). Each joint has its own kt and b: those
    of the least squared error in torque on `free`, where nothing touches the arm.
    """
    # TODO(you): what does inverse dynamics amount to on `free`? Fit a line to it for each joint. And on `run`?
    raise NotImplementedError("TODO(you): id_linear")


def id_friction(free: Signals, run: Signals) -> np.ndarray:
    """The same, N m, (frames, n), if friction takes its part of the motor's torque before it reaches the links:

        kt i + b - coulomb s - stribeck s exp(-(qd / FADES)^2) - viscous qd - gap flank,   s = tanh(qd / SLOW)

    i is "current". "qd", rad/s, and "flank" are (frames, n) as well; i, qd and s change with time. The six others are
    numbers of the joint, of any sign: those of the least squared error in torque on `free`.
    """

    # TODO(you): in which of these numbers is the torque not linear? A column for each, then one least-squares problem
    # for each joint (np.linalg.lstsq). The columns of `free` find the numbers, those of `run` use them.
    raise NotImplementedError("TODO(you): id_friction")


def kinetic_energy(arm: Links, q: Array, qd: Array) -> Array:
    """Given: T = qd^T M(q) qd / 2 of links and rotors, J."""
    return qd @ mass_matrix(arm, q) @ qd / 2


def momentum_observer(
    arm: Links, q: Array, qd: Array, tau: Array, expected: Array, gain: float | Array, dt: float
) -> tuple[Array, Array]:
    """One tick: the torque r that the environment seems to give, N m, (n,), and what momentum to expect a tick later.

    q, qd: rad, rad/s, (n,). tau: what the motors give the links, N m, (n,), friction already taken off. expected: the
    momentum that was expected for now, kg m^2 rad/s, (n,). gain: 1/s. r is gain times the momentum that nobody
    expected. The expectation grows for dt (s) by all that the arm is known to feel, r included.
    """
    # TODO(you): Hamilton, not Newton: pdot = tau + dT/dq - gravity + J^T f, with p = M(q) qd. Which one does r stand in
    # for? jax.grad knows dT/dq; the question qd = qdd = 0 to inverse_dynamics(arm, q, qd, qdd) knows gravity.
    raise NotImplementedError("TODO(you): momentum_observer")


def observe(arm: Links, q: Array, qd: Array, tau: Array, gain: float | Array, rate: float) -> Array:
    """Given: r at every frame of a recording, N m, (frames, n), from q, qd and tau, (frames, n). rate: Hz."""

    def tick(expected: Any, now: Any) -> tuple[Any, Any]:
        return momentum_observer(arm, now[0], now[1], now[2], expected, gain, 1 / rate)[::-1]

    return jax.lax.scan(tick, mass_matrix(arm, q[0]) @ qd[0], (q, qd, tau))[1]


fast_momentum_observer, fast_observe = compiled(momentum_observer), compiled(observe)


def force_from_torque(jacobian: np.ndarray, tau: np.ndarray, shortest: float) -> tuple[np.ndarray, np.ndarray]:
    """The force at the effector, N, (frames, 3), that explains the torques best, and how many of its directions show.

    jacobian: of the effector's position, m/rad, (frames, 3, n), n > 2. tau: N m, (frames, n). Its singular values are
    levers in m. In a direction whose lever is below `shortest` the force counts as zero; the second answer,
    (frames,), is the number of the others, 0 to 3.
    """
    # TODO(you): tau = J^T f are n equations for three numbers. np.linalg.svd(..., full_matrices=False) takes J^T, all
    # frames at once, apart into U, levers, V^T. Undo the three in turn, leaving out the levers that are too short.
    raise NotImplementedError("TODO(you): force_from_torque")


def contact_report(
    estimate: np.ndarray, force: np.ndarray, valid: np.ndarray, contact: np.ndarray
) -> dict[str, float | None]:
    """How good an estimate is: {"mae": ..., "false_positives": ...}.

    estimate, force: N, (frames, 3). valid, contact: bool, (frames,). mae: N, the mean absolute error over valid frames
    and components. false_positives: the share, 0 to 1, of the frames without contact in which the estimate is longer
    than FALSE. None instead of a number where no frame counts for it.
    """
    # TODO(you): each of the two numbers asks about other frames.
    raise NotImplementedError("TODO(you): contact_report")


def lines(free: Signals) -> tuple[np.ndarray, np.ndarray]:
    """Given: what id_linear() makes of `free`: kt of each joint, N m/A, (n,), and its R^2 there, (n,)."""
    probe = {"current": np.array([np.zeros(N), np.ones(N)]), "tau_id": np.zeros((2, N))}  # two questions to the lines
    without, with_current = id_linear(free, probe)
    return without - with_current, 1 - np.var(id_linear(free, free), axis=0) / np.var(free["tau_id"], axis=0)


def estimates(free: Signals, run: Signals, arm: Links = ROTORS, rate: float = RATE) -> dict[str, np.ndarray]:
    """Given: the force at the effector by every method, N, (frames, 3) each."""
    linear = id_linear(free, run)
    torques = {"ID-Linear": linear, "ID-Friction": id_friction(free, run)}
    for gain in GAINS:  # what the lines say of the motors is what they leave unexplained, taken back
        torques[f"observer, {gain:g}/s"] = fast_observe(arm, run["q"], run["qd"], run["tau_id"] - linear, gain, rate)
    torques |= {"true joint torque": run["tau_links"] - run["tau_true"]} if "tau_true" in run else {}
    forces = {name: force_from_torque(run["jacobian"], tau, SHORTEST)[0] for name, tau in torques.items()}
    return {"predict zero": np.zeros((len(linear), 3))} | forces


def compared(free: Signals, tasks: Collection[str], key: str = "mae", **how) -> dict[str, np.ndarray]:
    """Given: by method, that number of the report for each task, (tasks,). how: further arguments of episodes()."""
    table: dict[str, list] = {}
    for recording in episodes(tasks, **how):
        labels = [recording[name] for name in ("force", "force_valid", "contact")]
        for name, force in estimates(free, signals(recording)).items():
            table.setdefault(name, []).append(contact_report(force, *labels)[key])
    return {name: np.array(numbers) for name, numbers in table.items()}


def show(name: str, numbers: Iterable) -> None:
    print(f"{name:28}", *(f"{x:6.2f}" for x in numbers))


def main() -> None:
    part("A", "Hold still; press down with 1.5 N, let go, lift, let go: the current of joint 2")
    push, rows = pressed(1.5)
    for name, frame in (("before", 0), ("pressed", 90), ("let go", 180), ("lifted", 270), ("let go", 360)):
        print(f"{name:8} {push[frame]:5.2f} N  {1e3 * rows[frame].effort[1]:5.0f} mA")

    part("B", "A line for each joint between current and torque, on free motion (the motor's own kt: 2.35 N m/A)")
    free = free_motion()
    for name, numbers in zip(("kt (N m/A)", "R^2"), lines(free), strict=True):
        show(name, numbers)

    part("C", "Force error (N): 200 300 400 g go up and stay; 200 300 400 500 g pick and place; mean")
    for name, errors in compared(free, LIFTS + PLACES).items():
        show(name, (*errors, errors.mean()))
    for name, paper in TABLE_VII.items():
        show(f"{name} (paper)", (*paper, sum(paper) / len(paper)))
    print("Other hardware: ours is a virtual arm over 500 steps, the paper's table VII a real one over 100.")

    part("D", "Six pushes, force error (N); the same motions without contact, share of false positives")
    claimed = compared(free, [f"{task}_reference" for task in PUSHES], "false_positives", frames=450)
    for name, errors in compared(free, PUSHES, frames=450).items():
        show(name, [errors.mean(), claimed[name].mean()])

    part("E", "What must go for a line to work: R^2 of joints 1 to 4; error over zero's on two weights, two pushes")
    for name, off in (("as it is", ()), ("no friction", FRICTION), ("no gap", {"backlash"}), ("read exactly", SENSING)):
        free = free_motion(FEW_FREE, effects := EFFECTS - frozenset(off))
        tests = [compared(free, tasks, effects=effects, frames=450) for tasks in (FEW_WEIGHTS, FEW_PUSHES)]
        show(name, [*lines(free)[1], *(e["ID-Linear"].sum() / e["predict zero"].sum() for e in tests)])


if __name__ == "__main__":
    run_script(main)
