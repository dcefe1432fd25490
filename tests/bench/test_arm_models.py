"""The three arms against the published numbers: by their facts files where present, and by another algorithm's results.

The facts lie beside the repository for its authors only; a clone has the reference values and formulas below.
"""

from pathlib import Path

import mujoco
import numpy as np
import pytest
import yaml

from bench import arms
from bench.arms import ARMS, EFFECTOR

FACTS = Path(__file__).parents[3] / "shared" / "facts"
GRAVITY = np.array([0, 0, -9.81])

# Pinocchio 4.1.0 on the published bodies, at q = low + (high - low) * (0.2 + 0.6 * frac(0.37 k)), qd = cos k,
# qdd = 3 sin(k + 1) for joint k = 0, 1, ...: effector, gravity torque, inverse dynamics, diagonal of the mass matrix.
REFERENCE = {
    "so101": (
        [0.157242060601, 0.262998183259, 0.303832916702],
        [0, -0.399401030686, -0.424796603436, -0.0942329101723, 0.00019769293345, -0.000450733923814],
        [0.029876798764, -0.374010427204, -0.403783628569, -0.0889673598737, -0.000198087104855, -0.000434378624715],
        [0.0102192806028, 0.0122528777555, 0.00760075102783, 0.000975346667256, 6.72946748861e-05, 1.61347207544e-05],
    ),
    "openmanipulator_x": (
        [-0.056369215971, -0.210418810445, 0.243179637556],
        [0, -0.30280564163, -0.338496651, -0.0459826982213, 0, 0],
        [0.0141960156596, -0.276221846761, -0.323574023529, -0.0429356614262, -0.00237856912052, -0.00139358819806],
        [0.00459406946989, 0.0112038302767, 0.00495346386988, 0.000382710173662, 0.001, 0.001],
    ),
    "panda": (
        [0.364716503388, -0.457743053435, 0.411070000202],
        [0, -11.4126336177, -5.97230339824, 22.2929547923, 0.926996195924, 2.76044122999, 0.012510060768,
         0.0675867762152, -0.0675867762152],
        [2.84211861092, -8.6466603479, -2.06489877775, 18.0756147609, 0.538797710284, 2.1238486841, -0.0215271962503,
         0.0890733022736, -0.02640077063],
        [1.16563148113, 1.21970056589, 1.27900247815, 1.02907076422, 0.0275888150754, 0.0544282728133, 0.00670597017536,
         0.015, 0.015],
    ),
}  # fmt: skip


@pytest.fixture(params=ARMS)
def name(request):
    return request.param


def inverse_dynamics(model, q, qd, qdd):
    """Joint torques of the rigid arm, limits and equalities left out, and the data that belongs to them."""
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qacc[:] = q, qd, qdd
    mujoco.mj_inverse(model, data)
    return data.qfrc_inverse.copy(), data


def test_kinematics_and_dynamics_are_pinocchios(name):
    model = arms.load(name)
    effector, gravity, torque, diagonal = REFERENCE[name]
    k = np.arange(model.nv)
    low, high = model.jnt_range.T
    q = low + (high - low) * (0.2 + 0.6 * (0.37 * k % 1))
    tau, data = inverse_dynamics(model, q, np.cos(k), 3 * np.sin(k + 1))
    assert data.site(EFFECTOR).xpos == pytest.approx(effector, abs=1e-11)
    assert tau == pytest.approx(torque, rel=1e-10, abs=1e-12)
    assert inverse_dynamics(model, q, 0, 0)[0] == pytest.approx(gravity, rel=1e-10, abs=1e-12)
    assert data.M[model.M_rowadr + model.M_rownnz - 1] == pytest.approx(diagonal, rel=1e-10)


