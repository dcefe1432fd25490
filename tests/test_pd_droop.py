"""Graded checks of module 04, the droop, its three cures and their price.

Expected values come from MuJoCo, from closed forms, or from a problem built backwards from its answer.
"""

import math

import mujoco
import numpy as np

from course.testing import agree, array, check, exercise, number, wrong

ex = exercise("pd_droop")

PEAK, KP, KV, LIMIT = 0.5 * 9.81 * 0.4, 8.0, 1.2, 3.0  # the lesson's bench: N m, N m/rad, N m s/rad, N m


def arm(actuator, mass, length, gravity=9.81, step=0.001):
    """A point mass on a rod without mass, on a hinge: like the lesson's bench, with other numbers."""
    return mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <option gravity="0 0 {-gravity}" timestep="{step}"/>
      <worldbody><body>
        <joint name="hinge" axis="0 -1 0" damping="0.05"/>
        <geom type="sphere" size="0.02" pos="0 0 {-length}" mass="{mass}"/>
      </body></worldbody>
      <actuator>{actuator}</actuator>
    </mujoco>""")


def asked_droop(kp, peak, target):
    return f"droop(kp={kp:.3f}, peak={peak:.3f}, target={target:.4f})"


def search(kp, peak, target, wave=math.sin, limit=np.inf):
    """Where a servo of kp rests against peak * wave(q); for the answers that a mistake would have given."""
    low, high = -np.pi, np.pi
    for _ in range(60):
        q = (low + high) / 2
        low, high = (q, high) if min(kp * (target - q), limit) > peak * wave(q) else (low, q)
    return q


def droop_slips(kp, peak, target, q, got):
    """What the usual mistakes would have given, in rad. q: where the arm rests."""
    short = target - q
    return {
        "that is the angle at which the arm rests; the droop is how far short of the target that is": q,
        "that is q - target; the droop is target - q": -short if short > 0 else np.nan,
        "below 0 the arm droops the other way, and target - q is negative": -short if short < 0 else np.nan,
        "gravity was taken at the target, but the arm hangs lower, where gravity pulls differently": peak
        * np.sin(target)
        / kp,
        "gravity was taken on the level arm, whatever the target": peak / kp,
        "sin(q) was replaced by q, which holds for small angles only": target * peak / (kp + peak),
        "that is the droop in degrees; inside the code angles are radians": np.degrees(short),
        "gravity is proportional to the sine of q: q = 0 hangs down": target - search(kp, peak, target, wave=math.cos),
        "peak is an argument; this is the bob at the top of the file": target - search(kp, PEAK, target),
        "kp is an argument; this is the kp at the top of the file": target - search(KP, peak, target),
        "the force limit plays no part in droop": target - search(kp, peak, target, limit=LIMIT),
        "the search kept the wrong half: where the servo is stronger, the rest lies above": target
        + (np.pi if got > target else -np.pi),
        "the search ended at 90 degrees; the rest may lie beyond": target - math.copysign(np.pi / 2, q)
        if abs(q) > np.pi / 2
        else np.nan,
        "the search ran away; an interval that is halved cannot": got if abs(got - target) > 2 * np.pi else np.nan,
        "the search ended at q = 0: for a target below 0 the rest lies below 0": target if target < 0 else np.nan,
        "the search was stopped early, or its grid is coarse: go on, to a millionth of a rad": got
        if abs(got - short) < 2e-3
        else np.nan,
    }


@check(todo="droop", points=2)
def test_balances_gravity(rng):
    """Problems built backwards: the resting angle is drawn first, and the target that leads to it is computed."""
    for side, heavy in ((1, 1), (1, 1), (-1, 1), (1, 4), (-1, 1)):
        kp, peak, q = rng.uniform(4, 40) * heavy, rng.uniform(1, 2.5) * heavy, side * rng.uniform(0.9, 2.2)
        target = q + peak * np.sin(q) / kp
        asked = asked_droop(kp, peak, target)
        got = number(ex.droop(kp, peak, target), asked, "rad")
        agree(asked, got, target - q, tol=1e-6, unit="rad", slips=droop_slips(kp, peak, target, q, got))


@check(todo="droop", points=1)
def test_finds_the_rest_of_a_soft_servo(rng):
    """A servo weaker than gravity, where short cuts jump about instead of settling."""
    for side in (1, -1, 1):
        peak = rng.uniform(1, 4)
        kp, q = peak * rng.uniform(0.4, 0.8), side * rng.uniform(0.5, 0.9)
        target = q + peak * np.sin(q) / kp
        asked = asked_droop(kp, peak, target)
        got = number(ex.droop(kp, peak, target), asked, "rad")
        jumps = (
            "this servo is softer than gravity (kp below peak). A step that corrects the angle by the missing torque "
            "over kp jumps too far and never settles; an interval that is halved cannot jump"
        )
        near = target - min(jumping(kp, peak, target), key=lambda x: abs(target - x - got))
        slips = {jumps: near} | droop_slips(kp, peak, target, q, got)
        agree(asked, got, target - q, tol=1e-6, unit="rad", slips=slips)


def jumping(kp, peak, target):
    """The angles that the short cut q = target - peak * sin(q) / kp runs through, started at the target, in rad."""
    visited, q = [], target
    for _ in range(1000):
        q = target - peak * math.sin(q) / kp
        visited.append(q)
    return visited


@check(todo="droop", points=1)
def test_rests_where_mujoco_rests(rng):
    """Two arms that MuJoCo lets settle."""
    for _ in range(2):
        kp, mass, length = rng.uniform(5, 25), rng.uniform(0.3, 0.9), rng.uniform(0.2, 0.5)
        target = rng.uniform(0.6, 2.2)
        # Critically damped, so that it settles at once.
        kv = 2 * np.sqrt(kp * mass * length**2)
        model = arm(f'<position joint="hinge" kp="{kp}" kv="{kv}"/>', mass, length)
        data = mujoco.MjData(model)
        data.qpos[0] = data.ctrl[0] = target
        mujoco.mj_step(model, data, 4000)
        peak = mass * 9.81 * length
        asked = f"{asked_droop(kp, peak, target)}, which MuJoCo let settle at q = {data.qpos[0]:.4f}"
        got = number(ex.droop(kp, peak, target), asked, "rad")
        slips = droop_slips(kp, peak, target, data.qpos[0], got)
        agree(asked, got, target - data.qpos[0], tol=1e-4, unit="rad", slips=slips)


def asked_pid(integral, target, q, qd, dt, kp, kv, ki, limit):
    return (
        f"pid_step(integral={integral:.4f}, target={target:.3f}, q={q:.3f}, qd={qd:.3f}, dt={dt:.4f}, "
        f"kp={kp:.2f}, kv={kv:.2f}, ki={ki:.2f}, limit={limit:.2f})"
    )


def pair(got, asked):
    """The answer of pid_step as two numbers: a torque and an integral."""
    wanted = "two numbers: (torque, next integral)"
    if isinstance(got, (int, float, np.integer, np.floating)):
        wrong(asked, "one number", wanted, "the integral has to be returned as well: the function itself forgets it")
    if isinstance(got, dict):
        wrong(asked, "a dict", wanted, "return torque, integral")
    return array(got, (2,), asked)


@check(todo="pid_step", points=2)
def test_agrees_with_the_pid_of_mujoco(rng):
    """MuJoCo's own <pid> swings the arm about; your step is asked at instants on the way, far from any limit."""
    for _ in range(2):
        kp, kv, ki = rng.uniform(4, 12), rng.uniform(0.6, 1.5), rng.uniform(2, 12)
        target, dt = rng.uniform(-2, 2), rng.choice([0.004, 0.005])
        servo = f'<pid joint="hinge" input="pos" kp="{kp}" kv="{kv}" ki="{ki}"/>'
        model = arm(servo, rng.uniform(0.3, 0.7), 0.4, step=dt)
        data = mujoco.MjData(model)
        data.ctrl[0], data.act[0] = target, rng.uniform(-1, 1)
        data.qpos[0], data.qvel[0] = rng.uniform(-1, 1), rng.uniform(-3, 3)
        for _ in range(5):
            mujoco.mj_step(model, data, int(rng.integers(20, 80)))
            integral, q, qd = data.act[0], data.qpos[0], data.qvel[0]
            mujoco.mj_step(model, data)
            question = (integral, target, q, qd, dt, kp, kv, ki, 1000.0)
            asked, got = asked_pid(*question), ex.pid_step(*question)
            torque, following = pair(got, asked)
            error = target - q
            before, after = data.actuator_force[0], data.act[0]
            agree(
                f"the torque of {asked}, against MuJoCo's <pid>",
                torque,
                before,
                tol=1e-9,
                unit="N m",
                slips={
                    "the sign of the derivative term is backwards": before + 2 * kv * qd,
                    "the derivative term is missing": before + kv * qd,
                    "the derivative term is kv times qd; qd is a speed already, so no dt": before + kv * qd * (1 - dt),
                    "the integral that comes in is not used; the torque gets ki times it": before - ki * integral,
                    "ki is missing: the torque gets ki times the integral": before + (1 - ki) * integral,
                    "the integral was advanced first; this tick's torque uses the integral that comes in": before
                    + ki * error * dt,
                    "the error is q - target": before - 2 * kp * error,
                    "torque and integral are returned in the other order": after,
                    "the gains are arguments; these are the gains at the top of the file": KP * error
                    + 8.0 * integral
                    - KV * qd,
                },
            )
            agree(
                f"the next integral of {asked}, against MuJoCo's data.act",
                following,
                after,
                tol=1e-9,
                unit="rad s",
                slips={
                    "dt is missing: the integral adds up error times time": integral + error,
                    "dt is an argument; this is the step at the top of the file": integral + error * 0.001,
                    "the integral did not grow, though nothing is clipped": integral,
                    "the error is q - target": integral - error * dt,
                    "ki is in the integral already, and then again in the torque": integral + ki * error * dt,
                    "the old integral is forgotten": error * dt,
                },
            )


