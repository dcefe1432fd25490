"""Graded checks of module 07, Newton and Euler recursively. The expected values are MuJoCo's.

Most questions are about an arm that branches, because there a link's parent is not always the link before it:

    base - 0 - 1 - 2
               \\ - 3 - 4 - effector
"""

import mujoco
import numpy as np

from bench.locked import model_of
from course.testing import agree, array, check, exercise, wrong

ex = exercise("rnea")

PARENT = (-1, 0, 1, 1, 3)
N = len(PARENT)
TOL = 1e-9  # of quantities up to 100; right answers were within 1e-12 of MuJoCo's in 500 arms


# The arms, their states, and what MuJoCo says about them


class Arm:
    """A branching arm drawn at random, in a state drawn at random, with MuJoCo's view of it in base coordinates."""

    def __init__(self, rng, angles=1.0, speeds=2.0, accelerations=4.0):
        self.model = mujoco.MjModel.from_xml_string(mjcf(rng))
        self.data = data = mujoco.MjData(self.model)
        self.q, self.qd, self.qdd = rng.normal(size=(3, N)) * [[angles], [speeds], [accelerations]]
        data.qpos[:], data.qvel[:] = self.q, self.qd
        mujoco.mj_forward(self.model, data)
        data.qacc[:] = self.qdd
        mujoco.mj_inverse(self.model, data)
        mujoco.mj_rnePostConstraint(self.model, data)  # fills in what mj_objectAcceleration reads
        self.links = ex.links_of(self.model)
        self.R, self.p = data.xmat[1:].reshape(N, 3, 3).copy(), data.xpos[1:].copy()
        self.com = data.xipos[1:] - self.p  # from the link's origin, along the axes of the base
        self.axis = data.xaxis.copy()
        self.velocity, self.acceleration = np.zeros((N, 6)), np.zeros((N, 6))  # turning first, then moving
        for link in range(N):
            where = (self.model, data, mujoco.mjtObj.mjOBJ_BODY, link + 1)
            mujoco.mj_objectVelocity(*where, self.velocity[link], 0)
            mujoco.mj_objectAcceleration(*where, self.acceleration[link], 0)

    @property
    def motion(self):
        """What forward_pass() should return: w, alpha, a."""
        return self.velocity[:, :3], self.acceleration[:, :3], self.acceleration[:, 3:]

    def inertia(self, axes):
        """Each link's inertia about its centre of mass, seen along these axes of the link, (N, 3, 3)."""
        quats, own = self.model.body_iquat[1:], np.zeros((N, 3, 3))
        for link, quat in enumerate(quats):
            principal = rotation(quat)
            own[link] = principal @ np.diag(self.model.body_inertia[link + 1]) @ principal.T
        return axes @ own @ axes.swapaxes(1, 2)


def mjcf(rng):
    """The branching arm with random numbers: every axis, offset, mass and inertia askew."""

    def vector(*scale):
        return " ".join(f"{x:.6f}" for x in rng.normal(size=3) * scale)

    def quat():
        return " ".join(f"{x:.6f}" for x in rng.normal(size=4))

    links = [[] for _ in range(N)]
    for link, inside in enumerate(links):
        sides = rng.uniform(0.1, 0.4, 3) ** 2
        mass = rng.uniform(0.3, 2)
        inertia = mass / 12 * (sides.sum() - sides)  # a cuboid's, so that it is a possible one
        inside.append(
            f'<joint axis="{vector(1)}" damping="{rng.uniform(0.1, 1):.4f}" armature="{rng.uniform(0.01, 0.1):.4f}"/>'
            f'<inertial pos="{vector(0.1)}" quat="{quat()}" mass="{mass:.4f}"'
            f' diaginertia="{" ".join(f"{x:.6f}" for x in inertia)}"/>'
        )
        if link == N - 1:
            inside.append(f'<site name="effector" pos="{vector(0.2)}" quat="{quat()}"/>')
    for link in reversed(range(N)):
        text = f'<body pos="{vector(0.3)}" quat="{quat()}">{"".join(links[link])}</body>'
        if PARENT[link] >= 0:
            links[PARENT[link]].insert(1, text)
    return f'<mujoco><option gravity="{vector(3)}"/><worldbody>{text}</worldbody></mujoco>'


