"""Graded checks of module 00: a pendulum dropped, a pendulum held, and how well it was held."""

import mujoco
import numpy as np
from mujoco import rollout

from bench.pendulum import build
from course.testing import agree, array, check, exercise, fields, wrong

ex = exercise("first_steps")

ARM = 0.5 * 0.4  # kg m: mass times length of the pendulum
INERTIA = 0.5 * 0.4**2 + 0.4 * 0.5 * 0.03**2  # kg m2 about the hinge: a sphere of radius 0.03 m, by Steiner


def plant(rng, *actuators):
    """A pendulum whose time step, damping and gravity are not the usual ones."""
    model = build(*actuators)
    model.opt.timestep = rng.choice([0.002, 0.003, 0.004])
    model.opt.gravity[2] = -rng.uniform(5.0, 12.0)
    model.dof_damping[0] = rng.uniform(0.02, 0.2)
    return model


def either_side(rng, low, high, n):
    """n angles between low and high, or on the other side; both sides occur."""
    side = rng.choice([-1, 1])
    return [float(side * (-1) ** k * rng.uniform(low, high)) for k in range(n)]


def recorded(trace, asked, names, rows):
    """The arrays of a trace, one number a row, or the verdict that says what is wrong with them."""
    trace = fields(trace, asked, *names)
    got = len(array(trace["t"], (None,), f"t of {asked}"))
    if got != rows:
        why = "the time step is in the model that you were given: steps(model, seconds) counts the rows"
        if got <= 1:
            why = "the loop ends too early: does the return stand inside it?"
        elif abs(got - rows) == 1:
            why = "one row before each step, none after the last: steps(model, seconds) counts them"
        wrong(asked, f"{got} row{'s' * (got != 1)}", f"{rows} rows", why)
    return [array(trace[name], (rows,), f"{name} of {asked}") for name in names]


def ask_drop(model, angle, seconds, rows):
    """Call drop. Returns what was asked, and t, q, qd."""
    asked = f"drop(pendulum with a {1000 * model.opt.timestep:g} ms step, angle={angle:.3f}, seconds={seconds:g})"
    return asked, *recorded(ex.drop(model, angle, seconds), asked, ("t", "q", "qd"), rows)


def swing(model, angle, rows):
    """q and qd of a dropped pendulum, by a loop of our own: speed from torque, then angle from the new speed.

    This is what MuJoCo's default integrator does, with the damping taken at the end of the step.
    """
    h, damping, gravity = model.opt.timestep, model.dof_damping[0], -model.opt.gravity[2]
    q, qd, out = angle, 0.0, []
    for _ in range(rows):
        out.append((q, qd))
        qd += h * (-ARM * gravity * np.sin(q) - damping * qd) / (INERTIA + h * damping)
        q += h * qd
    return np.array(out).T


@check(todo="drop", points=1)
def test_one_row_before_each_step(rng):
    """As many rows as steps; the first is the release; the clock runs at the model's own time step."""
    # Durations that a division followed by int() would cut short, and such that `while data.time < seconds` overruns.
    for angle, over in zip(either_side(rng, 0.3, 2.5, 4), (0.0, 0.3, 0.0, 0.3), strict=True):
        model = plant(rng)
        h = model.opt.timestep
        rows = int(rng.choice([n for n in range(100, 300) if over or int(round(n * h, 6) / h) < n]))
        asked, t, q, qd = ask_drop(model, angle, round((rows + over) * h, 6), rows)
        if t[0] > 1.5 * h:
            wrong(
                f"t[0] of {asked}",
                f"{t[0]:g} s",
                "0 s",
                "this drop goes on from an older one: make a new MjData each time",
            )
        later = swing(model, angle, rows + 1)[:, -1]
        early = "row 0 is the release: keep the row before mj_step, not after it"
        hanging = "new data hang straight down: write the angle into data.qpos[0] before the first step"
        if abs(qd[0] - angle) < 1e-9:
            hanging = "the angle belongs in data.qpos[0] and under q; here the speed has it"
        stays = "MuJoCo goes on writing into data.qpos and data.qvel: keep numbers, data.qpos[0] and data.qvel[0]"
        released = {
            "t": (t[0], 0.0, "s", {early: h}),
            "q": (
                q[0],
                angle,
                "rad",
                {
                    "angles stay in radians: nothing here is in degrees": np.rad2deg(angle),
                    "the angle is in radians already: no conversion is needed": np.deg2rad(angle),
                    "the angle may be negative: it goes into data.qpos[0] as it is": -angle,
                    hanging: 0.0,
                    early: swing(model, angle, 2)[0, 1],
                    stays: later[0],
                },
            ),
            "qd": (qd[0], 0.0, "rad/s", {early: swing(model, angle, 2)[1, 1], stays: later[1]}),
        }
        for name, (got, expected, unit, slips) in released.items():
            agree(f"{name}[0] of {asked}", got, expected, tol=1e-12, unit=unit, slips=slips)
        agree(
            f"t of {asked}",
            t,
            h * np.arange(rows),
            tol=1e-9,
            unit="s",
            slips={
                "the clock stands still: mj_step advances time, mj_forward does not": np.zeros(rows),
                "the time step is in the model: data.time already counts with it": 0.001 * np.arange(rows),
                "t counts seconds, not steps": np.arange(rows, dtype=float),
                "one mj_step for each row: it takes more than one step only if it is asked to": h
                * rows
                * np.arange(rows),
            },
        )


