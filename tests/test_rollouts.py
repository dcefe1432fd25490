"""Graded checks of module 13, a simulator that you can differentiate. The expected values are MuJoCo's C engine's.

The arms are two links with every axis and number askew, so that no term hides behind a zero. Nothing here is long:
what is asked for are rules, and a rule that is wrong shows in the first ticks.
"""

import mujoco
import numpy as np

from course.testing import agree, array, check, exercise, fields, parts

ex = exercise("rollouts")

N = 2
TOL = 1e-9  # of angles in rad and speeds in rad/s; right answers were within 1e-13 of MuJoCo's
RATE = 0.1  # of Adam, as the exercise file has it


class Arm:
    """Two links drawn at random, a state, torques and a tick; and what MuJoCo makes of them."""

    def __init__(self, rng):
        self.model = mujoco.MjModel.from_xml_string(mjcf(rng))
        self.links = ex.links_of(self.model)
        self.q, self.qd = rng.normal(size=(2, N)) * [[1.0], [2.0]]
        self.kp = rng.uniform(5, 15, N)
        self.seconds = round(rng.uniform(0.02, 0.05), 4)

    def __str__(self):
        return f"q={shown(self.q)}, qd={shown(self.qd)}"

    def step(self, q, qd, tau, seconds, steps=1):
        """MuJoCo's state after this torque."""
        self.model.opt.timestep = seconds / steps
        data = mujoco.MjData(self.model)
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, qd, tau
        for _ in range(steps):
            mujoco.mj_step(self.model, data)
        return data.qpos.copy(), data.qvel.copy()

    def accelerate(self, q, qd, tau, wrench=None):
        """MuJoCo's accelerations, and the generalized force of a wrench at the effector in the base frame."""
        data = mujoco.MjData(self.model)
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, qd, tau
        if wrench is not None:
            mujoco.mj_kinematics(self.model, data)
            place = data.site("effector").xpos
            mujoco.mj_comPos(self.model, data)
            mujoco.mj_applyFT(self.model, data, wrench[:3], wrench[3:], place, N, data.qfrc_applied)
        mujoco.mj_forward(self.model, data)
        return data.qacc.copy()

    def mass(self, q=None):
        """MuJoCo's mass matrix."""
        data, mass = mujoco.MjData(self.model), np.zeros((N, N))
        data.qpos[:] = self.q if q is None else q
        mujoco.mj_forward(self.model, data)
        mujoco.mj_fullM(self.model, data, mass)
        return mass

    def follow(self, targets, past, seconds, substeps, start=None, forgetful=False):
        """A run of position servos: q and qd after each tick, and the torques."""
        (q, qd), rows, memory = start or (self.q, self.qd), [], list(past)
        for target in targets:
            angles = [*memory, q]
            tau = self.kp * (target - angles[0])
            if not forgetful:
                memory = angles[1:]
            q, qd = self.step(q, qd, tau, seconds, substeps)
            rows.append((q, qd, tau))
        return map(np.array, zip(*rows, strict=True))


def mjcf(rng):
    def vector(scale):
        return " ".join(f"{x:.5f}" for x in rng.normal(size=3) * scale)

    text = f'<site name="effector" pos="{vector(0.2)}"/>'
    for _ in range(N):
        sides = rng.uniform(0.1, 0.4, 3) ** 2
        mass = rng.uniform(0.3, 1)
        inertia = " ".join(f"{x:.6f}" for x in mass / 12 * (sides.sum() - sides))  # a cuboid's, so a possible one
        text = (
            f'<body pos="{vector(0.3)}" quat="{vector(1)} 1">'
            f'<joint axis="{vector(1)}" damping="{rng.uniform(0.3, 0.9):.4f}" armature="{rng.uniform(0.03, 0.1):.4f}"/>'
            f'<inertial pos="{vector(0.1)}" mass="{mass:.4f}" diaginertia="{inertia}"/>{text}</body>'
        )
    return f'<mujoco><option gravity="{vector(5)}"/><worldbody>{text}</worldbody></mujoco>'


