"""Predictions, questions and sliders: what a lesson asks its reader. Nobody is graded on any of it."""

import hashlib
import html
import math
import random
import re
import sys
from collections.abc import Callable
from numbers import Real
from typing import Any

from course.lesson.exercises import LessonStop, is_todo, todo_line

_predictions: dict[str, tuple[object, str]] = {}  # name -> (value, unit); it lives as long as the kernel


def present(html_text: str, plain_text: str) -> None:
    """Show HTML in a notebook; print the plain form anywhere else."""
    if not _in_notebook():
        print(plain_text)
        return
    from IPython.display import display

    display({"text/html": html_text, "text/plain": plain_text}, raw=True)


def _in_notebook() -> bool:
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")


# --- predictions -----------------------------------------------------------------------------------------------------


def predict(name: str, value: object, unit: str = "") -> None:
    """Note what you expect, a number or a word, before you run what comes next. `...` means no guess yet."""
    if value is None or value is ...:
        _predictions.pop(name, None)
        print(f"{name}: no guess yet. Write yours in place of the dots.")
        return
    _predictions[name] = (value, unit)
    print(f"{name}: you expect {_said(value, unit, digits=6)}.")


def answer(name: str, value: object, unit: str = "") -> None:
    """Print your prediction beside what came out."""
    if name not in _predictions:
        print(f"{name}: it is {_said(value, unit)}. (You noted no guess.)")
        return
    guess, noted = _predictions[name]
    unit = unit or noted
    expected, found = _said(guess, unit, digits=6), _said(value, unit)
    print(f"{name}: you expected {expected}, it is {found}. {_compare(guess, value, unit)}")


def _plain(value: Any) -> Any:
    """NumPy scalars and arrays of one element, as Python numbers."""
    return value.item() if getattr(value, "size", None) == 1 and hasattr(value, "item") else value


def _said(value: object, unit: str, digits: int = 4) -> str:
    value = _plain(value)
    number = isinstance(value, Real) and not isinstance(value, bool)
    return f"{value:.{digits}g} {unit}".rstrip() if number else str(value)


def _compare(guess: Any, value: Any, unit: str) -> str:
    guess, value = _plain(guess), _plain(value)
    numbers = all(isinstance(x, Real) and not isinstance(x, bool) for x in (guess, value))
    if not numbers:
        same = str(guess).strip().casefold() == str(value).strip().casefold()
        return "As you said." if same else "What made the difference?"
    difference = float(guess) - float(value)
    if not math.isfinite(difference):
        return "What made the difference?"
    if _said(guess, unit) == _said(value, unit):
        return "Spot on."
    close = "Close: you" if abs(difference) <= 0.02 * abs(value) else "You"
    return f"{close} were {_said(abs(difference), unit, digits=3)} too {'high' if difference > 0 else 'low'}."


# --- questions -------------------------------------------------------------------------------------------------------


def quiz(question: str, right: tuple[str, str], wrong: dict[str, str]) -> None:
    """A question whose every choice answers with its reason.

    right: (choice, why it is right). wrong: {choice: why it is wrong}. `Backticks` become code.
    Choices open and close by mouse or keyboard and need no running kernel, so an exported lesson has them too.
    """
    choices = shuffled(question, right, wrong)
    rows = [
        f'<details style="margin: 0.2em 0 0.2em 1em"><summary>{_marked(choice)}</summary>'
        f'<div style="margin: 0.2em 0 0.6em 1.2em"><b>{verdict}.</b> {_marked(why)}</div></details>'
        for choice, verdict, why in choices
    ]
    heading = f'<div style="margin-top: 0.8em"><b>{_marked(question)}</b><br>Open the choice that you would take.</div>'
    lettered = list(zip("abcdefgh", choices, strict=False))
    lines = [question, *(f"  {letter}. {choice}" for letter, (choice, _, _) in lettered), ""]
    lines += [f"  {letter}: {verdict}. {why}" for letter, (_, verdict, why) in lettered]
    present(heading + "".join(rows), "\n".join(lines))


def shuffled(question: str, right: tuple[str, str], wrong: dict[str, str]) -> list[tuple[str, str, str]]:
    """(choice, "Yes" or "No", reason) in an order that depends on the question's text alone."""
    choices = [(right[0], "Yes", right[1]), *((choice, "No", why) for choice, why in wrong.items())]
    # Not hash(): Python salts it anew in every process.
    random.Random(hashlib.sha256(question.encode("utf-8")).digest()).shuffle(choices)
    return choices


def _marked(text: str) -> str:
    """Escaped for HTML, with `code` set as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


# --- sliders ---------------------------------------------------------------------------------------------------------


def slider(draw: Callable, *, alt: str, **ranges: tuple[float, float, float, float]) -> None:
    """Sliders that redraw a figure.

    draw(**values) returns a figure. ranges: name=(low, high, step, start); four whole numbers make a slider of those.
    alt: what the figure says at the start values. The figure stands beneath the sliders and is replaced in place, so a
    page without a kernel shows it at the start values.
    """
    from bench.figures import picture

    start = {name: limits[3] for name, limits in ranges.items()}
    first = picture(draw(**start), alt)  # before anything is shown: an unfinished TODO must end the cell cleanly
    if not _in_notebook():
        return
    from IPython.display import display

    controls = _controls(ranges)
    if controls:
        from ipywidgets import VBox

        display(VBox(list(controls.values())))
    figure = display({"text/html": first + _caption(start), "text/plain": f"[figure] {alt}"}, raw=True, display_id=True)

    def redraw(_change) -> None:
        values = {name: control.value for name, control in controls.items()}
        try:
            now = picture(draw(**values), f"{alt} Now with {_listed(values)}.")
        except (LessonStop, NotImplementedError) as stop:
            if not isinstance(stop, LessonStop) and not is_todo(stop):
                raise
            line = str(stop) if isinstance(stop, LessonStop) else todo_line(stop, stop.__traceback__)
            now = f"<p>{html.escape(line)}</p>"
        figure.update({"text/html": now + _caption(values), "text/plain": f"[figure] {alt}"}, raw=True)

    for control in controls.values():
        control.observe(redraw, names="value")


def _controls(ranges: dict) -> dict:
    """One slider widget per name; none where ipywidgets is not installed."""
    try:
        from ipywidgets import FloatSlider, IntSlider, Layout
    except ImportError:
        return {}
    controls = {}
    for name, (low, high, step, start) in ranges.items():
        whole = all(isinstance(x, int) for x in (low, high, step, start))
        controls[name] = (IntSlider if whole else FloatSlider)(
            value=start,
            min=low,
            max=high,
            step=step,
            description=name.replace("_", " "),
            continuous_update=False,  # one drawing at the end of a drag, not fifty on the way
            layout=Layout(width="32em", max_width="100%"),
            style={"description_width": "initial"},
            **({} if whole else {"readout_format": ".3g"}),
        )
    return controls


def _listed(values: dict) -> str:
    return ", ".join(f"{name.replace('_', ' ')} = {value:.4g}" for name, value in values.items())


def _caption(values: dict) -> str:
    return f"<div><small>{html.escape(_listed(values))}</small></div>"
