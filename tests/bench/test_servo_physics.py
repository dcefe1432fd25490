"""The virtual servo against closed forms, MuJoCo's own DC motor and data sheets."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from bench.servo import EFFECTS, KINDS, Servo, Stand, load, only, swing, unit
from bench.servo.firmware import PERIOD, Firmware, PositionLaw, Protection
from bench.servo.friction import Friction
from bench.servo.motor import ROOM, Winding

LOCKED = Stand(mass=1e5, length=1.0)  # nothing here can turn it within a second
WHEEL = Stand(mass=1e-8, length=1000.0)  # an inertia of 0.01 kg m^2 without weight


def ideal(kind: str, *keep: str):
    """The servo with these effects only."""
    return only(load(kind), keep)


def driven(parameters, duty: float):
    """The same servo with a fixed duty, whatever the error."""
    return replace(parameters, law=PositionLaw(gain=0.0, start=abs(duty), whole_ticks=False))


@pytest.mark.parametrize("kind", KINDS)
def test_an_ideal_servo_moves_as_mujocos_dc_motor(kind):
    """No friction, gap, drag, heat or rounding: what is left is the engine's motor behind a clipped voltage."""
    parameters, stand = ideal(kind), Stand(mass=0.2, length=0.15)
    stiff = replace(
        parameters, gear=replace(parameters.gear, stiffness=2000.0), law=replace(parameters.law, speed_limit=np.inf)
    )
    goals = np.r_[np.zeros(100), np.full(900, 0.8), np.full(1000, -0.3)]
    ours = swing(stiff, stand, goals)
    motor, law = stiff.motor, stiff.law
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="0.0002"/><worldbody><body>
        <joint name="j" axis="0 -1 0" armature="{motor.inertia}"/>
        <inertial mass="{stand.mass}" pos="0 0 -{stand.length}" diaginertia="1e-9 1e-9 1e-9"/></body></worldbody>
        <actuator><dcmotor joint="j" motorconst="{motor.kt} {motor.kt}" resistance="{motor.resistance}"/></actuator>
        </mujoco>"""
    )
    data = mujoco.MjData(model)
    q = np.empty(len(goals))
    for k, goal in enumerate(goals):
        q[k] = data.qpos[0]
        error = (goal - data.qpos[0]) / (2 * np.pi / 4096)
        duty = law.gain * error + law.start * np.sign(error)
        data.ctrl[0] = stiff.supply * np.clip(duty, -law.limit, law.limit)
        mujoco.mj_step(model, data, 5)
    assert np.abs(ours["q"] - q).max() < 0.02  # of a motion of 1.1 rad; the gear still bends by some milliradians


@pytest.mark.parametrize(
    ("kind", "stall", "no_load", "volts"),
    [("sts3215", 1.912, 5.445, 7.4), ("sts3215", 1.618, 4.398, 6.0), ("xm430", 4.1, 4.817, 12.0)],
)
def test_stall_torque_and_no_load_speed_of_the_data_sheet(kind, stall, no_load, volts):
    parameters = replace(only(load(kind), EFFECTS - {"protection", "sag", "heat"}), supply=volts)
    full = driven(parameters, 1.0)
    speed = swing(full, WHEEL, np.full(1500, 1e6))["qd"][-1]
    assert speed == pytest.approx(no_load, rel=0.1)  # the makers' own tolerance
    # What it can just lift: the motor's torque, less what the teeth of a standing gear eat on both sides of them.
    motor, friction = parameters.motor, parameters.friction
    torque = motor.kt * volts / motor.resistance
    constant = friction.coulomb + friction.stribeck + parameters.gear.drag + friction.motor_load_squared * torque**2
    lifted = (torque * (1 - friction.motor_load - friction.motor_load_at_rest) - constant) / (
        1 + friction.external_load + friction.external_load_at_rest
    )
    assert lifted == pytest.approx(stall, rel=0.1)
    # Once in motion it lifts more than it could start, but never as much as it makes.
    for load_torque, moves in ((0.9 * lifted, True), (torque, False)):
        trace = swing(full, WHEEL, np.full(800, 1e6), push=[-load_torque] * 800)
        assert (trace["q"][-1] > 0.05) == moves


def test_the_torque_of_an_ampere_is_the_performance_graphs():
    """XM430: 1.79 N m/A along the e-manual's graph, that is while it turns."""
    parameters = only(load("xm430"), EFFECTS - {"sag", "heat", "protection"})
    torques, currents = [], []
    for weight in (0.8, 1.6, 2.4):
        trace = swing(driven(parameters, 1.0), WHEEL, np.full(3000, 1e6), push=[-weight] * 3000)
        torques.append(weight)
        currents.append(trace["current"][-1])
    slope = np.polyfit(currents, torques, 1)[0]
    assert slope == pytest.approx(1.79, rel=0.1)


