"""Graded checks of module 06, two links by hand and in JAX. Expected values come from MuJoCo or from closed forms."""

from dataclasses import dataclass, replace

import mujoco
import numpy as np

from course.testing import agree, array, check, exercise, wrong

ex = exercise("planar")

# On these arms the spread against MuJoCo is 1e-14; a difference quotient is off by 1e-10 and 32 bits by 1e-6.
TOL = 1e-11


@dataclass(frozen=True)
class Arm:
    """As in the exercise file: arrays (n,), in kg, m, m and kg m^2."""

    mass: np.ndarray
    length: np.ndarray
    centre: np.ndarray
    inertia: np.ndarray


LESSON = Arm(np.array([0.6, 0.4]), np.array([0.4, 0.3]), np.array([0.2, 0.15]), np.array([0.008, 0.003]))


def draw(rng, links=2):
    """An arm with other numbers than the lesson's."""
    length = rng.uniform(0.2, 0.5, links)
    return Arm(
        rng.uniform(0.2, 1.2, links), length, length * rng.uniform(0.3, 0.7, links), rng.uniform(2, 20, links) / 1e3
    )


class Engine:
    """One arm in MuJoCo."""

    def __init__(self, arm, payload=0.0, gravity=9.81):
        body, closing, at = "", "", 0.0
        for m, length, c, inertia in zip(arm.mass, arm.length, arm.centre, arm.inertia, strict=True):
            body += f'<body pos="0 0 {-at}"><joint axis="0 -1 0"/>' + self.inertial(m, c, inertia)
            closing, at = closing + "</body>", length
        body += f'<body pos="0 0 {-at}">{self.inertial(payload, 0, 1e-12)}</body>' if payload else ""
        option = f'<option gravity="0 0 {-gravity}"/>'
        xml = f"<mujoco>{option}<worldbody>{body}{closing}</worldbody></mujoco>"
        self.model = mujoco.MjModel.from_xml_string(xml)
        self.data = mujoco.MjData(self.model)

    @staticmethod
    def inertial(mass, down, inertia):
        return f'<inertial pos="0 0 {-down}" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>'

    def mass(self, q):
        """The mass matrix, kg m^2."""
        self.data.qpos[:] = q
        mujoco.mj_forward(self.model, self.data)
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        return M

    def slopes(self, q, h=1e-5):
        """dM/dq, an array (n, n, n) whose first index is the angle: central differences, right to about 1e-10."""
        steps = h * np.eye(len(q))
        return np.array([(self.mass(q + s) - self.mass(q - s)) / (2 * h) for s in steps])

    def bias(self, q, qd):
        """Coriolis and gravity torques, N m."""
        self.data.qpos[:], self.data.qvel[:] = q, qd
        mujoco.mj_forward(self.model, self.data)
        return self.data.qfrc_bias.copy()

    def torques(self, q, qd, qdd):
        """What the motion requires, N m."""
        self.bias(q, qd)
        self.data.qacc[:] = qdd
        mujoco.mj_inverse(self.model, self.data)
        return self.data.qfrc_inverse.copy()


def said(name, values):
    return f"{name}=[{', '.join(f'{x:.3f}' for x in values)}]"


def asked_of(function, **arguments):
    """The question in words, such as: coriolis(arm, q=[0.100, 0.200]) of two links of 0.30 and 0.40 kg."""
    arm = arguments.pop("arm")
    kilos = ", ".join(f"{m:.2f}" for m in arm.mass)
    lengths = ", ".join(f"{x:.2f}" for x in arm.length)
    return (
        f"{function}(arm, {', '.join(said(*pair) for pair in arguments.items())}), links of {kilos} kg and {lengths} m"
    )


def judge(asked, got, expected, tol, unit, slips):
    """agree, with a word for answers that are nearly right: approximations have fewer digits than is asked for here."""
    off = np.abs(got - expected)
    if tol < off.max() < 1e-5 * np.abs(expected).max():
        k = np.unravel_index(off.argmax(), off.shape)
        place = f" {unit} at {[int(i) for i in k]}"
        why = "right to a few digits only: a difference quotient, or 32 bits somewhere on the way?"
        wrong(asked, f"{got[k]:.14g}{place}", f"{expected[k]:.14g}{place}", why)
    agree(asked, got, expected, tol, unit, slips)


