"""Graded checks of module 16, the whole model. Expected values: loops in NumPy, MuJoCo's Jacobian, and virtual work."""

import mujoco
import numpy as np

from bench.arm.torque_joints import TorqueJoints
from bench.locked import model_of
from course.testing import agree, array, check, exercise, fields, number, parts, wrong

ex = exercise("neural_actuator")

BETA, FOCUS, BANDED = 0.15, 5.0, 2  # as the exercise file has them
ROBOT, M, ARM = "openmanipulator_x", 5, 4  # its joints, the gripper's motor among them, and those of its arm
HISTORY = 8
TOL = 1e-6  # of losses up to 100; right answers were within 3e-14 of the loops in 200 draws
SINGLE = 1e-4  # of a network's float32 outputs of the order of one; right answers were within 4e-6


def shown(x):
    return "[" + ", ".join(f"{v:z.3f}" for v in np.ravel(x)) + "]"


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def huber(error, beta):
    """The penalty of one number."""
    size = abs(error)
    return size**2 / (2 * beta) if size < beta else size - beta / 2


def hubers(errors, beta):
    return np.vectorize(huber, otypes=[float])(errors, beta)


# masked_huber


class Samples:
    """Errors of twelve samples, of which some are known and count differently."""

    def __init__(self, rng, nan=False, none=False):
        self.beta = round(rng.uniform(0.1, 0.4), 3)
        self.error = rng.normal(size=(3, 4, 3)) * 0.4
        self.weight = rng.choice([0.5, 1.0, 5.0], (3, 4)) * (rng.permutation(12) < 7).reshape(3, 4)
        self.weight *= not none
        self.hidden = self.weight == 0
        self.asked = f"masked_huber(error, weight, beta={self.beta}), {12 - self.hidden.sum()} of 12 samples known"
        if nan:
            self.error[self.hidden] = np.nan
            self.asked += ", NaN in the others"
        self.value, self.slope = ex.fast_masked_huber(self.error, self.weight, self.beta)

    def mean(self, penalty=hubers, weight=None, over=None):
        """The loss in a loop. over: what the sum is divided by."""
        weight, total = self.weight if weight is None else weight, 0.0
        for where in np.argwhere(weight > 0):
            place = tuple(where)
            total += weight[place] * np.mean(penalty(self.error[place], self.beta))
        return total / max((self.weight > 0).sum() if over is None else over, 1)


@check(todo="masked_huber", points=2, seconds=20)
def test_the_mean_over_known_samples(rng):
    """Twelve samples, seven of them known, each with a weight of its own, against a loop."""
    for _ in range(3):
        made = Samples(rng)
        agree(made.asked, made.value, made.mean(), TOL, unit="N", slips=mean_slips(made))


def mean_slips(made):
    known = made.weight > 0
    return {
        "this is divided by the number of all samples; the unknown ones do not count": lambda: made.mean(over=12),
        "this is divided by the sum of the weights; equation 16 divides by the number of known samples": lambda: (
            made.mean(over=made.weight.sum())
        ),
        "this is a sum; equation 16 divides by the number of known samples": lambda: made.mean(over=1),
        "the three axes are summed up; it is their mean": lambda: 3 * made.mean(),
        "all samples count the same; each has its weight": lambda: made.mean(weight=1.0 * known),
        "unknown samples count, too": lambda: made.mean(weight=np.ones((3, 4)), over=12),
        f"beta is {made.beta} here, as it was asked for, not BETA": lambda: made.mean(lambda e, _: hubers(e, BETA)),
        "beta is 1 here; it was asked for another": lambda: made.mean(lambda e, _: hubers(e, 1.0)),
        "this is the squared error; it is huber() at beta": lambda: made.mean(lambda e, _: e**2),
        "the penalty is the length of the error vector's; it is of each axis by itself": lambda: made.mean(
            lambda e, beta: huber(np.linalg.norm(e), beta)
        ),
        "the weight went into huber() with the error; it multiplies the penalty": lambda: (
            hubers(made.error * made.weight[..., None], made.beta).mean(axis=-1).sum() / known.sum()
        ),
    }