def rotation(quat):
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quat)
    return matrix.reshape(3, 3)


def turned(model, q):
    """Each link's axes in the frame of its parent, the fixed rotation and the joint's, (N, 3, 3) each."""
    fixed, joint, quat = np.zeros((N, 3, 3)), np.zeros((N, 3, 3)), np.zeros(4)
    for link in range(N):
        fixed[link] = rotation(model.body_quat[link + 1])
        mujoco.mju_axisAngle2Quat(quat, model.jnt_axis[link], q[link])
        joint[link] = rotation(quat)
    return fixed, joint


def shown(q):
    return "[" + ", ".join(f"{x:z.3f}" for x in q) + "]"


def several(got, asked, *names):
    """The answer as a tuple of these; their shapes are looked at later."""
    wanted = f"{len(names)} arrays: " + ", ".join(names)
    if not isinstance(got, (tuple, list)):
        kind = "nothing (None)" if got is None else "one array" if isinstance(got, np.ndarray) else "no tuple"
        wrong(asked, kind, wanted, "the return statement is missing" if got is None else "")
    if len(got) != len(names):
        wrong(asked, f"{len(got)} of them", wanted)
    for rows, name in zip(got, names, strict=True):
        if isinstance(rows, (tuple, list)):
            wrong(asked, f"{name} as a list of {len(rows)}", wanted, "jnp.stack makes one array of a list of rows")
    return got


def agree_by_link(asked, got, expected, unit="", slips=None):
    """agree() for one row a link; the question names the first link that is wrong, for the others build on it."""
    rows = array(got, expected.shape, asked, unit)
    off = np.abs(rows - expected).reshape(N, -1).max(axis=1) > TOL
    first = f"; the first wrong link is {np.argmax(off)}" if off.any() else ""
    agree(f"{asked}{first}", rows, expected, tol=TOL, unit=unit, slips=slips)


# frames


def chained(local, offset, parent=PARENT):
    """Frames composed outwards from these axes (N, 3, 3) and places (N, 3) in the parent's frame; for slips."""
    R, p = [], []
    for link, above in enumerate(parent):
        R.append(local[link] if above < 0 else R[above] @ local[link])
        p.append(offset[link] if above < 0 else p[above] + R[above] @ offset[link])
    return np.array(R), np.array(p)


def ask_frames(arm, about):
    asked = f"frames(arm, q={shown(arm.q)}) of an arm {about}"
    R, p = several(ex.fast_frames(arm.links, arm.q), asked, "the axes R", "the origins p")
    fixed, joint = turned(arm.model, arm.q)
    local, offset = fixed @ joint, arm.model.body_pos[1:]
    before = tuple(range(-1, N - 1))
    on_the_right, stretched = np.zeros_like(local), np.cumsum(offset, axis=0)
    along_own = np.zeros((N, 3))
    for link, above in enumerate(PARENT):
        on_the_right[link] = local[link] if above < 0 else local[link] @ on_the_right[above]
        along_own[link] = offset[link] if above < 0 else along_own[above] + arm.R[link] @ offset[link]
        stretched[link] = offset[link] + (stretched[above] if above >= 0 else 0)
    agree_by_link(
        f"the axes R of {asked}",
        R,
        arm.R,
        slips={
            "the joint turns about an axis of the link's own frame, so turn() stands on the right of rotation": chained(
                joint @ fixed, offset
            )[0],
            "the parent's axes stand on the left: they turn all that the link has": on_the_right,
            "each link was composed with the link before it; arm.parent says on which one it hangs": chained(
                local, offset, before
            )[0],
            "these are the axes in the frame of the parent; the base sees them through all links before": local,
            "q is missing: this is the arm at q = 0": chained(fixed, offset)[0],
            "rotation is missing: each link stands askew in its parent's frame already at q = 0": chained(
                joint, offset
            )[0],
            "these matrices are transposed: one axis is a column, not a row": arm.R.swapaxes(1, 2),
            "the joints turn the wrong way round": chained(fixed @ joint.swapaxes(1, 2), offset)[0],
            "q is in radians already": chained(fixed @ turned(arm.model, np.degrees(arm.q))[1], offset)[0],
        },
    )
    agree_by_link(
        f"the origins p of {asked}",
        p,
        arm.p,
        unit="m",
        slips={
            "the offset is known along the parent's axes: turn it by the parent's R first": stretched,
            "the offset was turned by the link's own R; it is known along the axes of its parent": along_own,
            "each link was put on the link before it; arm.parent says on which one it hangs": chained(
                local, offset, before
            )[1],
            "these are the offsets themselves, in the frames of the parents": offset,
        },
    )


