"""What inverse dynamics costs: this course's RNEA beside MJX, MuJoCo's C engine and Pinocchio.

    python benchmarks/dynamics.py [--arm panda] [--batch 4096] [--rounds 5]

Three questions, each to one state, as a 200 Hz loop asks, and to a batch: the torques of a motion; the mass matrix; how
the torques change with angles, speeds and accelerations. For the last one ours and MJX answer with one row, a reverse
derivative (what training needs), Pinocchio and C with all of them (what they have).

Everything has 64 bits and the same arm, gripper locked, with rotors and friction, and the answers are compared first.
All engines are asked in turn, several rounds; the best round counts. Ours and MJX are compiled with the flag that
bench.xla sets, without which MJX is many times slower. C and Pinocchio answer one state after the other, called from
Python, on one thread. Pinocchio comes from `python3 -m pip install pin`; without it its rows are left out.
"""

import argparse
import contextlib
import io
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec

import mujoco
import numpy as np

from bench.arms import ARMS
from bench.kinematics import Links, links_of
from bench.locked import model_of
from bench.xla import jax
from solutions.rnea import inverse_dynamics, mass_matrix

OURS = "this course"
QUESTIONS = ("torques", "mass matrix", "slopes")
State = tuple[np.ndarray, np.ndarray, np.ndarray]  # q, qd, qdd: (n,), or (batch, n)


@dataclass
class Engine:
    """One way to answer a question: for one state, and for a batch. Both return arrays."""

    name: str
    one: Callable[[State], object]
    batch: Callable[[State], object]
    compiled: float = 0.0  # s, until the first answer to one state
    compiled_batch: float = 0.0
    seconds: list[float] = field(default_factory=list)  # for one state, in each round
    batch_seconds: list[float] = field(default_factory=list)


def main() -> None:
    options = argparse.ArgumentParser(description="Inverse dynamics beside MJX, MuJoCo's C engine and Pinocchio.")
    options.add_argument("--arm", choices=ARMS, default="panda")
    options.add_argument("--batch", type=int, default=4096)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    jax.config.update("jax_enable_compilation_cache", False)  # what compiling takes is asked here
    model = model_of(chosen.arm)
    rng = np.random.default_rng(0)
    states = tuple(rng.normal(size=(3, chosen.batch, model.nv)) * np.array([1.0, 2.0, 5.0])[:, None, None])
    print(f"{ARMS[chosen.arm].title}: {model.nv} joints, a batch of {chosen.batch}")
    if not find_spec("pinocchio"):
        print("Pinocchio is not installed and left out (python3 -m pip install pin)")
    for number, question in enumerate(QUESTIONS):
        engines = [found for makers in (jax_engines, c_engine, pin_engine) for found in makers(model, number)]
        show(question, measure(engines, states, chosen.rounds), compare(engines, states))


def jax_engines(model: mujoco.MjModel, question: int) -> Iterator[Engine]:
    """Ours and MJX: the same treatment for both."""
    with contextlib.redirect_stdout(io.StringIO()):  # it says that an optional part is missing
        from mujoco import mjx

    arm, theirs = links_of(model), mjx.put_model(model)
    empty = mjx.make_data(theirs)

    def mjx_torques(q, qd, qdd):
        return mjx.inverse(theirs, empty.replace(qpos=q, qvel=qd, qacc=qdd)).qfrc_inverse

    def mjx_mass(q, qd, qdd):
        data = mjx.crb(theirs, mjx.com_pos(theirs, mjx.kinematics(theirs, empty.replace(qpos=q))))
        return mjx.full_m(theirs, data)

    ours = (partial(inverse_dynamics, arm), lambda q, qd, qdd: mass_matrix(arm, q))
    for name, (torques, mass) in {OURS: ours, "MJX": (mjx_torques, mjx_mass)}.items():
        asked = (torques, mass, partial(slope_row, torques))[question]
        one, batch = jax.jit(asked), jax.jit(jax.vmap(asked))
        yield Engine(name, lambda s, f=one: np.asarray(f(*s)), lambda s, f=batch: np.asarray(f(*s)))


def slope_row(torques: Callable, q, qd, qdd):
    """How the sum of all torques changes with q, qd and qdd: a row of 3 n numbers, by reverse differentiation."""
    tau, back = jax.vjp(torques, q, qd, qdd)
    return jax.numpy.concatenate(back(jax.numpy.ones_like(tau)))