@check(todo="masked_huber", points=2, seconds=20)
def test_what_nobody_knows_is_harmless(rng):
    """The same with NaN for the errors that nobody knows: the loss, and its slope by the errors."""
    for _ in range(2):
        made = Samples(rng, nan=True)
        if np.isnan(number_or_nan(made.value)):
            why = "a weight of 0 does not make NaN harmless: NaN times 0 is NaN; put something finite in its place"
            wrong(made.asked, "nan", f"{made.mean():.4g} N", why)
        agree(made.asked, made.value, made.mean(), TOL, unit="N")
        asked = f"the slope of {made.asked}, by the errors"
        slope = made.slope
        if isinstance(slope, np.ndarray) and slope.shape == (3, 4, 3) and np.isnan(slope).any():
            why = "the loss is right and its slope is not: jnp.where must choose before huber(), not after it"
            wrong(asked, f"nan in {np.isnan(slope).sum()} places", "finite numbers", why)
        inside = np.clip(np.where(made.hidden[..., None], 0.0, made.error) / made.beta, -1, 1)
        agree(asked, slope, made.weight[..., None] * inside / (3 * (~made.hidden).sum()), TOL)


@check(todo="masked_huber", points=1, seconds=20)
def test_nothing_known_at_all(rng):
    """No sample is known: no loss, and no slope, instead of zero by zero."""
    for nan in (False, True):
        made = Samples(rng, nan=nan, none=True)
        if np.isnan(number_or_nan(made.value)):
            why = "with no known sample the number to divide by is 0; divide by at least 1"
            wrong(made.asked, "nan", "0", "NaN times 0 is NaN" if nan else why)
        if np.isnan(number_or_nan(made.slope)):
            why = "the loss is right and its slope is not: jnp.where must choose before the NaN, or before 0 by 0"
            wrong(f"the slope of {made.asked}", "nan", "0", why)
        agree(made.asked, made.value, 0.0, TOL, unit="N")
        agree(f"the slope of {made.asked}", made.slope, np.zeros((3, 4, 3)), TOL)


def number_or_nan(got):
    """NaN if there is one in an array of floats; 0 for all else, which other checks look at."""
    return np.nan if isinstance(got, (float, np.ndarray)) and np.isnan(np.sum(got)) else 0.0


# losses

FRAMES = (2, 4)
NAMES = ("joint", "grip", "force", "gate", "condition")


class Asked:
    """Outputs of a network for two pieces of four frames, and what the arm did and felt."""

    def __init__(self, rng, known=5, joints=M):
        self.tau, self.condition = rng.normal(size=(2, *FRAMES, joints))
        self.raw, self.gate = 3 * rng.normal(size=(*FRAMES, 3)), 2 * rng.normal(size=FRAMES)
        self.mask = 1.0 * (rng.permutation(8) < known).reshape(FRAMES)
        self.touched = self.mask * rng.choice([0.0, 1.0], FRAMES)
        if known:  # a contact that the network denies, and none where it claims one
            first, second = np.argwhere(self.mask > 0)[:2]
            self.touched[*first], self.touched[*second] = 0.0, 1.0
            self.gate[*first], self.gate[*second] = 1.0, -1.0
        self.force = np.where(
            self.mask[..., None] > 0, self.touched[..., None] * 3 * rng.normal(size=(*FRAMES, 3)), np.nan
        )
        self.normal = 1.0 * (rng.uniform(size=(*FRAMES, joints)) < 0.5)
        self.after, error, self.row = rng.normal(size=(3, *FRAMES, joints))
        self.q = self.after + error
        self.grip = round(rng.uniform(0.5, 15), 3)
        names = "q_cmd", "u", "voltage", "temperature", "seen_q", "seen_qd", "q", "qd", "qdd"
        columns = dict.fromkeys(names, self.row)
        labels = {"force": self.force, "gate": self.touched, "mask": self.mask, "condition": self.normal}
        outputs = self.tau, self.raw, self.gate, self.condition
        self.asked = (
            f"losses(outputs, rows, q, after, grip={self.grip}) of {joints} joints, mask 1 in {known} of 8 frames"
        )
        got, self.slopes = ex.fast_losses(outputs, ex.Track(**columns | labels), self.q, self.after, self.grip)
        self.got = fields(got, self.asked, *NAMES)

    def loss(self, name):
        """What was asked, and the answer."""
        return f'"{name}" of {self.asked}', self.got[name]

    def estimate(self):
        return sigmoid(self.gate)[..., None] * self.raw

    def force_loss(self, estimate=None, focus=FOCUS, weight=None, beta=BETA, over=None):
        """Equation 16 in a loop."""
        estimate, total = self.estimate() if estimate is None else estimate, 0.0
        for i, k in np.ndindex(FRAMES):
            if self.mask[i, k] > 0:
                counts = (focus if self.touched[i, k] else 1.0) if weight is None else weight[i, k]
                total += counts * np.mean(hubers(estimate[i, k] - self.force[i, k], beta))
        return total / (max(self.mask.sum(), 1) if over is None else over)

    def gate_loss(self, logit=None, weight=None, over=None):
        """Equation 17 in a loop."""
        logit, weight = self.gate if logit is None else logit, self.mask if weight is None else weight
        total = sum(weight[i] * surprise(logit[i], self.touched[i]) for i in np.ndindex(FRAMES))
        return total / (max(self.mask.sum(), 1) if over is None else over)