def clipped_question(rng, side, unwinding):
    """A tick whose torque is clipped at side * limit. unwinding: the error points away from the clipped torque."""
    kp, kv, ki, limit = rng.uniform(4, 12), rng.uniform(0.6, 1.5), rng.uniform(2, 12), rng.uniform(1.5, 3.5)
    q, qd, dt = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.choice([0.001, 0.005, 0.02])
    error = side * rng.uniform(0.2, 1.0) * (-1 if unwinding else 1)
    # What is left over for the integral, so that the torque before the clip is 1.2 to 3 times the limit.
    integral = (side * rng.uniform(1.2, 3) * limit - kp * error + kv * qd) / ki
    return (float(integral), q + error, q, qd, float(dt), kp, kv, ki, limit), side * limit, error


def raw_torque(question):
    """The torque before the clip, in N m."""
    integral, target, q, qd, _, kp, kv, ki, _ = question
    return kp * (target - q) + ki * integral - kv * qd


@check(todo="pid_step", points=1)
def test_does_not_wind_up(rng):
    """The torque is clipped and the error asks for more of it: nothing may be added."""
    for side in (1, -1, 1, -1, 1, -1):
        question, torque, error = clipped_question(rng, side, unwinding=False)
        integral, dt = question[0], question[4]
        asked = asked_pid(*question)
        got = pair(ex.pid_step(*question), asked)
        agree(
            f"the torque of {asked}",
            got[0],
            torque,
            tol=1e-9,
            unit="N m",
            slips={
                "the torque is not clipped to the limit": raw_torque(question),
                "the limit is an argument; this is the limit at the top of the file": side * LIMIT,
            },
        )
        agree(
            f"the next integral of {asked}, where the torque is clipped",
            got[1],
            integral,
            tol=1e-12,
            unit="rad s",
            slips={
                "it winds up: the torque is clipped, this error asks for more of it, so it must not be added": integral
                + error * dt,
                "it comes down too early: here the error asks for more torque, so the integral waits": integral
                - error * dt,
                "the integral was emptied; it must be kept, because it holds what the arm needs": 0.0,
            },
        )