def shown(x):
    return "[" + ", ".join(f"{v:z.3f}" for v in x) + "]"


# control_step


def euler(arm, tau, steps, h, implicit=1.0, order="speed first", stale=False, twice=0.0):
    """Steps of h seconds, by accelerations that MuJoCo tells; for slips."""
    q, qd, damping = arm.q, arm.qd, arm.model.dof_damping
    first = None
    for _ in range(steps):
        qdd = arm.accelerate(q, qd, tau - twice * damping * qd)
        mass = arm.mass(q)
        qdd = np.linalg.solve(mass + implicit * h * np.diag(damping), mass @ qdd)
        first = qdd if first is None else first
        faster = qd + h * (first if stale else qdd)
        q = q + h * {"speed first": faster, "old speed": qd, "mean": (qd + faster) / 2}[order]
        qd = faster
    return q, qd


def ask_step(rng, substeps):
    arm = Arm(rng)
    tau = rng.normal(size=N) * 2
    asked = f"control_step(arm, {arm}, tau={shown(tau)}, seconds={arm.seconds}, substeps={substeps})"
    got = parts(ex.fast_control_step(arm.links, arm.q, arm.qd, tau, arm.seconds, substeps), asked, "q", "qd")
    right = arm.step(arm.q, arm.qd, tau, arm.seconds, substeps)
    h = arm.seconds / substeps
    slips = {
        "damping acts at the old speed here; at the new one, h D is added to M": lambda: euler(
            arm, tau, substeps, h, implicit=0.0
        ),
        "h D is subtracted from M; at the new speed it adds to it": lambda: euler(arm, tau, substeps, h, implicit=-1.0),
        "the whole D was added to M; it is h D, with the h of one substep": lambda: euler(
            arm, tau, substeps, h, implicit=1 / h
        ),
        "h is the time of one substep, also in M + h D; this has the whole tick's there": lambda: euler(
            arm, tau, substeps, h, implicit=float(substeps)
        ),
        "the angle moves by the new speed, and moved here by the old one": lambda: euler(
            arm, tau, substeps, h, order="old speed"
        ),
        "the angle moves by the new speed, not by the mean of old and new": lambda: euler(
            arm, tau, substeps, h, order="mean"
        ),
        "each substep lasts seconds / substeps; these last the whole tick each": lambda: euler(
            arm, tau, substeps, arm.seconds
        ),
        "this is one substep; a tick has as many as it is told": lambda: euler(arm, tau, 1, h),
        "this is one long step over the whole tick": lambda: euler(arm, tau, 1, arm.seconds),
        "each substep has its own acceleration, of the state that it starts from": lambda: euler(
            arm, tau, substeps, h, stale=True
        ),
        "the damping's torque D qd is in forward_dynamics already; only h D is to be added, to M": lambda: euler(
            arm, tau, substeps, h, twice=1.0
        ),
        "the torque acts all through the tick, and is missing here": lambda: euler(arm, 0 * tau, substeps, h),
        "nothing has changed: this is the state before the tick": lambda: (arm.q, arm.qd),
        "q comes first, then qd": lambda: right[::-1],
    }
    # The speed first: the angle is made of it, and a slip in one is a slip in both.
    for k, name, unit in ((1, "qd", "rad/s"), (0, "q", "rad")):
        told = {slip: (lambda f=f, k=k: f()[k]) for slip, f in slips.items()}
        agree(f"{name} of {asked}", got[k], right[k], tol=TOL, unit=unit, slips=told)


@check(todo="control_step", points=2, seconds=20)
def test_one_step_is_mujocos(rng):
    """A tick of a single substep, against mj_step."""
    for _ in range(3):
        ask_step(rng, 1)