def surprise(logit, label):
    """Binary cross-entropy of one logit."""
    return -label * np.log(sigmoid(logit)) - (1 - label) * np.log(1 - sigmoid(logit))


def surprises(logits, labels):
    return np.vectorize(surprise)(logits, labels)


@check(todo="losses", points=2, seconds=20)
def test_where_the_arm_is(rng):
    """Equations 14 and 15: joints in rad, the gripper by itself."""
    for arm in (ARM, ARM + 2):  # joints besides the gripper's
        made = Asked(rng, joints=arm + 1)
        error = made.q - made.after
        joints, motor = error[..., :-1], error[..., -1]
        slips = {
            "the gripper's motor is in it, and has a loss of its own": hubers(error, 1.0).mean(),
            "this is a sum; equation 14 has the mean over frames and joints": hubers(joints, 1.0).sum(),
            "this is summed over the joints; equation 14 has the mean": arm * hubers(joints, 1.0).mean(),
            "this is the squared error; it is huber() at 1": (joints**2).mean(),
            "this is half the squared error; huber() is straight above 1": (joints**2 / 2).mean(),
            "huber() at BETA is for forces; positions have 1": hubers(joints, BETA).mean(),
            "the weights of equation 19 are given code, loss_of(); here each term stands by itself": (
                100 * hubers(joints, 1.0).mean()
            ),
            "the first joint is missing; the gripper is the last one": hubers(error[..., 1:], 1.0).mean(),
            f"this is of {ARM} joints; another arm has {arm} before the gripper": hubers(error[..., :ARM], 1.0).mean(),
            "rows hold the frames before these ticks; where the arm is then, `after` says": hubers(
                (made.q - made.row)[..., :-1], 1.0
            ).mean(),
            "frames whose force nobody knows count as well: the angles are known": (
                hubers(joints, 1.0).mean(axis=-1)[made.mask > 0].mean()
            ),
        }
        asked, got = made.loss("joint")
        agree(asked, got, hubers(joints, 1.0).mean(), TOL, slips=slips)
        slips = {
            "grip is missing: the angle of the motor, in rad, went into huber()": hubers(motor, 1.0).mean(),
            "the penalty was multiplied by grip; the error is, before huber()": made.grip * hubers(motor, 1.0).mean(),
            "this is the first joint; the gripper's motor is the last one": hubers(
                made.grip * error[..., 0], 1.0
            ).mean(),
            f"this is joint {ARM}; the gripper's motor is the last of {arm + 1}": hubers(
                made.grip * error[..., ARM], 1.0
            ).mean(),
            "all joints are in it; this is the gripper's loss": hubers(made.grip * error, 1.0).mean(),
            "this is a sum; equation 15 has the mean over frames": hubers(made.grip * motor, 1.0).sum(),
        }
        asked, got = made.loss("grip")
        agree(asked, got, hubers(made.grip * motor, 1.0).mean(), TOL, slips=slips)