def test_the_models_are_rigid_bodies_and_nothing_else(name):
    """What the published files mix in: actuators, and motor constants as damping, friction and armature."""
    model = arms.load(name)
    assert model.nu == 0 and model.ntendon == 0
    assert not np.any([model.dof_damping, model.dof_frictionloss, model.dof_armature, model.jnt_stiffness])
    assert not np.any(model.geom_contype) and not np.any(model.geom_conaffinity)
    assert model.opt.integrator == mujoco.mjtIntegrator.mjINT_EULER
    assert model.opt.timestep == 0.001 and np.all(model.opt.gravity == GRAVITY)
    assert np.all(model.jnt_limited)


def test_the_mass_matrix_is_positive_everywhere(name):
    model, data = arms.load(name), None
    rng, matrix = np.random.default_rng(5), np.zeros((model.nv, model.nv))
    for _ in range(200):
        data = inverse_dynamics(model, rng.uniform(*model.jnt_range.T), 0, 0)[1]
        mujoco.mj_fullM(model, data, matrix)
        assert np.linalg.eigvalsh(matrix)[0] > 0


def test_the_panda_is_its_table_of_craig_parameters():
    """a, d, alpha of the manufacturer's table; with the hand turned by -45 degrees and 103.4 mm to the fingertips."""
    a = [0, 0, 0, 0.0825, -0.0825, 0, 0.088]
    d = [0.333, 0, 0.316, 0, 0.384, 0, 0]
    alpha = np.pi / 2 * np.array([0, -1, 1, 1, -1, 1, 1])
    model, rng = arms.load("panda"), np.random.default_rng(7)
    for _ in range(20):
        q = rng.uniform(*model.jnt_range.T)
        pose = np.eye(4)
        for j in range(7):
            pose = pose @ along("x", a[j], alpha[j]) @ along("z", d[j], q[j])
        flange = pose @ along("z", 0.107, 0)
        tip = flange @ along("z", 0.1034, -np.pi / 4)
        data = inverse_dynamics(model, q, 0, 0)[1]
        assert data.site("flange").xpos == pytest.approx(flange[:3, 3], abs=1e-12)
        assert data.site(EFFECTOR).xpos == pytest.approx(tip[:3, 3], abs=1e-12)
        # The published quaternion of the hand has seven digits.
        assert data.site(EFFECTOR).xmat.reshape(3, 3) == pytest.approx(tip[:3, :3], abs=1e-7)


def along(axis, distance, angle):
    """A screw of that distance and angle, as a homogeneous matrix."""
    c, s = np.cos(angle), np.sin(angle)
    pose = np.eye(4)
    pose[:3, :3] = {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis]
    pose["xyz".index(axis), 3] = distance
    return pose


def test_the_openmanipulator_is_three_links_in_a_turning_plane():
    model, rng = arms.load("openmanipulator_x"), np.random.default_rng(8)
    for _ in range(20):
        q = rng.uniform(*model.jnt_range.T)
        shoulder, elbow, wrist = np.cumsum(q[1:4])  # pitch of each link, forward and down
        reach = 0.024 * np.cos(shoulder) + 0.128 * np.sin(shoulder) + 0.124 * np.cos(elbow) + 0.126 * np.cos(wrist)
        height = 0.0595 - 0.024 * np.sin(shoulder) + 0.128 * np.cos(shoulder)
        height += -0.124 * np.sin(elbow) - 0.126 * np.sin(wrist)
        data = inverse_dynamics(model, q, 0, 0)[1]
        expected = [0.012 + reach * np.cos(q[0]), reach * np.sin(q[0]), height]
        assert data.site(EFFECTOR).xpos == pytest.approx(expected, abs=1e-12)


# From here on against the facts files.

OWN_NAMES = {"moving_jaw_so101_v1": "moving_jaw"}


def read_facts(file):
    if not FACTS.exists():
        pytest.skip("the facts are not here")
    return yaml.safe_load((FACTS / f"{file}.yaml").read_text(encoding="utf-8"))


