"""Figures in the course's style: one message each, readable in grey, and described for those who do not see them.

    fig, ax = figure()
    line, = ax.plot(t, np.degrees(q))
    label(ax, line, "free")
    show(fig, alt="The angle rises to 76 degrees and stays there.")

Needs matplotlib and Pillow, no display and no OpenGL. `bench.style` says how they look,
`bench.display` how they reach the reader, `bench.stills` draws the pendulum; lessons import all of it from here.
"""

from bench.display import picture, show
from bench.stills import animate, draw_pendulum, filmstrip
from bench.style import BLUE, CYCLE, GREEN, GREY, INK, ORANGE, PALE, PURPLE, SKY, STYLES, figure, label, png

__all__ = [
    "BLUE", "CYCLE", "GREEN", "GREY", "INK", "ORANGE", "PALE", "PURPLE", "SKY", "STYLES",
    "animate", "draw_pendulum", "figure", "filmstrip", "label", "picture", "png", "show",
]  # fmt: skip
