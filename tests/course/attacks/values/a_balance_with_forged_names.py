# The names of the fields are the file's own, and so is what they hold.
# points: run 3, pd_force 3, explain 0

from dataclasses import make_dataclass

_names = ["actuator", "gravity", "self", "kind", "values", "_kind", "status", "points"]


def explain(ctrl, q):
    return make_dataclass("Record", _names)(*[10] * len(_names))