def published_bodies(name):
    """The bodies with mass, parents first, each as a dict of the facts; the Panda with its hand and two fingers."""
    facts = read_facts({"openmanipulator_x": "omx"}.get(name, name))
    if name != "panda":
        return [body for body in facts["bodies"] if body["mass"] > 0]
    hand, finger = facts["hand"], facts["hand"]["finger"]
    fingers = [
        {
            **finger,
            "body": body,
            "parent": "hand",
            "quat_wxyz": turned,
            "com": [0, 0, 0],
            "joints": [{"name": joint, "type": "slide", "axis": finger["axis"], "range": finger["range"]}],
        }
        for body, joint, turned in [
            ("left_finger", "finger_joint1", [1, 0, 0, 0]),
            ("right_finger", "finger_joint2", [0, 0, 0, 1]),
        ]
    ]
    return [*(body for body in facts["bodies_nohand"] if body["mass"] > 0), {**hand, "joints": []}, *fingers]


def inertia(body):
    """3 x 3 about the centre of mass, in body axes."""
    if "diaginertia" in body:
        return np.diag(body["diaginertia"])
    entry = body["inertia_com_body_axes"]
    return np.array([[entry["i" + "".join(sorted(a + b))] for b in "xyz"] for a in "xyz"])


def rotation(quat):
    w, *v = np.array(quat, dtype=float) / np.linalg.norm(quat)
    return np.eye(3) + 2 * w * skew(v) + 2 * skew(v) @ skew(v)


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def kane(bodies, q, qd, qdd):
    """Inverse dynamics by Kane's equations in the base frame: each joint feels what the inertial forces of all bodies
    do along its own partial velocities. Returns the torques and {body: (rotation, position)}."""
    n = len(q)
    torque, index = np.zeros(n), 0
    zero, none = np.zeros(3), np.zeros((3, n))
    # Rotation, position; angular velocity and acceleration, acceleration of the origin; velocity Jacobians.
    state = {"world": (np.eye(3), zero, zero, zero, -GRAVITY, none, none)}
    for body in bodies:
        R, p, w, dw, a, Jw, Jv = state[body["parent"]]
        r = R @ body["pos"]
        p, a, Jv = p + r, a + skew(dw) @ r + skew(w) @ skew(w) @ r, Jv - skew(r) @ Jw
        R = R @ rotation(body["quat_wxyz"])
        for joint in body["joints"]:
            axis = R @ joint["axis"]
            unit = np.outer(axis, np.eye(n)[index])
            if joint["type"] == "hinge":
                dw = dw + skew(w) @ axis * qd[index] + axis * qdd[index]
                w, Jw = w + axis * qd[index], Jw + unit
                R = turn(axis, q[index]) @ R
            else:
                r = axis * q[index]
                a = a + skew(dw) @ r + skew(w) @ skew(w) @ r + 2 * skew(w) @ axis * qd[index] + axis * qdd[index]
                p, Jv = p + r, Jv - skew(r) @ Jw + unit
            index += 1
        state[body["body"]] = (R, p, w, dw, a, Jw, Jv)
        com, tensor = R @ body["com"], R @ inertia(body) @ R.T
        force = body["mass"] * (a + skew(dw) @ com + skew(w) @ skew(w) @ com)
        torque += (Jv - skew(com) @ Jw).T @ force + Jw.T @ (tensor @ dw + skew(w) @ tensor @ w)
    return torque, {body: entry[:2] for body, entry in state.items()}


def turn(axis, angle):
    """Rodrigues' formula."""
    return np.eye(3) + np.sin(angle) * skew(axis) + (1 - np.cos(angle)) * skew(axis) @ skew(axis)


