"""An arm as plain arrays: which link hangs on which, where its joint is, and what it weighs.

    arm = links_of(model_of("so101"))   # from bench.locked
    arm.parent, arm.mass, arm.moves

Everything that MuJoCo has compiled is in an MjModel, scattered over bodies, joints and degrees of freedom. Here one row
is one link with the hinge that turns it, in the order of qpos, which is all that Newton and Euler ask for. `Links` is a
pytree: JAX differentiates by its arrays, and compiles anew only when the tree of links is another one.
"""

from dataclasses import dataclass, field, replace
from typing import TypeAlias

import mujoco
import numpy as np

from bench.arms import EFFECTOR
from bench.xla import jax

Array: TypeAlias = np.ndarray | jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Links:
    """n links that hinges connect, each with the frame that turns with it. Its origin lies on the axis of its hinge."""

    offset: Array  # m, (n, 3): the link's origin in the frame of its parent
    rotation: Array  # (n, 3, 3): the link's axes in the frame of its parent at q = 0, one axis a column
    axis: Array  # (n, 3): the hinge's direction, a unit vector, in the link's own frame
    mass: Array  # kg, (n,)
    com: Array  # m, (n, 3): centre of mass in the link's own frame
    inertia: Array  # kg m^2, (n, 3, 3): about the centre of mass, along the link's own axes
    armature: Array  # kg m^2, (n,): the rotor behind its gear, as the joint feels it
    damping: Array  # N m s/rad, (n,)
    gravity: Array  # m/s^2, (3,), in the base frame
    effector: Array  # m, (3,): where loads hang and forces act, in the frame of the link `tip`
    effector_rotation: Array  # (3, 3): the axes of the effector in that frame
    parent: tuple[int, ...] = field(metadata={"static": True})  # (n,): a link before this one, or -1 for the base
    tip: int = field(metadata={"static": True})  # the link that carries the effector

    @property
    def moves(self) -> np.ndarray:
        """Which joint moves which link, (n, n): 1 at [i, j] if link i is carried by joint j, its own one included."""
        matrix = np.eye(len(self.parent))
        for link, parent in enumerate(self.parent):
            if parent >= 0:
                matrix[link] += matrix[parent]
        return matrix


def links_of(model: mujoco.MjModel) -> Links:
    """The links of a model, one for each hinge. Bodies without a joint become part of the link that they sit on.

    Raises ValueError for a model that has more to it: other joints than hinges, several in one body, springs, damping
    that is not proportional to speed, or no site called "effector" on a link.
    """
    _refuse(model)
    places = _places(model)
    hinges = [model.jnt_bodyid[j] for j in range(model.njnt)]
    parents = [places[model.body_parentid[body]] for body in hinges]
    mass, com, inertia = zip(*(_merged(model, places, link) for link in range(model.njnt)), strict=True)
    site = model.site(EFFECTOR)
    tip, position, rotation = places[site.bodyid[0]]
    return Links(
        offset=np.array([p + r @ _anchor(model, b) for b, (_, p, r) in zip(hinges, parents, strict=True)]),
        rotation=np.array([r @ _at_zero(model, b) for b, (_, _, r) in zip(hinges, parents, strict=True)]),
        axis=model.jnt_axis.copy(),
        mass=np.array(mass),
        com=np.array(com),
        inertia=np.array(inertia),
        armature=model.dof_armature.copy(),
        damping=model.dof_damping.copy(),
        gravity=model.opt.gravity.copy(),
        effector=position + rotation @ site.pos,
        effector_rotation=rotation @ _matrix(site.quat),
        parent=tuple(int(link) for link, _, _ in parents),
        tip=int(tip),
    )