@check(todo="losses", points=2, seconds=20)
def test_the_force(rng):
    """Equation 16: of the gated estimate, a contact counting more, unknown labels (NaN here) not at all."""
    for _ in range(2):
        made = Asked(rng)
        asked, got = made.loss("force")
        if np.isnan(number_or_nan(got)):
            why = "labels where the mask is 0 may hold anything; masked_huber() with a weight of 0 leaves them out"
            wrong(asked, "nan", f"{made.force_loss():.4g} N", why)
        agree(asked, got, made.force_loss(), TOL, unit="N", slips=force_slips(made))


def force_slips(made):
    return {
        "this is the raw force's; what is said is force_of(), with the gate": lambda: made.force_loss(made.raw),
        "the gate multiplied as a logit; it is a probability": lambda: made.force_loss(made.gate[..., None] * made.raw),
        "a force counts as much as none; it counts FOCUS times": lambda: made.force_loss(focus=1.0),
        "FOCUS counts where there is no force; it is the other way round": lambda: made.force_loss(
            weight=np.where(made.touched > 0, 1.0, FOCUS)
        ),
        "frames without a force do not count at all; they count once": lambda: made.force_loss(
            weight=FOCUS * made.touched, over=made.touched.sum()
        ),
        "FOCUS counts where the estimated gate is open; the label decides": lambda: made.force_loss(
            weight=np.where(made.gate > 0, FOCUS, 1.0)
        ),
        "huber() at 1 is for positions; forces have BETA": lambda: made.force_loss(beta=1.0),
        "this is divided by the number of all frames; only the known ones count": lambda: made.force_loss(over=8),
        "this is divided by the sum of the weights; equation 16 divides by the number of known frames": lambda: (
            made.force_loss(over=(made.mask + (FOCUS - 1) * made.touched).sum())
        ),
    }


@check(todo="losses", points=2, seconds=20)
def test_yes_or_no(rng):
    """Equations 17 and 18: the gate where it is known, and the condition of one joint."""
    for _ in range(2):
        made = Asked(rng)
        asked, got = made.loss("gate")
        agree(asked, got, made.gate_loss(), TOL, slips=gate_slips(made))
        each = surprises(made.condition, made.normal).mean(axis=(0, 1))
        slips = {
            f"this is of all joints; only joint {BANDED} was ever held back": each.mean(),
            f"this is joint {BANDED - 1}, counted from 0; BANDED is {BANDED}": each[BANDED - 1],
            f"this is joint {BANDED + 1}, counted from 0; BANDED is {BANDED}": each[BANDED + 1],
            f"this is frame {BANDED} of each piece; joints are the last axis": (
                surprises(made.condition, made.normal)[:, BANDED].mean()
            ),
            "frames without a force label are left out; a joint's condition is known in every frame": (
                surprises(made.condition, made.normal)[made.mask > 0][:, BANDED].mean()
            ),
            "the condition went through a sigmoid first; cross_entropy() wants logits": (
                surprises(sigmoid(made.condition), made.normal)[..., BANDED].mean()
            ),
            "1 is normal, 0 is held back; here they are exchanged": (
                surprises(-made.condition, made.normal)[..., BANDED].mean()
            ),
            "this is a sum; equation 18 has the mean over frames": 8 * each[BANDED],
        }
        asked, got = made.loss("condition")
        agree(asked, got, each[BANDED], TOL, slips=slips)


def gate_slips(made):
    ones = np.ones(FRAMES)
    return {
        "frames count whose force nobody knows: nobody knows there whether something touched the arm": (
            lambda: made.gate_loss(weight=ones, over=8)
        ),
        "frames count whose force nobody knows; the gate's label is as unknown there": lambda: made.gate_loss(
            weight=ones
        ),
        "this is divided by the number of all frames; only those with mask 1 count": lambda: made.gate_loss(over=8),
        "this is a sum; equation 17 divides by the number of known frames": lambda: made.gate_loss(over=1),
        "the gate went through a sigmoid first; cross_entropy() wants logits": lambda: made.gate_loss(
            sigmoid(made.gate)
        ),
        "FOCUS is for forces; here every known frame counts once": lambda: made.gate_loss(
            weight=made.mask * np.where(made.touched > 0, FOCUS, 1.0)
        ),
        "the label and its opposite are exchanged": lambda: made.gate_loss(-made.gate),
        "cross_entropy() takes the logits first, then the labels": lambda: (
            (made.mask * surprises(made.touched, made.gate)).sum() / made.mask.sum()
        ),
    }