@check(todo="pid_step", points=1)
def test_comes_down_again(rng):
    """The torque is clipped but the error points the other way: the integral must move, or it stays up for ever."""
    for side in (1, -1, 1, -1, 1, -1):
        question, torque, error = clipped_question(rng, side, unwinding=True)
        integral, dt = question[0], question[4]
        asked = asked_pid(*question)
        got = pair(ex.pid_step(*question), asked)
        agree(
            f"the torque of {asked}",
            got[0],
            torque,
            tol=1e-9,
            unit="N m",
            slips={
                "the torque is not clipped to the limit": raw_torque(question),
                "the limit is an argument; this is the limit at the top of the file": side * LIMIT,
            },
        )
        agree(
            f"the next integral of {asked}, where the torque is clipped but the error has the other sign",
            got[1],
            integral + error * dt,
            tol=1e-12,
            unit="rad s",
            slips={
                "it is stuck: this error brings the integral down, so it must be added even while clipped": integral
            },
        )


@check(todo="pid_step", points=1)
def test_rises_and_stays_when_it_is_let_go(rng):
    """The arm is held down for a second, then let go. A servo that did not wind up rises to its target and stays."""
    dt, target = 0.02, rng.uniform(1.2, 1.8)
    kp, kv, ki, limit = rng.uniform(7, 10), 1.2, rng.uniform(10, 13), rng.uniform(2.6, 3.2)
    model = arm('<motor joint="hinge"/>', 0.5, 0.4)
    data = mujoco.MjData(model)
    held, highest, integral, wound = rng.uniform(0.2, 0.5), 0.0, 0.0, 0.0
    for tick in range(200):
        if tick < 50:
            data.qpos[0], data.qvel[0] = held, 0.0
        question = (integral, target, data.qpos[0], data.qvel[0], dt, kp, kv, ki, limit)
        torque, integral = pair(ex.pid_step(*question), asked_pid(*question))
        data.ctrl[0] = torque
        wound = max(wound, integral) if tick < 50 else wound
        mujoco.mj_step(model, data, 20)
        highest = max(highest, data.qpos[0])
    asked = (
        f"an arm held at {held:.2f} rad for 1 s, then let go, with pid_step at 50 Hz and the target {target:.3f} rad"
    )
    if highest > target + 0.15:
        why = "it lurches past the target when it is let go: the integral wound up while the arm could not move"
        wrong(f"the highest angle of {asked}", highest, target, why if wound > 0.1 else "")
    if abs(data.qpos[0] - target) > 0.03:
        why = "it stays short of the target: the integral must grow until the droop is gone"
        wrong(f"the last angle of {asked}", data.qpos[0], target, why if data.qpos[0] < target else "")


