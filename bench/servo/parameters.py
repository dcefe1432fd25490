"""What one kind of servo is, read from `<kind>.toml`; how two units of it differ; and how an effect is switched off."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from bench.servo.firmware import PositionLaw, Protection
from bench.servo.friction import Friction
from bench.servo.gear import Gear
from bench.servo.motor import Heat, Motor
from bench.servo.registers import Registers

FOLDER = Path(__file__).parent
KINDS = tuple(sorted(file.stem for file in FOLDER.glob("*.toml")))


@dataclass(frozen=True, slots=True)
class Parameters:
    """All numbers of one servo. `supply`: V, `supply_resistance`: ohm, shared by all servos on one supply.

    spread: relative standard deviation between units, by "part.number".
    """

    supply: float
    supply_resistance: float
    motor: Motor
    heat: Heat
    friction: Friction
    gear: Gear
    law: PositionLaw
    protection: Protection
    registers: Registers
    spread: dict[str, float]


def load(kind: str) -> Parameters:
    """The parameters in `<kind>.toml`, such as load("sts3215"). Raises ValueError for an unknown kind."""
    if kind not in KINDS:
        raise ValueError(f"No servo is called {kind!r}; there are: {', '.join(KINDS)}")
    table = tomllib.loads((FOLDER / f"{kind}.toml").read_text(encoding="utf-8"))
    parts = {"motor": Motor, "heat": Heat, "friction": Friction, "gear": Gear, "law": PositionLaw,
             "protection": Protection, "registers": Registers}  # fmt: skip
    return Parameters(
        table["supply"]["voltage"],
        table["supply"]["resistance"],
        **{name: part(**table[name]) for name, part in parts.items()},
        spread=table["spread"],
    )


def unit(parameters: Parameters, rng: np.random.Generator) -> Parameters:
    """Another unit of the same kind: each number of `spread` is multiplied by a log-normal factor."""
    for name, spread in parameters.spread.items():
        part, number = name.split(".")
        old = getattr(parameters, part)
        factor = float(np.exp(spread * rng.standard_normal()))
        parameters = replace(parameters, **{part: replace(old, **{number: getattr(old, number) * factor})})
    return parameters


# What can be switched off, and what is then zero (or infinite, or exact).
_OFF = {
    "friction": lambda p: replace(p, friction=Friction(), gear=replace(p.gear, grease=0.0)),
    "load friction": lambda p: replace(
        p,
        friction=replace(p.friction, **{f.name: 0.0 for f in fields(Friction) if "_load" in f.name}),
    ),
    "backlash": lambda p: replace(p, gear=replace(p.gear, half_gap=0.0)),
    "hysteresis": lambda p: replace(p, gear=replace(p.gear, drag=0.0)),
    "heat": lambda p: replace(p, heat=replace(p.heat, copper=0.0, magnet=0.0)),
    "sag": lambda p: replace(p, supply_resistance=0.0),
    "ticks": lambda p: replace(p, law=replace(p.law, whole_ticks=False), registers=p.registers.exact()),
    "noise": lambda p: replace(p, registers=p.registers.quiet()),
    "delay": lambda p: replace(p, registers=p.registers.prompt()),
    "protection": lambda p: replace(p, protection=Protection()),
}
EFFECTS = frozenset(_OFF)


def only(parameters: Parameters, effects: Iterable[str]) -> Parameters:
    """The same servo with these effects and no others. Raises ValueError for an unknown effect."""
    effects = frozenset(effects)
    if unknown := effects - EFFECTS:
        raise ValueError(f"No effect is called {min(unknown)!r}; there are: {', '.join(sorted(EFFECTS))}")
    for name in sorted(EFFECTS - effects):
        parameters = _OFF[name](parameters)
    return parameters