@check(todo="losses", points=2, seconds=20)
def test_what_the_network_feels_of_it(rng):
    """The slope of all five together by the network's outputs, against differences of the loops; then nothing known."""
    made = Asked(rng)
    names = "tau", "force", "gate", "condition"
    slopes = dict(zip(names, parts(made.slopes, f"the slopes of {made.asked}", *names), strict=True))
    for name, slope in slopes.items():
        if np.isnan(number_or_nan(slope)):
            wrong(f"the slope of {made.asked}, by outputs.{name}", "nan", "finite numbers", "labels may be NaN there")
    slips = {
        "this is 0: jax.lax.stop_gradient(), or a comparison, keeps the network from learning it": (
            lambda: np.zeros(FRAMES)
        ),
        "the gate learns from its own loss alone; force_of() has it in the force, too": lambda: differences(
            made.gate_loss, made.gate
        ),
    }
    expected = differences(lambda: made.force_loss() + made.gate_loss(), made.gate)
    agree(f"the slope of {made.asked}, by outputs.gate", slopes["gate"], expected, 1e-5, slips=slips)
    blank = Asked(rng, known=0)
    for name in ("force", "gate"):
        asked, got = blank.loss(name)
        if np.isnan(number_or_nan(got)):
            wrong(asked, "nan", "0", "with no known frame the number to divide by is 0; divide by at least 1")
        agree(asked, got, 0.0, TOL)
    for name, slope in zip(names, parts(blank.slopes, f"the slopes of {blank.asked}", *names), strict=True):
        if np.isnan(number_or_nan(slope)):
            why = "nothing known must leave finite slopes: one NaN would be in all weights after one step"
            wrong(f"the slope of {blank.asked}, by outputs.{name}", "nan", "finite numbers", why)


def differences(loss, x, h=1e-5):
    """The slope of loss() by x, which is changed in place and back."""
    slope = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        kept = x[place]
        x[place] = kept + h
        above = loss()
        x[place] = kept - h
        slope[place] = (above - loss()) / (2 * h)
        x[place] = kept
    return slope


# explicit


