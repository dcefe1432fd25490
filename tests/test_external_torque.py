"""Graded checks of module 08, feeling without a sensor. Expected: normal equations, MuJoCo, closed forms."""

import mujoco
import numpy as np

from bench.arms import ARMS
from bench.locked import ask_mujoco, model_of
from course.testing import agree, array, check, exercise, fields, number, wrong

ex = exercise("external_torque")

N, SLOW, FADES, FALSE = 4, 0.05, 0.5, 0.5  # as the exercise file has them


def pair(got, asked, *names):
    """The answer as a tuple of two; what they are is looked at later."""
    if not isinstance(got, (tuple, list)) or len(got) != 2:
        kind = "nothing (None)" if got is None else f"a {type(got).__name__}"
        if isinstance(got, (tuple, list)):
            kind += f" of {len(got)}"
        wrong(asked, kind, f"two answers: {names[0]} and {names[1]}", "the return statement is missing" * (got is None))
    return got


# Torque at the joints, from a current


class Servos:
    """Two made-up recordings of four joints whose motors, friction and noise are drawn at random.

    On `run` the environment's torque is `external`; what the right fit says of it is for the checks to compute.
    """

    def __init__(self, rng, noise, friction):
        frames = 80
        self.free: dict[str, np.ndarray] = {}
        self.run: dict[str, np.ndarray] = {}
        kt, b = rng.uniform(0.5, 3, N), rng.uniform(0.05, 0.3, N) * rng.choice([-1, 1], N)
        lost = rng.uniform(0.05, 0.3, (4, N)) * friction
        self.external = rng.uniform(0.2, 1, N) * rng.choice([-1, 1], N) * np.linspace(0.3, 1, frames)[:, None]
        for signals, pushed in ((self.free, 0), (self.run, 1)):
            qd = rng.normal(0, 0.6, (frames, N)) * (rng.random((frames, N)) > 0.2)  # a fifth of the time at rest
            current, flank = rng.normal(0.1, 0.4, (frames, N)), rng.choice([-1.0, 1.0], (frames, N))
            s = np.tanh(qd / SLOW)
            friction_torque = lost[0] * s + lost[1] * s * np.exp(-((qd / FADES) ** 2)) + lost[2] * qd + lost[3] * flank
            tau = kt * current + b - friction_torque + pushed * self.external + noise * rng.normal(size=(frames, N))
            signals.update(qd=qd, flank=flank, current=current, tau_id=tau)

    def subset(self, *names):
        return tuple({name: each[name] for name in (*names, "tau_id")} for each in (self.free, self.run))


LINE = ("current", "one")
FULL = ("current", "one", "coulomb", "stribeck", "viscous", "flank")


def column(signals, j, name):
    """One column of the fit for joint j."""
    i, tau = signals["current"][:, j], signals["tau_id"][:, j]
    if name in ("current", "one"):
        return i if name == "current" else np.ones(len(tau))
    qd = signals["qd"][:, j]
    s = np.tanh(qd / SLOW)
    return {
        "coulomb": s,
        "stribeck": s * np.exp(-((qd / FADES) ** 2)),
        "viscous": qd,
        "flank": signals["flank"][:, j],
        "sign": np.sign(qd),
        "sign stribeck": np.sign(qd) * np.exp(-((qd / FADES) ** 2)),
        "unsigned stribeck": np.exp(-((qd / FADES) ** 2)),
        "exp stribeck": s * np.exp(-np.abs(qd / FADES)),
    }[name]


def columns(signals, j, names):
    return np.stack([column(signals, j, name) for name in names], axis=1)


def fitted(on, use, names, shared=False):
    """What the motors gave in `use` by a fit on `on`, N m, (frames, n): the normal equations, joint by joint."""
    motor = np.zeros_like(use["tau_id"])
    for j in range(N):
        joints = range(N) if shared else [j]
        A = np.concatenate([columns(on, k, names) for k in joints])
        tau = np.concatenate([on["tau_id"][:, k] for k in joints])
        motor[:, j] = columns(use, j, names) @ np.linalg.solve(A.T @ A, A.T @ tau)
    return motor


def swapped(on, use):
    """The motors' torque if the line is fitted the other way round, current over torque, and then solved for torque."""
    motor = np.zeros_like(use["tau_id"])
    for j in range(N):
        slope, start = np.polyfit(on["tau_id"][:, j], on["current"][:, j], 1)
        motor[:, j] = (use["current"][:, j] - start) / slope
    return motor