@check(todo="drop", points=1)
def test_swings_by_the_law_of_motion(rng):
    """Every angle and every speed against a few lines of Python that know Newton's law and no MuJoCo."""
    for angle in either_side(rng, 0.3, 2.5, 3):
        model = plant(rng)
        rows = int(rng.integers(150, 300))
        asked, _, q, qd = ask_drop(model, angle, round(rows * model.opt.timestep, 6), rows)
        expected = swing(model, angle, rows + 1)
        model.dof_damping[0] = 0  # after the question
        undamped = swing(model, angle, rows)
        for name, got, column, unit in (("q", q, expected[0], "rad"), ("qd", qd, expected[1], "rad/s")):
            agree(
                f"{name} of {asked}",
                got,
                column[:-1],
                tol=1e-9,  # 1e-13 measured
                unit=unit,
                slips={
                    "keep the row before mj_step, not after it": column[1:],
                    "angles stay in radians: nothing here is in degrees": np.rad2deg(column[:-1]),
                    "the damping stays as the model has it": undamped[0 if name == "q" else 1],
                    "nothing moves: qpos0 is the angle at which the model was drawn, data.qpos the angle now": np.full(
                        rows, column[0]
                    ),
                    "q is data.qpos and qd is data.qvel: they changed places": expected[1 if name == "q" else 0][:-1],
                },
            )


@check(todo="drop", points=1)
def test_swings_with_the_exact_period(rng):
    """Without damping, the period at any amplitude is known exactly: Gauss's arithmetic-geometric mean gives it."""
    for angle in either_side(rng, 0.3, 2.6, 2):
        model = plant(rng)
        model.dof_damping[0] = 0
        h = model.opt.timestep
        mean, other = 1.0, np.cos(angle / 2)
        while mean - other > 1e-15:
            mean, other = (mean + other) / 2, np.sqrt(mean * other)
        expected = 2 * np.pi / mean * np.sqrt(INERTIA / (-ARM * model.opt.gravity[2]))
        rows = int(0.8 * expected / h)
        asked, t, q, _ = ask_drop(model, angle, round(rows * h, 6), rows)
        # It passes the bottom twice in this time, half a period apart.
        through = np.flatnonzero(np.diff(np.sign(q)))[:2]
        if len(through) < 2:
            wrong(
                f"q of {asked}",
                "no swing to the other side and back",
                "two passages through 0",
                "the pendulum must swing",
            )
        when = t[through] + h * q[through] / (q[through] - q[through + 1])
        # Ten times the largest difference measured. The small-angle formula is off by 5e-3 of the period or more.
        agree(f"period of {asked}", 2 * (when[1] - when[0]), expected, tol=2e-4 * expected, unit="s")