class Pushed:
    """A pose, what a network says there, and what MuJoCo makes of the force."""

    def __init__(self, rng, gate=None, robot=ROBOT):
        self.model = model_of(robot)
        self.data = mujoco.MjData(self.model)
        m = self.model.nv + 1
        self.q = np.append(rng.uniform(-1, 1, m - 1), rng.normal())
        self.tau, self.u, self.typical = rng.normal(size=m), rng.normal(size=m), rng.uniform(0.2, 2.0, m)
        self.q_cmd = self.q + 0.01 * rng.normal(size=m)
        self.raw, self.gate = 5 * rng.normal(size=3), rng.normal() if gate is None else gate
        self.asked = f"explicit(setting of a {robot}, q={shown(self.q)}, outputs, row), raw force {shown(self.raw)} N"
        self.asked += f", gate's logit {self.gate:.2f}"
        blank = {name: np.zeros(m) for name in (*SENT, *UNKNOWN)}
        row = blank | {
            "q_cmd": self.q_cmd,
            "u": self.u,
            "force": np.zeros(3),
            "gate": np.zeros(()),
            "mask": np.zeros(()),
        }
        outputs = self.tau, self.raw, np.array(self.gate), np.zeros(m)
        names = [robot, "mlp", True]
        self.got = ex.fast_explicit(names, {"typical": self.typical}, self.q, outputs, ex.Track(**row))
        # N m, and N m for each unit of effort: of this arm's motors, in module 15
        self.limit, self.rated = {ROBOT: (4.1, 1.3), "panda": (87.0, 1.0)}[robot]
        self.springs = (
            TorqueJoints(frozenset(), None).stiffness * (self.q_cmd - self.q) if robot == "panda" else np.zeros(m)
        )
        self.surrogate = self.bounded(self.rated * self.u + self.typical * self.tau) + self.springs
        self.force = sigmoid(self.gate) * self.raw
        self.data.qpos[:] = self.q[:-1]
        mujoco.mj_forward(self.model, self.data)

    def bounded(self, wanted):
        return self.limit * np.tanh(wanted / self.limit)

    def torques(self, force, moment=(0, 0, 0), at=None):
        """What it does to the joints, by MuJoCo, (m,); the gripper's motor feels nothing of it."""
        self.data.qpos[:] = (self.q if at is None else at)[:-1]
        mujoco.mj_forward(self.model, self.data)
        torque, site = np.zeros(self.model.nv), self.data.site("effector")
        body = int(self.model.site("effector").bodyid[0])
        where = site.xpos.copy()
        mujoco.mj_applyFT(self.model, self.data, np.array(force, float), np.array(moment, float), where, body, torque)
        return np.append(torque, 0.0)

    def slips(self):
        own = self.surrogate
        return {
            "the surrogate is missing: both parts act on the body": self.torques(self.force),
            "the force is missing: both parts act on the body": own,
            "the sign: the force is what the environment does to the robot, so its torques are added": (
                own - self.torques(self.force)
            ),
            "the raw force was taken; the estimate is force_of(), with the gate": own + self.torques(self.raw),
            "the gate multiplied as a logit; it is a probability": own + self.torques(self.gate * self.raw),
            "the rows of the Jacobian that turn, 3 to 5, were taken; a force belongs to those that move": (
                own + self.torques(np.zeros(3), self.force)
            ),
            "the surrogate is the raw output; direct() makes N m of it": self.tau + self.torques(self.force),
            "the force acts on the arm where it is, at q, not where it is to be, at row.q_cmd": (
                own + self.torques(self.force, at=self.q_cmd)
            ),
            "the force acts on the arm of the run, at q; row.q is the recording's": (
                own + self.torques(self.force, at=0 * self.q)
            ),
            "what went through the gate goes through it once": own + self.torques(sigmoid(self.gate) * self.force),
            "no motor limits the force's part: it must stay out of the tanh": self.bounded(
                own + self.torques(self.force)
            ),
            "J^T f went through the tanh: it is in N m already, and no motor limits it": (
                self.bounded(self.rated * self.u + self.typical * (self.tau + self.torques(self.force))) + self.springs
            ),
            "the effort is missing: with a residual surrogate it is the base": (
                self.bounded(self.typical * self.tau) + self.springs + self.torques(self.force)
            ),
            "the position actuators of this arm are missing: direct() has them, torque_of() alone has not": (
                own - self.springs + self.torques(self.force)
            ),
        }


@check(todo="explicit", points=3, seconds=20)
def test_the_force_acts_at_the_effector(rng):
    """Poses and forces drawn at random, against what MuJoCo's mj_applyFT adds to the surrogate."""
    for robot in (ROBOT, ROBOT, "panda"):
        made = Pushed(rng, robot=robot)
        agree(made.asked, made.got, made.surrogate + made.torques(made.force), 1e-5, unit="N m", slips=made.slips())


@check(todo="explicit", points=1, seconds=20)
def test_a_closed_gate_leaves_the_surrogate(rng):
    """With a gate that is surely closed nothing acts but the surrogate; an open one lets the raw force through."""
    for gate in (-60.0, 60.0):
        made = Pushed(rng, gate=gate)
        agree(made.asked, made.got, made.surrogate + made.torques(made.force), 1e-5, unit="N m", slips=made.slips())


# step

WIDTH, LATENT = 6, 4
SENT = ("q_cmd", "u", "voltage", "temperature", "seen_q", "seen_qd")  # what the bus tells
UNKNOWN = ("q", "qd", "qdd", "force", "gate", "mask", "condition")  # what is known later, or never
NET = [ROBOT, "mlp", False]


