"""What a graded check is written with.

    ex = exercise("actuator_modes")

    @check(todo="pd_force", points=2)
    def test_agrees_with_mujoco_at_every_step(rng): ...

`ex` is a proxy: the student's file runs in another process, and only plain data comes back. Every answer is forced into
a type and a shape here, in the trusted process, before anything compares it: NaN, an empty array, an array that would
broadcast and an object with an `__eq__` of its own all end at this door.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from course import session
from course.boundary import Handle, one_line
from course.child.wire import Record


@dataclass(frozen=True)
class Check:
    """What @check noted about a test function."""

    todo: str
    points: int
    seconds: float


class Wrong(AssertionError):
    """An answer that is not the right one. Its text is for the student."""


def check(todo: str, points: int, seconds: float = 5.0) -> Callable[[Callable], Callable]:
    """Mark a test as a graded check of one TODO. seconds: the deadline for all that the student's code does in it."""

    def mark(function: Callable) -> Callable:
        function.check = Check(todo, points, seconds)  # type: ignore[attr-defined]
        return function

    return mark


class exercise:
    """The file under check. `ex.pd_force(...)` calls the student's pd_force; every other name is just as good."""

    def __init__(self, slug: str) -> None:
        self._slug = slug

    def __getattr__(self, name: str) -> Callable:
        return lambda *args, **kwargs: session.current().call(name, args, kwargs)


def wrong(asked: str, got: Any, expected: Any, why: str = "") -> None:
    """Raise the verdict: what was asked, what came back, what was expected, and the likely slip."""
    lines = [f"asked     {asked}", f"answered  {_shown(got)}", f"expected  {_shown(expected)}"]
    raise Wrong("\n".join(map(one_line, lines + ([f"perhaps   {why}"] if why else []))))


def number(got: Any, asked: str, unit: str = "") -> float:
    """got as a finite float. Raises Wrong for anything that is not one number."""
    lone_element = isinstance(got, np.ndarray) and got.shape == () and got.dtype.kind in "iuf"
    if isinstance(got, (bool, np.bool_)) or not (
        isinstance(got, (int, float, np.integer, np.floating)) or lone_element
    ):
        wrong(asked, _kind(got), f"one number{_in(unit)}", _number_slip(got))
    try:
        value = float(got)
    except OverflowError:
        wrong(asked, "a whole number of more than 300 digits", f"a finite number{_in(unit)}")
    if not np.isfinite(value):
        wrong(asked, value, f"a finite number{_in(unit)}", "something divides by zero, or a value was never set")
    return value


def array(got: Any, shape: tuple[int | None, ...], asked: str, unit: str = "") -> np.ndarray:
    """got as a finite float array of exactly this shape (None: any length). A list of numbers counts as an array."""
    wanted = f"numbers of shape {_shape(shape)}{_in(unit)}"
    if isinstance(got, (list, tuple)) and _holds_numbers(got):
        try:
            got = np.array(got)
        except ValueError:
            wrong(asked, "rows of unequal length", wanted)
    if not isinstance(got, np.ndarray) or got.dtype.kind not in "iuf":
        wrong(asked, _kind(got), wanted, "the return statement is missing" if got is None else "")
    if len(got.shape) != len(shape) or any(n is not None and n != m for n, m in zip(shape, got.shape, strict=True)):
        wrong(asked, f"shape {_shape(got.shape)}", wanted)
    value = got.astype(np.float64)
    if not np.isfinite(value).all():
        first = np.argwhere(~np.isfinite(value))[0]
        wrong(
            asked,
            f"{value[tuple(first)]} at {_index(first)}",
            "finite numbers",
            "something divides by zero, or a value was never set",
        )
    return value


def text(got: Any, asked: str, among: tuple[str, ...] = ()) -> str:
    """got as a str, one of `among` if any are given."""
    if type(got) is not str or (among and got not in among):
        shown = repr(got[:60]) if type(got) is str else _kind(got)
        wrong(asked, shown, "one of " + ", ".join(map(repr, among)) if among else "a text")
    return got


def boolean(got: Any, asked: str) -> bool:
    """got as a bool."""
    if not isinstance(got, (bool, np.bool_)):
        wrong(asked, _kind(got), "True or False")
    return bool(got)


def parts(got: Any, asked: str, *names: str) -> tuple | list:
    """got as a tuple of these, whatever they are."""
    wanted = f"{len(names)} of them: " + ", ".join(names)
    if type(got) not in (tuple, list):
        wrong(asked, _kind(got), wanted, "the return statement is missing" if got is None else "")
    if len(got) != len(names):
        wrong(asked, f"{len(got)} of them", wanted)
    return got


