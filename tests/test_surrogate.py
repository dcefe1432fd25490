"""Graded checks of module 15, a torque nobody measured. Expected values: MuJoCo's C engine and loops in NumPy."""

import mujoco
import numpy as np

from bench.locked import MOTORS, model_of
from bench.tracks import Track
from course.testing import agree, array, check, exercise, number, parts, wrong

ex = exercise("surrogate")

ROBOT, M, ARM = "openmanipulator_x", 5, 4  # its joints, the gripper's motor among them, and those of its arm
MODEL = model_of(ROBOT)
ROTOR, DRAG = MOTORS[ROBOT]  # of the gripper's motor, which moves nothing but itself
HISTORY, TICKS, FEATURES = 8, 10, 7 * M
LONG = 60  # ticks: a scan is compiled as quickly for them; a loop of Python's, which writes all of them out, is not
PULL = 15.0  # rad/s, as the exercise file has it
TOL = 1e-9  # of torques in N m; right answers were within 6e-15 in 100 draws
ROLLED = 2e-6  # of a run, in rad and rad/s; within 1e-14 in 100 draws, but tokens of 32 bits may be rounded otherwise
SAID = 2e-5  # of the network's numbers about 1; the same holds


def shown(x):
    return "[" + ", ".join(f"{v:z.3f}" for v in np.ravel(x)) + "]"


def setting_for(rng, residual=1.0):
    """A setting whose every number counts."""
    setting = ex.setting_of(ROBOT, "mlp", True, rng.normal(size=FEATURES), rng.uniform(0.5, 2, FEATURES), np.ones(M))
    setting.typical, setting.limit = rng.uniform(0.2, 0.6, M), rng.uniform(0.6, 1.5, M)
    setting.rated = residual * rng.uniform(0.3, 0.9, M)
    setting.seconds, setting.substeps = round(rng.uniform(0.012, 0.02), 4), 2
    return setting


# torque_of


def bounded(x, limit):
    """limit * tanh(x / limit), by exponentials."""
    grown = np.exp(2 * x / limit)
    return limit * (grown - 1) / (grown + 1)


@check(todo="torque_of", points=2)
def test_base_and_network_within_the_limit(rng):
    """Torques of a few outputs of the network and efforts, direct and residual, against equation 5 and the bound."""
    for residual in (1.0, 1.0, 0.0):
        s = setting_for(rng, residual)
        raw, u = rng.normal(size=(2, 3, M)) * [[[2.0]], [[1.5]]]
        base, net = s.rated * u, s.typical * raw
        asked = f"torque_of(setting with rated={shown(s.rated)}, limit={shown(s.limit)}, raw (3, 5), u (3, 5))"
        slips = {
            "only the network's part went into the tanh; base and network together can then exceed the limit": (
                base + bounded(net, s.limit)
            ),
            "only the base went into the tanh; what the network says is not bounded": bounded(base, s.limit) + net,
            "each part has a tanh of its own; their sum can exceed the limit": bounded(base, s.limit)
            + bounded(net, s.limit),
            "nothing bounds this torque": base + net,
            "this is cut off at the limit: beyond it no slope is left that could teach the network": np.clip(
                base + net, -s.limit, s.limit
            ),
            "the base is missing: setting.rated * u": bounded(net, s.limit),
            "the network's part is missing: setting.typical * raw": bounded(base, s.limit),
            "raw has no unit: setting.typical makes a torque of it": bounded(base + raw, s.limit),
            "u is no torque: setting.rated makes one of it": bounded(u + net, s.limit),
            "rated belongs to u, and typical to raw": bounded(s.typical * u + s.rated * raw, s.limit),
            "the base is subtracted; it adds to what the network says": bounded(net - base, s.limit),
            "tanh needs a number without a unit: divide by the limit first": s.limit * np.tanh(base + net),
            "the limit divides within the tanh, and multiplies outside": s.limit * np.tanh((base + net) * s.limit),
            "the tanh goes up to 1; the limit has to stand in front of it, too": np.tanh((base + net) / s.limit),
        }
        agree(asked, ex.torque_of(s, raw, u), bounded(base + net, s.limit), TOL, "N m", slips)


