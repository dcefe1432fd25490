# points: 10

from dataclasses import dataclass

_right_explain = explain


@dataclass(frozen=True, slots=True)
class Balance:
    actuator: float
    gravity: float
    contact: float
    note: str = ""


def explain(ctrl, q):
    return _right_explain(ctrl, q)