@check(todo="control_step", points=2, seconds=20)
def test_a_tick_of_several_substeps(rng):
    """A tick of four substeps, against four mj_steps under the same torque."""
    for _ in range(3):
        ask_step(rng, 4)


# closed_loop

TICKS, DELAY, SUBSTEPS = 6, 2, 2


class Followed:
    """A run of late servos, yours and MuJoCo's."""

    def __init__(self, rng):
        self.arm = arm = Arm(rng)
        self.targets = rng.normal(size=(TICKS, N))
        self.past = arm.q + 0.3 * rng.normal(size=(DELAY, N))
        self.asked = (
            f"closed_loop(arm, {arm}, position_servo(kp={shown(arm.kp)}), memory of {DELAY} angles,"
            f" {TICKS} targets, seconds={arm.seconds}, substeps={SUBSTEPS})"
        )
        args = arm.links, arm.q, arm.qd, arm.kp, self.past, self.targets, arm.seconds, SUBSTEPS
        self.got = parts(ex.fast_servo_run(*args), self.asked, "q", "qd", "the law's outputs")
        self.q, self.qd, self.tau = self.run()

    def run(self, targets=None, seconds=None, substeps=SUBSTEPS, **how):
        targets = self.targets if targets is None else targets
        return self.arm.follow(targets, self.past, seconds or self.arm.seconds, substeps, **how)

    def slips(self, k):
        """What the usual mistakes give for q (k = 0), qd (1) and the torques (2)."""
        right = (self.q, self.qd, self.tau)[k]
        if k < 2:
            start = (self.arm.q, self.arm.qd)[k]
            before = np.vstack([start, right[:-1]])
        else:
            before = np.vstack([self.tau[1:], self.tau[-1:]])
        held = np.repeat(self.targets[:1], TICKS, axis=0)
        return {
            "row k is the state after tick k; these are the states before the ticks": before,
            "the law was asked with the memory of the start each time: what it returns goes round to the next tick": (
                lambda: [*self.run(forgetful=True)][k]
            ),
            "q comes first, then qd": (self.qd, self.q, right)[k],
            "each tick has its own row of inputs": lambda: [*self.run(held)][k],
            "the rows of inputs were taken from the end": lambda: [*self.run(self.targets[::-1])][k][::-1],
            "the rows come out in the wrong order": right[::-1],
            "the law was asked once; every tick has its own torque": lambda: self.once()[k],
            "the number of substeps was not handed on": lambda: [*self.run(substeps=1)][k],
        }

    def once(self):
        tau = self.arm.kp * (self.targets[0] - self.past[0])
        q, qd, rows = self.arm.q, self.arm.qd, []
        for _ in range(TICKS):
            q, qd = self.arm.step(q, qd, tau, self.arm.seconds, SUBSTEPS)
            rows.append((q, qd, tau))
        return [np.array(x) for x in zip(*rows, strict=True)]


@check(todo="closed_loop", points=3, seconds=20)
def test_states_after_each_tick(rng):
    """Angles and speeds of a run under servos that know their angle two ticks late."""
    for _ in range(2):
        run = Followed(rng)
        agree(f"q of {run.asked}", run.got[0], run.q, tol=TOL, unit="rad", slips=run.slips(0))
        agree(f"qd of {run.asked}", run.got[1], run.qd, tol=TOL, unit="rad/s", slips=run.slips(1))


@check(todo="closed_loop", points=2, seconds=20)
def test_what_the_law_put_out(rng):
    """The outputs of the law, here its torques, a row for each tick."""
    for _ in range(2):
        run = Followed(rng)
        slips = run.slips(2) | {
            "this is what the law remembers at the end; its outputs, one for each tick, are the third": run.q[-DELAY:]
        }
        outputs = array(run.got[2], (TICKS, N), f"the outputs of {run.asked}", "N m")
        agree(f"the outputs of {run.asked}", outputs, run.tau, tol=TOL, unit="N m", slips=slips)


# adjoint