@check(todo="frames", points=2, seconds=20)
def test_links_of_an_arm_at_its_zero(rng):
    """A branching arm at q = 0, where every link stands as it was built."""
    for _ in range(3):
        ask_frames(Arm(rng, angles=0.0), f"whose links hang on {PARENT}, at its zero")


@check(todo="frames", points=2, seconds=20)
def test_links_of_an_arm_that_moved(rng):
    """The same with its joints turned."""
    for _ in range(3):
        ask_frames(Arm(rng), f"whose links hang on {PARENT}")


# forward_pass


def ask_motion(arm, about):
    """Your w, alpha and a, and the question."""
    asked = f"forward_pass(arm, R, p, qd={shown(arm.qd)}, qdd={shown(arm.qdd)}) of an arm {about}"
    names = "angular velocities w", "angular accelerations alpha", "accelerations a"
    return several(ex.fast_forward_pass(arm.links, arm.R, arm.p, arm.qd, arm.qdd), asked, *names), asked


def summed(own, parent=PARENT):
    """x with x[i] = own[i] + x[parent of i]."""
    rows = []
    for link, above in enumerate(parent):
        rows.append(own[link] + (rows[above] if above >= 0 else 0))
    return np.array(rows)


def parents(x):
    return np.array([x[above] if above >= 0 else np.zeros(3) for above in PARENT])


def riding(w, alpha, r, turning=1.0, speeding=1.0):
    return speeding * np.cross(alpha, r) + turning * np.cross(w, np.cross(w, r))


def turning_slips(arm):
    spin, raw = arm.axis * arm.qd[:, None], arm.model.jnt_axis * arm.qd[:, None]
    return {
        "a link has its parent's w too: the joints before it turn it as well": spin,
        "the axes are known in the links' own frames; the sum needs them along the axes of the base": summed(raw),
        "each link was added to the link before it; arm.parent says on which one it hangs": np.cumsum(spin, axis=0),
        "this is the w of the parent; the link's own joint turns it as well": summed(spin) - spin,
        "the forces add up inwards, but the motion outwards": summed_inwards(spin),
        "w comes first, then alpha": arm.motion[1],
    }


def summed_inwards(own):
    rows = own.copy()
    for link in reversed(range(N)):
        if PARENT[link] >= 0:
            rows[PARENT[link]] += rows[link]
    return rows


def turning_up_slips(arm):
    spin, kick = arm.axis * arm.qd[:, None], arm.axis * arm.qdd[:, None]
    w = arm.motion[0]
    carried = np.cross(parents(w), spin)
    return {
        "a term is missing: the parent turns the axis of this joint, and with it the spin about it": summed(kick),
        "the cross product is the wrong way round: the parent's w comes first": summed(kick - carried),
        "a link has its parent's alpha too": kick + carried,
        "each link was added to the link before it; arm.parent says on which one it hangs": np.cumsum(
            kick + carried, axis=0
        ),
        "qdd is missing": summed(carried),
        "this used qd where qdd belongs": summed(spin + carried),
        "the term of the turning axis is there twice": summed(kick + 2 * carried),
    }