def fit_slips(free, run, names):
    """Mistakes that any of the two fits can have, N m."""
    tau, motor = run["tau_id"], fitted(free, run, names)
    few = [name for name in names if name != "one"]
    return {
        "the sign is turned: the environment gives what inverse dynamics asks for and the motor does not": motor - tau,
        "this is what the motors give; the environment gives the rest of tau_id": motor,
        "the fit was made on `run`, where the environment is part of the torque": tau - fitted(run, run, names),
        "b is missing": tau - fitted(free, run, few),
        "each joint has numbers of its own": tau - fitted(free, run, names, shared=True),
        "this is what inverse dynamics asks for, with nothing taken away": tau,
        "motor and environment give tau_id together: the motor's part is taken away": tau + motor,
        "this is the answer for `free`; the one for `run` is asked for": free["tau_id"] - fitted(free, free, names),
    }


def line_slips(free, run):
    """What the usual mistakes in id_linear would have given, N m."""
    still = {name: 0 * values for name, values in run.items()}
    first = {**free, "current": np.repeat(free["current"][:, :1], N, axis=1)}
    return fit_slips(free, run, LINE) | {
        "b was fitted and then left out": run["tau_id"] - fitted(free, run, LINE) + fitted(free, still, LINE),
        "the line of each joint wants the current of that joint": run["tau_id"] - fitted(first, run, LINE),
    }


@check(todo="id_linear", points=2)
def test_a_perfect_motor(rng):
    """Motors that follow their line exactly: the environment's torque comes out exactly."""
    for _ in range(3):
        servos = Servos(rng, noise=0.0, friction=0.0)
        free, run = servos.subset("current")
        agree(
            "id_linear(free, run) of motors without noise or friction",
            ex.id_linear(free, run),
            servos.external,
            tol=1e-9,
            unit="N m",
            slips=line_slips(free, run),
        )


@check(todo="id_linear", points=2)
def test_the_line_of_least_error_in_torque(rng):
    """Motors with noise: the line of each joint is the one of least squares, with the errors in torque."""
    for _ in range(3):
        free, run = Servos(rng, noise=0.4, friction=0.0).subset("current")
        tau = run["tau_id"]
        agree(
            "id_linear(free, run) of noisy motors",
            ex.id_linear(free, run),
            tau - fitted(free, run, LINE),
            tol=1e-8,
            unit="N m",
            slips={
                "the axes are swapped: the errors are in torque, so torque is fitted over current": tau
                - swapped(free, run)
            }
            | line_slips(free, run),
        )


def friction_slips(free, run):
    """What the usual mistakes in id_friction would have given, N m."""
    tau = run["tau_id"]

    def without(name, instead=()):
        return tau - fitted(free, run, [*(n for n in FULL if n != name), *instead])

    first = fitted(free, run, LINE)
    rest = {**free, "tau_id": free["tau_id"] - fitted(free, free, LINE)}
    signs = [{"coulomb": "sign", "stribeck": "sign stribeck"}.get(name, name) for name in FULL]
    return fit_slips(free, run, FULL) | {
        "there is no friction in it: this is id_linear": tau - first,
        "Coulomb's friction is missing, the column s": without("coulomb"),
        "Stribeck's part is missing": without("stribeck"),
        "the viscous part is missing, the column qd": without("viscous"),
        "the flank is missing": without("flank"),
        "Stribeck's friction has a direction too: s exp(-(qd / FADES)^2)": without("stribeck", ["unsigned stribeck"]),
        "the exponent is -(qd / FADES)^2": without("stribeck", ["exp stribeck"]),
        "s is tanh(qd / SLOW), not the sign": tau - fitted(free, run, signs),
        "all six numbers belong into one problem: the line was fitted first and friction to what it left": tau
        - first
        - fitted(rest, run, FULL[2:]),
        "friction was fitted, but on `run` the line alone was used": tau - partly(free, run),
    }


def partly(free, run):
    """The motors' torque by the first two of the six numbers."""
    motor = np.zeros_like(run["tau_id"])
    for j in range(N):
        A = columns(free, j, FULL)
        numbers = np.linalg.solve(A.T @ A, A.T @ free["tau_id"][:, j])
        motor[:, j] = columns(run, j, LINE) @ numbers[:2]
    return motor