class Felt:
    """A state under a push, a slope g of some loss by qdd, and what the loss feels of everything behind qdd."""

    def __init__(self, rng):
        self.arm = arm = Arm(rng)
        self.tau, self.g = rng.normal(size=(2, N))
        self.push = rng.normal(size=6)
        self.qdd = arm.accelerate(arm.q, arm.qd, self.tau, self.push)
        self.asked = f"adjoint(arm, M, {arm}, qdd={shown(self.qdd)}, f_ext={shown(self.push)}, g={shown(self.g)})"
        names = "by arm", "by q", "by qd", "by tau", "by f_ext"
        slopes = parts(ex.fast_adjoint(arm.links, arm.q, arm.qd, self.qdd, self.push, self.g), self.asked, *names)
        self.by_arm, self.by_q, self.by_qd, self.by_tau, self.by_force = slopes

    def loss(self, q=None, qd=None, push=None):
        """g @ qdd as MuJoCo's forward dynamics has it, changed in one of these."""
        arm, push = self.arm, self.push if push is None else push
        return self.g @ arm.accelerate(arm.q if q is None else q, arm.qd if qd is None else qd, self.tau, push)

    def by(self, name):
        """The loss's slope by q, qd or the push."""
        return slope(lambda x: self.loss(**{name: x}), self.push if name == "push" else getattr(self.arm, name))

    def by_field(self, owner, name):
        """The loss's slope by an array of the model or its options."""
        field = getattr(owner, name)
        kept = field.copy()

        def loss(x):
            field[...] = x
            value = self.loss()
            field[...] = kept
            return value

        return slope(loss, kept)

    def through(self, name, vector, qdd=None, push=True):
        """The slope of vector @ inverse dynamics, by name and with qdd held; for slips."""
        arm = self.arm
        kept = {"q": arm.q, "qd": arm.qd, "push": self.push}

        def torques(x):
            at = kept | {name: x}
            data = mujoco.MjData(arm.model)
            data.qpos[:], data.qvel[:], data.qacc[:] = at["q"], at["qd"], self.qdd if qdd is None else qdd
            mujoco.mj_inverse(arm.model, data)
            pushed = np.zeros(N)
            mujoco.mj_applyFT(arm.model, data, at["push"][:3], at["push"][3:], data.site("effector").xpos, N, pushed)
            return vector @ (data.qfrc_inverse - push * pushed)

        return slope(torques, kept[name])

    def slips(self, name, right):
        """What the usual mistakes give for the slope by q, qd or the push."""
        lam = np.linalg.solve(self.arm.mass(), self.g)
        return {
            "this is 0: the loss feels it all the same, through inverse_dynamics": np.zeros_like(right),
            "the sign: where inverse dynamics asks for more torque, the same torque gives less acceleration": -right,
            "inverse dynamics was pulled back along g; the loss feels torques as M^-1 g": lambda: (
                -self.through(name, self.g)
            ),
            "inverse dynamics was pulled back along g, and the sign is turned as well": lambda: self.through(
                name, self.g
            ),
            "M g is no slope by torques: that is M^-1 g": lambda: -self.through(name, self.arm.mass() @ self.g),
            "inverse dynamics was asked at qdd = 0; its slopes depend on the acceleration": lambda: (
                -self.through(name, lam, qdd=np.zeros(N))
            ),
            "the push was forgotten: its torques J^T f_ext change with q": lambda: -self.through(name, lam, push=False),
            "the order is arm, q, qd, tau, f_ext": lambda: -self.through("qd" if name == "q" else "q", lam),
        }


def slope(function, x, h=1e-3):
    """The gradient of a function of an array, by differences that are good to h^4."""
    gradient = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[i] = h
        near, far = (function(x + k * step) - function(x - k * step) for k in (1, 2))
        gradient[i] = (8 * near - far) / (12 * h)
    return gradient


def close(x):
    """A thousand times the error of such a slope."""
    return 1e-5 * max(1.0, float(np.abs(x).max()))