def nearest(got, *values):
    """The value that is closest to the answer, where one mistake has several outcomes."""
    return min(values, key=lambda value: np.abs(got - np.asarray(value)).max())


def potential_energy(arm, q):
    """In J, from MuJoCo."""
    engine = Engine(arm)
    engine.model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    engine.bias(q, np.zeros(2))
    return engine.data.energy[0]


def matrix_slips(M, arm, q, got):
    """What the usual mistakes make of the mass matrix."""
    (a, b), c = np.diag(M), M[0, 1]
    both = a / 2 + b / 2 + c  # the kinetic energy at the speeds (1, 1)
    V = potential_energy(arm, q)

    def off(x):
        return [[a, x], [x, b]]

    return {
        "the kinetic energy is HALF of qd @ M @ qd, so its value at one unit speed is half an entry": M / 2,
        "the kinetic energy is HALF of qd @ M @ qd; that holds for the entries on the diagonal, too": [
            [a / 2, c],
            [c, b / 2],
        ],
        "these are the energies themselves; which entries of M stand in each, and with which factor?": [
            [a / 2, both],
            [both, b / 2],
        ],
        "the shoulder carries the forearm's inertia as well: M22 is a part of M11": [[a - b, c], [c, b]],
        "the off-diagonal entry stands twice in qd @ M @ qd, and the half is taken of both": nearest(
            got, off(c / 2), off(2 * c)
        ),
        "with both joints at 1 rad/s the energy holds the diagonal entries as well; take them away": nearest(
            got, off(both), off(2 * both)
        ),
        "with both joints at 1 rad/s the energy holds BOTH diagonal entries": nearest(
            got, off(both - a / 2), off(both - b / 2)
        ),
        "from the energy at (1, 1) half of each diagonal entry is to be taken away, not all of it": off(both - a - b),
        "the joints feel each other: the entries off the diagonal are not zero": off(0.0),
        "the sign of the off-diagonal entries is turned": off(-c),
        "shoulder and elbow are exchanged: the shoulder comes first": M[::-1, ::-1],
        "the off-diagonal entry stands in one place only; M is symmetric": nearest(
            got, [[a, c], [0, b]], [[a, 0], [c, b]]
        ),
        "energies() returns two numbers, and M is in the kinetic one alone": nearest(
            got, [[a + 2 * V, c - V], [c - V, b + 2 * V]], [[2 * V, -V], [-V, 2 * V]]
        ),
        "arm is an argument; this is ARM, the arm at the top of the file": Engine(LESSON).mass(q),
        "q is an argument; this is M for an arm that hangs straight down": Engine(arm).mass(np.zeros(2)),
    }


@check(todo="mass_matrix", points=3)
def test_agrees_with_the_mass_matrix_of_mujoco(rng):
    """Your M against MuJoCo's own, for four arms."""
    for _ in range(4):
        arm, q = draw(rng), rng.uniform(-3, 3, 2)
        M = Engine(arm).mass(q)
        asked = asked_of("mass_matrix", arm=arm, q=q)
        got = array(ex.mass_matrix(arm, q), (2, 2), asked, "kg m^2")
        judge(asked, got, M, TOL, "kg m^2", matrix_slips(M, arm, q, got))


@check(todo="mass_matrix", points=1)
def test_a_push_accelerates_both_joints(rng):
    """An arm at rest, without gravity, gets a push at one joint. From your M follows how both joints start to move."""
    for joint, name in ((0, "shoulder"), (1, "elbow")):
        arm, q, push = draw(rng), rng.uniform(-3, 3, 2), rng.uniform(0.5, 2)
        engine = Engine(arm, gravity=0)
        engine.data.qfrc_applied[joint] = push
        engine.bias(q, np.zeros(2))
        asked = asked_of("mass_matrix", arm=arm, q=q)
        got = array(ex.mass_matrix(arm, q), (2, 2), asked, "kg m^2")
        M, tau = engine.mass(q), push * np.eye(2)[joint]
        why = next((why for why, slip in matrix_slips(M, arm, q, got).items() if np.allclose(got, slip)), "")
        if abs(np.linalg.det(got)) < 1e-9:
            wrong(asked, "a matrix without an inverse", "one with an inverse: a push has one outcome", why)
        asked = f"how both joints accelerate under {push:.3f} N m at the {name}, by {asked}"
        moved, expected = np.linalg.solve(got, tau), engine.data.qacc
        agree(asked, moved, expected, 1e-9 * np.abs(expected).max(), "rad/s^2", {why: moved} if why else {})


