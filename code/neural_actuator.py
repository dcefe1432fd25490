"""The whole of it: torque, force, contact and condition, from nine ticks of what a servo tells.

Run it:     python code/neural_actuator.py
Check it:   python3 -m course check neural_actuator
The lesson: lessons/16_neural_actuator.ipynb
Train it:   python solutions/neural_actuator.py --robot openmanipulator_x --size small    (--help says more)
Source: the NeuralActuator paper, section III-D, equations 10 to 19, with the weights of appendix B.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import optax

import solutions.surrogate as surrogate
from bench.arm.setups import SETUPS
from bench.arms import ARMS
from bench.asked import built, with_slope
from bench.held_out import TRAINED, held_out
from bench.kinematics import Array
from bench.live import Live
from bench.networks import Outputs
from bench.payload_set import LIFTS, PLACES, PUSHES, ROBOT, pressed
from bench.recording import Recording, RecordingError
from bench.scoring import scores, show
from bench.script import part, run_script
from bench.setting import Setting, setting_of
from bench.tracks import Track
from bench.training import CheckpointError, about
from bench.training.program import Plan, Recipe, judged, restored, run
from bench.xla import jax, jnp
from solutions.external_torque import body, estimates, free_motion, signals
from solutions.nad import labels
from solutions.rnea import jacobian
from solutions.surrogate import HISTORY, KINDS, ask, direct, huber, token, torque_of

TASKS = (*LIFTS, *PLACES, *PUSHES, *(f"{task}_reference" for task in PUSHES))
# Appendix B, OpenManipulator-X. "torque" is ours: it stands in for "joint" where single steps are trained.
WEIGHTS = {"torque": 100.0, "joint": 100.0, "grip": 2.0, "force": 30.0, "gate": 1.0, "condition": 0.0}
BETA = 0.15  # N: a smaller error of the force counts squared
FOCUS = 5.0  # a sample with a force counts as much as five without
BANDED = 2  # the joint whose condition is learned, counted from 0 (table XI: joint 3)
cross_entropy = optax.sigmoid_binary_cross_entropy  # Given: of logits and labels, for each of them
PLANS = {
    "small": Plan(stages=((0, 3500), (64, 80), (128, 30)), rate=1e-3),
    "paper": Plan(stages=((0, 20_000), (128, 4000), (256, 2000), (320, 2000)), rate=1e-4),
}


def force_of(outputs: Outputs) -> jax.Array:
    """Given: the force estimate in N, (..., 3): the raw force, times the probability that there is one."""
    return jax.nn.sigmoid(outputs.gate)[..., None] * outputs.force


# Yours: what is asked of the outputs, and how they are used


def masked_huber(error: Array, weight: Array, beta: float) -> jax.Array:
    """Equation 16: the mean over known samples and three axes of weight * huber(error, beta), N.

    error: N, (..., 3). weight: (...); zero where nobody knows the force, and the error may be anything there, even NaN.
    With no known sample at all it is zero, and so is its gradient.
    """
    # TODO(you): NaN times zero is NaN, on the way back too: make such errors harmless before huber() sees them. By how
    # many samples do you divide?
    raise NotImplementedError("TODO(you): masked_huber")


def losses(outputs: Outputs, rows: Track, q: Array, after: Array, grip: float) -> dict[str, jax.Array]:
    """Equations 14 to 18 by name: "joint", "grip", "force", "gate", "condition".

    Each is a mean over the samples in which it counts, and over the joints; zero where none counts.
    rows: the frames to which the outputs belong; rows.force, gate and mask are already those of the next frame.
    q: where the rollout is after these ticks, rad, (..., m); after: where the real arm is. The last joint is the
    gripper's motor; grip: what makes its angle the number that counts (mm for each rad where a finger slides).
    """
    # TODO(you): the gripper has a loss of its own. A force counts FOCUS times where there is one; where the mask is 0,
    # neither force nor gate counts. Of the condition only joint BANDED is learned; it is always known. huber() at 1
    # for positions, at BETA for forces; cross_entropy(logits, labels) for yes and no.
    raise NotImplementedError("TODO(you): losses")


def explicit(setting: Setting, q: Array, outputs: Outputs, row: Track) -> jax.Array:
    """The generalized force on the body under explicit coupling, N m, (m,): the surrogate, and what the force does.

    q: rad, (m,). The estimate acts at the effector, from the environment on the robot. row: what the bus told.
    """
    # TODO(you): direct() is one part. The other is a force in the base frame: which matrix makes torques of it?
    raise NotImplementedError("TODO(you): explicit")


def step(setting: Setting, params: Any, memory: Array, frame: Track) -> tuple[jax.Array, Outputs]:
    """One tick on a live arm: the memory for the next tick, and what the network says now.

    frame: what the bus has just told and what was commanded, one row of a Track; of its columns q_cmd, u, voltage,
    temperature, seen_q and seen_qd are known. memory: (HISTORY, features) of float32, the last tokens, oldest first.
    """
    # TODO(you): like the law of a rollout, but who says where the arm is? Nothing of a later tick exists yet.
    raise NotImplementedError("TODO(you): step")


# Given: training


def loss_of(setting: Setting, robot: str, is_explicit: bool, weights: dict[str, float] = WEIGHTS) -> Callable:
    """Equation 19 for a batch of bench.training.Batches, and its terms: single steps or rollouts, as its pieces are."""
    finger, drive = SETUPS[robot].finger, explicit if is_explicit else direct
    grip = 1.0 if finger == 1 else 1000 * finger  # a gripper that turns counts in rad, a finger that slides in mm

    def loss(params: Any, batch: tuple[Track, dict[str, Array]]) -> tuple[jax.Array, dict[str, jax.Array]]:
        tracks, draws = batch
        if tracks.q.shape[1] == HISTORY + 1:
            torque, outputs = surrogate.one_step_loss(setting, params, tracks, draws, drive=drive)
            now = tracks[:, -1]
            terms = losses(outputs, now, now.q, now.q, grip) | {"torque": torque}
        else:
            _, q, outputs = surrogate.rollout_loss(setting, params, tracks, drive)
            terms = losses(outputs, tracks[:, HISTORY:-1], q, tracks.q[:, HISTORY + 1 :], grip)
        terms = {name: value for name, value in terms.items() if weights[name]}
        return sum(weights[name] * value for name, value in terms.items()), terms

    return loss


def predict(setting: Setting, params: Any, track: Track, is_explicit: bool) -> tuple[jax.Array, jax.Array]:
    """Angles, rad, (T, m), and forces, N, (T, 3), of a rollout from the ninth frame of a track on."""
    drive = explicit if is_explicit else direct
    q, _, outputs = surrogate.actuated_rollout(setting, params, track, drive)
    return q, force_of(outputs)


def classical(recordings: Sequence[Recording], free: Sequence[Recording]) -> dict[str, list[np.ndarray]]:
    """What module 08's estimators say of these recordings, fitted to free ones: those of the set, or of module 08."""
    motion = jax.tree.map(lambda *rows: np.concatenate(rows), *map(signals, free)) if free else free_motion()
    said = [estimates(motion, signals(r), body(r.robot), r.rate) for r in recordings if free or r.robot == ROBOT]
    return {name: [one[name] for one in said] for name in (said[0] if said else ()) if name != "predict zero"}