@check(todo="adjoint", points=1, seconds=30)
def test_how_torques_are_felt(rng):
    """The slope by tau, which all others are made of."""
    for felt in (Felt(rng) for _ in range(3)):
        mass, g = felt.arm.mass(), felt.g
        right = np.linalg.solve(mass, g)
        slips = {
            "this is g itself; qdd = M^-1 (tau - ...) moves by M^-1 of what tau moves by": g,
            "M^-1 g is asked for, and this is M g": mass @ g,
            "the sign: more torque gives more acceleration": -right,
            "M^-1 was applied twice": np.linalg.solve(mass, right),
            "M is a matrix: not each joint by itself": g / np.diag(mass),
            "the order is arm, q, qd, tau, f_ext": felt.through("q", -right),
        }
        agree(f"by tau, of {felt.asked}", felt.by_tau, right, tol=close(right), slips=slips)


@check(todo="adjoint", points=2, seconds=30)
def test_how_the_state_is_felt(rng):
    """The slopes by q and qd, against differences of MuJoCo's accelerations."""
    for _ in range(3):
        felt = Felt(rng)
        for name, got in (("q", felt.by_q), ("qd", felt.by_qd)):
            right = felt.by(name)
            agree(f"by {name}, of {felt.asked}", got, right, tol=close(right), slips=felt.slips(name, right))


@check(todo="adjoint", points=2, seconds=30)
def test_how_the_arm_and_a_push_are_felt(rng):
    """The slopes by damping, armature, masses, gravity and the force at the effector, against MuJoCo."""
    for _ in range(2):
        felt = Felt(rng)
        right = felt.by("push")
        agree(f"by f_ext, of {felt.asked}", felt.by_force, right, tol=close(right), slips=felt.slips("push", right))
        model, wanted = felt.arm.model, ("damping", "armature", "mass", "gravity")
        arrays = fields(felt.by_arm, f"by arm, of {felt.asked}", *wanted)
        mass = felt.arm.mass()
        for name, right in {
            "damping": felt.by_field(model, "dof_damping"),
            "armature": felt.by_field(model, "dof_armature"),
            "mass": felt.by_field(model, "body_mass")[1:],
            "gravity": felt.by_field(model.opt, "gravity"),
        }.items():
            slips = {"the sign: where inverse dynamics asks for more torque, the acceleration is less": -right}
            if name == "damping":
                slips |= {
                    "inverse dynamics was pulled back along g; the loss feels torques as M^-1 g": -felt.g * felt.arm.qd,
                    "this is 0: the loss feels the arm all the same, through inverse_dynamics": np.zeros(N),
                    "M g is no slope by torques: that is M^-1 g": -(mass @ felt.g) * felt.arm.qd,
                }
            agree(f"by arm.{name}, of {felt.asked}", arrays[name], right, tol=close(right), slips=slips)


# rollout_loss

HORIZON, RUNS = 3, 2


