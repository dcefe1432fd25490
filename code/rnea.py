"""Newton and Euler for every arm: out from the base with motion, back from the tip with forces.

Run it:     python code/rnea.py
Check it:   python3 -m course check rnea
The lesson: lessons/07_rnea.ipynb

Later modules build on what stands here: `from solutions.rnea import inverse_dynamics, mass_matrix, jacobian`.
Every function is about one state. jax.vmap makes many of it, jax.jit makes it fast, jax.grad differentiates it.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from bench import arms
from bench.kinematics import Array, Links, links_of
from bench.locked import ask_mujoco, model_of
from bench.script import part, run_script
from bench.xla import compiled, jax, jnp

# Given: geometry. Vectors are rows, (n, 3), one for each link.


def turn(axis: Array, angle: Array) -> jax.Array:
    """Rotations by angle, rad, (n,), about unit vectors, (n, 3): matrices (n, 3, 3), by Rodrigues' formula."""
    K = jnp.cross(axis[:, None, :], jnp.eye(3)).swapaxes(1, 2)  # K @ x is cross(axis, x)
    s, c = jnp.sin(angle)[:, None, None], jnp.cos(angle)[:, None, None]
    return jnp.eye(3) + s * K + (1 - c) * (K @ K)


def in_base(R: Array, v: Array) -> jax.Array:
    """Each row of v, known in its link's frame, along the axes of the base: R[i] @ v[i] for every link i."""
    return jnp.einsum("nij,nj->ni", R, v)


def of_parent(arm: Links, x: Array) -> jax.Array:
    """For each link the row of its parent, and zeros where that is the base, which stands still at the origin."""
    return jnp.stack([x[parent] if parent >= 0 else jnp.zeros_like(x[0]) for parent in arm.parent])


def outward(arm: Links, own: Array) -> jax.Array:
    """The recursion from the base to the tip: x[i] = x[parent of i] + own[i], all links at once."""
    return arm.moves @ own


def inward(arm: Links, own: Array) -> jax.Array:
    """The recursion from the tip to the base: x[i] = own[i] + the x of all links that hang on i."""
    return arm.moves.T @ own


def riding(w: Array, alpha: Array, r: Array) -> jax.Array:
    """By how much a point at r from the origin of a turning frame accelerates more than that origin, m/s^2."""
    return jnp.cross(alpha, r) + jnp.cross(w, jnp.cross(w, r))


# Yours: three steps of an algorithm, then two questions put to it


def frames(arm: Links, q: Array) -> tuple[jax.Array, jax.Array]:
    """Where the links are: their axes R, (n, 3, 3), one axis a column, and their origins p in m, (n, 3), in the base.

    q: joint angles in rad, (n,). At q = 0 link i stands at arm.offset[i], arm.rotation[i] in the frame of its parent;
    its joint turns it about arm.axis[i], a vector of its own frame. arm.parent[i] < i, or -1 for the base.
    """
    # TODO(you): first each link in the frame of its parent: which of rotation and turn(arm.axis, q) stands on the left?
    # Then, from the base outwards, the parent's frame and that together. Along whose axes is the offset known?
    raise NotImplementedError("TODO(you): frames")