def coriolis_slips(arm, q, qd, expected):
    """What the usual mistakes make of the Coriolis torques."""
    b = arm.mass[1] * arm.length[0] * arm.centre[1]
    shape = np.array([[2.0, 1.0], [1.0, 0.0]])

    def terms(slope, qd=qd):
        """Mdot qd, and the derivative of the energy with respect to the elbow's angle."""
        return qd[1] * slope @ qd, qd @ slope @ qd / 2

    def both(slope, qd=qd):
        first, second = terms(slope, qd)
        return first - [0, second]

    def of(arm):
        return -arm.mass[1] * arm.length[0] * arm.centre[1] * np.sin(q[1]) * shape

    slope = -b * np.sin(q[1]) * shape
    first, second = terms(slope)
    shoulder_side = -b * np.sin(q[0]) * shape
    swapped = replace(arm, centre=arm.length, length=arm.centre)
    h = b * np.sin(q[1])
    return {
        "nothing accelerates, but there are torques: mass that runs in a circle has to be kept in it": np.zeros(2),
        "only Mdot qd is there; the energy depends on the elbow's angle, too, and that term is missing": first,
        "only the second term is there; Mdot qd is missing": [0, -second],
        "the second term is added; Lagrange's equation takes it away": first + [0, second],
        "the second term stands at the shoulder; the energy depends on the ELBOW's angle": first - [second, 0],
        "the second term stands at both joints; the energy does not depend on the shoulder's angle": first - second,
        "the half in the kinetic energy is missing in the second term": first - [0, 2 * second],
        "that is the derivative of the cosine with its sign lost; cos' = -sin": -expected,
        "M holds cos(q[1]), and a slope of M holds its derivative, the sine": both(b * np.cos(q[1]) * shape),
        "M depends on q[1], the elbow's angle; this is the slope at the shoulder's angle": both(shoulder_side),
        "q[1] is counted from the upper arm already; M does not hold q[0] + q[1]": both(
            -b * np.sin(q[0] + q[1]) * shape
        ),
        "M changes as fast as the elbow turns: its slope times qd[1]; here it is times qd[0]": qd[0] * slope @ qd
        - [0, second],
        "the slope with respect to q[1] is not yet Mdot: multiply by how fast q[1] changes": slope @ qd - [0, second],
        "cos(q[1]) stands twice in the first entry of M": both(slope * [[0.5, 1], [1, 1]]),
        "cos(q[1]) stands in the off-diagonal entries of M as well; the shoulder feels qd[1]**2": both(
            slope * [[1, 0], [0, 1]]
        ),
        "the last entry of M does not hold cos(q[1])": both(slope + [[0, 0], [0, -b * np.sin(q[1])]]),
        "at the shoulder the product of both speeds stands twice: cos(q[1]) does, in the first entry of M": [
            expected[0] + h * qd[0] * qd[1],
            expected[1],
        ],
        "the product of both speeds is missing: as M changes, it asks for torque at the shoulder": [
            expected[0] + 2 * h * qd[0] * qd[1],
            expected[1],
        ],
        "at the shoulder: neither joint's speed alone, nor the square of their sum; take the terms one by one": [
            -h * (qd[0] + qd[1]) ** 2,
            expected[1],
        ],
        "the elbow feels the shoulder's motion, even where its own speed changes nothing": [expected[0], 0.0],
        "the sign at the elbow is turned: the energy falls as the elbow bends": [expected[0], -expected[1]],
        "at the elbow the products of both speeds cancel: Mdot qd holds one, the second term another": [
            expected[0],
            expected[1] - h * qd[0] * qd[1],
        ],
        "the sine is missing: the slope of M depends on how far the elbow is bent": both(-b * shape),
        "that is the momentum M qd; c says what it takes to change it without accelerating": Engine(arm).mass(q) @ qd,
        "the length that counts is the upper arm's: arm.length[0]": both(slope * arm.length[1] / arm.length[0]),
        "the centre that counts is the forearm's: arm.centre[1]": both(slope * arm.centre[0] / arm.centre[1]),
        "the mass that counts is the forearm's: arm.mass[1]": both(slope * arm.mass[0] / arm.mass[1]),
        "arm is an argument; this is ARM, the arm at the top of the file": both(of(LESSON)),
        "gravity is not part of it; gravity() has its own function": Engine(arm).bias(q, qd),
        "inside the code angles are radians": both(-b * np.sin(np.degrees(q[1])) * shape),
        "shoulder and elbow are exchanged: the shoulder comes first": expected[::-1],
        "length and centre are exchanged": both(of(swapped)) if not np.allclose(of(swapped), slope) else [np.nan] * 2,
    }


