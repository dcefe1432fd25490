"""Two links: their equations of motion by hand, then the same from one scalar function by JAX.

Run it:     python code/planar.py
Check it:   python3 -m course check planar
The lesson: lessons/06_planar.ipynb
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bench.planar import ask_mujoco, build, chain, record, swing_freely
from bench.script import part, run_script
from bench.xla import compiled, jax, jnp

GRAVITY = 9.81  # m/s^2


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Arm:
    """A hanging chain of n links in one plane. Four arrays (n,), one number for each link."""

    mass: Any  # kg
    length: Any  # m, from the link's joint to the next joint or the tip
    centre: Any  # m, from the link's joint to its centre of mass
    inertia: Any  # kg m^2, about the centre of mass


# Two uniform rods, m l^2 / 12; the same numbers as in models/planar.xml.
ARM = Arm(np.array([0.6, 0.4]), np.array([0.4, 0.3]), np.array([0.2, 0.15]), np.array([0.008, 0.003]))
THREE = Arm(np.array([0.6, 0.4, 0.2]), np.array([0.4, 0.3, 0.2]), np.full(3, 0.1), np.array([0.008, 0.003, 0.001]))
START = np.array([2.0, 1.0])  # rad: where free motions begin, at rest; high enough to turn over


# By hand, in NumPy. q = (0, 0) hangs straight down; q[1] is counted from the upper arm.


def energies(arm: Arm, q: np.ndarray, qd: np.ndarray) -> tuple[float, float]:
    """Given: kinetic and potential energy of the links, in J; the potential is 0 at the height of the shoulder.

    q: rad, (n,). qd: rad/s, (n,).
    """
    turned, spin = np.cumsum(q), np.cumsum(qd)  # a link turns with all joints before it
    forward = np.array([np.cos(turned), np.sin(turned)])  # the direction in which a point of the link moves if it turns
    ends = np.cumsum(arm.length * spin * forward, axis=1)  # velocities of the links' far ends, m/s
    velocities = ends - (arm.length - arm.centre) * spin * forward  # of their centres
    kinetic = 0.5 * np.sum(arm.mass * np.sum(velocities**2, axis=0) + arm.inertia * spin**2)
    height = -np.cumsum(arm.length * forward[0]) + (arm.length - arm.centre) * forward[0]
    return float(kinetic), float(GRAVITY * np.sum(arm.mass * height))


def mass_matrix(arm: Arm, q: np.ndarray) -> np.ndarray:
    """The M in: kinetic energy = qd @ M @ qd / 2. An array (2, 2) in kg m^2.

    arm: two links. q: rad, (2,).
    """
    # TODO(you): energies() knows M and does not show it. At which joint speeds does the kinetic energy show one entry
    # of M alone? The last entry never stands alone: at which speeds does it stand beside entries that you know by then?
    ### BEGIN SOLUTION
    shoulder, elbow, both = (energies(arm, q, np.array(qd))[0] for qd in ([1.0, 0.0], [0.0, 1.0], [1.0, 1.0]))
    mixed = both - shoulder - elbow
    return np.array([[2 * shoulder, mixed], [mixed, 2 * elbow]])
    ### END SOLUTION


def coriolis(arm: Arm, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    """What the motion itself asks of the two joints: Mdot qd - d(qd @ M @ qd / 2)/dq. An array (2,) in N m.

    These torques are needed though nothing accelerates (qdd = 0) and gravity is left out. q: rad. qd: rad/s.
    """
    # TODO(you): by hand. The lesson shows M multiplied out. Which angle does it depend on? Differentiate it with
    # respect to that angle, entry by entry. Both terms follow from this one matrix: the first asks how fast M changes
    # while the arm moves; the second, for each angle, how the energy would change if that angle were a little larger.
    ### BEGIN SOLUTION
    slope = -arm.mass[1] * arm.length[0] * arm.centre[1] * np.sin(q[1]) * np.array([[2.0, 1.0], [1.0, 0.0]])
    return qd[1] * slope @ qd - np.array([0.0, qd @ slope @ qd / 2])
    ### END SOLUTION


def gravity(arm: Arm, q: np.ndarray) -> np.ndarray:
    """Given: the torques that hold two links still, N m: the potential energy, differentiated by hand."""
    (m1, m2), (l1, _), (c1, c2) = arm.mass, arm.length, arm.centre
    fore = GRAVITY * m2 * c2 * np.sin(q[0] + q[1])
    return np.array([GRAVITY * (m1 * c1 + m2 * l1) * np.sin(q[0]) + fore, fore])


# The same in JAX, for any number of links. Nothing is differentiated by hand from here on.


def centres(arm: Arm, q: jax.Array) -> jax.Array:
    """Given: where the centres of mass are, x and z in m from the shoulder, (n, 2). The only geometry there is."""
    turned = jnp.cumsum(q)
    along = jnp.stack([jnp.sin(turned), -jnp.cos(turned)], axis=1)
    ends = jnp.cumsum(arm.length[:, None] * along, axis=0)
    return ends - (arm.length - arm.centre)[:, None] * along


def potential(arm: Arm, q: jax.Array) -> jax.Array:
    """Given: potential energy, J."""
    return GRAVITY * jnp.sum(arm.mass * centres(arm, q)[:, 1])


def lagrangian(arm: Arm, q: jax.Array, qd: jax.Array) -> jax.Array:
    """Given: kinetic minus potential energy, J. The velocities come from the places, by jax.jvp."""
    _, moving = jax.jvp(lambda q: centres(arm, q), (q,), (qd,))
    kinetic = 0.5 * jnp.sum(arm.mass * jnp.sum(moving**2, axis=1) + arm.inertia * jnp.cumsum(qd) ** 2)
    return kinetic - potential(arm, q)


def torques(arm: Arm, q: jax.Array, qd: jax.Array, qdd: jax.Array) -> jax.Array:
    """The joint torques that a motion requires, in N m, (n,), from Lagrange's equation: d/dt(dL/dqd) - dL/dq.

    q, qd, qdd: rad, rad/s, rad/s^2, (n,), at one instant.
    """
    # TODO(you): jax.grad(lagrangian, argnums=...) for the two derivatives. L has no argument t for the d/dt: but while
    # time runs, both q and qd move, and you know how fast each does. jax.jvp takes a derivative along such a motion.
    ### BEGIN SOLUTION
    momentum, force = jax.grad(lagrangian, argnums=2), jax.grad(lagrangian, argnums=1)
    _, change = jax.jvp(lambda q, qd: momentum(arm, q, qd), (q, qd), (qd, qdd))
    return change - force(arm, q, qd)
    ### END SOLUTION


def misfit(arm: Arm, log: dict[str, jax.Array]) -> jax.Array:
    """How badly an arm explains a recording: the mean square of (your torques - log["tau"]), one number in (N m)^2.

    log: {"q", "qd", "qdd", "tau"}, each (rows, n). The mean is over all rows and joints.
    """
    # TODO(you): torques() knows one instant only. jax.vmap makes a function of many instants from it. Which of its four
    # arguments has a row for each instant, and which one is the same throughout?
    ### BEGIN SOLUTION
    every_row = jax.vmap(torques, in_axes=(None, 0, 0, 0))
    return jnp.mean((every_row(arm, log["q"], log["qd"], log["qdd"]) - log["tau"]) ** 2)
    ### END SOLUTION


# Given: what follows from your functions


def with_payload(arm: Arm, kg: float | jax.Array) -> Arm:
    """The arm with a point mass at its tip, made part of the last link."""
    mass, centre, length = arm.mass[-1], arm.centre[-1], arm.length[-1]
    total, middle = mass + kg, (mass * centre + kg * length) / (mass + kg)
    inertia = arm.inertia[-1] + mass * (centre - middle) ** 2 + kg * (length - middle) ** 2
    tip = np.arange(len(arm.mass)) == len(arm.mass) - 1  # the one entry that changes

    def last(values, value):
        return values + tip * (value - values[-1])

    return replace(arm, mass=last(arm.mass, total), centre=last(arm.centre, middle), inertia=last(arm.inertia, inertia))


def payload_fit(arm: Arm, kg: float, log: dict) -> tuple[jax.Array, jax.Array, jax.Array]:
    """misfit of the arm with a payload of kg, and its first and second derivative with respect to kg."""

    def off(kg):
        return misfit(with_payload(arm, kg), log)

    (value, slope), (_, curvature) = jax.jvp(jax.value_and_grad(off), (kg,), (jnp.ones_like(kg),))
    return value, slope, curvature


def rate_by_jax(arm: Arm, x: jax.Array) -> jax.Array:
    """How the state (q, qd) changes without any motor, for any number of links: forward dynamics out of inverse."""
    q, qd = x
    still = jnp.zeros_like(q)
    mass = jax.jacfwd(torques, argnums=3)(arm, q, qd, still)  # torques are linear in qdd, and M is their slope
    return jnp.stack([qd, jnp.linalg.solve(mass, -torques(arm, q, qd, still))])


def runge_kutta(rate: Callable, x: Any, dt: float) -> Any:
    """One step of dt, s, by the method of order 4. rate: from a state, an array, to its change in a second."""
    k1 = rate(x)
    k2 = rate(x + dt / 2 * k1)
    k3 = rate(x + dt / 2 * k2)
    k4 = rate(x + dt * k3)
    return x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def swing(arm: Arm, q: jax.Array, steps: int, dt: float) -> jax.Array:
    """The motion from rest at q, (steps, 2, n): angles and speeds. A loop as one operation, which jit can compile."""

    def step(x, _):
        x = runge_kutta(lambda x: rate_by_jax(arm, x), x, dt)
        return x, x

    return jax.lax.scan(step, jnp.stack([q, jnp.zeros_like(q)]), None, length=steps)[1]


# Compiled at their first call; NumPy's arrays go in and come out.
fast_torques, fast_misfit, fast_fit = compiled(torques), compiled(misfit), compiled(payload_fit)


def main() -> None:
    rng = np.random.default_rng(0)
    part("A", "By hand, against MuJoCo at 200 states")
    model, worst = build(), np.zeros(2)
    for q, qd in rng.uniform(-3, 3, (200, 2, 2)):
        mass, bias, _ = ask_mujoco(model, q, qd, 0)
        mine = mass_matrix(ARM, q), coriolis(ARM, q, qd) + gravity(ARM, q)
        worst = np.maximum(worst, [np.abs(mine[0] - mass).max(), np.abs(mine[1] - bias).max()])
    print(f"largest disagreement: mass matrix {worst[0]:.1e} kg m^2, Coriolis and gravity {worst[1]:.1e} N m")
    shoulder, elbow = coriolis(ARM, np.array([0.0, np.pi / 2]), np.array([0.0, 6.0]))
    print(f"shoulder held, elbow at a steady 6 rad/s: {shoulder:.3f} N m at the shoulder, {elbow:.3f} at the elbow")

    part("B", "From the Lagrangian, against MuJoCo at 200 states")
    for arm in (ARM, THREE):
        n, worst = len(arm.mass), 0.0
        model = chain(arm.mass, arm.length, arm.centre, arm.inertia)
        for motion in rng.uniform(-3, 3, (200, 3, n)):
            worst = max(worst, np.abs(fast_torques(arm, *motion) - ask_mujoco(model, *motion)[2]).max())
        print(f"{n} links: largest disagreement {worst:.1e} N m")

    part("C", "What does the arm carry? 3 s of motion, torques known to 0.05 N m")
    log = record(0.25, 3, 0.05, rng)
    value, slope, curvature = fast_fit(ARM, 0.0, log)
    found = -slope / curvature
    print(f"as if empty: misfit {value:.4f} (N m)^2, slope {slope:.3f} for each kg; so it carries {found:.4f} kg")
    print(f"with that: misfit {fast_fit(ARM, found, log)[0]:.5f}; the noise alone makes {0.05**2:.5f}")

    part("D", "Ten seconds of free motion: between which energies does it wander?")
    mine = compiled(lambda q: swing(ARM, q, 2000, 0.005))(START)
    for name, states in (("MuJoCo, Euler, 1 ms", swing_freely(build(), START, 10)), ("Runge-Kutta, 5 ms", mine)):
        total = [sum(energies(ARM, *x)) for x in states]
        print(f"{name:19}: {min(total):.4f} and {max(total):.4f} J")

    part("E", "100 arms let go within a thousandth of a radian")
    starts = START + rng.uniform(-5e-4, 5e-4, (100, 2))
    elbows = compiled(jax.vmap(lambda q: swing(ARM, q, 1000, 0.01)))(starts)[:, :, 0, 1]
    for seconds in (1, 2, 4, 6, 8):
        print(f"after {seconds} s their elbows are {np.ptp(elbows[:, 100 * seconds - 1]):.4f} rad apart")


if __name__ == "__main__":
    run_script(main)