def net_of(rng):
    """Parameters of a small MLP, with outputs of the order of one."""

    def linear(inputs, outputs):
        w = rng.normal(size=(inputs, outputs)) * 1.5 / np.sqrt(inputs)
        return {"w": w.astype(np.float32), "b": rng.normal(size=outputs).astype(np.float32) * 0.3}

    shapes = {
        "tau": [(WIDTH, WIDTH), (WIDTH, LATENT), (LATENT, M)],
        "feature": [(WIDTH, LATENT)],
        "force": [(LATENT, 3)],
        "gate": [(LATENT, 1)],
        "condition": [(WIDTH, LATENT), (LATENT, M)],
    }
    norm = {"scale": np.ones(WIDTH, np.float32), "shift": np.zeros(WIDTH, np.float32)}
    heads = {name: [linear(*shape) for shape in layers] for name, layers in shapes.items()}
    return {"trunk": [{"linear": linear(9 * 7 * M, WIDTH), "norm": norm}], "heads": heads}


def says(params, tokens):
    """What the network says about nine tokens, by NumPy: tau, force, gate, condition."""

    def silu(x):
        return x * sigmoid(x)

    def through(layers, x):
        for k, layer in enumerate(layers):
            x = (silu(x) if k else x) @ layer["w"].astype(float) + layer["b"]
        return x

    (layer,), heads = params["trunk"], params["heads"]
    h = tokens.reshape(-1) @ layer["linear"]["w"].astype(float) + layer["linear"]["b"]
    h = silu((h - h.mean()) / np.sqrt(h.var() + 1e-6))
    feature = silu(through(heads["feature"], h))
    gate = through(heads["gate"], feature)[0]
    return through(heads["tau"], h), through(heads["force"], feature), np.array(gate), through(heads["condition"], h)


class Ticks:
    """Frames of a live arm, drawn at random, and the tokens that a network sees of them."""

    def __init__(self, rng, count):
        self.params = net_of(rng)
        joints = 7 * M
        self.numbers = {"mean": rng.normal(size=joints) * 0.3, "scale": rng.uniform(0.5, 2, joints)}
        self.numbers["typical"] = np.ones(M)
        self.columns = {name: rng.normal(size=(count, M)).astype(np.float32) for name in (*SENT, *UNKNOWN)}
        self.columns |= {"force": rng.normal(size=(count, 3)), "gate": np.ones(count), "mask": np.ones(count)}

    def frame(self, k, **instead):
        return ex.Track(**{name: column[k] for name, column in self.columns.items()} | instead)

    def token(self, k, q="seen_q", qd="seen_qd"):
        c = {name: column[k].astype(float) for name, column in self.columns.items()}
        row = (c["q_cmd"], c[q], c[qd], c["q_cmd"] - c[q], c["u"], c["voltage"], c["temperature"])
        return (np.concatenate(row) - self.numbers["mean"]) / self.numbers["scale"]

    def tokens(self, first, last, **how):
        return np.array([self.token(k, **how) for k in range(first, last)])

    def ask(self, memory, frame, asked):
        answer = ex.fast_step(NET, self.numbers, self.params, np.asarray(memory, np.float32), frame)
        memory, outputs = parts(answer, asked, "the memory", "what the network says")
        if isinstance(outputs, np.ndarray) and outputs.ndim == 2:
            wrong(asked, "two of them, the memory as the second", "the memory, then what the network says")
        return memory, parts(outputs, f"what the network says in {asked}", "tau", "force", "gate", "condition")


SMOOTHED = (("q", "qd"), ("seen_q", "qd"), ("q", "seen_qd"))
TICK = "step(setting, params, memory, frame)"


def window_slips(made, right):
    """What usual mistakes give: nine tokens each."""
    smooth, late, early = (np.vstack([right[:-1], [made.token(HISTORY, q=q, qd=qd)]]) for q, qd in SMOOTHED)
    return {
        "the speed is seen_qd; qd is smoothed, with frames to come": late,
        "the angle is seen_q; q is smoothed, with frames to come": early,
        "the arm is where the frame's seen_q and seen_qd say: q and qd are smoothed, with frames to come": smooth,
        "the newest token comes last; here it is the first": np.vstack([right[-1:], right[:-1]]),
        "the tokens run backwards: the oldest comes first": right[::-1],
        "the token of this tick is missing: the network must see it now": np.vstack([right[:1], right[:-1]]),
        "the oldest tick was lost; nine tokens are the memory's eight and this tick's": (
            np.vstack([right[1:], right[-1:]])
        ),
        "the arm is not where it was commanded to be": np.vstack([right[:-1], [made.token(HISTORY, q="q_cmd")]]),
        "token() takes the angles first, then the speeds": (
            np.vstack([right[:-1], [made.token(HISTORY, q="seen_qd", qd="seen_q")]])
        ),
    }