def forward_pass(arm: Links, R: Array, p: Array, qd: Array, qdd: Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """How the links move: angular velocity w, angular acceleration alpha, acceleration a of the centres of mass.

    R, p: what frames() returns. qd, qdd: rad/s, rad/s^2, (n,). Three arrays (n, 3) along the axes of the base: rad/s,
    rad/s^2, m/s^2. Gravity is in a, as if the base accelerated by -arm.gravity.
    """
    # TODO(you): three recursions outwards. What does a joint add to the w of its parent? To its alpha, when the parent
    # turns the joint's axis while the joint turns? And how does a link's origin accelerate, riding on its parent?
    raise NotImplementedError("TODO(you): forward_pass")


def backward_pass(arm: Links, R: Array, p: Array, w: Array, alpha: Array, a: Array) -> jax.Array:
    """The torque about each joint's axis that this motion of the links takes, in N m, (n,). Links only, no motors.

    R, p: what frames() returns. w, alpha, a: what forward_pass() returns.
    """
    # TODO(you): Newton gives the force on each link, Euler the moment about its centre of mass. A joint carries all
    # links beyond it, and feels of their moment about its own origin what lies along its axis.
    raise NotImplementedError("TODO(you): backward_pass")


def inverse_dynamics(arm: Links, q: Array, qd: Array, qdd: Array, f_ext: Array | None = None) -> jax.Array:
    """Given: what the motors must give for this motion, N m, (n,): M qdd + bias - J^T f_ext.

    q, qd, qdd: rad, rad/s, rad/s^2, (n,). f_ext: what the environment does to the effector, in the base frame: a force
    in N, (3,), or force and moment in N and N m, (6,).
    """
    R, p = frames(arm, q)
    links = backward_pass(arm, R, p, *forward_pass(arm, R, p, qd, qdd))
    tau = links + arm.armature * qdd + arm.damping * qd
    return tau if f_ext is None else tau - jacobian(arm, q)[: len(f_ext)].T @ f_ext


def bias(arm: Links, q: Array, qd: Array) -> jax.Array:
    """Given: the torques of gravity, Coriolis and centrifugal forces and damping, N m, (n,): the question qdd = 0."""
    return inverse_dynamics(arm, q, qd, jnp.zeros_like(q))


def mass_matrix(arm: Links, q: Array) -> jax.Array:
    """M(q) in kg m^2, (n, n), the rotors' armature in it.

    q: rad, (n,).
    """
    # TODO(you): for which motion are the torques of inverse_dynamics() one column of M and nothing else? What must the
    # arm not feel meanwhile? Ask n such questions by jax.vmap; or see what M is the slope of, and let jax.jacfwd ask.
    raise NotImplementedError("TODO(you): mass_matrix")


def jacobian(arm: Links, q: Array) -> jax.Array:
    """How the effector moves with the joints, (6, n), in the base frame: three rows of m/rad, then three of rad/rad.

    q: rad, (n,). J @ qd is the effector's velocity and angular velocity, and J.T @ (force, moment) the joint torques.
    """
    # TODO(you): the column of joint j: the effector rides on a body that turns about that joint's axis at 1 rad/s, if
    # the joint carries it. arm.tip is the effector's link, arm.effector its place in it; arm.moves knows who carries.
    raise NotImplementedError("TODO(you): jacobian")


def forward_kinematics(arm: Links, q: Array) -> tuple[jax.Array, jax.Array]:
    """Given: the effector's axes (3, 3), one a column, and its place in m, (3,), in the base frame."""
    R, p = frames(arm, q)
    return R[arm.tip] @ arm.effector_rotation, p[arm.tip] + R[arm.tip] @ arm.effector


# The same, compiled: the lesson and the checks call these. NumPy arrays come out.
fast_frames, fast_forward_pass, fast_backward_pass = map(compiled, (frames, forward_pass, backward_pass))
fast_inverse_dynamics, fast_mass_matrix, fast_jacobian = map(compiled, (inverse_dynamics, mass_matrix, jacobian))


def shares(arm: Links, q: Array, qd: Array, qdd: Array) -> dict[str, np.ndarray]:
    """Given: what the torques of a motion are for, N m, (times, n) each. q, qd, qdd: (times, n)."""
    links, zero = replace(arm, armature=0 * arm.armature, damping=0 * arm.damping), np.zeros_like(q)
    ask = compiled(jax.vmap(partial(inverse_dynamics, links)))
    held, steady, whole = ask(q, zero, zero), ask(q, qd, zero), ask(q, qd, qdd)
    return {
        "gravity": held,
        "Coriolis and centrifugal": steady - held,
        "links' inertia": whole - steady,
        "rotors' inertia": arm.armature * qdd,
        "viscous friction": arm.damping * qd,
    }


def wave(name: str, t: np.ndarray) -> tuple[np.ndarray, ...]:
    """Given: a lively motion about an arm's home, 0.4 rad to and fro in every joint: q, qd, qdd, (times, n) each."""
    n = len(arms.ARMS[name].joints)
    speed, phase = 2 * np.pi / (1 + 0.3 * np.arange(n)), np.arange(n)  # rad/s, rad
    s, c = np.sin(np.outer(t, speed) + phase), np.cos(np.outer(t, speed) + phase)
    return arms.ARMS[name].home + 0.4 * s, 0.4 * speed * c, -0.4 * speed**2 * s


def main() -> None:
    rng = np.random.default_rng(0)
    part("A", "Against MuJoCo at 200 random states of each arm")
    for name in arms.ARMS:
        model, worst = model_of(name), np.zeros(3)
        arm = links_of(model)
        for q, qd, qdd in rng.normal(size=(200, 3, model.nv)) * [[1.0], [2.0], [5.0]]:
            mine = fast_inverse_dynamics(arm, q, qd, qdd), fast_mass_matrix(arm, q), fast_jacobian(arm, q)
            off = [np.abs(x - y).max() for x, y in zip(mine, ask_mujoco(model, q, qd, qdd), strict=True)]
            worst = np.maximum(worst, off)
        print(f"{name:18}: torque {worst[0]:.0e} N m, mass matrix {worst[1]:.0e} kg m^2, Jacobian {worst[2]:.0e} m/rad")

    part("B", "The Panda at home turns joint 5 alone, at 10 rad/s^2: what its links take beside gravity")
    arm, home = links_of(model_of("panda")), np.array(arms.ARMS["panda"].home)
    links = fast_mass_matrix(arm, home) - np.diag(arm.armature)
    print("joints 1 to 7:", *(f"{x:.3f}" for x in 10 * links[:, 4]), "N m")

    part("C", "Six seconds of motion: what the torque is for (root mean square over times and joints)")
    for name in arms.ARMS:
        arm = links_of(model_of(name))
        for purpose, torque in shares(arm, *wave(name, np.arange(0, 6, 0.005))).items():
            print(f"{name:18} {purpose:25} {np.sqrt(np.mean(torque**2)):8.4f} N m")
        whole = np.diag(fast_mass_matrix(arm, np.array(arms.ARMS[name].home)))
        print(
            f"{name:18} rotor's share of the inertia at each joint:",
            *(f"{100 * x:.1f} %" for x in arm.armature / whole),
        )

    part("D", "300 g in the gripper of a resting SO-101, as a body and as a force")
    q, still = np.array(arms.ARMS["so101"].home), np.zeros(5)
    empty, loaded = (links_of(model_of("so101", payload)) for payload in (0.0, 0.3))
    print("as a body :", *(f"{x:7.4f}" for x in fast_inverse_dynamics(loaded, q, still, still)), "N m")
    weight = 0.3 * empty.gravity
    print("as a force:", *(f"{x:7.4f}" for x in fast_inverse_dynamics(empty, q, still, still, weight)), "N m")


if __name__ == "__main__":
    run_script(main)