def feedforward_question(rng):
    """A random arm on a random planet, with its gravity torque at the target in N m."""
    kp, mass, length, gravity = rng.uniform(6, 30), rng.uniform(0.2, 0.9), rng.uniform(0.2, 0.5), rng.uniform(3, 12)
    target = rng.choice([-1, 1]) * rng.uniform(0.3, 2.4)
    inertia = mass * length**2
    servo = f'<position joint="hinge" kp="{kp}" kv="{2 * np.sqrt(kp * inertia)}"/>'
    asked = (
        f"gravity_feedforward(model, target={target:.4f}), where kp is {kp:.2f} N m/rad, the bob weighs {mass:.2f} kg "
        f"at {length:.2f} m and gravity is {gravity:.2f} m/s2"
    )
    return arm(servo, mass, length, gravity), target, kp, mass * gravity * length, asked


@check(todo="gravity_feedforward", points=2)
def test_asks_for_gravity_as_an_angle(rng):
    """Other arms on other planets, against the closed form."""
    for _ in range(4):
        model, target, kp, peak, asked = feedforward_question(rng)
        lift = peak * np.sin(target) / kp
        agree(
            asked,
            ex.gravity_feedforward(model, float(target)),
            target + lift,
            tol=1e-6,
            unit="rad",
            slips={
                "the correction has the wrong sign: it lets the arm hang lower still": target - lift,
                "no gravity arrived: data.qfrc_bias holds it after mj_forward, at the angle in data.qpos": target,
                "the old droop is not enough: at the target gravity pulls differently than where the arm hung": 2
                * target
                - search(kp, peak, target),
                "that is what the lesson's arm needs when it is level; this is another arm": target + PEAK / KP,
                "that is the droop of the lesson's arm, added; this is another arm": 2 * target
                - search(KP, PEAK, target),
                "these are the lesson's arm and kp; both are in the model": target + PEAK * np.sin(target) / KP,
                "the angle in data.qpos is in rad, like the target": target + peak * np.sin(np.degrees(target)) / kp,
                "gravity was taken on the level arm, whatever the target": target + peak / kp,
                "a torque was added to an angle: divide by kp": target + kp * lift,
                "that is the correction alone; the command is the target plus the correction": lift,
                "that is the torque; a position servo takes an angle": kp * lift,
                "gravity is proportional to the sine of the angle, since q = 0 hangs down": target
                + peak * np.cos(target) / kp,
                "this is the lesson's bob; read gravity from the model": target + PEAK * np.sin(target) / kp,
                "kp is in the model; this is the kp at the top of the file": target + kp * lift / KP,
            },
        )


