"""How a figure reaches the reader: as an <img> with its data inside and a description, in a notebook."""

import base64
import html
import sys

from matplotlib.figure import Figure

from bench.style import PIXELS_PER_INCH, png


def show(fig: Figure, *, alt: str) -> None:
    """Put the figure into the notebook. In a plain script nothing happens.

    alt: what the figure says, in a sentence or two, for readers who do not see it. It must not be empty.
    """
    alt = described(alt)
    if in_notebook():
        display_html(picture(fig, alt), plain=f"[figure] {alt}")


def picture(fig: Figure, alt: str) -> str:
    """The figure as an HTML <img> that carries its own PNG."""
    width = round(fig.get_figwidth() * PIXELS_PER_INCH)
    return embedded(png(fig), "image/png", alt, width)


def embedded(data: bytes, mime: str, alt: str, width: int) -> str:
    """An <img> with its data inside. width: in pixels on the page."""
    return (
        f'<img alt="{html.escape(described(alt))}" src="{inline(data, mime)}" width="{width}" style="max-width: 100%">'
    )


def inline(data: bytes, mime: str) -> str:
    """A file as a data: URL."""
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"


def described(alt: str) -> str:
    """alt itself, on one line; ValueError if it says nothing."""
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError("Every figure needs alt='...': a sentence that says what it shows.")
    return " ".join(alt.split())


def in_notebook() -> bool:
    """Whether this process is a notebook's kernel, which can display HTML."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")


def display_html(text: str, plain: str) -> None:
    """Display HTML in a notebook, with a plain-text form for front ends that have no HTML."""
    from IPython.display import display

    display({"text/html": text, "text/plain": plain}, raw=True)