class Recorded:
    """A recording of servos without delay, noisy or MuJoCo's own, and the loss as MuJoCo has it."""

    def __init__(self, rng, noise, runs=RUNS, horizon=HORIZON):
        self.arm = arm = Arm(rng)
        self.horizon, self.runs = horizon, runs
        targets = arm.q + rng.normal(size=(runs * horizon, N))
        q, qd, _ = arm.follow(targets, [], arm.seconds, SUBSTEPS)
        q, qd = np.vstack([arm.q, q]), np.vstack([arm.qd, qd])
        wrong_by = noise * rng.normal(size=(2, *q.shape))
        self.log = {"target": targets, "q": q + wrong_by[0], "qd": qd + wrong_by[1]}
        self.rest = arm.seconds, SUBSTEPS
        self.asked = (
            f"rollout_loss(arm, kp={shown(arm.kp)}, log of {len(targets)} ticks, seconds={arm.seconds},"
            f" substeps={SUBSTEPS}, horizon={horizon})"
        )

    def pairs(self, horizon=None, shift=1, start=0, still=False, targets_late=0):
        """What MuJoCo predicts after each tick, and the rows of the recording that it is compared with, by run."""
        arm, horizon, predicted, met = self.arm, horizon or self.horizon, [], []
        q, qd, targets = self.log["q"], self.log["qd"], np.roll(self.log["target"], -targets_late, axis=0)
        for first in range(0, len(targets), horizon):
            state = q[min(first + start, len(q) - 1)], (0 if still else 1) * qd[min(first + start, len(q) - 1)]
            run = arm.follow(targets[first : first + horizon], [], arm.seconds, SUBSTEPS, state)
            predicted.append(next(iter(run)))
            met.append(q[first + shift : first + shift + horizon])
        return np.array(predicted), np.array(met)

    def loss(self, **how):
        predicted, met = self.pairs(**how)
        return np.mean((predicted - met) ** 2)

    def slips(self):
        predicted, met = self.pairs()
        off = predicted - met
        return {
            "row 0 is the state before the first tick: after tick k the recording is at row k + 1": lambda: self.loss(
                shift=0
            ),
            "this runs through without a break; run k starts anew from row k * horizon of the recording": lambda: (
                self.loss(horizon=len(self.log["target"]))
            ),
            "every run starts one row late": lambda: self.loss(start=1),
            "every run starts where it should end": lambda: self.loss(start=self.horizon),
            "runs start with the recording's speed, too, not at rest": lambda: self.loss(still=True),
            "the targets are one tick late": lambda: self.loss(targets_late=1),
            "this is the sum of the squares; the mean is asked for": np.sum(off**2),
            "the mean over runs and ticks, and over the joints too": np.sum(off**2) / off[..., 0].size,
            "only the ends of the runs were compared; every tick counts": np.mean(off[:, -1] ** 2),
            "this is the root of the mean square": np.sqrt(np.mean(off**2)),
            "this is the mean of the absolute values": np.mean(np.abs(off)),
            "this is half the mean square": np.mean(off**2) / 2,
            "only the first run is in it": np.mean(off[0] ** 2),
        }


def ask_loss(made):
    got = ex.fast_rollout_loss(made.arm.links, made.arm.kp, made.log, *made.rest, made.horizon)
    right, slips = made.loss(), made.slips()
    agree(made.asked, got, right, tol=1e-9 * max(1.0, right), unit="rad^2", slips=slips)


@check(todo="rollout_loss", points=1, seconds=30)
def test_no_loss_on_a_recording_of_the_arm_itself(rng):
    """MuJoCo recorded this very arm, without noise: every run stays on the recording."""
    for _ in range(2):
        ask_loss(Recorded(rng, noise=0.0))


@check(todo="rollout_loss", points=3, seconds=30)
def test_runs_start_anew_from_the_recording(rng):
    """A noisy recording, so that it matters where each run starts and what it is compared with."""
    for _ in range(3):
        ask_loss(Recorded(rng, noise=0.3))


# fit_damping

STEPS = 3