def centre_slips(arm):
    """What the usual mistakes would have given for a, m/s^2."""
    w, alpha, a = arm.motion
    g, lever = arm.model.opt.gravity, arm.p - parents(arm.p)
    steps = riding(parents(w), parents(alpha), lever)
    own = riding(w, alpha, arm.com)
    return {
        "gravity is missing: the base accelerates by -arm.gravity": a + g,
        "gravity has the wrong sign: a body at rest feels as if it accelerated upwards, by -arm.gravity": a + 2 * g,
        "gravity was added for each link on the way; it belongs to the base, once": summed(steps - g) + own,
        "this is the acceleration of the links' origins; a is that of the centres of mass": a - own,
        "the centripetal part is missing, cross(w, cross(w, r))": summed(np.cross(parents(alpha), lever))
        + np.cross(alpha, arm.com)
        - g,
        "the part of the angular acceleration is missing, cross(alpha, r)": a
        - summed(np.cross(parents(alpha), lever))
        - np.cross(alpha, arm.com),
        "a link's origin rides on its parent, so with the parent's w and alpha": summed(riding(w, alpha, lever))
        + own
        - g,
        "the lever of a link's origin starts at the origin of its parent, not at the base": summed(
            riding(parents(w), parents(alpha), arm.p)
        )
        + own
        - g,
        "the lever of a centre of mass starts at the origin of its own link": a
        - own
        + riding(w, alpha, arm.p + arm.com),
        "the lever leads from the parent's origin to the link's, not back": summed(-steps) + own - g,
        "the centres of mass are known in the links' frames; turn them into the base's": a
        - own
        + riding(w, alpha, arm.model.body_ipos[1:]),
        "a link has its parent's acceleration too": steps + own - g,
        "each link was added to the link before it; arm.parent says on which one it hangs": np.cumsum(steps, axis=0)
        + own
        - g,
    }


@check(todo="forward_pass", points=2, seconds=20)
def test_how_links_turn(rng):
    """Angular velocity and acceleration of each link of a branching arm."""
    for _ in range(3):
        arm = Arm(rng)
        (w, alpha, _), asked = ask_motion(arm, f"whose links hang on {PARENT}")
        agree_by_link(f"w of {asked}", w, arm.motion[0], unit="rad/s", slips=turning_slips(arm))
        agree_by_link(f"alpha of {asked}", alpha, arm.motion[1], unit="rad/s^2", slips=turning_up_slips(arm))


@check(todo="forward_pass", points=1, seconds=20)
def test_an_arm_at_rest_feels_gravity(rng):
    """Nothing moves. Every centre of mass accelerates upwards all the same, as far as forces are concerned."""
    arm = Arm(rng, speeds=0.0, accelerations=0.0)
    (_, _, a), asked = ask_motion(arm, f"at rest, with gravity {shown(arm.model.opt.gravity)}")
    agree_by_link(f"a of {asked}", a, arm.motion[2], unit="m/s^2", slips=centre_slips(arm))


@check(todo="forward_pass", points=2, seconds=20)
def test_how_centres_of_mass_accelerate(rng):
    """The acceleration of each link's centre of mass in a branching arm."""
    for _ in range(3):
        arm = Arm(rng)
        (_, _, a), asked = ask_motion(arm, f"whose links hang on {PARENT}")
        agree_by_link(f"a of {asked}", a, arm.motion[2], unit="m/s^2", slips=centre_slips(arm))


# backward_pass