@check(todo="id_friction", points=2)
def test_a_motor_with_friction(rng):
    """Friction exactly as in the equation: the environment's torque comes out exactly."""
    for _ in range(3):
        servos = Servos(rng, noise=0.0, friction=1.0)
        agree(
            "id_friction(free, run) of motors whose friction follows the equation",
            ex.id_friction(servos.free, servos.run),
            servos.external,
            tol=1e-8,
            unit="N m",
            slips=friction_slips(servos.free, servos.run),
        )


@check(todo="id_friction", points=2)
def test_six_numbers_of_least_error(rng):
    """The same with noise: the six numbers of each joint are those of least squares on free motion."""
    for _ in range(3):
        servos = Servos(rng, noise=0.3, friction=1.0)
        agree(
            "id_friction(free, run) of noisy motors with friction",
            ex.id_friction(servos.free, servos.run),
            servos.run["tau_id"] - fitted(servos.free, servos.run, FULL),
            tol=1e-8,
            unit="N m",
            slips=friction_slips(servos.free, servos.run),
        )


# The observer


class Arm:
    """Two links with askew axes, drawn at random, with rotors and without friction; in a state drawn at random."""

    def __init__(self, rng, speed=2.0):
        self.model = mujoco.MjModel.from_xml_string(mjcf(rng))
        self.links = ex.links_of(self.model)
        self.q, self.qd = rng.normal(size=2), speed * rng.normal(size=2)
        self.tau = rng.normal(0, 3, 2)

    def energy(self, q):
        """T at these angles and the arm's speeds, J."""
        mass = ask_mujoco(self.model, q, np.zeros(2), np.zeros(2))[1]
        return self.qd @ mass @ self.qd / 2

    @property
    def momentum(self):
        return ask_mujoco(self.model, self.q, self.qd, np.zeros(2))[1] @ self.qd

    @property
    def swing(self):
        """dT/dq by differences of fourth order, N m."""
        slopes = []
        for step in 1e-3 * np.eye(2):
            near = self.energy(self.q + step) - self.energy(self.q - step)
            far = self.energy(self.q + 2 * step) - self.energy(self.q - 2 * step)
            slopes.append((8 * near - far) / 12e-3)
        return np.array(slopes)

    @property
    def gravity(self):
        return ask_mujoco(self.model, self.q, np.zeros(2), np.zeros(2))[0]

    @property
    def bias(self):
        return ask_mujoco(self.model, self.q, self.qd, np.zeros(2))[0]


def mjcf(rng):
    """The arm of two links, with random numbers."""

    def vector(scale):
        return " ".join(f"{x:.6f}" for x in rng.normal(size=3) * scale)

    inside = '<site name="effector"/>'
    for _ in range(2):
        sides = rng.uniform(0.1, 0.3, 3) ** 2
        mass = rng.uniform(0.5, 2)
        inertia = mass / 12 * (sides.sum() - sides)
        inside = (
            f'<body pos="{vector(0.2)}"><joint axis="{vector(1)}" armature="{rng.uniform(0.05, 0.1):.4f}"/>'
            f'<inertial pos="{vector(0.15)}" mass="{mass:.4f}" diaginertia="{" ".join(map(str, inertia))}"/>'
            f"{inside}</body>"
        )
    return f'<mujoco><option gravity="{vector(3)}"/><worldbody>{inside}</worldbody></mujoco>'