@check(todo="coriolis", points=3)
def test_agrees_with_the_bias_forces_of_mujoco(rng):
    """Your Coriolis torques against MuJoCo's qfrc_bias with gravity off, for four motions."""
    for _ in range(4):
        arm, q = draw(rng), rng.uniform(0.4, 2.7, 2) * rng.choice([-1, 1], 2)
        qd = rng.uniform(0.5, 4, 2) * rng.choice([-1, 1], 2)
        expected = Engine(arm, gravity=0).bias(q, qd)
        asked = asked_of("coriolis", arm=arm, q=q, qd=qd)
        got = array(ex.coriolis(arm, q, qd), (2,), asked, "N m")
        judge(asked, got, expected, TOL, "N m", coriolis_slips(arm, q, qd, expected))


@check(todo="coriolis", points=2)
def test_one_joint_moves_and_the_other_feels_it(rng):
    """One joint turns steadily, the other is held. The centripetal force, times its lever arm, is what must be held."""
    for moving, held in ((1, 0), (0, 1), (1, 0), (0, 1)):
        arm, q, speed = draw(rng), rng.uniform(-3, 3, 2), rng.uniform(1, 6) * rng.choice([-1, 1])
        q[1] = rng.uniform(0.5, 2.6) * rng.choice([-1, 1])
        qd = speed * np.eye(2)[moving] + 0.0  # no -0.0 in the message
        # The forearm's centre circles about the moving joint. Elbow: radius c2, lever arm l1 sin q2 about the shoulder.
        # Shoulder: the elbow itself circles with radius l1, and the forearm hangs on it with the lever arm c2 sin q2.
        force = arm.mass[1] * speed**2 * (arm.centre[1] if moving == 1 else arm.length[0])
        lever = np.sin(q[1]) * (arm.length[0] if moving == 1 else arm.centre[1])
        expected = np.zeros(2)
        expected[held] = force * lever * (-1 if moving == 1 else 1)
        asked = asked_of("coriolis", arm=arm, q=q, qd=qd)
        got = array(ex.coriolis(arm, q, qd), (2,), asked, "N m")
        judge(asked, got, expected, TOL, "N m", coriolis_slips(arm, q, qd, expected))


