"""Graded checks of module 04, the droop, its three cures and their price.

Expected values come from MuJoCo, from closed forms, or from a problem built backwards from its answer.
"""

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


@check(todo="droop", points=2)
def test_balances_gravity(rng):
    """Problems built backwards: the resting angle is drawn first, and the target that leads to it is computed."""
    for side in (1, 1, -1, 1, -1):
        kp, peak, q = rng.uniform(4, 40), rng.uniform(0.5, 2.5), side * rng.uniform(0.4, 2.4)
        short = peak * np.sin(q) / kp
        target = q + short
        agree(
            asked_droop(kp, peak, target),
            ex.droop(kp, peak, target),
            short,
            tol=1e-6,
            unit="rad",
            slips={
                "that is the angle at which the arm rests; the droop is how far short of the target that is": q,
                "that is q - target; the droop is target - q": -short,
                "gravity was taken at the target, but the arm hangs lower, where gravity pulls differently": peak
                * np.sin(target)
                / kp,
                "gravity was taken on the level arm, whatever the target": peak / kp,
                "sin(q) was replaced by q, which holds for small angles only": target * peak / (kp + peak),
                "that is the droop in degrees; inside the code angles are radians": np.degrees(short),
            },
        )


@check(todo="droop", points=1)
def test_soft_servo(rng):
    """A servo weaker than gravity, where short cuts jump about instead of settling."""
    for side in (1, -1, 1):
        peak = rng.uniform(1, 4)
        kp, q = peak * rng.uniform(0.4, 0.8), side * rng.uniform(0.5, 0.9)
        short = peak * np.sin(q) / kp
        target = q + short
        asked = asked_droop(kp, peak, target)
        got = number(ex.droop(kp, peak, target), asked)
        if abs(got - short) > 1e-6:
            why = (
                "this servo is softer than gravity (kp below peak). A step that corrects the angle by the missing "
                "torque over kp jumps too far and never settles; an interval that is halved cannot jump"
            )
            wrong(asked, got, short, why)


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
        agree(asked, ex.droop(kp, peak, target), target - data.qpos[0], tol=1e-4, unit="rad")


def asked_pid(integral, target, q, qd, dt, kp, kv, ki, limit):
    return (
        f"pid_step(integral={integral:.4f}, target={target:.3f}, q={q:.3f}, qd={qd:.3f}, dt={dt:.4f}, "
        f"kp={kp:.2f}, kv={kv:.2f}, ki={ki:.2f}, limit={limit:.2f})"
    )


@check(todo="pid_step", points=2)
def test_pid_agrees_with_mujoco(rng):
    """MuJoCo's own <pid> swings the arm about; your step is asked at instants on the way, far from any limit."""
    for _ in range(2):
        kp, kv, ki = rng.uniform(4, 12), rng.uniform(0.6, 1.5), rng.uniform(2, 12)
        target, dt = rng.uniform(-2, 2), rng.choice([0.001, 0.002, 0.004])
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
            torque, following = array(got, (2,), asked)
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
                    "the integral term is missing": before - ki * integral,
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
                    "the integral did not grow, though nothing is clipped": integral,
                    "the error is q - target": integral - error * dt,
                    "ki is in the integral already, and then again in the torque": integral + ki * error * dt,
                    "the old integral is forgotten": error * dt,
                },
            )


def clipped_question(rng, unwinding):
    """A tick whose torque is clipped. unwinding: the error points away from the clipped torque."""
    side = rng.choice([-1.0, 1.0])
    kp, kv, ki, limit = rng.uniform(4, 12), rng.uniform(0.6, 1.5), rng.uniform(2, 12), rng.uniform(1.5, 3.5)
    q, qd, dt = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.choice([0.001, 0.005, 0.02])
    error = side * rng.uniform(0.2, 1.0) * (-1 if unwinding else 1)
    # What is left over for the integral, so that the torque before the clip is 1.2 to 3 times the limit.
    integral = (side * rng.uniform(1.2, 3) * limit - kp * error + kv * qd) / ki
    return (float(integral), q + error, q, qd, float(dt), kp, kv, ki, limit), side * limit, error


@check(todo="pid_step", points=1)
def test_does_not_wind_up(rng):
    """The torque is clipped and the error asks for more of it: nothing may be added."""
    for _ in range(6):
        question, torque, error = clipped_question(rng, unwinding=False)
        integral, _, _, qd, dt, kp, kv, ki, _ = question
        asked = asked_pid(*question)
        got = array(ex.pid_step(*question), (2,), asked)
        raw = kp * error + ki * integral - kv * qd
        agree(
            f"the torque of {asked}",
            got[0],
            torque,
            tol=1e-9,
            unit="N m",
            slips={
                "the torque is not clipped to the limit": raw,
                "the limit is an argument; this is the limit at the top of the file": np.sign(torque) * LIMIT,
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
                "the integral was emptied; it must be kept, because it holds what the arm needs": 0.0,
            },
        )