@check(todo="torque_of", points=1)
def test_slope_and_limits(rng):
    """A small output counts in full; a huge one gives the motor's limit, of its sign, and no more."""
    s = setting_for(rng, 0.0)
    u = rng.normal(size=M)
    tiny, side = 1e-4, rng.choice([-1.0, 1.0], M)
    slope = array(ex.torque_of(s, tiny * side, u), (M,), "torque_of(setting, raw=+-0.0001, u)", "N m") / (tiny * side)
    slips = {
        "the tanh goes up to 1; the limit has to stand in front of it, too": s.typical / s.limit,
        "raw has no unit: setting.typical makes a torque of it": np.ones(M),
    }
    agree("torque_of() for raw = +-0.0001, divided by raw", slope, s.typical, 1e-5, "N m", slips)
    slips = {
        "nothing bounds this torque": s.typical * 1e3 * side,
        "the sign is lost": s.limit,
        "the tanh goes up to 1; the limit has to stand in front of it, too": side,
        "each joint has a limit of its own, not all of them the largest": side * s.limit.max(),
        "each joint has a limit of its own, not all of them the smallest": side * s.limit.min(),
    }
    asked = f"torque_of(setting with limit={shown(s.limit)}, raw={shown(1e3 * side)}, u)"
    agree(asked, ex.torque_of(s, 1e3 * side, u), s.limit * side, TOL, "N m", slips)


# actuated_rollout: the network, the tokens and the body once more, in NumPy and MuJoCo


def network_of(rng, hidden=7, latent=6):
    """Parameters of a small MLP with opinions."""

    def layer(inputs, outputs):
        return {"w": 1.5 * rng.normal(size=(inputs, outputs)) / np.sqrt(inputs), "b": 0.3 * rng.normal(size=outputs)}

    shapes = {
        "tau": [(hidden, hidden), (hidden, latent), (latent, M)],
        "feature": [(hidden, latent)],
        "force": [(latent, 3)],
        "gate": [(latent, 1)],
        "condition": [(hidden, latent), (latent, M)],
    }
    norm = {"scale": rng.uniform(0.5, 1.5, hidden), "shift": rng.normal(size=hidden)}
    return {
        "trunk": [{"linear": layer((HISTORY + 1) * FEATURES, hidden), "norm": norm}],
        "heads": {name: [layer(*shape) for shape in layers] for name, layers in shapes.items()},
    }


def silu(x):
    return x / (1 + np.exp(-x))


def stacked(layers, x):
    for i, layer in enumerate(layers):
        x = x @ layer["w"] + layer["b"]
        x = silu(x) if i + 1 < len(layers) else x
    return x


def ask(params, tokens):
    """What the MLP says about nine tokens: tau, force, gate, condition."""
    first, heads = params["trunk"][0], params["heads"]
    x = tokens.ravel() @ first["linear"]["w"] + first["linear"]["b"]
    x = (x - x.mean()) / np.sqrt(x.var() + 1e-6) * first["norm"]["scale"] + first["norm"]["shift"]
    x = silu(x)
    feature = silu(stacked(heads["feature"], x))
    force, gate = stacked(heads["force"], feature), stacked(heads["gate"], feature)[0]
    return stacked(heads["tau"], x), force, gate, stacked(heads["condition"], x)


def moved(q, qd, tau, seconds, substeps):
    """The state after a tick: mj_step for the arm, and the gripper's motor, damped at its new speed, by hand."""
    h = seconds / substeps
    MODEL.opt.timestep = h
    data = mujoco.MjData(MODEL)
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q[:ARM], qd[:ARM], tau[:ARM]
    grip, speed = q[ARM], qd[ARM]
    for _ in range(substeps):
        mujoco.mj_step(MODEL, data)
        speed += h * (tau[ARM] - DRAG * speed) / (ROTOR + h * DRAG)
        grip += h * speed
    return np.append(data.qpos, grip), np.append(data.qvel, speed)