def ask_hold(model, target, pid, rows):
    """Call hold. Returns what was asked, and t, q, qd, tau."""
    seconds, (low, high) = round(rows * model.opt.timestep, 6), model.actuator_ctrlrange[0]
    gains = ", ".join(f"{gain:g}" for gain in pid)
    asked = f"hold(motor of {low:g} to {high:g} N m, target={target:.3f}, pid=({gains}), seconds={seconds:g})"
    return asked, *recorded(ex.hold(model, target, pid, seconds), asked, ("t", "q", "qd", "tau"), rows)


def motors(rng):
    """Questions for hold: a model whose motor is stronger than gravity and weaker than the PID, a target, gains."""
    # Up first and then down: a limit that is missing shows at once, one that is missing on one side shows second.
    for ki, sign in ((0.0, 1), (0.0, -1), (6.0, 1), (3.0, -1)):
        model = plant(rng, '<motor joint="hinge" ctrlrange="-3 3"/>')
        low, high = np.round(-ARM * model.opt.gravity[2] * rng.uniform(1.3, 1.8, size=2), 2)
        model.actuator_ctrlrange[0] = -low, high
        kp, kd = round(rng.uniform(6, 12), 1), round(rng.uniform(0.5, 1.5), 2)
        yield model, sign * rng.uniform(0.9, 1.8), (kp, ki, kd)


def clipped(model, spring, integral, damper):
    """The sum of three torques within the limits of the motor."""
    return np.clip(spring + integral + damper, *model.actuator_ctrlrange[0])


def torque_mistakes(model, target, pid, q, qd, tau):
    """What mistakes would have made of tau, given the angles and speeds of the rows."""
    (kp, ki, kd), h, (low, high) = pid, model.opt.timestep, model.actuator_ctrlrange[0]
    error = target - q
    spring, damper, before = kp * error, -kd * qd, sum_before(h, error)
    whole = spring + ki * before + damper
    # The integral, had it stopped at the limits; its value at the start, had it not been 0.
    within = (tau > low) & (tau < high)
    stopped = sum_before(h, np.where(within, error, 0.0))
    start = (tau - whole)[within].mean() if ki and within.any() else 0.0
    # The row before, had each row been read after its step.
    error_then, qd_then = target - np.append(0.0, q[:-1]), np.append(0.0, qd[:-1])
    size, level = abs(error), np.pi / 2 - q

    def law(spring=spring, integral=ki * before, damper=damper):
        return clipped(model, spring, integral, damper)

    return {
        "the error has a sign: do not take its size": law(kp * size, ki * sum_before(h, size)),
        # What is constant fits several mistakes, so it names them all.
        "the upper limit in every row: degrees among the radians, or min and max in the wrong places": 0 * q + high,
        "0 in every row: is tau set, and are the limits those of model.actuator_ctrlrange[0]?": 0 * q,
        "the derivative term pushes instead of braking: it is minus kd times qd": law(damper=-damper),
        "the derivative term is missing": law(damper=0.0),
        "the derivative term brakes the speed: it is kd times qd, not times q": law(damper=-kd * q),
        "the error is target minus q, not the other way round": law(-spring, -ki * before),
        "a limit has two sides, low and high": np.minimum(whole, high),
        "the limits are missing: the motor gives no more than model.actuator_ctrlrange[0]": whole,
        "the limits are for the sum of the three terms: clip last": np.clip(spring, low, high) + ki * before + damper,
        "low and high may differ: take both from model.actuator_ctrlrange[0]": np.clip(whole, -high, high),
        "the limits are in the model, model.actuator_ctrlrange[0], and not always 3 N m": np.clip(whole, -3, 3),
        "the gains come in the order kp, ki, kd": law(spring, kd * before, -ki * qd),
        "the gains are in the argument pid; they are not always those of PID": law(8 * error, 6 * before, -1.2 * qd),
        "the gains are in the argument pid; they are not always those of PD": law(8 * error, 0.0, -1.2 * qd),
        "the target is in the argument, and not always LEVEL": law(kp * level, ki * sum_before(h, level)),
        "the integral term is missing": law(integral=0.0),
        "it is ki that multiplies the integral": law(integral=kp * before),
        "the integral adds up error times time step; without the step it grows far too fast": law(
            integral=ki * before / h
        ),
        "the integral multiplies by the time step; to divide by it is for a derivative": law(
            integral=ki * before / h**2
        ),
        "the time step is in the model, model.opt.timestep, and not always 0.001 s": law(
            integral=ki * before * 0.001 / h
        ),
        "ki multiplies once: in the sum, or where the integral grows": law(integral=ki * ki * before),
        "the integral must keep adding up: set it to zero once, before the loop": law(
            integral=ki * h * np.append(0.0, error[:-1])
        ),
        "here the integral goes on at the limit too; module 04 is about stopping it there": law(integral=ki * stopped),
        "the integral begins at zero in every call: set it before the loop": law(integral=ki * before + start),
        "each row's error counts for one whole time step; there is no halving": law(
            integral=ki * (before + h * (error - target) / 2)
        ),
        "each row's error counts for one whole time step; nothing is halved": law(
            integral=ki * (before + h * (error + target) / 2)
        ),
        "tau is one row late: data.actuator_force belongs to the step before": np.append(0.0, law()[:-1]),
        "q and qd are those after the step: read all of a row before mj_step": law(
            kp * error_then, ki * sum_before(h, error_then), -kd * qd_then
        ),
    }