def wrenches(arm, inertia=None, lever=None, gyroscopic=1.0, weight=0.0):
    """Force on each link, and its moment about the origin of the base. weight: how often gravity is added again."""
    w, alpha, a = arm.motion
    a = a - weight * arm.model.opt.gravity
    inertia = arm.inertia(arm.R) if inertia is None else inertia
    force = arm.model.body_mass[1:, None] * a
    spin = np.einsum("nij,nj->ni", inertia, w)
    moment = np.einsum("nij,nj->ni", inertia, alpha) + gyroscopic * np.cross(w, spin)
    return force, moment + np.cross(arm.p + arm.com if lever is None else lever, force)


def about_joints(arm, force, moment):
    """The torque about each joint's axis, from forces and moments about the base's origin that it carries."""
    return np.sum(arm.axis * (moment - np.cross(arm.p, force)), axis=1)


def torques(arm, **mistake):
    force, moment = wrenches(arm, **mistake)
    return about_joints(arm, summed_inwards(force), summed_inwards(moment))


def torque_slips(arm):
    """What the usual mistakes would have given, N m."""
    right, (force, moment) = torques(arm), wrenches(arm)
    inwards = summed_inwards(moment)
    raw = np.sum(arm.model.jnt_axis * (inwards - np.cross(arm.p, summed_inwards(force))), axis=1)
    line = tuple(range(-1, N - 1))
    chain = force.copy(), moment.copy()
    for link in reversed(range(1, N)):
        for row in chain:
            row[line[link]] += row[link]
    still = moment - np.cross(arm.p + arm.com, force)
    # At rest that would be 0, as without levers: no answer to tell them apart by.
    floating = torques(arm, weight=-1.0) if arm.qd.any() else np.nan
    return {
        "a joint carries all links beyond it, not only its own": about_joints(arm, force, moment),
        "the term of a turning body is missing: cross(w, inertia @ w)": torques(arm, gyroscopic=0.0),
        "that term has the wrong sign: Euler's moment is inertia @ alpha + cross(w, inertia @ w)": torques(
            arm, gyroscopic=-1.0
        ),
        "the inertia is known along the links' own axes; turn it into the base's, R @ inertia @ R^T": torques(
            arm, inertia=arm.inertia(np.broadcast_to(np.eye(3), (N, 3, 3)))
        ),
        "the inertia was turned the wrong way round: R @ inertia @ R^T": torques(
            arm, inertia=arm.inertia(arm.R.swapaxes(1, 2))
        ),
        "what changes the point is the sum of all forces that the joint carries, not its own link's": np.sum(
            arm.axis * (inwards - np.cross(arm.p, force)), axis=1
        ),
        "the lever comes first, then the force: cross(lever, force)": torques(arm, lever=-(arm.p + arm.com)),
        "moving the point from the base to the joint takes cross(p, force) away": np.sum(
            arm.axis * (inwards + np.cross(arm.p, summed_inwards(force))), axis=1
        ),
        "gravity is in a already": torques(arm, weight=1.0),
        "gravity is in a already, and has here the wrong sign as well": floating,
        "these are moments about the origin of the base; each joint feels them about its own": np.sum(
            arm.axis * inwards, axis=1
        ),
        "the forces have a lever: their moments about the joint are missing": np.sum(
            arm.axis * summed_inwards(still), axis=1
        ),
        "Newton's force acts at the centre of mass, not at the link's origin": torques(arm, lever=arm.p),
        "the axes are known in the links' own frames; turn them into the base's": raw,
        "the centres of mass are known in the links' own frames; turn them into the base's": torques(
            arm, lever=arm.p + arm.model.body_ipos[1:]
        ),
        "each link was put on the link before it; arm.parent says on which one it hangs": about_joints(arm, *chain),
        "the sign is turned: it is the joint that moves the links": -right,
        "the motion adds up outwards, but the forces inwards": about_joints(arm, summed(force), summed(moment)),
    }


