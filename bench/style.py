"""How the course's figures look: a palette that survives grey and colour blindness, one style, labels at line ends."""

import io
from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation

# Okabe and Ito's colours, which people with any of the three colour blindnesses tell apart, restricted to those that
# differ in lightness as well (about 46, 71, 58, 15, 62 and 70 of 100). Each keeps its line style, for grey printers.
BLUE, ORANGE, GREEN, INK, PURPLE, SKY = "#0072B2", "#E69F00", "#009E73", "#222222", "#CC79A7", "#56B4E9"
GREY = "#767676"  # references, limits, notes: dark enough to be read as text on white
PALE = "#D9D9D9"  # areas: walls, forbidden regions, bands
STYLES = {
    BLUE: "-",
    ORANGE: (0, (6, 2)),
    GREEN: (0, (7, 1.5, 1.5, 1.5)),
    INK: (0, (1.2, 1.4)),
    PURPLE: (0, (4, 1, 1, 1, 1, 1)),
    SKY: (0, (2.5, 1)),
}
CYCLE = cycler(color=list(STYLES), linestyle=list(STYLES.values()))

PIXELS_PER_INCH = 100  # on the page
GAP = 12  # points between the end of a line and its label
SHARPER = 2  # pictures are drawn this much finer than they are shown, for dense screens

RC: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.labelsize": 11,
    "axes.prop_cycle": CYCLE,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "figure.facecolor": "white",
    "font.family": "DejaVu Sans",  # ships with matplotlib, so that a figure is the same everywhere
    "font.size": 10,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 2.0,
    "xtick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.color": GREY,
    "ytick.labelcolor": INK,
}


def figure(width: float = 7.0, height: float = 3.2, rows: int = 1, cols: int = 1, **subplots):
    """A new figure in the course's style, and its axes.

    width, height: of the whole figure, in inches; 7 by 3.2 fits a lesson at 100 %.
    subplots: passed on to matplotlib's `Figure.subplots`, such as sharex=True or width_ratios=(1, 2).
    Returns (fig, ax); with several rows or columns ax is an array, as in `plt.subplots`.

    The style is set for the process, because matplotlib reads part of it only when a line is drawn.
    """
    matplotlib.rcParams.update(RC)
    fig = Figure(figsize=(width, height), dpi=PIXELS_PER_INCH, layout="constrained")
    FigureCanvasAgg(fig)
    if "width_ratios" in subplots or "height_ratios" in subplots:
        ratios = {key: subplots.pop(key) for key in ("width_ratios", "height_ratios") if key in subplots}
        subplots["gridspec_kw"] = subplots.get("gridspec_kw", {}) | ratios
    return fig, fig.subplots(rows, cols, **subplots)


def label(ax: Axes, line: Line2D, text: str) -> None:
    """Write the line's name at its right end, in its colour, instead of a legend.

    Labels of one axes move apart where they would overlap; a thin thread then leads back to the line.
    """
    x, y = (np.asarray(values, dtype=float) for values in line.get_data())
    low, high = ax.get_xlim()
    drawn = np.flatnonzero(np.isfinite(x) & np.isfinite(y) & (x >= min(low, high)) & (x <= max(low, high)))
    if drawn.size == 0:
        return
    end = drawn[-1]
    note = ax.annotate(
        text,
        xy=(x[end], y[end]),
        xytext=(GAP, 0),
        textcoords="offset points",
        va="center",
        color=readable(line.get_color()),
        arrowprops={
            "arrowstyle": "-",
            "color": line.get_color(),
            "linewidth": 0.8,
            "shrinkA": 0,
            "shrinkB": 2,
            "relpos": (0, 0.5),
        },
        annotation_clip=False,
    )
    note.set_gid("line label")


def _spread_labels(fig: Figure) -> None:
    """Move the line labels of each axes apart vertically, keeping their order. Runs when the limits are final."""
    for ax in fig.axes:
        notes = [note for note in ax.texts if isinstance(note, Annotation) and note.get_gid() == "line label"]
        # Only labels that stand in the same column compete for the same place.
        columns: dict[int, list[Annotation]] = {}
        for note in notes:
            note.set_position((GAP, 0))
            column = round(ax.transData.transform(note.xy)[0] / (0.5 * PIXELS_PER_INCH))
            columns.setdefault(column, []).append(note)
        for column in columns.values():
            column.sort(key=lambda note: ax.transData.transform(note.xy)[1])
            wanted = [ax.transData.transform(note.xy)[1] * 72 / fig.dpi for note in column]
            heights = [1.2 * float(note.get_fontsize()) * (1 + note.get_text().count("\n")) for note in column]
            for note, was, now in zip(column, wanted, apart(wanted, heights), strict=True):
                note.set_position((GAP, now - was))


def apart(centres: Sequence[float], heights: Sequence[float]) -> list[float]:
    """Ascending centres, moved as little as needed so that boxes of these heights do not overlap.

    Boxes that would overlap form a block around the mean of what they wanted; touching blocks merge (the same idea as
    isotonic regression by pooling).
    """
    blocks: list[list[int]] = []  # the members of each block, from the lowest to the highest
    for i in range(len(centres)):
        blocks.append([i])
        while len(blocks) > 1 and _span(blocks[-2], centres, heights)[1] > _span(blocks[-1], centres, heights)[0]:
            upper = blocks.pop()
            blocks[-1] += upper
    moved = []
    for block in blocks:
        bottom = _span(block, centres, heights)[0]
        for member in block:
            moved.append(bottom + heights[member] / 2)
            bottom += heights[member]
    return moved


def _span(block: list[int], centres: Sequence[float], heights: Sequence[float]) -> tuple[float, float]:
    """Bottom and top of a stack of boxes, placed where its members move least (in the sense of least squares)."""
    height, wishes = 0.0, []
    for member in block:
        wishes.append(centres[member] - height - heights[member] / 2)  # where it wants the bottom of the stack
        height += heights[member]
    bottom = float(np.mean(wishes))
    return bottom, bottom + height


def readable(color) -> tuple[float, float, float]:
    """The colour, darkened until text in it can be read on white (contrast 4.5 to 1, as WCAG 2 defines it)."""
    rgb = np.array(to_rgb(color))
    while 1.05 / (0.05 + _luminance(rgb)) < 4.5:
        rgb = rgb * 0.97
    return tuple(rgb.tolist())


def _luminance(rgb: np.ndarray) -> float:
    """Relative luminance of an sRGB colour, 0 black to 1 white (WCAG 2)."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def png(fig: Figure) -> bytes:
    """The figure as a PNG file, with its line labels moved apart."""
    fig.draw_without_rendering()  # settles the layout, which the labels need
    _spread_labels(fig)
    out = io.BytesIO()
    # Without the version of the software, equal figures are equal files.
    fig.savefig(out, format="png", dpi=SHARPER * PIXELS_PER_INCH, metadata={"Software": None})
    return out.getvalue()