def sum_before(h, error):
    """The integral of the error as it stands in each row, before the row's own error is added."""
    return h * (np.cumsum(error) - error)


@check(todo="hold", points=2)
def test_torque_is_the_sum_of_three_terms(rng):
    """In every row, the torque against the three terms for the angle and the speed of that row, within the limits."""
    for model, target, (kp, ki, kd) in motors(rng):
        rows, h = 300, model.opt.timestep
        asked, _, q, qd, tau = ask_hold(model, target, (kp, ki, kd), rows)
        error = target - q
        # Whether a row's own error counts in this row yet is up to you.
        before, after = (
            clipped(model, kp * error, ki * integral, -kd * qd)
            for integral in (sum_before(h, error), sum_before(h, error) + h * error)
        )
        agree(
            f"tau of {asked}",
            tau,
            np.clip(tau, np.minimum(before, after), np.maximum(before, after)),
            tol=1e-9,
            unit="N m",
            slips=torque_mistakes(model, target, (kp, ki, kd), q, qd, tau),
        )


@check(todo="hold", points=1)
def test_moves_by_that_torque(rng):
    """Your torques, played into a fresh simulation, give your motion."""
    for model, target, pid in motors(rng):
        rows = 150
        asked, t, q, qd, tau = ask_hold(model, target, pid, rows)
        clock, h = np.arange(rows), model.opt.timestep
        after = "time, q and qd of a row are read before mj_step, not after it"
        slips = {after: h * (clock + 1), "one mj_step for each row": 2 * h * clock}
        agree(f"t of {asked}", t, h * clock, tol=1e-9, unit="s", slips=slips)
        slips = {"the target is where it should go; it starts hanging, as new data do": target}
        agree(f"q[0] of {asked}", q[0], 0.0, tol=1e-12, unit="rad", slips={**slips, after: play(model, tau)[0][1]})
        played, idle, late = (play(model, torque) for torque in (tau, 0 * tau, np.concatenate([[0.0], tau[:-1]])))
        for name, got, k, unit in (("q", q, 0, "rad"), ("qd", qd, 1, "rad/s")):
            agree(
                f"{name} of {asked}, replayed with your tau",
                got,
                played[k][:-1],
                tol=1e-9,
                unit=unit,
                slips={
                    "the torque never reached the motor: write it into data.ctrl[0]": idle[k][:-1],
                    "the torque comes one step late: write data.ctrl[0] before mj_step": late[k][:-1],
                    "q and qd are one step ahead of tau: read them before mj_step": played[k][1:],
                },
            )


def play(model, torque):
    """q and qd before each step and after the last, from rest, with these commands: MuJoCo's own rollout."""
    data = mujoco.MjData(model)
    start = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    states, _ = rollout.rollout(model, data, start, torque[:, None])
    return np.vstack([[0.0, 0.0], states[0, :, 1:3]]).T