def heard(made, asked, outputs, right, slips):
    """Compare what a network says with what it says about these nine tokens. slips: other nine tokens."""
    said = says(made.params, right)
    further = {
        "this is a torque already; step() hands on what the network says": 4.1 * np.tanh(said[0] / 4.1),
        "this is force_of(); step() hands on what the network says": sigmoid(said[2]) * said[1],
    }
    for k, name in enumerate(("tau", "force", "gate", "condition")):
        told = {text: (lambda window=window, k=k: says(made.params, window)[k]) for text, window in slips.items()}
        agree(f"{name} of {asked}", outputs[k], said[k], SINGLE, slips=further | told)


@check(todo="step", points=2, seconds=20)
def test_nine_tokens_are_read(rng):
    """One tick after eight others: what the network says, against the same network in NumPy."""
    for _ in range(2):
        made = Ticks(rng, 9)
        right = made.tokens(0, 9)
        _, outputs = made.ask(right[:-1], made.frame(8), TICK)
        heard(made, TICK, outputs, right, window_slips(made, right))


@check(todo="step", points=1, seconds=20)
def test_the_memory_for_the_next_tick(rng):
    """Eight tokens, the newest last, the oldest gone."""
    made = Ticks(rng, 9)
    right = made.tokens(0, 9)
    asked = f"the memory that {TICK} hands on"
    memory, _ = made.ask(right[:-1], made.frame(8), TICK)
    smooth = right[1:].copy()
    smooth[-1] = made.token(8, q="q", qd="qd")
    slips = {
        "this is the memory of before: this tick is not in it": right[:-1],
        "the arm is where seen_q and seen_qd say: q and qd are smoothed, with frames to come": smooth,
        "the newest token comes last; here it is the first": np.vstack([right[-1:], right[1:-1]]),
        "the newest but one was lost; it is the oldest that goes": np.vstack([right[:-2], right[-1:]]),
    }
    if isinstance(memory, np.ndarray) and memory.shape == (9, 7 * M):
        wrong(asked, "nine tokens", "eight", "the oldest one goes, or the memory grows with every tick")
    if isinstance(memory, np.ndarray) and memory.dtype == np.float64:
        why = "token() makes them of 32 bits; with 64, the network too would be computed in 64 from the next tick on"
        wrong(asked, "numbers of 64 bits", "numbers of 32 bits", why)
    agree(asked, memory, right[1:], SINGLE, slips=slips)


@check(todo="step", points=2, seconds=20)
def test_live_is_what_a_recording_would_say(rng):
    """Twelve ticks one by one: each answer is that of the nine measured frames up to it."""
    made = Ticks(rng, 20)
    memory = made.tokens(0, 8)
    for k in range(8, 20):
        asked = f"{TICK} in tick {k - 7} of a run"
        memory, outputs = made.ask(array(memory, (8, 7 * M), f"the memory before {asked}"), made.frame(k), asked)
        right = made.tokens(k - 8, k + 1)
        frozen = {"the memory of the start was handed on": np.vstack([made.tokens(0, 8), right[-1:]])}
        heard(made, asked, outputs, right, frozen)


@check(todo="step", points=1, seconds=20)
def test_nothing_of_later_is_used(rng):
    """The same tick with other values in all columns that nobody knows yet: nothing may change."""
    made = Ticks(rng, 9)
    memory = made.tokens(0, 8)
    kept, outputs = made.ask(memory, made.frame(8), TICK)
    for name in UNKNOWN:
        other = {name: made.columns[name][0] + 1}
        again, changed = made.ask(memory, made.frame(8, **other), TICK)
        now, before = np.concatenate([np.ravel(x) for x in (again, *changed)]), [np.ravel(x) for x in (kept, *outputs)]
        if number(np.abs(now - np.concatenate(before)).max(), TICK) > 0:
            why = f"frame.{name} holds what is only known later; on a live arm it is empty"
            wrong(f"{TICK} with another frame.{name}", "another answer", "the same answer", why)