@check(todo="gravity_feedforward", points=1)
def test_the_droop_is_gone(rng):
    """MuJoCo lets an arm settle under your command."""
    model, target, _, _, asked = feedforward_question(rng)
    data = mujoco.MjData(model)
    data.qpos[0] = target - 0.2
    data.ctrl[0] = number(ex.gravity_feedforward(model, float(target)), asked)
    mujoco.mj_step(model, data, 5000)
    agree(f"the angle at which MuJoCo lets it settle with {asked}", data.qpos[0], target, tol=1e-3, unit="rad")


def intervals(asked, got, count, why):
    """Your answer as an array of count rows (low, high). why: what to say to another number of intervals."""
    wanted = f"a list of {count} pair{'s' if count > 1 else ''} (low, high)"
    if got is None:
        wrong(asked, "nothing (None)", wanted, "the return statement is missing, here or in one branch")
    if getattr(got, "kind", "") == "generator":
        wrong(asked, "a generator", wanted, "collect the pairs in a list and return that")
    if isinstance(got, (int, float, np.integer, np.floating)):
        wrong(asked, "one number", wanted, "an interval has two ends, and the intervals stand in a list")
    got = list(got) if isinstance(got, (list, tuple)) or (isinstance(got, np.ndarray) and got.ndim) else got
    if isinstance(got, list) and len(got) == 2 and all(isinstance(end, (int, float, np.number)) for end in got):
        wrong(asked, "one bare pair", wanted, "a single interval stands in a list, too: [(low, high)]")
    rows = rows_of(got)
    if rows is not None and np.isnan(rows).any():
        wrong(asked, "nan", wanted, "arcsin has no value beyond 1: compare limit and peak, the two arguments, first")
    if rows is not None and len(rows) != count:
        wrong(asked, f"{len(rows)} interval{'s' if len(rows) != 1 else ''}", wanted, why(rows))
    return array(got, (count, 2), asked)


def rows_of(got):
    """A list of pairs as an array of rows, None for anything else."""
    try:
        rows = np.array(got, float)
    except (TypeError, ValueError, OverflowError):  # texts, rows of unequal length, endless numbers
        return None
    return rows.reshape(-1, 2) if rows.shape[1:] == (2,) or rows.shape == (0,) else None