def test_every_body_is_where_the_facts_put_it_and_feels_what_they_say(name):
    bodies, model, rng = published_bodies(name), arms.load(name), np.random.default_rng(9)
    for _ in range(20):
        q = rng.uniform(*model.jnt_range.T)
        qd, qdd = rng.normal(size=(2, model.nv))
        torque, poses = kane(bodies, q, qd, qdd)
        tau, data = inverse_dynamics(model, q, qd, qdd)
        assert tau == pytest.approx(torque, rel=1e-11, abs=1e-13)
        for body, (R, p) in poses.items():
            ours = data.body(OWN_NAMES.get(body, body))
            assert ours.xpos == pytest.approx(p, abs=1e-12)
            assert ours.xmat.reshape(3, 3) == pytest.approx(R, abs=1e-12)


def test_masses_and_ranges_are_the_facts(name):
    model = arms.load(name)
    for body in published_bodies(name):
        assert model.body(OWN_NAMES.get(body["body"], body["body"])).mass[0] == body["mass"]
        for joint in body["joints"]:
            assert model.joint(joint["name"]).range == pytest.approx(joint["range"], abs=1e-15)


def test_the_effectors_are_published_frames():
    so101, omx, panda = read_facts("so101"), read_facts("omx"), read_facts("panda")
    site = arms.load("so101").site(EFFECTOR)
    frame = so101["ee_frames"]["menagerie_site_gripperframe"]
    assert site.pos == pytest.approx(frame["pos"])
    assert rotation(site.quat) == pytest.approx(rotation(frame["quat_wxyz"]), abs=1e-8)
    assert arms.load("openmanipulator_x").site(EFFECTOR).pos == pytest.approx(omx["end_effector"]["pos"])
    assert arms.load("panda").site("flange").pos == pytest.approx(panda["hand"]["pos"])


def test_the_panda_explains_a_real_one():
    """The root mean square of what remains of a real arm's joint torques, without a hand, is as the facts have it."""
    log = FACTS.parent / "data" / "panda_gaz" / "trajectory_1.csv.gz"
    if not log.exists():
        pytest.skip("the log is not here")
    t, *columns = np.loadtxt(log, delimiter=",", skiprows=1).T
    rate, every = 1000, np.arange(t[0], t[-1], 1 / 1000)
    q, qd, tau = (np.array([low_pass(np.interp(every, t, c), rate) for c in columns[k : k + 7]]).T for k in (0, 7, 14))
    qdd = np.gradient(qd, 1 / rate, axis=0)
    bare = arms.spec("panda")
    bare.delete(bare.body("hand"))
    model = bare.compile()
    rows = np.arange(500, len(every) - 500, 20)
    rest = tau[rows] - [inverse_dynamics(model, q[row], qd[row], qdd[row])[0] for row in rows]
    facts = read_facts("panda")
    expected = facts["real_log_check"]["rms_error_rnea_nohand"]
    assert np.sqrt(np.mean(rest**2, axis=0)) == pytest.approx(expected, rel=0.05)
    friction = facts["gaz_friction"]
    phi1, phi2, phi3 = (np.array(friction[k]) for k in ("phi1_Nm", "phi2_s_per_rad", "phi3_rad_per_s"))
    rest -= phi1 / (1 + np.exp(-phi2 * (qd[rows] + phi3))) - phi1 / (1 + np.exp(-phi2 * phi3))
    expected = facts["real_log_check"]["rms_error_rnea_nohand_plus_gaz_friction"]
    assert np.sqrt(np.mean(rest**2, axis=0)) == pytest.approx(expected, rel=0.05)


def low_pass(x, rate, cutoff=8.0):
    """Butterworth of order 4 forwards and backwards, as its gain on the spectrum; the ends are mirrored through
    themselves for a second so that they do not ring."""
    before, after = 2 * x[0] - x[rate:0:-1], 2 * x[-1] - x[-2 : -rate - 2 : -1]
    spectrum = np.fft.rfft(np.concatenate([before, x, after]))
    frequency = np.fft.rfftfreq(len(x) + 2 * rate, 1 / rate)
    return np.fft.irfft(spectrum / (1 + (frequency / cutoff) ** 8), len(x) + 2 * rate)[rate:-rate]
