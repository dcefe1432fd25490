"""How closely four models of a servo follow a real one, on logs that none of them has seen.

    python benchmarks/servo.py [FOLDER]

FOLDER holds the pendulum logs of Rhoban's bam, branch xl330 (default: ../shared/data/bam_xl330). Twelve runs are for
fitting, four are held out, so that each trajectory and each gain is held out once. The rows:

    goal              the servo is where it was told to be
    data sheet        kt and R from stall and no-load figures, no friction
    <position>        MuJoCo's, with gain, damping, force range, armature and friction loss fitted
    <dcmotor>         MuJoCo's, with motor constants, armature, damping and LuGre friction fitted, behind the same law
    bench.servo       ours, fitted; and as shipped in xl330.toml

All fits use the same method from the same start for stand and motor. Some minutes.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np

from bench.servo import parameters as servo_parameters
from bench.servo.firmware import TICK
from bench.servo.fit import FREE, GAIN_PER_P, Log, error_degrees, fit, levenberg_marquardt, read_log, replay, split
from bench.servo.friction import Friction
from bench.servo.stand import GRAVITY, Stand

LOGS = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "bam_xl330"
STAND = Stand(mass=0.49, length=0.10, arm_mass=0.027, tilt=0.0137)
SUPPLY = 7.33  # V, the median of the logs
STALL, STALL_CURRENT, NO_LOAD, RATED = 0.52, 1.47, 10.79, 5.0  # XL330-M288-T, e-manual: N m, A, rad/s, V

PENDULUM = """<mujoco><option timestep="0.001"/><worldbody><body>
  <joint name="hinge" axis="0 -1 0" armature="{armature}" damping="{damping}" frictionloss="{frictionloss}"/>
  <inertial mass="{mass}" pos="0 0 -{length}" diaginertia="1e-9 1e-9 1e-9"/></body></worldbody>
  <actuator>{actuator}</actuator></mujoco>"""


def position(x: np.ndarray) -> Callable[[Log], np.ndarray]:
    """x: logarithms of kp per P, damping, force range, armature, friction loss, tilt, arm mass."""
    kp, damping, force, armature, frictionloss, tilt, arm = np.exp(x)

    def simulate(log: Log) -> np.ndarray:
        actuator = f'<position joint="hinge" kp="{kp * log.gain}" forcerange="-{force} {force}"/>'
        model, data = pendulum(actuator, armature, damping, frictionloss, arm, tilt)
        gain, bias = model.actuator_gainprm.copy(), model.actuator_biasprm.copy()

        def drive(goal: float, enabled: bool) -> None:
            model.actuator_gainprm[:], model.actuator_biasprm[:] = gain * enabled, bias * enabled
            data.ctrl[0] = goal

        return run(model, data, log, drive)

    return simulate


def dcmotor(x: np.ndarray) -> Callable[[Log], np.ndarray]:
    """x: logarithms of K, R, armature, damping, Coulomb and excess static torque, Stribeck speed, tilt, arm mass."""
    k, resistance, armature, damping, coulomb, excess, speed, tilt, arm = np.exp(x)
    lugre = f"{50.0} {0.2} {coulomb} {coulomb + excess} {speed}"
    actuator = f'<dcmotor joint="hinge" motorconst="{k} {k}" resistance="{resistance}" lugre="{lugre}"/>'

    def simulate(log: Log) -> np.ndarray:
        model, data = pendulum(actuator, armature, damping, 0.0, arm, tilt)

        def drive(goal: float, enabled: bool) -> None:
            error = np.floor(goal / TICK + 0.5) - np.floor(data.qpos[0] / TICK + 0.5)
            duty = min(1.0, max(-1.0, GAIN_PER_P * log.gain * error))
            data.ctrl[0] = SUPPLY * duty if enabled else k * data.qvel[0]  # open leads: no current

        return run(model, data, log, drive)

    return simulate


def pendulum(actuator: str, armature: float, damping: float, frictionloss: float, arm: float, tilt: float):
    """A model and data of the stand, with the actuator on its shaft."""
    mass = STAND.mass + arm / 2  # gravity's moment is the stand's; the inertia differs by an unseen twentieth
    text = PENDULUM.format(actuator=actuator, armature=armature, damping=damping, frictionloss=frictionloss, mass=mass,
                           length=STAND.length)  # fmt: skip
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.gravity[:] = GRAVITY * np.array([-np.sin(tilt), 0, -np.cos(tilt)])
    # Friction as hard as the solver can make it; by default a loaded joint creeps.
    model.dof_solimp[:] = (0.999, 0.9999, 0.001, 0.5, 2.0)
    return model, mujoco.MjData(model)


def run(model, data, log: Log, drive: Callable[[float, bool], None]) -> np.ndarray:
    """The angles at the log's times."""
    goals, enabled = log.each_period(0.002)
    data.qpos[0] = log.q[0]
    q = np.empty(len(goals))
    for k, (goal, on) in enumerate(zip(goals.tolist(), enabled.tolist(), strict=True)):
        q[k] = data.qpos[0]
        drive(goal, on)
        mujoco.mj_step(model, data)
    return np.interp(log.time, np.arange(len(q)) * 1e-3, q)


def fitted(model: Callable, start: list[float], logs: list[Log]) -> Callable[[Log], np.ndarray]:
    """The engine's model with the least squared position error on the logs."""
    x = levenberg_marquardt(lambda x: np.concatenate([model(x)(log) - log.q for log in logs]), np.log(start), rounds=16)
    print("   ", np.array2string(np.exp(x), precision=4), flush=True)
    return model(x)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else LOGS
    files = sorted(folder.glob("*.json"))
    if not files:
        sys.exit(f"There are no logs in {folder}; name the folder of bam's XL330 pendulum logs.")
    train, held_out = split([read_log(file) for file in files])
    shipped = servo_parameters.load("xl330")
    kt = RATED / NO_LOAD
    sheet = replace(
        shipped,
        motor=replace(shipped.motor, kt=kt, resistance=RATED / STALL_CURRENT),
        friction=Friction(),
    )
    rows: dict[str, Callable[[], Callable[[Log], np.ndarray]]] = {
        "goal": lambda: lambda log: log.goal,
        "data sheet": lambda: lambda log: replay(sheet, STAND, log),
        "<position>": lambda: fitted(position, [0.004, 0.05, 0.6, 0.002, 0.02, 0.016, 0.03], train),
        "<dcmotor>": lambda: fitted(dcmotor, [0.37, 3.4, 0.002, 0.005, 0.01, 0.01, 1.0, 0.016, 0.03], train),
        "bench.servo, as shipped": lambda: lambda log: replay(shipped, STAND, log),
    }
    for name, make in rows.items():
        began = time.perf_counter()
        report(name, make(), train, held_out, began)
    began = time.perf_counter()
    ours, stand = fit(train, shipped, STAND, FREE, rounds=16)
    report("bench.servo, fitted again", lambda log: replay(ours, stand, log), train, held_out, began)


def report(name: str, simulate: Callable[[Log], np.ndarray], train: list[Log], held_out: list[Log], began: float):
    seen, unseen = ([error_degrees(simulate(log), log) for log in logs] for logs in (train, held_out))
    each = "  ".join(f"{error:5.2f}" for error in unseen)
    print(f"{name:28s} fitted on {np.mean(seen):6.2f} deg   held out {np.mean(unseen):6.2f} deg  ({each})"
          f"   {time.perf_counter() - began:4.0f} s", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