class Run:
    """A recording drawn at random, a network drawn at random, and where that network takes the arm."""

    def __init__(self, rng, ticks=TICKS):
        self.setting, self.params, self.ticks = setting_for(rng), network_of(rng), ticks
        frames = HISTORY + ticks
        drawn = {name: rng.normal(size=(frames, M)) for name in ("q_cmd", "u", "voltage", "temperature", "qdd")}
        drawn |= {name: rng.normal(size=(frames, M)) for name in ("seen_q", "seen_qd", "q", "qd")}
        rest = {"force": (3,), "gate": (), "mask": (), "condition": (M,)}
        drawn |= {name: np.zeros((frames, *shape)) for name, shape in rest.items()}
        self.track = Track(**{name: column.astype(np.float32) for name, column in drawn.items()})  # as tracks are
        self.asked = f"actuated_rollout(setting, params, track of {HISTORY} + {ticks} frames)"

    def token(self, q, qd, t):
        row, s = self.track, self.setting
        raw = np.concatenate([row.q_cmd[t], q, qd, row.q_cmd[t] - q, row.u[t], row.voltage[t], row.temperature[t]])
        return ((raw - s.mean) / s.scale).astype(np.float32)

    def go(
        self, past="seen", begin=0, start=HISTORY, read=None, memory="moves", newest="last", rest=False, late=0,
        forced=False, weightless=False, smooth=True, raw=False, carried="here",
    ):  # fmt: skip
        """q and qd after each tick, and what the network said. The options are mistakes."""
        row, s, states = self.track, self.setting, {"seen": ("seen_q", "seen_qd"), "smooth": ("q", "qd")}
        place, speed = (getattr(row, name) for name in states.get(past, states["seen"]))
        tokens = [(past != "zeros") * self.token(place[t + begin], speed[t + begin], t + begin) for t in range(HISTORY)]
        q, qd = (row.q[start], row.qd[start]) if smooth else (row.seen_q[start], row.seen_qd[start])
        q, qd = q.astype(float), 0 * qd.astype(float) if rest else qd.astype(float)
        rows = []
        for t in range(HISTORY, HISTORY + self.ticks):
            if forced and t > HISTORY:
                q, qd = row.q[t].astype(float), row.qd[t].astype(float)
            seen_q, seen_qd = (q, qd) if read is None else (getattr(row, name)[t] for name in states[read])
            now = self.token(seen_q, seen_qd, t)
            nine = [*tokens, now] if newest == "last" else [now, *tokens]
            said = ask(self.params, np.array(nine, float))
            effort = row.u[min(t + late, HISTORY + self.ticks - 1)]
            tau = bounded(s.rated * effort + (0 if weightless else s.typical * said[0]), s.limit)
            if weightless:
                tau = tau + inverse(q if carried == "here" else row.q[t].astype(float), np.zeros(M), np.zeros(M))
            tau = said[0] if raw else tau
            q, qd = moved(q, qd, tau, s.seconds, s.substeps)
            moved_on = nine[1:] if newest == "last" else nine[:-1]
            tokens = {"moves": moved_on, "stays": tokens, "refilled": [now] * HISTORY}[memory]
            rows.append((q, qd, said))
        q, qd, said = zip(*rows, strict=True)
        return np.array(q), np.array(qd), [np.array(x) for x in zip(*said, strict=True)]

    def slips(self, k):
        """What the usual mistakes give for q (0) or qd (1)."""
        kinds = {
            "each tick started from the recorded state; only the first one does": {"forced": True},
            "the network read the recorded angles of each tick; it is to see where its own run is": {"read": "smooth"},
            "the network read what the registers said in each tick; it is to see where its own run is": {
                "read": "seen"
            },
            "the network read the same past in every tick: what law() returns is the memory of the next tick, and the"
            " oldest token leaves": {"memory": "stays"},
            "the token of now was written over the whole past": {"memory": "refilled"},
            "the newest token stands first here; it belongs behind the past": {"newest": "first"},
            "the newest token stands first, and then it leaves; the oldest is first and leaves": {
                "newest": "first",
                "memory": "stays",
            },
            "the first tokens are of the smooth angles; the past is what was read: seen_q and seen_qd": {
                "past": "smooth"
            },
            "the past is zeros here; it is the first HISTORY frames as they were read": {"past": "zeros"},
            "the past ends with the frame before the run; here it is a frame late": {"begin": 1},
            "the run started from the last frame of the past; it starts from the next one": {"start": HISTORY - 1},
            "the run started from what the registers said; it starts from q and qd": {"smooth": False},
            "the run started at rest; it starts with the speed that the arm had": {"rest": True},
            "the effort is that of the next tick; each tick has its own row": {"late": 1},
            "what the network says is no torque yet; drive() makes one of it": {"raw": True},
        }
        slips = {sentence: (lambda how=how: self.go(**how)[k]) for sentence, how in kinds.items()}

        def before():
            first = (self.track.q, self.track.qd)[k][HISTORY]
            return np.vstack([first, self.go()[k][:-1]])

        return slips | {
            "row k is the state after tick k; these are the states before the ticks": before,
            "q comes first, then qd": lambda: self.go()[1 - k],
        }