def with_gripper_motor(arm: Links, armature: float, damping: float) -> Links:
    """The same arm and one more joint at its end: the motor of the gripper, which turns by itself.

    What its fingers weigh is next to nothing beside its rotor (`bench.locked`), so it is a massless link on the base.
    armature: kg m^2. damping: N m s/rad.
    """

    def more(rows: Array, row: Array) -> np.ndarray:
        return np.concatenate([rows, np.array([row])])

    return replace(
        arm,
        offset=more(arm.offset, np.zeros(3)),
        rotation=more(arm.rotation, np.eye(3)),
        axis=more(arm.axis, np.array([0.0, 0.0, 1.0])),
        mass=more(arm.mass, np.array(0.0)),
        com=more(arm.com, np.zeros(3)),
        inertia=more(arm.inertia, np.zeros((3, 3))),
        armature=more(arm.armature, np.array(armature)),
        damping=more(arm.damping, np.array(damping)),
        parent=(*arm.parent, -1),
    )


Place = tuple[int, np.ndarray, np.ndarray]  # a body's link (-1: the base), its origin and its axes in the link's frame


def _places(model: mujoco.MjModel) -> list[Place]:
    """Where each body is, the world first."""
    places: list[Place] = [(-1, np.zeros(3), np.eye(3))]
    for body in range(1, model.nbody):
        link, position, rotation = places[model.body_parentid[body]]
        if model.body_jntnum[body]:
            joint = model.body_jntadr[body]
            places.append((joint, -model.jnt_pos[joint], np.eye(3)))
        else:
            where = position + rotation @ model.body_pos[body]
            places.append((link, where, rotation @ _matrix(model.body_quat[body])))
    return places


def _anchor(model: mujoco.MjModel, body: int) -> np.ndarray:
    """The hinge of a body, in the frame of the body that carries it, m."""
    return model.body_pos[body] + _matrix(model.body_quat[body]) @ model.jnt_pos[model.body_jntadr[body]]


def _at_zero(model: mujoco.MjModel, body: int) -> np.ndarray:
    """The axes of a body at q = 0, in the frame of the body that carries it; MuJoCo keeps those at q = qpos0."""
    joint, back = model.body_jntadr[body], np.zeros(4)
    mujoco.mju_axisAngle2Quat(back, model.jnt_axis[joint], -model.qpos0[joint])
    return _matrix(model.body_quat[body]) @ _matrix(back)


def _merged(model: mujoco.MjModel, places: list[Place], link: int) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass and inertia about it of all bodies of a link together (Steiner's theorem)."""
    parts = []
    for body, (owner, position, rotation) in enumerate(places):
        if owner == link:
            axes = rotation @ _matrix(model.body_iquat[body])
            centre = position + rotation @ model.body_ipos[body]
            parts.append((model.body_mass[body], centre, axes @ np.diag(model.body_inertia[body]) @ axes.T))
    mass = sum(m for m, _, _ in parts)
    com = sum(m * c for m, c, _ in parts) / mass
    shifts = [(m, c - com, inertia) for m, c, inertia in parts]
    return mass, com, sum(inertia + m * (d @ d * np.eye(3) - np.outer(d, d)) for m, d, inertia in shifts)


def _matrix(quaternion: np.ndarray) -> np.ndarray:
    """The rotation matrix of a quaternion (w, x, y, z)."""
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quaternion)
    return matrix.reshape(3, 3)


def _refuse(model: mujoco.MjModel) -> None:
    """Raise ValueError for a model that Links cannot hold."""
    for joint in range(model.njnt):
        name = model.joint(joint).name or f"number {joint}"
        if model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_HINGE:
            raise ValueError(
                f"Joint {name} is no hinge; links are connected by hinges here (bench.locked fixes a gripper)"
            )
        if model.body_jntnum[model.jnt_bodyid[joint]] > 1:
            raise ValueError(f"Joint {name} shares its body with another one; give each a body of its own")
        if model.jnt_stiffness[joint] or model.jnt_stiffnesspoly[joint].any() or model.dof_dampingpoly[joint].any():
            raise ValueError(f"Joint {name} has a spring or a damping that is not proportional to its speed")
    sites = [model.site(s).name for s in range(model.nsite)]
    if EFFECTOR not in sites or not model.body_weldid[model.site(EFFECTOR).bodyid[0]]:
        raise ValueError(f"No link carries a site called {EFFECTOR!r}")