def torque_slips(engine, q, qd, qdd, expected, got):
    """What the usual mistakes make of Lagrange's equation."""
    n = len(q)
    M, slopes = engine.mass(q), engine.slopes(q)
    g = engine.bias(q, np.zeros(n))
    by_angle = 0.5 * np.einsum("kij,i,j->k", slopes, qd, qd)  # dT/dq
    along = np.einsum("kij,k->ij", slopes, qd)  # Mdot
    change = M @ qdd + along @ qd

    def force(q, qd):
        """dL/dq; right to 1e-8 or so."""
        return 0.5 * np.einsum("kij,i,j->k", engine.slopes(q), qd, qd) - engine.bias(q, np.zeros(n))

    h = 1e-3
    exchanged = (force(q + h * qd, qd + h * qdd) - force(q - h * qd, qd - h * qdd)) / (2 * h) - M @ qd
    return {
        "dL/dq is missing: d/dt(dL/dqd) alone is right only where the energy does not depend on the angles": change,
        "dL/dq is added; Lagrange's equation takes it away": change + by_angle - g,
        "that is -dL/dq alone; d/dt(dL/dqd) is missing": g - by_angle,
        "dL/dqd depends on q as well, and q moves at qd: only the acceleration's share was taken": M @ qdd
        - by_angle
        + g,
        "dL/dqd depends on qd as well, and qd moves at qdd: only the share of the moving angles was taken": along @ qd
        - by_angle
        + g,
        "that is the momentum dL/dqd itself; how fast does it change?": M @ qd,
        "the momentum dL/dqd was not differentiated by time": M @ qd - by_angle + g,
        "the direction is turned round: q moves at qd, and qd moves at qdd": M @ qd
        + np.einsum("kij,k,j->i", slopes, qdd, qd)
        - by_angle
        + g,
        "the slope of the momentum with respect to q is a matrix, and qd stands on the wrong side of it": M @ qdd
        + by_angle
        + g,
        "along the motion q moves at qd, not by itself": M @ qdd
        + np.einsum("kij,k,j->i", slopes, q, qd)
        - by_angle
        + g,
        "gravity has the wrong sign: that is the energy T + V in place of L = T - V": change - by_angle - g,
        "the derivatives are exchanged: the arguments of lagrangian are 0 arm, 1 q, 2 qd": got
        if np.allclose(got, exchanged, rtol=1e-3, atol=1e-3)
        else [np.nan] * n,
        "the whole has the wrong sign": -expected,
        "gravity is missing: it is in lagrangian()": expected - g,
        "qdd does not come in: that is the torque for a motion that does not accelerate": expected - M @ qdd,
        "arm is an argument; this is ARM, the arm at the top of the file": Engine(LESSON).torques(q, qd, qdd)
        if n == 2
        else [np.nan] * n,
    }


def ask_for_torques(rng, links, questions):
    for _ in range(questions):
        arm, (q, qd, qdd) = draw(rng, links), rng.uniform(-3, 3, (3, links))
        engine = Engine(arm)
        expected = engine.torques(q, qd, qdd)
        asked = asked_of("torques", arm=arm, q=q, qd=qd, qdd=qdd)
        got = array(ex.fast_torques(arm, q, qd, qdd), (links,), asked, "N m")
        slips = torque_slips(engine, q, qd, qdd, expected, got)
        judge(asked, got, expected, TOL, "N m", slips)


@check(todo="torques", points=3, seconds=30)
def test_two_links_agree_with_the_inverse_dynamics_of_mujoco(rng):
    """Your torques, compiled, against MuJoCo's mj_inverse, for four motions of two links."""
    ask_for_torques(rng, links=2, questions=4)


@check(todo="torques", points=2, seconds=30)
def test_three_links_need_no_new_line(rng):
    """The same for three links: your lines must not count on two."""
    ask_for_torques(rng, links=3, questions=3)


def recording(rng, rows=7):
    """An arm, and a recording that another arm has made: {"q", "qd", "qdd", "tau"}."""
    arm, other = draw(rng), draw(rng)
    motion = rng.uniform(-2, 2, (3, rows, 2))
    engine = Engine(other)
    tau = np.array([engine.torques(*row) for row in motion.transpose(1, 0, 2)])
    return arm, dict(zip(("q", "qd", "qdd", "tau"), (*motion, tau), strict=True))


def required(arm, log, payload=0.0):
    """The torques of an arm along the motion of a recording."""
    engine = Engine(arm, payload)
    return np.array([engine.torques(*row) for row in zip(log["q"], log["qd"], log["qdd"], strict=True)])


def torques_are_wrong(arm, log):
    """Whether it is torques() that is to blame, asked about the first row."""
    row = log["q"][0], log["qd"][0], log["qdd"][0]
    got = array(ex.fast_torques(arm, *row), (2,), "torques(arm, q, qd, qdd)", "N m")
    return np.abs(got - Engine(arm).torques(*row)).max() > TOL


BLAME = "misfit adds up what torques() says, and torques() is not right yet: mend that first"


def one_number(asked, got, rows):
    """A kind word for answers that were not averaged all the way."""
    if isinstance(got, np.ndarray) and got.size > 1:
        what = {(rows, 2): "the mean", (rows,): "the mean over time", (2,): "the mean over the joints"}
        wrong(asked, f"{got.size} numbers", "one number in (N m)^2", what.get(got.shape, "the mean") + " is missing")