@check(todo="hold", points=1)
def test_moves_like_the_pid_of_mujoco(rng):
    """The same gains and limits in MuJoCo's <pid> actuator, which is written in C."""
    for model, target, (kp, ki, kd) in motors(rng):
        rows, (low, high) = 300, model.actuator_ctrlrange[0]
        asked, _, q, _, _ = ask_hold(model, target, (kp, ki, kd), rows)
        limits = f'forcerange="{low} {high}"'
        servo = build(f'<pid joint="hinge" input="pos" kp="{kp}" ki="{ki}" kv="{kd}" {limits}/>')
        servo.opt.timestep, servo.opt.gravity[:] = model.opt.timestep, model.opt.gravity
        servo.dof_damping[:] = model.dof_damping
        # Whether a row's own error counts at once is up to you; that made at most 4e-4 * ki.
        agree(f"q of {asked}", q, play(servo, np.full(rows, target))[0][:-1], tol=1e-9 + 2e-3 * ki, unit="rad")


def step_response(rng, zeta, up, side=None):
    """A joint that goes from somewhere to somewhere, as a formula. Returns (trace, target, the formula's numbers).

    zeta: damping ratio of a second-order response; None is a first-order one, which does not overshoot.
    up: 1 for a way up, -1 for a way down. side: the sign of the steady error.
    """
    start, way = rng.uniform(-1.0, 1.0), up * rng.uniform(0.4, 1.5)
    omega, h = rng.uniform(8, 12), rng.choice([0.003, 0.004])
    bell = np.sqrt(1 - zeta**2) if zeta else 1.0

    def gone(t):  # the fraction of the way at time t, in s
        if zeta is None:
            return 1 - np.exp(-omega * t)
        return 1 - np.exp(-zeta * omega * t) * (np.cos(bell * omega * t) + zeta / bell * np.sin(bell * omega * t))

    t = h * np.arange(int(16 / ((zeta or 1) * omega) / h))  # by then exp(-16) of the way is left
    trace = {"t": t, "q": start + way * gone(t), "qd": np.gradient(start + way * gone(t), h)}
    rising = np.linspace(0, np.pi / (bell * omega), 20_001)  # up to its first peak the angle only rises
    rise = np.interp([0.1, 0.9], gone(rising), rising) @ [-1, 1]
    overshoot = np.exp(-zeta * np.pi / bell) if zeta else 0.0  # Franklin, Powell and Emami-Naeini, chapter 3
    target = start + way + (side or rng.choice([-1, 1])) * abs(way) * rng.uniform(0.02, 0.12)
    return trace, target, {"rise": rise, "overshoot": overshoot, "error": target - (start + way)}


def responses(rng):
    """One that comes back under 90 % after its peak, one without overshoot, two in between; two go up and two down."""
    for zeta, up in (
        (rng.uniform(0.15, 0.28), 1),
        (None, -1),
        (rng.uniform(0.3, 0.65), -1),
        (rng.uniform(0.3, 0.65), 1),
    ):
        yield step_response(rng, zeta, up)


def ask_settle(trace, target):
    """Call settle. Returns what was asked and the three numbers."""
    q = trace["q"]
    asked = f"settle(trace that goes from {q[0]:.3f} to {q[-1]:.3f} rad, target={target:.3f})"
    return asked, fields(ex.settle(trace, target), asked, "rise", "overshoot", "error")


def first(trace, reached):
    """The time of the first row in which this holds."""
    return trace["t"][np.argmax(reached)]