NAMES = "q", "qd", "what the network said"


@check(todo="actuated_rollout", points=4, seconds=30)
def test_the_network_drives_the_arm(rng):
    """Angles and speeds of ten ticks, against mj_step and a network in NumPy that is asked tick by tick."""
    for _ in range(2):
        run = Run(rng)
        got = parts(ex.fast_rollout(run.setting, run.params, run.track), run.asked, *NAMES)
        q, qd, _ = run.go()
        agree(f"qd of {run.asked}", got[1], qd, ROLLED, "rad/s", run.slips(1))
        agree(f"q of {run.asked}", got[0], q, ROLLED, "rad", run.slips(0))


@check(todo="actuated_rollout", points=1, seconds=30)
def test_what_the_network_said(rng):
    """Torques, forces, gates and conditions, as the network said them, a row for each tick."""
    run = Run(rng)
    said = parts(ex.fast_rollout(run.setting, run.params, run.track), run.asked, *NAMES)[2]
    said = parts(said, f"what the network said in {run.asked}", "tau", "force", "gate", "condition")
    right, peeked, stuck = (run.go(**how)[2] for how in ({}, {"read": "smooth"}, {"memory": "stays"}))
    torques = bounded(run.setting.rated * run.track.u[HISTORY:] + run.setting.typical * right[0], run.setting.limit)
    for k, name in enumerate(("tau", "force", "gate", "condition")):
        slips = {
            "the network says numbers of the order of one; these are the torques that were made of them": torques,
            "this is what it says when it reads the recorded angles": peeked[k],
            "this is what it says when its past never moves on": stuck[k],
        }
        agree(f"{name} of what the network said in {run.asked}", said[k], right[k], SAID, slips=slips)


@check(todo="actuated_rollout", points=2, seconds=30)
def test_the_answer_is_not_looked_at(rng):
    """The recorded angles and speeds from the second tick on are changed: nothing may change in the run."""
    run = Run(rng)
    for name in ("q", "qd", "seen_q", "seen_qd", "qdd"):
        getattr(run.track, name)[HISTORY + 1 :] += 1.0
    asked = f"{run.asked} whose recorded angles and speeds are off by 1 rad from frame {HISTORY + 1} on"
    got = parts(ex.fast_rollout(run.setting, run.params, run.track), asked, *NAMES)
    agree(f"qd of {asked}", got[1], run.go()[1], ROLLED, "rad/s", run.slips(1))
    agree(f"q of {asked}", got[0], run.go()[0], ROLLED, "rad", run.slips(0))


@check(todo="actuated_rollout", points=1, seconds=20)
def test_somebody_else_drives(rng):
    """The same run with drive=weightless: torques of effort and gravity at q, whatever the network says."""
    run = Run(rng, ticks=LONG)
    asked = f"actuated_rollout(setting, params, track of {HISTORY} + {LONG} frames, drive=weightless)"
    got = parts(ex.fast_weightless_rollout(run.setting, run.params, run.track), asked, *NAMES)
    slips = {
        "drive() decides on the torque; here the network did, whoever was to drive": lambda: run.go()[0],
        "the effort is that of the next tick; each tick has its own row": lambda: run.go(weightless=True, late=1)[0],
        "drive() was told where the recorded arm is; the run is somewhere else": lambda: run.go(
            weightless=True, carried="there"
        )[0],
    }
    agree(f"q of {asked}", got[0], run.go(weightless=True)[0], ROLLED, "rad", slips)