@check(todo="momentum_observer", points=3, seconds=20)
def test_one_tick(rng):
    """One tick of an arm in motion, against MuJoCo's mass matrix, its gravity and differences of its energy."""
    for _ in range(3):
        arm = Arm(rng)
        expected, gain, dt = rng.normal(size=2), rng.uniform(1, 10), rng.uniform(0.005, 0.02)
        p, swing, gravity, bias, tau = arm.momentum, arm.swing, arm.gravity, arm.bias, arm.tau
        r = gain * (p - expected)
        asked = f"momentum_observer(arm, q, qd, tau, expected, gain={gain:.3f}, dt={dt:.4f}) of two links in motion"
        got = pair(ex.fast_momentum_observer(arm.links, arm.q, arm.qd, tau, expected, gain, dt), asked, "r", "momentum")
        agree(
            f"r of {asked}",
            got[0],
            r,
            tol=1e-8,
            unit="N m",
            slips={
                "the sign is turned: r is what the momentum has more than was expected": -r,
                "the gain is missing": p - expected,
                "r is gain times the difference of the two momenta, not the momentum": gain * p,
                "the momentum is M(q) qd, rotors and coupling included, not qd": gain * (arm.qd - expected),
                "the gain takes the place of 1/dt": gain * dt * (p - expected),
                "r comes first, then the expected momentum": expected + dt * (tau + swing - gravity + r),
            },
        )
        right = tau + swing - gravity + r
        agree(
            f"the momentum expected next, of {asked}",
            got[1],
            expected + dt * right,
            tol=1e-9 * (1 + np.abs(swing).max()),
            unit="kg m^2 rad/s",
            slips={
                "r is missing: the arm feels the environment too, and the expectation has to": expected
                + dt * (right - r),
                "dT/dq is missing": expected + dt * (right - swing),
                "dT/dq has the wrong sign: Hamilton's pdot has it with a plus": expected + dt * (right - 2 * swing),
                "gravity is missing": expected + dt * (right + gravity),
                "gravity has the wrong sign: the motors hold it, so it takes momentum away": expected
                + dt * (right + 2 * gravity),
                "that is Newton's bias, good for M qdd; pdot wants dT/dq and gravity": expected + dt * (tau - bias + r),
                "Newton's bias is in it beside dT/dq; gravity alone is the question qd = qdd = 0": expected
                + dt * (tau + swing - bias + r),
                "the slope of T by qd is the momentum; Hamilton wants the one by q": expected
                + dt * (tau + p - gravity + r),
                "tau is missing": expected + dt * (right - tau),
                "r has the wrong sign here": expected + dt * (right - 2 * r),
                "dt is missing": expected + right,
                "the step starts at what was expected, not at the momentum that was found": p + dt * right,
                "this is the change alone; add it to what was expected": dt * right,
                "this is the momentum that was found; what is expected goes on from what was expected": p,
                "dT/dq and gravity both have the wrong sign": expected + dt * (tau - swing + gravity + r),
                "that is Newton's bias, and it has the wrong sign": expected + dt * (tau + bias + r),
            },
        )


@check(todo="momentum_observer", points=2, seconds=20)
def test_a_filter_of_the_truth(rng):
    """The environment's torque jumps; r follows as a filter of first order does, 1 - exp(-gain t)."""
    dt, start, ticks = 2e-3, 10, 80
    for gain in rng.uniform((3, 15), (6, 30)):
        arm = Arm(rng, speed=1.0)
        model, data = arm.model, mujoco.MjData(arm.model)
        model.opt.timestep = dt
        held, external = arm.bias, rng.uniform(1, 3, 2) * rng.choice([-1, 1], 2)
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = arm.q, arm.qd, held
        expected, found = arm.momentum, []
        asked = f"r of {ticks} ticks of {dt} s with gain={gain:.2f}, while the environment begins to turn the joints"
        for k in range(ticks):
            if k == start:
                data.qfrc_applied[:] += external
            answer = ex.fast_momentum_observer(arm.links, data.qpos.copy(), data.qvel.copy(), held, expected, gain, dt)
            r, momentum = pair(answer, asked, "r", "momentum")
            found.append(array(r, (2,), asked, "N m"))
            expected = array(momentum, (2,), asked, "kg m^2 rad/s")
            mujoco.mj_step(model, data)
        t = np.maximum(0, np.arange(ticks) - start)[:, None] * dt
        agree(
            asked,
            np.array(found),
            external * (1 - np.exp(-gain * t)),
            tol=0.06 * np.abs(external).max(),  # five times the most that steps of 2 ms cost in 150 draws
            unit="N m",
            slips={
                "the sign is turned: r is what the momentum has more than was expected": -external
                * (1 - np.exp(-gain * t)),
                "r is not part of what is expected, so it grows for ever": external * gain * t,
                "this follows at once: the gain decides how quickly": external * (t > 0),
            },
        )


# A force at the effector


def pose(rng, name):
    """A Jacobian of the effector's position in a random pose without short levers, m/rad, (3, n)."""
    model = model_of(name)
    while True:
        q = np.array(ARMS[name].home) + rng.normal(0, 0.6, model.nv)
        J = ask_mujoco(model, q, 0 * q, 0 * q)[2][:3]
        if np.linalg.svd(J, compute_uv=False)[-1] > 0.03:
            return J