@check(todo="pid_step", points=1)
def test_comes_down_again(rng):
    """The torque is clipped but the error points the other way: the integral must move, or it stays up for ever."""
    for _ in range(6):
        question, torque, error = clipped_question(rng, unwinding=True)
        integral, dt = question[0], question[4]
        asked = asked_pid(*question)
        got = array(ex.pid_step(*question), (2,), asked)
        agree(f"the torque of {asked}", got[0], torque, tol=1e-9, unit="N m")
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
def test_block_lifted(rng):
    """The arm is held down for a second, then let go. A servo that did not wind up rises to its target and stays."""
    dt, target = 0.02, rng.uniform(1.2, 1.8)
    kp, kv, ki, limit = rng.uniform(7, 10), 1.2, rng.uniform(10, 13), rng.uniform(2.6, 3.2)
    model = arm('<motor joint="hinge"/>', 0.5, 0.4)
    data = mujoco.MjData(model)
    held, highest, integral = rng.uniform(0.2, 0.5), 0.0, 0.0
    for tick in range(200):
        if tick < 50:
            data.qpos[0], data.qvel[0] = held, 0.0
        question = (integral, target, data.qpos[0], data.qvel[0], dt, kp, kv, ki, limit)
        torque, integral = array(ex.pid_step(*question), (2,), asked_pid(*question))
        data.ctrl[0] = torque
        mujoco.mj_step(model, data, 20)
        highest = max(highest, data.qpos[0])
    asked = (
        f"an arm held at {held:.2f} rad for 1 s, then let go, with pid_step at 50 Hz and the target {target:.3f} rad"
    )
    if highest > target + 0.15:
        why = "it lurches past the target when it is let go: the integral wound up while the arm could not move"
        wrong(f"the highest angle of {asked}", highest, target, why)
    if abs(data.qpos[0] - target) > 0.03:
        why = "it does not come to rest at the target: the integral must grow until the droop is gone"
        wrong(f"the last angle of {asked}", data.qpos[0], target, why)


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
                "gravity reads 0 here: data.qfrc_bias is computed by mj_forward, at the angle in data.qpos": target,
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
    agree(f"the angle at which MuJoCo lets it settle after {asked}", data.qpos[0], target, tol=1e-3, unit="rad")


def intervals(asked, got, count, why):
    """Your answer as an array of count rows (low, high)."""
    if isinstance(got, np.ndarray) and got.ndim:
        got = list(got)
    if isinstance(got, list | tuple) and len(got) != count:
        wrong(asked, got, f"{count} interval{'s' if count > 1 else ''} (low, high)", why)
    return array(got, (count, 2), asked)


@check(todo="holdable_angles", points=2)
def test_two_intervals(rng):
    """A weak motor. The edge is drawn first, and the limit that leads to it is computed."""
    for _ in range(4):
        peak, edge = rng.uniform(0.8, 4), rng.uniform(0.1, 1.3)
        limit = peak * np.sin(edge)
        expected = np.array([[0, edge], [np.pi - edge, np.pi]])
        asked = f"holdable_angles(limit={limit:.3f}, peak={peak:.3f})"
        why = "beyond 90 degrees gravity's torque comes down again, so near the top the motor can hold, too"
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
            },
        )


@check(todo="holdable_angles", points=1)
def test_strong_motor(rng):
    """A motor that can hold the arm anywhere: one interval."""
    for _ in range(3):
        peak = rng.uniform(0.8, 4)
        limit = peak * rng.uniform(1.05, 2)
        asked = f"holdable_angles(limit={limit:.3f}, peak={peak:.3f})"
        why = "this motor is stronger than gravity anywhere, so the whole half turn is one interval"
        got = intervals(asked, ex.holdable_angles(limit, peak), 1, why)
        agree(asked, got, np.array([[0, np.pi]]), tol=1e-9, unit="rad")


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

        def total(y, t=t):
            return float(np.sum((y[1:] + y[:-1]) / 2 * np.diff(t)))

        heat = resistance * (square(t[-1]) - square(t[0])) / kt**2
        agree(
            f"stall_heat of a swaying torque, {span:.2f} s long, R={resistance:.3f}, Kt={kt:.3f}",
            ex.stall_heat({"t": t, "tau": torque}, resistance, kt),
            heat,
            tol=0.01 * heat,
            unit="J",
            slips={
                "the samples are not equally far apart, so their mean is not the mean over time": resistance
                * float(np.mean(torque**2))
                / kt**2
                * span,
                "the torque was averaged before it was squared; heat is the average of the square": resistance
                * (total(torque) / span / kt) ** 2
                * span,
                "the current is torque / Kt, not torque * Kt": heat * kt**4,
                "Kt was not used: R goes with the current, not with the torque": heat * kt**2,
                "the current must be squared": resistance * total(np.abs(torque)) / kt,
                "the resistance is missing": heat / resistance,
                "R and Kt are arguments; these are the ones at the top of the file": heat
                * (2.75 / resistance)
                * (kt / 1.275) ** 2,
                "that is power, in W; heat is its integral over time": heat / span,
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
            agree(
                f"stall_heat of a constant {word} N m for {t[-1] - t[0]:.2f} s, R={resistance:.3f}, Kt={kt:.3f}",
                ex.stall_heat({"t": t, "tau": torque}, resistance, kt),
                heat,
                tol=1e-6 * heat,
                unit="J",
                slips={
                    "heat does not know the direction of the torque: the square has no sign": -heat,
                    "the record does not start at t = 0": heat * t[-1] / (t[-1] - t[0]),
                },
            )