# one_step_target


def inverse(q, qd, qdd):
    """MuJoCo's torques for this motion, and the gripper motor's."""
    data = mujoco.MjData(MODEL)
    data.qpos[:], data.qvel[:], data.qacc[:] = q[:ARM], qd[:ARM], qdd[:ARM]
    mujoco.mj_inverse(MODEL, data)
    return np.append(data.qfrc_inverse, ROTOR * qdd[ARM] + DRAG * qd[ARM])


def arm_links(rng):
    return setting_for(rng).arm


@check(todo="one_step_target", points=2, seconds=20)
def test_the_torque_that_brings_it_back(rng):
    """The torque for arms that move and are astray, against MuJoCo's inverse dynamics."""
    arm = arm_links(rng)
    for _ in range(3):
        q, qd, qdd, dq, dqd = rng.normal(size=(5, M)) * [[1.0], [1.0], [4.0], [0.05], [0.5]]
        asked = (
            f"one_step_target(arm, q={shown(q)}, qd={shown(qd)}, qdd={shown(qdd)}, dq={shown(dq)}, dqd={shown(dqd)})"
        )
        back = PULL**2 * dq + 2 * PULL * dqd
        here, fast = q + dq, qd + dqd
        slips = {
            "the sign: this spring drives the arm further astray": inverse(here, fast, qdd + back),
            "the damping has the wrong sign; it acts against dqd": inverse(
                here, fast, qdd - PULL**2 * dq + 2 * PULL * dqd
            ),
            "the spring has the wrong sign; it acts against dq": inverse(
                here, fast, qdd + PULL**2 * dq - 2 * PULL * dqd
            ),
            "the spring is PULL squared, in 1/s^2; this one is PULL": inverse(here, fast, qdd - PULL * (dq + 2 * dqd)),
            "PULL is a rate in rad/s, no stiffness: the spring is PULL squared, the damper 2 PULL": inverse(
                here, fast, qdd - PULL * dq - 2 * PULL**0.5 * dqd
            ),
            "the damper acts on dqd, by which the speed is astray, not on all of the speed": inverse(
                here, fast, qdd - PULL**2 * dq - 2 * PULL * fast
            ),
            "critically damped means 2 PULL; with PULL it swings": inverse(here, fast, qdd - PULL**2 * dq - PULL * dqd),
            "without damping it swings for ever: 2 PULL times dqd is missing": inverse(here, fast, qdd - PULL**2 * dq),
            "without the spring it stays where it strayed to": inverse(here, fast, qdd - 2 * PULL * dqd),
            "nothing brings this arm back; it goes on as the real one does, beside it": inverse(here, fast, qdd),
            "the real arm's own acceleration is missing": inverse(here, fast, -back),
            "this is the torque for the real arm's state; the simulated one is at q + dq and moves at qd + dqd": (
                inverse(q, qd, qdd - back)
            ),
            "this is the torque at q; the simulated arm is at q + dq": inverse(q, fast, qdd - back),
            "this is the torque at qd; the simulated arm moves at qd + dqd": inverse(here, qd, qdd - back),
            "the simulated arm is at q + dq, not at q - dq": inverse(q - dq, qd - dqd, qdd - back),
            "the spring's acceleration was added to the torque; acceleration becomes torque by the mass": (
                inverse(here, fast, qdd) - back
            ),
            "an acceleration is no torque: which torque makes an arm in this state accelerate so?": qdd - back,
        }
        right = inverse(here, fast, qdd - back)
        agree(asked, ex.fast_target(arm, q, qd, qdd, dq, dqd), right, TOL, "N m", slips)