@check(todo="settle", points=1)
def test_rise_time(rng):
    """Traces that are formulas, up and down, with and without overshoot: from 10 % to 90 % of the way."""
    for trace, target, expected in responses(rng):
        asked, got = ask_settle(trace, target)
        t, q = trace["t"], trace["q"]
        h = t[1] - t[0]
        way, aimed = (q - q[0]) / (q[-1] - q[0]), (q - q[0]) / (target - q[0])
        slips = {
            "the clock starts when 10 % of the way is done, not at the first row": first(trace, way >= 0.9),
            "the way ends where the joint stayed, not at the target": first(trace, aimed >= 0.9)
            - first(trace, aimed >= 0.1),
            "the way begins at the first row, which need not be at 0": first(trace, q / q[-1] >= 0.9)
            - first(trace, q / q[-1] >= 0.1),
            "on a way down the angles fall: divide by the signed way, and both directions look the same": first(
                trace, q - q[0] >= 0.9 * (q[-1] - q[0])
            )
            - first(trace, q - q[0] >= 0.1 * (q[-1] - q[0])),
            "90 % counts the first time it is reached, not the last": t[np.flatnonzero(way < 0.9)[-1]]
            - t[np.flatnonzero(way < 0.1)[-1]],
            "90 % counts the first time it is reached; the swings after that do not": h
            * np.sum((way >= 0.1) & (way < 0.9)),
            "rise is in seconds: use t, not the number of the row": np.argmax(way >= 0.9) - np.argmax(way >= 0.1),
            "the rows are not always 0.001 s apart: use t": 0.001 * (np.argmax(way >= 0.9) - np.argmax(way >= 0.1)),
            "rise is in seconds, not in milliseconds": 1000 * (first(trace, way >= 0.9) - first(trace, way >= 0.1)),
            "the time at 90 % minus the time at 10 %, not the other way round": -expected["rise"],
            "neither 10 % nor 90 % was found: is the way a fraction, from 0 to 1?": 0.0,
        }
        # Rows are h apart, so a crossing is known to one h; half a one on top.
        agree(
            f"rise of {asked}",
            got["rise"],
            expected["rise"],
            tol=1.5 * h,
            unit="s",
            slips=usable(slips, expected["rise"]),
        )


@check(todo="settle", points=1)
def test_overshoot(rng):
    """Against the formula for a second-order response, exp(-zeta pi / sqrt(1 - zeta^2)), and against 0 without one."""
    for trace, target, expected in responses(rng):
        asked, got = ask_settle(trace, target)
        q, size = trace["q"], expected["overshoot"]
        way = q[-1] - q[0]
        past = ((q - q[0]) / way).max() - 1  # as the rows show it
        slips = {
            "a fraction was asked for, not percent": 100 * past,
            "a fraction of the way was asked for, not an angle": past * abs(way),
            "0 is no overshoot: subtract the 1 of the way itself": 1 + past,
            "measure from where it stayed, not from the target": ((q - q[0]) / (target - q[0])).max() - 1,
            "where it stayed is the last row; the target does not count": (q.max() - target) / target,
            "only what lies beyond the last row counts, not the way there": abs(q - q[-1]).max() / abs(way),
            "the way begins at the first row, which need not be at 0": (q / q[-1]).max() - 1,
            "on a way down the peak is the smallest angle: divide by the signed way first": (q.max() - q[-1]) / way,
        }
        # The peak lies between two rows: up to 3e-4 of the way is missed.
        agree(f"overshoot of {asked}", got["overshoot"], size, tol=1e-3, slips=usable(slips, size))


@check(todo="settle", points=1)
def test_steady_error(rng):
    """The target minus the place where it stayed, on either side of it."""
    for side in (1, -1, 1, -1):
        trace, target, expected = step_response(rng, rng.uniform(0.3, 0.65), rng.choice([-1, 1]), side)
        asked, got = ask_settle(trace, target)
        q = trace["q"]
        error = target - q[-1]  # the last row is all but there
        slips = {
            "the error has a sign: do not take its size": abs(error),
            "the error is target minus angle, not the other way round": -error,
            "the error is in radians": np.rad2deg(error),
            "the error is an angle, not a fraction of the way": error / (q[-1] - q[0]),
            "the error is an angle, and no fraction of the way": error / (target - q[0]),
            "the error is an angle, not a fraction of the target": error / target,
            "the target is in the argument, and not always LEVEL": np.pi / 2 - q[-1],
            "the error is counted where it stayed, in the last row, not at the peak": target
            - (q.max() if q[-1] > q[0] else q.min()),
            "the error is counted where it stayed, in the last row": target - q.mean(),
            "the error is counted in the last row, not at the largest angle": target - q.max(),
        }
        agree(f"error of {asked}", got["error"], expected["error"], tol=1e-5, unit="rad", slips=usable(slips, error))


def usable(slips, expected):
    """The slips that give a number at all, and another one than the right answer."""
    return {
        why: value
        for why, value in slips.items()
        if np.isfinite(value) and abs(value - expected) > 0.01 * abs(expected)
    }