def ask_torques(arm, about):
    asked = f"backward_pass(arm, R, p, w, alpha, a), {about}"
    got = ex.fast_backward_pass(arm.links, arm.R, arm.p, *arm.motion)
    motors = arm.model.dof_armature * arm.qdd + arm.model.dof_damping * arm.qd
    agree(
        asked,
        got,
        arm.data.qfrc_inverse - motors,
        tol=TOL,
        unit="N m",
        slips=torque_slips(arm)
        | {"rotors and friction are not asked for here; inverse_dynamics() adds them": arm.data.qfrc_inverse},
    )


@check(todo="backward_pass", points=1, seconds=20)
def test_what_it_takes_to_hold_still(rng):
    """A branching arm at rest: gravity alone."""
    for _ in range(2):
        ask_torques(Arm(rng, speeds=0.0, accelerations=0.0), "of an arm at rest")


@check(todo="backward_pass", points=3, seconds=20)
def test_what_any_motion_takes(rng):
    """A branching arm in motion, links only."""
    for _ in range(3):
        ask_torques(Arm(rng), "of an arm in motion")


@check(todo="backward_pass", points=1, seconds=60)
def test_every_arm_agrees_with_mujoco(rng):
    """SO-101, OpenManipulator-X and Panda: your three steps together against mj_inverse, rotors and friction too."""
    for name in ("so101", "openmanipulator_x", "panda"):
        model = model_of(name)
        links, data = ex.links_of(model), mujoco.MjData(model)
        for _ in range(3):
            q, qd, qdd = rng.normal(size=(3, model.nv)) * [[1.0], [2.0], [5.0]]
            data.qpos[:], data.qvel[:], data.qacc[:] = q, qd, qdd
            mujoco.mj_inverse(model, data)
            got = ex.fast_inverse_dynamics(links, q, qd, qdd)
            asked = f"inverse_dynamics(arm, q={shown(q)}, qd={shown(qd)}, qdd={shown(qdd)}) of {name}"
            agree(asked, got, data.qfrc_inverse, tol=TOL, unit="N m")


# Questions put to it


@check(todo="mass_matrix", points=3, seconds=30)
def test_is_the_mass_matrix_of_mujoco(rng):
    """A branching arm with rotors, in three poses."""
    for _ in range(3):
        arm = Arm(rng)
        expected = np.zeros((N, N))
        mujoco.mj_fullM(arm.model, arm.data, expected)
        asked = f"mass_matrix(arm, q={shown(arm.q)}) of a branching arm"
        got = array(ex.fast_mass_matrix(arm.links, arm.q), (N, N), asked, "kg m^2")
        agree(asked, got, expected, tol=TOL, unit="kg m^2", slips=mass_slips(arm, expected))


def asked_of_mujoco(arm, qd, qdd):
    """What mj_inverse answers in this pose."""
    data = mujoco.MjData(arm.model)
    data.qpos[:], data.qvel[:], data.qacc[:] = arm.q, qd, qdd
    mujoco.mj_inverse(arm.model, data)
    return data.qfrc_inverse.copy()