def least_squares(J, tau):
    """f of the least squared error of J^T f, by the normal equations."""
    return np.array([np.linalg.solve(j @ j.T, j @ t) for j, t in zip(J, tau, strict=True)])


@check(todo="force_from_torque", points=2)
def test_gives_the_force_back(rng):
    """Poses of the three arms with a lever in every direction. The torques are those of a force, and some error."""
    for name in ARMS:
        J, f = np.array([pose(rng, name) for _ in range(3)]), rng.normal(0, 3, (3, 3))
        tau = np.einsum("fxn,fx->fn", J, f) + rng.normal(0, 0.05, (3, J.shape[2]))
        asked = f"force_from_torque(jacobian, tau, shortest=0.001) for three poses of the {ARMS[name].title}"
        force, seen = pair(ex.force_from_torque(J, tau, 0.001), asked, "the forces", "how many directions show")
        right = least_squares(J, tau)
        agree(
            f"the forces of {asked}",
            force,
            right,
            tol=1e-8,
            unit="N",
            slips={
                "the sign is turned": -right,
                "J tau is not a force: J^T takes f to tau, so it has to be inverted": np.einsum("fxn,fn->fx", J, tau),
                "svd returns V transposed already; the way back is V, its transpose": undone(
                    J, tau, lambda s: 1 / s, back=False
                ),
                "the levers are missing: divide by them": undone(J, tau, lambda s: 1.0),
                "this multiplies by the levers: divide by them": undone(J, tau, lambda s: s),
            },
        )
        agree(f"how many directions show, of {asked}", seen, np.full(3, 3.0), tol=0)


def undone(J, tau, factor, back=True):
    """V diag(factor(levers)) U^T tau of each frame; without `back` V^T stands in the place of V."""
    f = []
    for j, t in zip(J, tau, strict=True):
        U, s, Vt = np.linalg.svd(j.T, full_matrices=False)
        f.append((Vt.T if back else Vt) @ (factor(s) * (U.T @ t)))
    return np.array(f)


@check(todo="force_from_torque", points=2)
def test_says_what_it_cannot_see(rng):
    """Made-up poses in which one or two directions have hardly a lever."""
    shortest = rng.uniform(0.02, 0.05)
    levers = np.array([[0.4, 0.2, 0.1], [0.4, 0.2, 0.5 * shortest], [0.3, 0.02 * shortest, 0.01 * shortest]])
    n = int(rng.integers(3, 8))
    rows = []
    for row in levers:
        V = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        U = np.linalg.qr(rng.normal(size=(n, 3)))[0]
        rows.append(V @ np.diag(row) @ U.T)
    J = np.array(rows)
    tau = np.einsum("fxn,fx->fn", J, rng.normal(0, 3, (3, 3))) + rng.normal(0, 0.05, (3, n))
    asked = f"force_from_torque(jacobian, tau, shortest={shortest:.4f}) for levers down to {levers.min():.0e} m"
    force, seen = pair(ex.force_from_torque(J, tau, shortest), asked, "the forces", "how many directions show")
    agree(
        f"the forces of {asked}",
        force,
        undone(J, tau, lambda s: np.where(s >= shortest, 1 / s, 0)),
        tol=1e-8,
        unit="N",
        slips={
            "levers below `shortest` count: a small error of torque becomes a large force": undone(
                J, tau, lambda s: 1 / s
            ),
            "`shortest` is in m, not a share of the longest lever": undone(
                J, tau, lambda s: np.where(s > shortest * s.max(), 1 / s, 0)
            ),
            "short levers were made longer; the force along them counts as zero": undone(
                J, tau, lambda s: 1 / np.maximum(s, shortest)
            ),
            "one short lever does not hide the other directions": undone(
                J, tau, lambda s: np.where(s.min() >= shortest, 1 / s, 0)
            ),
            "the short levers were kept, the long ones left out": undone(
                J, tau, lambda s: np.where(s < shortest, 1 / s, 0)
            ),
        },
    )
    agree(
        f"how many directions show, of {asked}",
        seen,
        np.array([3.0, 2.0, 1.0]),
        tol=0,
        slips={
            "all three were counted: count the levers that are long enough": np.full(3, 3.0),
            "these are the directions that do not show": np.array([0.0, 1.0, 2.0]),
        },
    )