def init(setting: Setting, size: str, key: jax.Array) -> Any:
    """Parameters of the setting's network, drawn at random."""
    kind = KINDS[setting.network]
    return kind.init(key, len(setting.mean), len(setting.typical), kind.sizes[size])


def again(robot: str, network: str, residual: bool, **numbers: Array) -> Setting:
    """The setting with these numbers, or with ones."""
    joints = len(ARMS[robot].joints) + 1
    ones = {"mean": np.ones(7 * joints), "scale": np.ones(7 * joints), "typical": np.ones(joints)}
    return setting_of(robot, network, residual, **ones | numbers)


RECIPE = Recipe(
    labels=labels,
    setting=surrogate.setting_for,
    again=again,
    numbers=lambda setting: {name: getattr(setting, name) for name in ("mean", "scale", "typical")},
    init=init,
    loss=loss_of,
    horizon=surrogate.curriculum,
    predict=predict,
    others=classical,
    history=HISTORY,
    networks=tuple(KINDS),
    plans=PLANS,
)


class NeuralActuator(Live):
    """Given: a trained network on a live arm. NeuralActuator.load(TRAINED).step(arm.read()), tick by tick, says

    "force": N, (3,), environment on robot, base frame; "contact", "condition" (m,): probabilities; "torque": N m, (m,).
    """

    def __init__(self, setting: Setting, params: Any, robot: str):
        self.setting, self.params = setting, params
        super().__init__(robot, HISTORY, lambda row: token(setting, row.seen_q, row.seen_qd, row), self._said)

    @classmethod
    def load(cls, file: Path) -> "NeuralActuator":
        """From a file of the training. Raises CheckpointError, one line."""
        said = about(file)
        return cls(*restored(RECIPE, file, said), said["robot"])

    def _said(self, memory: Array, row: Track) -> tuple[jax.Array, dict[str, jax.Array]]:
        memory, outputs = step(self.setting, self.params, memory, row)
        contact, condition = (jax.nn.sigmoid(logits) for logits in (outputs.gate, outputs.condition))
        torque = torque_of(self.setting, outputs.tau, row.u)
        return memory, {"force": force_of(outputs), "contact": contact, "condition": condition, "torque": torque}


# The same for the checks, compiled. A setting is asked for by the arguments of again(): names, and numbers.
fast_masked_huber = with_slope(masked_huber)
fast_losses = with_slope(lambda outputs, *rest: losses(Outputs(*outputs), *rest))
fast_explicit = built(lambda setting, q, outputs, row: explicit(setting, q, Outputs(*outputs), row), again)
fast_step = built(step, again)


def main() -> None:
    if len(sys.argv) > 1:
        try:
            run(RECIPE, sys.argv[1:])
        except (RecordingError, CheckpointError) as problem:
            sys.exit(str(problem))
        return

    part("A", "Two samples, and nobody knows the second one: loss of the force, and its slope by the errors")
    print(*fast_masked_huber(np.array([[0.3, -0.1, 0.0], [np.nan] * 3]), np.array([FOCUS, 0.0]), BETA))

    part("B", "Trials that nobody learned from, the arm driven by the surrogate alone")
    actuator, data = NeuralActuator.load(TRAINED), held_out(ROBOT, TASKS)
    model = actuator.setting, actuator.params, data, ROBOT
    implicitly = judged(RECIPE, *model, explicit=False)
    show(implicitly)

    part("C", "The same network, and the force acts on the simulated arm too: joint error with weights, 500 steps, deg")
    for name, found in (("implicit", implicitly), ("explicit", judged(RECIPE, *model, explicit=True))):
        print(name, scores(found)["groups"]["payload"]["joint_mae"]["500"])

    part("D", "Live: press on the standing arm, let go, lift, let go (lesson 08)")
    for push, row in list(zip(*pressed(9.0), strict=True))[:361]:
        said = actuator.step(row)["force"]
        if row.timestamp % 1.5 == 0:
            print(f"{-push:5.1f} N, and the estimate is {said[2]:z5.2f} N")


if __name__ == "__main__":
    run_script(main)