@pytest.mark.parametrize("kind", ["sts3215", "xm430"])
def test_a_held_weight_does_not_creep(kind):
    q = swing(load(kind), Stand(0.3, 0.2), np.full(12_000, 1.0))["q"]
    assert np.degrees(np.abs(q[2000:] - q[2000]).max()) < 0.02


def test_friction_takes_power_and_never_gives_any():
    """Whatever pushes, the rotor's kinetic energy grows by no more than the work of motor and gear."""
    rng = np.random.default_rng(3)
    servo = Servo(only(load("sts3215"), EFFECTS - {"backlash"}), 0.01)
    for _ in range(3000):
        servo.rotor_speed = before = float(rng.normal(0, 1))
        servo.rotor, q = 0.0, float(rng.normal(0, 0.01))
        servo.firmware.goal = servo.firmware.target = 2048 + float(rng.normal(0, 200))
        servo.step(q, 0.0, 7.4)
        after, push = servo.rotor_speed, servo.winding.kt * servo.current - servo.gear_torque
        free = before + PERIOD * push / servo.inertia
        assert abs(after) <= abs(free) + 1e-12
        assert after * free >= 0


def test_a_standing_rotor_holds_between_two_torques():
    """Load-dependent friction: up to Km + Kms + Kes of the load more, and down to less, before it moves."""
    friction = Friction(coulomb=0.05, motor_load=0.2, motor_load_at_rest=0.1, external_load_at_rest=0.15)
    load_torque = 1.0
    highest = (load_torque * 1.15 + 0.05) / (1 - 0.3)
    for motor, holds in ((0.99 * highest, True), (1.01 * highest, False)):
        assert (motor - load_torque < friction.limit(motor, -load_torque, 0.0)) == holds


def test_the_gap_is_as_wide_as_it_says_and_can_be_switched_off():
    goals = 0.3 * np.sin(2 * np.pi * 0.1 * np.arange(20_000) * PERIOD)
    loose = swing(load("sts3215"), Stand(0.01, 0.1), goals)
    tight = swing(only(load("sts3215"), EFFECTS - {"backlash"}), Stand(0.01, 0.1), goals)
    widths = [np.ptp((trace["rotor"] - trace["q"])[5000:]) for trace in (loose, tight)]
    assert widths[0] - widths[1] == pytest.approx(2 * load("sts3215").gear.half_gap, rel=0.05)
    # The encoder is on the output: what it says of a reversal is the same delay that friction makes.
    assert np.ptp(loose["q"]) == pytest.approx(np.ptp(tight["q"]), rel=0.1)


def test_the_drag_forms_a_loop_over_the_angle():
    servo = Servo(ideal("sts3215", "hysteresis"), 0.01)
    servo.firmware.enabled = False
    drag = servo.parameters.gear.drag
    angles = 0.1 * np.sin(np.linspace(0, 4 * np.pi, 4001))
    torques = []
    for q, qd in zip(angles[1:], np.diff(angles) / PERIOD, strict=True):
        servo.rotor = q
        servo.step(q, qd, 7.4)
        torques.append(servo.drag)
    # A loop of +-drag over +-0.1 rad, less the corners where it bends.
    area = abs(np.trapezoid(torques[2000:], angles[2001:]))
    assert area == pytest.approx(4 * drag * (0.1 - servo.parameters.gear.drag_angle), rel=0.01)