@check(todo="misfit", points=2, seconds=30)
def test_is_the_mean_square_over_all_rows_and_joints(rng):
    """Your misfit of an arm that did not make the recording, against MuJoCo's torques."""
    for _ in range(3):
        arm, log = recording(rng)
        error = required(arm, log) - log["tau"]
        square = np.mean(error**2)
        asked = f"misfit(arm, log), log of {len(error)} rows, links of {arm.mass[0]:.3f} and {arm.mass[1]:.3f} kg"
        got = ex.fast_misfit(arm, log)
        one_number(asked, got, len(error))
        agree(
            asked,
            got,
            square,
            tol=1e-9 * square,
            unit="(N m)^2",
            slips={
                "the sum was taken; a mean does not grow with the length of the recording": error.size * square,
                "the mean over the rows and the sum over the joints; take the mean over both": 2 * square,
                "the sum over the rows and the mean over the joints; take the mean over both": len(error) * square,
                "the root was taken; the misfit is the mean square itself": np.sqrt(square),
                "the square is missing, so that errors of both signs cancel": np.mean(error),
                "the sizes were averaged; square the errors": np.mean(np.abs(error)),
                "the mean was taken before the square, so that errors of both signs cancel": np.mean(error) ** 2,
                "the mean over the rows was taken before the square": np.mean(np.mean(error, axis=0) ** 2),
                "the measured torques are not taken away": np.mean((error + log["tau"]) ** 2),
                "the two torques are added; take the difference": np.mean((error + 2 * log["tau"]) ** 2),
                "half of the mean square": square / 2,
                "that is the length of all errors taken together": np.sqrt(error.size * square),
                "arm is an argument; this is ARM, the arm at the top of the file": np.mean(
                    (required(LESSON, log) - log["tau"]) ** 2
                ),
                "only the first row was used": np.mean(error[0] ** 2),
                "qd and qdd are exchanged": lambda arm=arm, log=log: np.mean(
                    (required(arm, log | {"qd": log["qdd"], "qdd": log["qd"]}) - log["tau"]) ** 2
                ),
                BLAME: lambda arm=arm, log=log, got=got: float(got) if torques_are_wrong(arm, log) else np.nan,
            },
        )


@check(todo="misfit", points=2, seconds=20)
def test_its_derivative_tells_the_payload(rng):
    """The misfit with a payload at the tip, and its slope: jax.grad goes through your function."""
    for _ in range(2):
        arm, log = recording(rng, rows=200)
        kg, unit = rng.uniform(0.1, 0.5), 0.3
        empty, loaded = required(arm, log), required(arm, log, unit)
        for_each = (loaded - empty) / unit  # a point mass at the tip asks for torque in proportion to itself
        error = empty + kg * for_each - log["tau"]
        value, slope, bend = np.mean(error**2), 2 * np.mean(error * for_each), 2 * np.mean(for_each**2)
        asked = f"misfit of an arm that carries {kg:.3f} kg, links of {arm.mass[0]:.3f} and {arm.mass[1]:.3f} kg"
        got = ex.fast_fit(arm, kg, log)
        told = [f"the {asked}", f"the slope, by jax.grad, of the {asked}", f"the slope's slope of the {asked}"]
        units = ("(N m)^2", "(N m)^2/kg", "(N m)^2/kg^2")
        mistakes = {
            "it does not grow or fall with the payload: does the answer depend on arm, all the way through?": (
                np.mean((required(LESSON, log) - log["tau"]) ** 2),
                0.0,
                0.0,
            ),
            "the sum was taken; a mean does not grow with the length of the recording": tuple(
                x * error.size for x in (value, slope, bend)
            ),
        }
        for k, expected in enumerate((value, slope, bend)):
            one_number(told[k], got[k], len(error))
            slips = {why: values[k] for why, values in mistakes.items()}
            blame = {BLAME: lambda arm=arm, log=log, got=got[k]: float(got) if torques_are_wrong(arm, log) else np.nan}
            agree(told[k], got[k], expected, 1e-8 * abs(expected) + 1e-9, units[k], slips | blame)