class Fitted:
    """A short fit, yours, and Adam's steps along slopes that MuJoCo's runs have."""

    def __init__(self, rng):
        self.made = made = Recorded(rng, noise=0.1, horizon=2)
        self.start = made.arm.model.dof_damping.copy()
        self.asked = (
            f"fit_damping(arm, kp={shown(made.arm.kp)}, log of {2 * RUNS} ticks, seconds={made.arm.seconds},"
            f" substeps={SUBSTEPS}, horizon=2, steps={STEPS}), from arm.damping={shown(self.start)}"
        )
        got = ex.fit_damping(made.arm.links, made.arm.kp, made.log, *made.rest, 2, STEPS)
        got = fields(got, self.asked, "damping", "loss", "slope")
        self.damping = array(got["damping"], (STEPS + 1, N), f"the damping of {self.asked}", "N m s/rad")
        self.losses = array(got["loss"], (STEPS + 1,), f"the loss of {self.asked}", "rad^2")
        self.slopes = array(got["slope"], (STEPS + 1,), f"the slope of {self.asked}", "rad^2")

    def loss(self, damping):
        self.made.arm.model.dof_damping[:] = damping
        value = self.made.loss()
        self.made.arm.model.dof_damping[:] = self.start
        return value

    def by_log(self, damping):
        return slope(lambda z: self.loss(np.exp(z)), np.log(damping), h=1e-2)

    def adam(self, rate=RATE, logs=True, forgetful=False):
        """The way of Adam (Kingma and Ba, 2015, algorithm 1): damping by step."""
        z, rows, m, v = np.log(self.start) if logs else self.start.copy(), [], np.zeros(N), np.zeros(N)
        for k in range(STEPS + 1):
            damping = np.exp(z) if logs else z
            rows.append(damping)
            g = self.by_log(damping) if logs else self.by_log(damping) / damping
            if forgetful:
                m, v, k = np.zeros(N), np.zeros(N), 0
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
            z = z - rate * (m / (1 - 0.9 ** (k + 1))) / (np.sqrt(v / (1 - 0.999 ** (k + 1))) + 1e-8)
        return np.array(rows)


@check(todo="fit_damping", points=4, seconds=60)
def test_walks_down_as_adam_does(rng):
    """A fit of three steps: where it starts, what it meets there, and where it goes."""
    fit = Fitted(rng)
    agree(
        f"the first damping of {fit.asked}",
        fit.damping[0],
        fit.start,
        tol=1e-9,
        unit="N m s/rad",
        slips={
            "these are the logarithms": np.log(fit.start),
            "z starts at the logarithm of the damping; this one started at the damping": np.exp(fit.start),
            "the start is the first row, before any step": lambda: fit.adam()[1],
            "the fit starts from arm.damping, not from 1": np.ones(N),
        },
    )
    loss = fit.loss(fit.start)
    agree(
        f"the first loss of {fit.asked}",
        fit.losses[0],
        loss,
        tol=1e-8,
        unit="rad^2",
        slips={
            "the loss was asked about an arm without damping": lambda: fit.loss(0 * fit.start),
        },
    )
    gradient = fit.by_log(fit.start)
    agree(
        f"the first slope of {fit.asked}",
        fit.slopes[0],
        np.linalg.norm(gradient),
        tol=1e-6,
        unit="rad^2",
        slips={
            "this is the slope by the damping itself; by its logarithm it is the damping times that": np.linalg.norm(
                gradient / fit.start
            ),
            "the length of a vector is the root of the sum of its squares": np.sum(gradient**2),
            "this is the sum of the entries, not the length": np.sum(gradient),
            "this is the sum of the absolute values, not the length": np.sum(np.abs(gradient)),
        },
    )
    right = fit.adam()
    agree(
        f"the damping of {fit.asked}",
        fit.damping,
        right,
        tol=1e-4,
        unit="N m s/rad",
        slips={
            "these steps go uphill: what update() returns is added, and its gradient is the loss's": lambda: fit.adam(
                rate=-RATE
            ),
            "Adam moved the damping itself; the logarithms are to move": lambda: fit.adam(logs=False),
            "the memory that update() returns goes into the next update()": lambda: fit.adam(forgetful=True),
            "nothing has moved, or hardly: z moves by the change that update() returns, not by the gradient": np.tile(
                fit.start, (STEPS + 1, 1)
            ),
            "the rate is RATE": lambda: fit.adam(rate=RATE / 10),
        },
    )
    losses = np.array([fit.loss(x) for x in right])
    slips = {"a row has the damping and the loss that this damping has": np.append(losses[1:], losses[-1])}
    agree(f"the losses of {fit.asked}", fit.losses, losses, tol=1e-5, unit="rad^2", slips=slips)
