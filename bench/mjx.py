"""MJX, MuJoCo's own simulator in JAX, as a second back end behind the course's rollouts.

    run = rollout(model, substeps=5)          # the same arguments as solutions.rollouts.rollout, after the arm
    qs, qds = run(q, qd, taus, seconds)

What the course's own dynamics is compared with: another algorithm by other people that gives the same numbers. It is
differentiated in the plain way, so the way back stores or recomputes all of its inside.

MJX 3.17 with MuJoCo 4.0 differs from the C engine without a word for several elements and for some clamps, so a model
may have hinges with armature and damping here, and nothing else that acts.
"""

import contextlib
import io
from collections.abc import Callable

import mujoco

from bench.xla import jax, jnp

with contextlib.redirect_stdout(io.StringIO()):  # it says that an optional part is missing
    from mujoco import mjx


def rollout(model: mujoco.MjModel, substeps: int) -> Callable:
    """A function of (q, qd, taus, seconds) that returns q and qd after each tick, (T, n), as solutions.rollouts does.

    taus: N m, (T, n), each held for a tick of `seconds`, which has `substeps` steps of Euler's rule. A fifth argument,
    damping, N m s/rad, (n,), takes the place of the model's. The model: one of bench.locked, without constraints, for
    MJX's solver cannot be differentiated in reverse. Raises ValueError for a model with constraints switched on,
    actuators, or another integrator.
    """
    _refuse(model)
    theirs = mjx.put_model(model)
    empty = mjx.make_data(theirs)

    def run(q, qd, taus, seconds, damping=theirs.dof_damping):
        short = theirs.tree_replace({"opt.timestep": jnp.asarray(seconds / substeps), "dof_damping": damping})

        def step(state, tau):
            # Of mjx.Data only the state goes round: the rest is a hundred arrays that each step fills anew.
            data = mjx.step(short, empty.replace(qpos=state[0], qvel=state[1], qfrc_applied=tau))
            return data.qpos, data.qvel

        # Around a substep: around the whole tick XLA takes minutes to compile the way back.
        again = jax.checkpoint(step, prevent_cse=False)

        def tick(state, tau):
            state, _ = jax.lax.scan(lambda state, _: (again(state, tau), None), state, length=substeps)
            return state, state

        return jax.lax.scan(tick, (q, qd), taus)[1]

    return run


def _refuse(model: mujoco.MjModel) -> None:
    """Raise ValueError for a model that MJX would not simulate as C does, or not differentiate."""
    if not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_CONSTRAINT:
        raise ValueError("MJX's constraint solver cannot be differentiated in reverse; switch constraints off")
    if model.nu:
        raise ValueError("Actuators differ between MJX and C here and there; apply torques instead")
    if model.opt.integrator != mujoco.mjtIntegrator.mjINT_EULER:
        raise ValueError("MJX is compared under Euler's rule; set model.opt.integrator to mjINT_EULER")