def mass_slips(arm, right):
    """What the usual mistakes would have given, kg m^2."""
    still, one = np.zeros(N), np.eye(N)
    weight = asked_of_mujoco(arm, still, still)
    friction, rotors = arm.model.dof_damping, arm.model.dof_armature
    answers = {
        "gravity is in every column: ask an arm that has no weight, or take its torques away again": right + weight,
        "the unit vectors are accelerations, and the arm stands still: these are speeds": np.array(
            [asked_of_mujoco(arm, e, still) for e in one]
        ),
        "friction is in it: an arm that stands still has none": right + np.diag(friction),
        "this is how the torques change with the speeds, so friction alone: the slope by qdd is asked for": np.diag(
            friction
        ),
        "the joints move as well: an acceleration alone has a column of M": np.array(
            [asked_of_mujoco(arm, e, e) for e in one]
        ),
    }
    without = {f"{slip} (here without gravity)": answer - weight for slip, answer in answers.items()}
    whole = asked_of_mujoco(arm, still, np.ones(N)) - weight
    stretched, at_zero = mujoco.MjData(arm.model), np.zeros((N, N))
    mujoco.mj_forward(arm.model, stretched)
    mujoco.mj_fullM(arm.model, stretched, at_zero)
    return answers | {
        "the answers are the columns, and so are these plus gravity's torques": right + weight[:, None],
        "the rotors are missing: inverse_dynamics() adds their armature, the two passes alone do not": right
        - np.diag(rotors),
        "the rotors are in it twice: inverse_dynamics() has added them already": right + np.diag(rotors),
        "q is missing: this is the mass matrix of the arm at its zero": at_zero,
        "all joints accelerated at once: one question for each": np.tile(whole, (N, 1)),
        **without,
    }


def effector_jacobian(arm):
    jacobian, site = np.zeros((6, N)), arm.model.site("effector").id
    mujoco.mj_jacSite(arm.model, arm.data, jacobian[:3], jacobian[3:], site)
    return jacobian


def ask_jacobian(arm):
    asked = f"jacobian(arm, q={shown(arm.q)}) of a branching arm"
    return array(ex.fast_jacobian(arm.links, arm.q), (6, N), asked), asked


@check(todo="jacobian", points=2, seconds=30)
def test_moves_the_effector(rng):
    """The upper three rows: where each joint moves the effector."""
    for _ in range(3):
        arm = Arm(rng)
        right, x = effector_jacobian(arm), arm.data.site("effector").xpos
        got, asked = ask_jacobian(arm)
        carries = np.any(right[3:], axis=0)
        every = np.cross(arm.axis, x - arm.p).T
        own = np.cross(arm.axis, arm.p[-1] - arm.p).T * carries
        raw = np.cross(arm.model.jnt_axis, x - arm.p).T * carries
        slips = {
            "joint 2 does not carry the effector, so it does not move it: arm.moves[arm.tip]": every,
            "the row of the tip says which joints carry it; the column says which links joint 4 carries": every
            * (np.arange(N) == N - 1),
            "the cross product is the wrong way round: axis first, then the lever": -right[:3],
            "angular rows stand above; the rows of the velocity come first": right[3:],
            "the lever starts at the joint's origin, not at the base": np.cross(arm.axis, x).T * carries,
            "this is the origin of the last link; the effector sits at arm.effector in its frame": own,
            "arm.effector is known along the axes of its link; turn it into the base's": np.cross(
                arm.axis, arm.p[-1] + arm.model.site("effector").pos - arm.p
            ).T
            * carries,
            "the axes are known in the links' own frames; turn them into the base's": raw,
            "the lever ends at the effector; this one ends at the last link's centre of mass": np.cross(
                arm.axis, arm.p[-1] + arm.com[-1] - arm.p
            ).T
            * carries,
        }
        agree(f"the rows of the velocity, {asked}", got[:3], right[:3], tol=TOL, unit="m/rad", slips=slips)


@check(todo="jacobian", points=1, seconds=30)
def test_turns_the_effector(rng):
    """The lower three rows: about which axis each joint turns the effector."""
    for _ in range(3):
        arm = Arm(rng)
        right = effector_jacobian(arm)
        got, asked = ask_jacobian(arm)
        carries = np.any(right[3:], axis=0)
        slips = {
            "joint 2 does not carry the effector, so it does not turn it: arm.moves[arm.tip]": arm.axis.T,
            "the axes are known in the links' own frames; turn them into the base's": arm.model.jnt_axis.T * carries,
            "these are the rows of the velocity; the angular ones come below": right[:3],
            "the sign is turned": -right[3:],
        }
        agree(f"the angular rows, {asked}", got[3:], right[3:], tol=TOL, unit="rad/rad", slips=slips)
