"""How good a model of an actuated arm is: the tables of the NeuralActuator paper, our numbers beside the paper's.

    outcome = Outcome(robot="so101", task="pick_place_300g", payload=0.3, rate=60.0, q=..., q_real=..., q_cmd=...,
                      force=..., force_real=..., known=..., others={"ID-Linear": ...})
    for table in tables(outcomes): console.print(table)       # rich tables; or show(outcomes)
    Path("scores.json").write_text(json.dumps(scores(outcomes), indent=1))

Ours are virtual arms, the paper's are real ones: numbers side by side, not a race. Two things can be asked of any model
on any arm, and every table asks them: is it better than the command itself (`q = q_cmd`) and than no force (`predict
zero`)? The metrics are those of the paper's section IV-A (`bench.scoring.metrics`). NumPy and rich do for all of it.
"""

from bench.scoring.metrics import false_positives, force_mae, joint_mae
from bench.scoring.outcome import COMMAND, MODEL, ZERO, Outcome
from bench.scoring.scores import GROUPS, scores
from bench.scoring.tables import show, tables

__all__ = [
    "COMMAND",
    "GROUPS",
    "MODEL",
    "ZERO",
    "Outcome",
    "false_positives",
    "force_mae",
    "joint_mae",
    "scores",
    "show",
    "tables",
]