@check(todo="holdable_angles", points=2)
def test_a_weak_motor_has_two_intervals(rng):
    """A weak motor. The edge is drawn first, and the limit that leads to it is computed."""
    for heavy in (False, False, True, True):
        # A heavy arm and a strong motor, so that neither can be compared with the lesson's.
        peak, edge = (
            (rng.uniform(3.6, 4), rng.uniform(1, 1.3)) if heavy else (rng.uniform(0.8, 4), rng.uniform(0.1, 1.3))
        )
        limit = peak * np.sin(edge)
        expected = np.array([[0, edge], [np.pi - edge, np.pi]])
        asked = f"holdable_angles(limit={limit:.3f}, peak={peak:.3f})"

        def why(rows, edge=edge):
            if len(rows) != 1:
                return ""
            if np.allclose(rows, [[0, np.pi]]):
                return "limit is below peak here, so near 90 degrees it cannot hold; both are arguments"
            if np.allclose(rows, [[edge, np.pi - edge]]):
                return "these are the angles that it cannot hold"
            return "beyond 90 degrees gravity's torque comes down again, so near the top the motor can hold, too"

        got = intervals(asked, ex.holdable_angles(limit, peak), 2, why)
        agree(
            asked,
            got,
            expected,
            tol=1e-6,
            unit="rad",
            slips={
                "these are degrees; inside the code angles are radians": np.degrees(expected),
                "the cosine was inverted; holding takes peak * sin(q)": [
                    [0, np.pi / 2 - edge],
                    [np.pi / 2 + edge, np.pi],
                ],
                "the upper interval is not the lower one turned by 90 degrees: mirror it at 90 degrees": [
                    [0, edge],
                    [np.pi / 2 + edge, np.pi],
                ],
                "peak is an argument; this is the bob at the top of the file": [
                    [0, np.arcsin(min(limit / PEAK, 1))],
                    [np.pi - np.arcsin(min(limit / PEAK, 1)), np.pi],
                ],
                "these are the angles that it cannot hold": [[edge, np.pi / 2], [np.pi / 2, np.pi - edge]],
                "the intervals ascend: the lower one comes first": expected[::-1],
                "in each pair the lower end comes first": [[0, edge], [np.pi, np.pi - edge]],
                "look at 0 to pi only": [[-edge, edge], [np.pi - edge, np.pi]],
                "look at 0 to pi only; the upper interval ends at pi": [[0, edge], [np.pi - edge, np.pi + edge]],
                "gravity goes with the sine of the angle, not with the angle": [
                    [0, limit / peak * np.pi / 2],
                    [np.pi - limit / peak * np.pi / 2, np.pi],
                ],
            },
        )


@check(todo="holdable_angles", points=1)
def test_a_strong_motor_has_one(rng):
    """A motor that can hold the arm anywhere, in the last question only just: one interval."""
    for spare, most in ((rng.uniform(1.05, 2), 4), (rng.uniform(1.05, 1.5), 1.2), (1.0, 4)):
        peak = rng.uniform(0.8, most)
        limit = peak * spare
        asked = f"holdable_angles(limit={limit:.3f}, peak={peak:.3f})"

        def why(rows, spare=spare):
            if spare == 1:
                return "limit and peak are equal: it can hold even the level arm, and intervals that touch are one"
            return "this motor is stronger than gravity anywhere, so the whole half turn is one interval"

        got = intervals(asked, ex.holdable_angles(limit, peak), 1, why)
        slips = {
            "look at 0 to pi only": [[-np.pi, np.pi]],
            "these are degrees; inside the code angles are radians": [[0, 180]],
        }
        agree(asked, got, np.array([[0, np.pi]]), tol=1e-9, unit="rad", slips=slips)


def joules(asked, got):
    """Your answer as one number."""
    if isinstance(got, np.ndarray) and got.size > 1:
        why = "heat is one number: that is a value for every sample, the power or the heat until then"
        wrong(asked, f"{got.size} numbers", "one number in J", why)
    return number(got, asked, "J")