def fields(got: Any, asked: str, *names: str) -> dict[str, Any]:
    """The named entries of a dict, or of a dataclass that the exercise file declares."""
    if isinstance(got, Record):
        got = {k: v for k, v in vars(got).items() if k != "_kind"}
    wanted = "entries " + ", ".join(names)
    if type(got) is not dict:
        wrong(asked, _kind(got), wanted, "the return statement is missing" if got is None else "")
    if missing := [name for name in names if name not in got]:
        there = ", ".join(k[:40] if isinstance(k, str) else _kind(k) for k in list(got)[:20])
        wrong(asked, f"entries {there}", wanted, f"{missing[0]} is missing")
    return {name: got[name] for name in names}


def agree(asked: str, got: Any, expected: Any, tol: float, unit: str = "", slips: dict[str, Any] | None = None) -> None:
    """Raise the verdict unless got is expected, within tol (absolute, in unit).

    expected: a float, or a float array whose shape the answer must have.
    slips: what a mistake would have given, under the sentence that names it; the first that fits is told.
        One that takes a simulation may be a function without arguments: it is called only if the answer is wrong.
    """
    expected = np.asarray(expected, np.float64)
    value = np.asarray(number(got, asked, unit) if expected.shape == () else array(got, expected.shape, asked, unit))
    if (np.abs(value - expected) <= tol).all():
        return
    why = next((sentence for sentence, slip in (slips or {}).items() if _explains(slip, value, expected, tol)), "")
    worst = np.unravel_index(np.argmax(np.abs(value - expected)), expected.shape)
    digits = 4
    while digits < 17 and f"{value[worst]:.{digits}g}" == f"{expected[worst]:.{digits}g}":
        digits += 1
    place = f" at {_index(worst)}" if worst else ""
    units = f" {unit}" if unit else ""
    wrong(asked, f"{value[worst]:.{digits}g}{units}{place}", f"{expected[worst]:.{digits}g}{units}{place}", why)


def _holds_numbers(got: Any) -> bool:
    """Whether nothing but numbers stands in a list (NumPy would give every text in it the room of the longest)."""
    if isinstance(got, (list, tuple)):
        return all(map(_holds_numbers, got))
    return isinstance(got, (int, float, np.number, np.bool_)) or (
        isinstance(got, np.ndarray) and got.dtype.kind in "iufb"
    )


def _explains(slip: Any, value: np.ndarray, expected: np.ndarray, tol: float) -> bool:
    slip = slip() if callable(slip) else slip
    # A slip that would have given the right answer to this question explains nothing.
    return _matches(value, slip, tol) and not _matches(expected, slip, tol)


def _matches(value: np.ndarray, slip: Any, tol: float) -> bool:
    slip = np.asarray(slip, np.float64)
    # A slip is a diagnosis, so it may be a little further off than a right answer: the mistake need not come alone.
    near = max(tol, 1e-6 * float(np.abs(slip).max(initial=0.0)))
    return slip.shape == value.shape and bool((np.abs(value - slip) <= near).all())


def _number_slip(got: Any) -> str:
    if got is None:
        return "the return statement is missing"
    return "take one element out of the array" if isinstance(got, (np.ndarray, list, tuple)) else ""


def _in(unit: str) -> str:
    return f" in {unit}" if unit else ""


def _index(place: Any) -> str:
    return "[" + ", ".join(str(int(i)) for i in place) + "]"


def _shape(shape: tuple) -> str:
    return "(" + ", ".join("any" if n is None else str(n) for n in shape) + ("," if len(shape) == 1 else "") + ")"


def _kind(got: Any) -> str:
    """What came back, in words, when its kind is what is wrong."""
    if got is None:
        return "nothing (None)"
    if isinstance(got, Handle):
        return f"a {got.kind}"
    if isinstance(got, np.ndarray):
        return f"an array of shape {_shape(got.shape)}" + ("" if got.dtype.kind in "iuf" else f" of type {got.dtype}")
    if isinstance(got, str):
        return f"the text {got[:60]!r}"
    if isinstance(got, (bool, np.bool_)):
        return str(bool(got))
    if isinstance(got, (int, float, np.number)):
        return "a number"
    if isinstance(got, (list, tuple, dict)):
        return f"a {type(got).__name__} of {len(got)}"
    return f"a {type(got).__name__}" if not isinstance(got, Record) else f"a {got._kind}"


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, int) and value.bit_length() < 1_000:  # Python refuses to write out thousands of digits
        return str(value)
    return value if isinstance(value, str) else _kind(value)