# A report


def labelled(rng, frames=60):
    """An estimate, the force, and where it is known and where there is contact."""
    contact, valid = rng.random(frames) < 0.5, rng.random(frames) < 0.7
    force = rng.normal(0, 2, (frames, 3)) * contact[:, None]
    estimate = force + rng.normal(0, 0.3, (frames, 3))
    force[~valid] = 0  # as in recordings: what is not known is written as zero
    return estimate, force, valid, contact


@check(todo="contact_report", points=2)
def test_the_error_where_the_force_is_known(rng):
    """ "mae" of an estimate with random errors; in a third of the frames nobody knows the force."""
    for _ in range(3):
        estimate, force, valid, contact = labelled(rng)
        asked = f'"mae" of contact_report() of {len(force)} frames, {valid.sum()} of them valid'
        report = fields(ex.contact_report(estimate, force, valid, contact), asked, "mae", "false_positives")
        error = estimate - force
        known = error[valid]
        agree(
            asked,
            report["mae"],
            np.abs(known).mean(),
            tol=1e-9,
            unit="N",
            slips={
                "frames in which nobody knows the force were counted": np.abs(error).mean(),
                "these are the frames with contact; the error is asked for wherever the force is known": np.abs(
                    error[valid & contact]
                ).mean(),
                "these are the frames with contact, known or not": np.abs(error[contact]).mean(),
                "the mean is over components as well: this is the length of the error": np.linalg.norm(
                    known, axis=1
                ).mean(),
                "this is the root of the mean square; the mean absolute error is asked for": np.sqrt((known**2).mean()),
                "without the absolute value errors cancel": known.mean(),
                "the errors of the three components were added; take their mean": 3 * np.abs(known).mean(),
                "valid frames only, but divided by all of them": np.abs(known).sum() / error.size,
                "this is the mean square error": (known**2).mean(),
            },
        )


@check(todo="contact_report", points=1)
def test_claims_without_a_contact(rng):
    """ "false_positives" of the same, and None where there is nothing to count."""
    for _ in range(3):
        estimate, force, valid, contact = labelled(rng)
        asked = f'"false_positives" of contact_report() of {len(force)} frames, {contact.sum()} of them with contact'
        report = fields(ex.contact_report(estimate, force, valid, contact), asked, "mae", "false_positives")
        claimed = np.linalg.norm(estimate, axis=1) > FALSE
        free = ~contact
        share = number(report["false_positives"], asked)
        agree(
            asked,
            share,
            claimed[free].mean(),
            tol=1e-9,
            slips={
                "this counts claims where there is contact: those are right": claimed[contact].mean(),
                "this is a share of all frames; only those without contact can be false": (claimed & free).mean(),
                "contact or not is known in every frame, whether the force is valid or not": claimed[
                    free & valid
                ].mean(),
                "the estimate's length counts, not its largest component": (np.abs(estimate) > FALSE)
                .any(axis=1)[free]
                .mean(),
                "frames were asked for, these are components": (np.abs(estimate) > FALSE)[free].mean(),
                "only the upward component was looked at": (np.abs(estimate[:, 2]) > FALSE)[free].mean(),
                "these are the frames that claim nothing": 1 - claimed[free].mean(),
                "this is a number of frames; divide by those without contact": claimed[free].sum(),
                "this is in percent; a share runs from 0 to 1": 100 * claimed[free].mean(),
                "this is the share of claims that are false": free[claimed].mean(),
                "no known force is not the same as no contact; `contact` tells": claimed[~force.any(axis=1)].mean(),
                "any estimate above zero was counted": (np.linalg.norm(estimate, axis=1) > 0)[free].mean(),
            },
        )
    nobody = np.zeros(len(force), bool)
    for key, labels, why in (
        ("false_positives", (valid, ~nobody), "contact in every frame"),
        ("mae", (nobody, contact), "no valid frame"),
    ):
        asked = f'"{key}" of contact_report() of a recording with {why}'
        report = fields(ex.contact_report(estimate, force, *labels), asked, "mae", "false_positives")
        if report[key] is not None:
            wrong(asked, report[key], "None", "no frame counts, so there is no mean: neither zero nor NaN says that")