@check(todo="stall_heat", points=2)
def test_heat_of_an_uneven_record(rng):
    """A torque that sways, recorded ever more sparsely, against the integral in closed form."""
    for _ in range(3):
        resistance, kt = rng.uniform(1, 6), rng.uniform(0.3, 2.5)
        mean, sway, w, phase = (
            rng.uniform(-1.5, 1.5),
            rng.uniform(1, 2),
            rng.uniform(0.5, 1.2),
            rng.uniform(0, 2 * np.pi),
        )
        start, span = rng.uniform(0, 20), rng.uniform(4, 8)
        t = start + span * np.linspace(0, 1, 800) ** 2
        torque = mean + sway * np.sin(w * t + phase)

        def square(t, mean=mean, sway=sway, w=w, phase=phase):
            """The antiderivative of torque squared."""
            a = w * t + phase
            return (mean**2 + sway**2 / 2) * t - 2 * mean * sway * np.cos(a) / w - sway**2 * np.sin(2 * a) / (4 * w)

        def total(y, x=t):
            return float(np.sum((y[1:] + y[:-1]) / 2 * np.diff(x)))

        heat = resistance * (square(t[-1]) - square(t[0])) / kt**2
        asked = f"stall_heat of a swaying torque, {span:.2f} s long, R={resistance:.3f}, Kt={kt:.3f}"
        got = joules(asked, ex.stall_heat({"t": t, "tau": torque}, resistance, kt))
        if abs(got - heat) < 0.01 * heat:  # any rule of summation will do
            continue
        power = resistance * (torque / kt) ** 2
        summed = total(power)  # what the slips start from, so that they fit to the last digits
        agree(
            asked,
            got,
            heat,
            tol=1e-6 * heat,
            unit="J",
            slips={
                "the samples are not equally far apart, so their mean is not the mean over time": resistance
                * float(np.mean(torque**2))
                / kt**2
                * span,
                "the torque was averaged before it was squared; heat is the average of the square": resistance
                * (total(torque) / span / kt) ** 2
                * span,
                "the current is torque / Kt, not torque * Kt": summed * kt**4,
                "Kt was not used: R goes with the current, not with the torque": summed * kt**2,
                "the current must be squared": resistance * total(np.abs(torque)) / kt,
                "the resistance is missing": summed / resistance,
                "R and Kt are arguments; these are the ones at the top of the file": summed
                * (2.75 / resistance)
                * (kt / 1.275) ** 2,
                "that is power, in W; heat is its integral over time": summed / span,
                "the current was summed before it was squared": resistance * (total(torque) / kt) ** 2,
                "only the current is squared, not R": summed * resistance,
                "the times are missing: np.trapezoid then takes the samples for one second apart": total(
                    power, np.arange(800)
                ),
                "np.trapezoid wants the values first, then the times": total(t, power),
                "the record has its own times; 0.001 s is the step of the lesson's model": float(np.sum(power)) * 0.001,
                "the record does not start at t = 0": float(np.sum(power * np.diff(t, prepend=0))),
            },
        )


@check(todo="stall_heat", points=1)
def test_heat_has_no_sign(rng):
    """A servo that pushes one way and then as hard the other way heats all the time."""
    for _ in range(3):
        resistance, kt, push = rng.uniform(1, 6), rng.uniform(0.3, 2.5), rng.uniform(0.5, 3)
        t = np.sort(rng.uniform(0, 10, 60))
        there, back = np.full(60, push), np.full(60, -push)
        heat = resistance * (push / kt) ** 2 * (t[-1] - t[0])
        for torque, word in ((there, f"+{push:.3f}"), (back, f"-{push:.3f}")):
            asked = f"stall_heat of a constant {word} N m for {t[-1] - t[0]:.2f} s, R={resistance:.3f}, Kt={kt:.3f}"
            agree(
                asked,
                joules(asked, ex.stall_heat({"t": t, "tau": torque}, resistance, kt)),
                heat,
                tol=1e-6 * heat,
                unit="J",
                slips={
                    "heat does not know the direction of the torque: the square has no sign": -heat,
                    "the record does not start at t = 0": heat * t[-1] / (t[-1] - t[0]),
                },
            )