def test_heat_flows_through_two_masses():
    parameters = load("sts3215")
    winding = Winding(parameters.motor, parameters.heat)
    watts = 3.0
    for _ in range(5000):
        winding.warm(watts, 1.0)
    heat = parameters.heat
    assert winding.case == pytest.approx(ROOM + watts * heat.to_air, rel=1e-3)
    assert winding.temperature == pytest.approx(ROOM + watts * (heat.to_air + heat.to_case), rel=1e-3)
    grown = winding.resistance / parameters.motor.resistance
    assert grown == pytest.approx(1 + 0.0039 * watts * (heat.to_air + heat.to_case), rel=1e-3)


def test_the_position_law_is_the_measured_one():
    """duty in permille = P error / 4 + 9.35 at P = 16, saturated from 250 ticks on; nothing within the dead zone."""
    parameters = load("sts3215")
    firmware = Firmware(replace(parameters.law, speed_limit=np.inf), Protection())
    for error in (-300, -120, -2, -1, 0, 1, 2, 60, 240, 300):
        firmware.goal = 2048 + error
        expected = 0 if abs(error) <= 1 else np.clip(16 * error / 4 + 9.35 * np.sign(error), -970, 970) / 1000
        assert firmware.duty(0.0) == pytest.approx(expected, abs=1e-9)


def test_the_inner_target_has_a_top_speed():
    trace = swing(load("sts3215"), LOCKED, np.full(300, 1.0))
    ticks = trace["duty"] / load("sts3215").law.gain
    assert ticks[10:50] == pytest.approx(3400 * PERIOD * np.arange(11, 51) + 0.00935 / 0.004, abs=1.5)


def test_overload_cuts_the_torque_after_two_seconds_until_a_new_goal():
    parameters = only(load("sts3215"), EFFECTS - {"heat"})
    goals = np.r_[np.full(5000, 1.5), np.full(500, 1.4)]
    trace = swing(parameters, LOCKED, goals)
    over = np.flatnonzero(trace["duty"] > 0.8)[0]
    cut = np.flatnonzero(np.diff(trace["duty"]) < -0.5)[0]
    assert (cut - over) * PERIOD == pytest.approx(2.0, abs=0.05)
    assert trace["duty"][cut + 10 : 5000] == pytest.approx(0.2)
    assert trace["duty"][5100] > 0.9
    never = swing(only(parameters, EFFECTS - {"protection", "heat"}), LOCKED, goals)
    assert never["duty"][4999] > 0.9


@pytest.mark.parametrize("fault", ["current", "temperature"])
def test_current_and_heat_switch_the_motor_off(fault):
    limits = {"current": Protection(current=0.5), "temperature": Protection(temperature=ROOM + 1)}
    parameters = replace(load("sts3215"), protection=limits[fault])
    trace = swing(parameters, LOCKED, np.full(60_000, 1.5))
    off = np.flatnonzero(trace["current"] == 0.0)
    off = off[off > 1000]
    assert len(off) and (trace["current"][off[0] :] == 0.0).all()


def test_units_differ_and_stay_the_same():
    parameters = load("xm430")
    one, again, two = (unit(parameters, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one == again != two
    assert one.motor.kt != parameters.motor.kt
    assert one.law == parameters.law and one.motor.idle_current == parameters.motor.idle_current
    factors = [
        unit(parameters, np.random.default_rng(k)).motor.resistance / parameters.motor.resistance for k in range(200)
    ]
    assert np.std(np.log(factors)) == pytest.approx(0.05, rel=0.2)


def test_unknown_names_are_told_what_there_is():
    with pytest.raises(ValueError, match=r"'sg90'; there are: .*sts3215"):
        load("sg90")
    with pytest.raises(ValueError, match=r"'gravity'; there are: backlash"):
        only(load("xm430"), ["gravity"])


@pytest.mark.parametrize("kind", KINDS)
def test_no_effect_is_a_smaller_servo(kind):
    """Switching off one effect changes that one only, and the order does not matter."""
    parameters = load(kind)
    assert only(parameters, EFFECTS) == parameters
    two = only(only(parameters, EFFECTS - {"sag"}), EFFECTS - {"backlash"})
    assert two == only(parameters, EFFECTS - {"backlash", "sag"})
    assert two.friction == parameters.friction
