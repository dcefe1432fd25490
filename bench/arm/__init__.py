"""Virtual arms: a rigid model with servos in its joints, driven and read as the real one on its bus.

    arm = VirtualArm("so101", rng=np.random.default_rng(1), unit=0, effects=EFFECTS - {"noise"})
    row = arm.reset(q)                   # the arm has been holding still at the command q for a second; time is 0
    row = arm.step(q_cmd)                # one control tick: read the registers, send the command, let the tick pass
    row = arm.step(q_cmd, f_ext)         # the same with a force on the effector: an array, or f_ext(p, v) at 1 kHz
    arm.hold(0.2); arm.release()         # a payload of 200 g at the effector, from now on; and away
    arm.restrict(RubberBand("elbow_flex"))   # a band that holds a joint back; arm.restrict(None) takes it off

`step` returns the row of the tick's beginning: what was read, then what was sent, as in LeRobot's loop. A program that
must look before it sends calls `arm.read()` first; `step` returns that very row again, completed with the command.
Columns of a row (`Telemetry`), n joints, base frame:

    timestamp    float, s since reset          q_cmd   (n,) rad; m for a sliding gripper
    q            (n,) rad, register            qd      (n,) rad/s, register
    effort       (n,) STS3215: duty from -1 to 1 (Present_Load); XM430: coil current in A; Panda: torque in N m
    voltage      (n,) V, register              temperature   (n,) degrees C, register
    force        (3,) N, environment on robot at the effector, payload included as (0, 0, -m g)
    force_valid  bool                          contact bool, something pushes or is held
    condition    (n,) 1 = moves freely, 0 = held back by a band
    tau_true     (n,) N m (N for a slide): the torque on the link's side of each joint, which no register shows

With J of the effector's position: inverse dynamics of the rigid arm = tau_true + J^T f_ext, where a payload is part of
the arm or, if it is held still, of f_ext; a rubber band's torque comes on top.
"""

from bench.arm.band import RubberBand
from bench.arm.telemetry import Telemetry
from bench.arm.virtual import EFFECTS, VirtualArm

__all__ = ["EFFECTS", "RubberBand", "Telemetry", "VirtualArm"]
