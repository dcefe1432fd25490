"""What a differentiable rollout costs: this course's dynamics beside MJX, forward and with its gradient.

    python benchmarks/rollouts.py [--arm so101] [--ticks 128] [--batch 16] [--rounds 5]

A batch of runs of an arm, gripper locked, with rotors and friction, for so many control ticks of 5 substeps. The
gradient is that of the mean square of all angles by every torque and by the joints' damping, in reverse. Both engines
have 64 bits, the same compiler flag (bench.xla sets it; without it MJX is ten to a hundred times slower), and
checkpoints where each does best with them: MJX around a substep, ours around the torque law, which is nothing here.
The answers are compared before anything is timed.

Each engine runs in a process of its own, so that peaks of memory do not mix: first ours, then MJX, then ours again, so
that both of ours stand beside one of MJX on a machine whose load drifts. The best of the rounds counts, and of ours the
better process. Memory is what the process has grown by at its peak since its imports; compiling is part of it. C is
timed too, forward only, one run after the other in one thread.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from dataclasses import replace

import mujoco
import numpy as np

from bench.arms import ARMS
from bench.kinematics import links_of
from bench.locked import model_of
from bench.xla import jax, jnp

OURS, MJX, C = "this course", "MJX", "MuJoCo, C"
SECONDS, SUBSTEPS = 0.0165, 5  # of a control tick


def main() -> None:
    options = argparse.ArgumentParser(description="Differentiable rollouts beside MJX.")
    options.add_argument("--arm", choices=ARMS, default="so101")
    options.add_argument("--ticks", type=int, default=128)
    options.add_argument("--batch", type=int, default=16)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--engine", choices=(OURS, MJX, C), help=argparse.SUPPRESS)  # what a process of ours is told
    chosen = options.parse_args()
    if chosen.engine:
        print(json.dumps(measured(chosen)))
        return
    print(f"{ARMS[chosen.arm].title}, {chosen.ticks} ticks of {SUBSTEPS} substeps, a batch of {chosen.batch}")
    found = [asked(engine) for engine in (OURS, MJX, OURS, C)]
    show(best(found[0], found[2]), found[1], found[3])


def asked(engine: str) -> dict:
    """What another process measured of this engine."""
    command = [sys.executable, __file__, *sys.argv[1:], "--engine", engine]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return json.loads(told.splitlines()[-1])


def best(one: dict, other: dict) -> dict:
    return {key: min(value, other[key]) for key, value in one.items()}


def problem(chosen: argparse.Namespace) -> tuple[mujoco.MjModel, tuple[np.ndarray, ...]]:
    """The model, and q and qd at the start, (batch, n), and torques, N m, (batch, ticks, n)."""
    model, rng = model_of(chosen.arm), np.random.default_rng(0)
    q = np.array(ARMS[chosen.arm].home) + 0.3 * rng.normal(size=(chosen.batch, model.nv))
    taus = (5.0 if chosen.arm == "panda" else 0.3) * rng.normal(size=(chosen.batch, chosen.ticks, model.nv))
    return model, (q, np.zeros_like(q), taus)


def measured(chosen: argparse.Namespace) -> dict[str, float]:
    """Seconds to trace, compile and run, memory in MiB, and the loss, of one engine in this process."""
    model, (q, qd, taus) = problem(chosen)
    if chosen.engine == C:
        return in_c(model, q, qd, taus, chosen.rounds)
    jax.config.update("jax_enable_compilation_cache", False)  # what compiling takes is asked here
    run = ours(model) if chosen.engine == OURS else mjx_runs(model)
    damping = model.dof_damping.copy()

    def loss(taus, damping, q, qd):
        return jnp.mean(jax.vmap(run, in_axes=(None, 0, 0, 0))(damping, q, qd, taus)[0] ** 2)

    result, before = {}, peak()
    for name, function in (("forward", loss), ("gradient", jax.grad(loss, argnums=(0, 1)))):
        started = time.perf_counter()
        lowered = jax.jit(function).lower(taus, damping, q, qd)
        traced = time.perf_counter()
        fast = lowered.compile()
        result |= {f"{name} trace": traced - started, f"{name} compile": time.perf_counter() - traced}
        rounds = []
        for _ in range(chosen.rounds):
            started = time.perf_counter()
            answer = jax.block_until_ready(fast(taus, damping, q, qd))
            rounds.append(time.perf_counter() - started)
        result |= {f"{name} run": min(rounds), f"{name} memory": peak() - before}
        result[f"{name} answer"] = float(np.sum([jnp.linalg.norm(x) for x in jax.tree.leaves(answer)]))
    return result


def ours(model: mujoco.MjModel):
    from solutions.rollouts import rollout

    arm = links_of(model)
    return lambda damping, q, qd, taus: rollout(replace(arm, damping=damping), q, qd, taus, SECONDS, SUBSTEPS)


def mjx_runs(model: mujoco.MjModel):
    from bench.mjx import rollout

    run = rollout(model, SUBSTEPS)
    return lambda damping, q, qd, taus: run(q, qd, taus, SECONDS, damping)


def in_c(model: mujoco.MjModel, q: np.ndarray, qd: np.ndarray, taus: np.ndarray, rounds: int) -> dict[str, float]:
    """The forward runs in C, its loop over steps in C as well as far as a torque lasts."""
    model.opt.timestep = SECONDS / SUBSTEPS
    data, seconds = mujoco.MjData(model), []
    for _ in range(rounds):
        started, squares = time.perf_counter(), 0.0
        for start, speed, torques in zip(q, qd, taus, strict=True):
            data.qpos[:], data.qvel[:] = start, speed
            for tau in torques:
                data.qfrc_applied[:] = tau
                mujoco.mj_step(model, data, SUBSTEPS)
                squares += float(np.sum(data.qpos**2))
        seconds.append(time.perf_counter() - started)
    return {"forward run": min(seconds), "forward answer": squares / taus.size}


def peak() -> float:
    """The most memory that this process has held so far, MiB."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / (2**20 if sys.platform == "darwin" else 2**10)


def show(mine: dict, theirs: dict, c: dict) -> None:
    for name in ("forward", "gradient"):
        off = abs(mine[f"{name} answer"] / theirs[f"{name} answer"] - 1)
        if off > 1e-9:
            sys.exit(f"The answers of the {name} rollout differ by a factor of 1 + {off:.1e}")
    print(f"loss {mine['forward answer']:.6f} rad^2; C has {c['forward answer']:.6f}")
    print(f"\n{'':12} {'':10} trace       compile    run          memory, at its peak")
    for name in ("forward", "gradient"):
        for engine, found in ((OURS, mine), (MJX, theirs)):
            trace, build, run, memory = (found[f"{name} {key}"] for key in ("trace", "compile", "run", "memory"))
            print(f"{engine:12} {name:9} {trace:6.2f} s {build:10.2f} s {1e3 * run:8.1f} ms {memory:10.0f} MiB")
    print(f"{C:12} {'forward':9} {'-':>6}   {'-':>10}   {1e3 * c['forward run']:8.1f} ms")
    print("\nMJX in units of ours:")
    for name in ("forward", "gradient"):
        made = [found[f"{name} trace"] + found[f"{name} compile"] for found in (mine, theirs)]
        run, memory = (theirs[f"{name} {key}"] / mine[f"{name} {key}"] for key in ("run", "memory"))
        print(f"{name:9} trace and compile {made[1] / made[0]:5.1f}   run {run:5.1f}   memory {memory:5.1f}")


if __name__ == "__main__":
    main()