def c_engine(model: mujoco.MjModel, question: int) -> Iterator[Engine]:
    """MuJoCo itself."""
    data, n = mujoco.MjData(model), model.nv
    mass, by_q, by_qd, by_qdd = np.zeros((4, n, n))

    def put(state: State) -> None:
        data.qpos[:], data.qvel[:], data.qacc[:] = state

    def torques(state: State) -> np.ndarray:
        put(state)
        mujoco.mj_inverse(model, data)
        return data.qfrc_inverse.copy()

    def mass_of(state: State) -> np.ndarray:
        put(state)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        mujoco.mj_fullM(model, data, mass)
        return mass.copy()

    def slopes(state: State) -> np.ndarray:
        put(state)
        mujoco.mjd_inverseFD(model, data, 1e-6, False, by_q, by_qd, by_qdd, None, None, None, None)
        return np.concatenate([by_q.sum(axis=1), by_qd.sum(axis=1), by_qdd.sum(axis=1)])

    yield one_by_one("MuJoCo, C", (torques, mass_of, slopes)[question])


def pin_engine(model: mujoco.MjModel, question: int) -> Iterator[Engine]:
    """Pinocchio, if it is installed, on an arm made of the same links."""
    if not find_spec("pinocchio"):
        return
    import pinocchio as pin

    arm = links_of(model)
    theirs = pinocchio_model(pin, arm)
    data = theirs.createData()
    friction, n = arm.damping, model.nv

    def torques(state: State) -> np.ndarray:
        return pin.rnea(theirs, data, *state) + friction * state[1]

    def mass(state: State) -> np.ndarray:
        upper = np.triu(pin.crba(theirs, data, state[0]))
        return upper + np.triu(upper, 1).T

    def slopes(state: State) -> np.ndarray:
        by_q, by_qd, by_qdd = pin.computeRNEADerivatives(theirs, data, *state)
        return np.concatenate([by_q.sum(axis=0), by_qd.sum(axis=0) + friction, by_qdd.sum(axis=0)])

    assert n == theirs.nv
    yield one_by_one("Pinocchio", (torques, mass, slopes)[question])


def pinocchio_model(pin, arm: Links):
    """The same links for Pinocchio."""
    model = pin.Model()
    model.gravity = pin.Motion(np.array(arm.gravity), np.zeros(3))
    joints: list[int] = []
    for link, parent in enumerate(arm.parent):
        place = pin.SE3(np.array(arm.rotation[link]), np.array(arm.offset[link]))
        hinge = pin.JointModelRevoluteUnaligned(np.array(arm.axis[link]))
        joints.append(model.addJoint(joints[parent] if parent >= 0 else 0, hinge, place, f"joint{link}"))
        body = pin.Inertia(float(arm.mass[link]), np.array(arm.com[link]), np.array(arm.inertia[link]))
        model.appendBodyToJoint(joints[-1], body, pin.SE3.Identity())
    model.armature = np.array(arm.armature)
    return model


def one_by_one(name: str, answer: Callable[[State], np.ndarray]) -> Engine:
    """An engine that has no batches."""
    return Engine(name, answer, lambda states: np.array([answer(state) for state in zip(*states, strict=True)]))


def compare(engines: list[Engine], states: State) -> dict[str, float]:
    """The largest difference from C's answers, by engine; finite differences there are good to six digits or so."""
    few = tuple(x[:64] for x in states)
    right = next(e for e in engines if e.name == "MuJoCo, C").batch(few)
    return {e.name: float(np.abs(np.asarray(e.batch(states))[:64] - right).max()) for e in engines}


def measure(engines: list[Engine], states: State, rounds: int) -> list[Engine]:
    """Fill in what each engine takes, s."""
    single = tuple(x[0] for x in states)
    for engine in engines:
        engine.compiled, engine.compiled_batch = took(engine.one, single), took(engine.batch, states)
    for _ in range(rounds):
        for engine in engines:
            engine.seconds.append(min(took(engine.one, single) for _ in range(200)))
            engine.batch_seconds.append(took(engine.batch, states))
    return engines


def took(answer: Callable[[State], object], states: State) -> float:
    started = time.perf_counter()
    answer(states)
    return time.perf_counter() - started


def show(question: str, engines: list[Engine], off: dict[str, float]) -> None:
    """One table. The columns `of ours` are ratios: below 1 is quicker than this course's RNEA."""
    ours = next(e for e in engines if e.name == OURS)
    print(f"\n{question:12}   compile one  and batch    one state  of ours       batch  of ours   off C by")
    for e in engines:
        compiled = [f"{s:9.2f} s" if e.name in (OURS, "MJX") else f"{'-':>9}  " for s in (e.compiled, e.compiled_batch)]
        one, batch = min(e.seconds), min(e.batch_seconds)
        print(
            f"{e.name:12} {compiled[0]} {compiled[1]} {1e6 * one:9.1f} us {one / min(ours.seconds):8.2f}"
            f" {1e3 * batch:8.2f} ms {batch / min(ours.batch_seconds):8.2f} {off[e.name]:10.0e}"
        )


if __name__ == "__main__":
    main()
