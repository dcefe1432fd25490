"""Virtual servos: a motor, its gear and its firmware, one joint, in plain floats.

    parameters = only(load("sts3215"), EFFECTS - {"backlash"})      # every effect can be switched off by its name
    trace = swing(parameters, Stand(mass=0.3, length=0.2), goals)   # on a stand with a pendulum
    other = unit(parameters, np.random.default_rng(7))              # another one from the same box

The path of a command, file by file: `firmware` turns an error in ticks into a duty, `motor` a duty into current, torque
and heat, `friction` takes its share, `gear` leaves a gap, `registers` say what the bus shows, `servo` joins them.
`fit` identifies a servo from logs of such a stand. The kinds: sts3215, xm430 and, for validation, xl330.

MuJoCo's `<dcmotor>` could do part of this. On the logs of a real XL330 it follows held-out runs to 3.7 degrees,
`<position>` to 4.0 and this to 2.8, because in the engine friction does not grow with the load. With rotors, gaps and
the law in Python once a millisecond it is a quarter faster. `benchmarks/servo.py` and `benchmarks/arms.py` print both.
"""

from bench.servo.parameters import EFFECTS, KINDS, Parameters, load, only, unit
from bench.servo.servo import Servo
from bench.servo.stand import Stand, swing

__all__ = ["EFFECTS", "KINDS", "Parameters", "Servo", "Stand", "load", "only", "swing", "unit"]