@check(todo="one_step_target", points=2, seconds=20)
def test_a_strayed_arm_comes_home(rng):
    """An arm that should hold still is astray; your torque is what drives it. MuJoCo says where it is in 0.3 s."""
    arm, q, zero = arm_links(rng), rng.uniform(-1, 1, M), np.zeros(M)
    away = rng.choice([-1.0, 1.0], M) * rng.uniform(0.02, 0.05, M)
    h, steps = 0.002, 150
    asked = (
        f"one_step_target() every 2 ms for 0.3 s, the arm {shown(np.degrees(away))} degrees astray and at rest at first"
    )
    place, speed = q + away, zero
    path = [away]
    for _ in range(steps):
        tau = array(ex.fast_target(arm, q, zero, zero, place - q, speed), (M,), asked, "N m")
        place, speed = moved(place, speed, tau, h, 1)
        path.append(place - q)
        if np.abs(path[-1]).max() > 3 * np.abs(away).max():
            got = f"{np.degrees(np.abs(path[-1]).max()):.1f} degrees astray after {len(path) * h:.2f} s"
            wrong(asked, got, "less and less", "the spring has the wrong sign, or the torque is another state's")
    share = np.array(path) / away
    if share.min() < -0.05:
        alike = np.ptp(share, axis=1).max() < 0.05  # as with one spring and one damper for all
        why = "damp it critically: 2 PULL" if alike else "which torque makes an arm in this state accelerate so?"
        wrong(asked, f"it swung to {share.min():.0%} of where it was", "no swing", why)
    t = h * np.arange(steps + 1)
    right = (1 + PULL * t) * np.exp(-PULL * t)  # critically damped, from rest
    slips = {"nothing brings this arm back": np.ones(steps + 1)}
    agree(f"what is left of the distance, {asked}", share.mean(axis=1), right, 0.03, slips=slips)


# curriculum


def stages_of(rng, n):
    """Stages that grow longer: a count from the beginning then goes wrong late in a stage, and others early."""
    horizons, steps = np.cumsum(rng.integers(40, 100, n)), np.cumsum(rng.integers(4, 10, n))
    return [(int(h), int(s)) for h, s in zip(horizons, steps, strict=True)]


@check(todo="curriculum", points=1)
def test_the_stage_of_a_step(rng):
    """One step inside every stage, its first and its last."""
    for _ in range(3):
        stages = stages_of(rng, 3)
        ends = np.cumsum([steps for _, steps in stages])
        for first, last in zip([0, *ends[:-1]], ends - 1, strict=True):
            for step in (int(first) + 1, int(first), int(last)):
                asked = f"curriculum({step}, {stages})"
                every = np.repeat([h for h, _ in stages], [s for _, s in stages])
                slips = {
                    "steps are counted from the beginning of the training; where does a later stage begin?": next(
                        (h for h, s in stages if step < s), stages[-1][0]
                    ),
                    "a stage of n steps has the steps 0 to n - 1: this change comes a step late": (
                        every[max(step - 1, 0)]
                    ),
                    "the first step is step 0: this change comes a step early": every[min(step + 1, len(every) - 1)],
                    "this is how many steps a stage lasts; the horizon is the first number of the pair": next(
                        s for h, s in stages if h == every[step]
                    ),
                    "the last stage waits until it is its turn": stages[-1][0],
                    "this is the number of the stage; its horizon is asked for": int(np.sum(step >= ends)),
                    "the first stage ends at some time": stages[0][0],
                }
                agree(asked, number(ex.curriculum(step, stages), asked, "ticks"), every[step], 0.0, "ticks", slips)


@check(todo="curriculum", points=1)
def test_the_last_stage_goes_on(rng):
    """Long after the last stage, and in a plan of a single one."""
    for stages in (stages_of(rng, 3), stages_of(rng, 1)):
        over = sum(steps for _, steps in stages)
        for step in (over, over + int(rng.integers(1, 1000))):
            asked = f"curriculum({step}, {stages}), whose stages have {over} steps in all"
            slips = {
                "it began again with the first stage; the last goes on for ever": stages[0][0],
                "no rollout at all; the last stage goes on for ever": 0,
                "this is how many steps the last stage lasts; its horizon is the first number": stages[-1][1],
            }
            agree(asked, number(ex.curriculum(step, stages), asked, "ticks"), stages[-1][0], 0.0, "ticks", slips)
