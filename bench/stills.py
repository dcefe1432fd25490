"""The pendulum as a drawing: a row of stills, and a short animation with its stills beneath.

Import these through `bench.figures`. q = 0 hangs straight down, positive q swings towards +x (to the right).
"""

import io
import textwrap
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle
from matplotlib.path import Path
from PIL import Image

from bench import display
from bench.style import BLUE, GREEN, GREY, INK, PALE, figure

# The plant of models/pendulum.xml and the block of bench.pendulum, in metres.
LINK, BOB = 0.4, 0.03
BLOCK_FACE, BLOCK_BOTTOM, BLOCK_TOP, BLOCK_DEPTH = 0.22, -0.45, -0.25, 0.10
GIF_LIMIT = 300_000  # bytes: a lesson with two animations stays light


def draw_pendulum(
    ax: Axes,
    q: float,
    *,
    block: bool = False,
    target: float | None = None,
    torque: float | None = None,
    title: str = "",
    color: str = BLUE,
) -> tuple[Line2D, Circle, Circle]:
    """Draw one still into ax and return rod, bob and hinge, the artists that an animation draws anew.

    q, target: angles in rad; the target is dashed. color: of the bob, so that it can match the run's curve.
    torque: N m about the hinge, an arrow that pushes the rod and is as long as the torque is strong.
    """
    ax.set(aspect="equal", xlim=(-0.46, 0.46), ylim=(-0.46, 0.46), xticks=[], yticks=[])
    ax.grid(False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    if title:
        ax.set_title(title, fontsize=10, loc="center", pad=3)
    ax.plot([0, 0], [0, -LINK], color=GREY, linewidth=0.7, linestyle=(0, (1, 3)), zorder=1)
    if block:
        wall = Rectangle((BLOCK_FACE, BLOCK_BOTTOM), BLOCK_DEPTH, BLOCK_TOP - BLOCK_BOTTOM)
        wall.set(facecolor=PALE, edgecolor=GREY, hatch="////", linewidth=1.0, zorder=1)
        ax.add_patch(wall)
    if target is not None:
        x, z = tip(target)
        ax.plot([0, x], [0, z], color=GREY, linewidth=1.4, linestyle=(0, (4, 3)), zorder=2)
        ax.add_patch(Circle((x, z), BOB, facecolor="none", edgecolor=GREY, linewidth=1.4, linestyle="--", zorder=2))
    x, z = tip(q)
    (rod,) = ax.plot([0, x], [0, z], color=INK, linewidth=3.0, solid_capstyle="round", linestyle="-", zorder=3)
    bob = Circle((x, z), BOB, facecolor=color, edgecolor=INK, linewidth=0.8, zorder=4)
    hinge = Circle((0, 0), 0.022, facecolor="white", edgecolor=INK, linewidth=1.6, zorder=5)
    ax.add_patch(bob)
    ax.add_patch(hinge)
    if torque:
        ax.add_patch(_torque_arrow(q, torque))
    return rod, bob, hinge


def tip(q: float, radius: float = LINK) -> tuple[float, float]:
    """Where the bob is, (x, z) in metres from the hinge, for the angle q in rad."""
    return radius * float(np.sin(q)), -radius * float(np.cos(q))


def _arc(q: float, torque: float) -> list[tuple[float, float]]:
    """The path of the torque's arrow: from the rod in the direction of the push, 30 degrees for each N m up to 180."""
    span = np.radians(30) * float(np.clip(torque, -6, 6))
    return [tip(angle, 0.19) for angle in q + np.linspace(0, span, 40)]


def _torque_arrow(q: float, torque: float) -> FancyArrowPatch:
    """The arrow itself. A weak torque has a small head, or the head would be all there is."""
    head = 14 * min(1.0, 0.3 + abs(torque))
    return FancyArrowPatch(
        path=Path(_arc(q, torque)),
        arrowstyle="-|>",
        mutation_scale=head,
        edgecolor=GREEN,
        facecolor=GREEN,
        linewidth=2.4,
        zorder=2.5,
    )


def filmstrip(
    q_list: Sequence[float],
    *,
    alt: str,
    block: bool | Sequence[bool] = False,
    labels: Sequence[str] | None = None,
    target: float | None = None,
    torque: Sequence[float] | None = None,
) -> None:
    """A row of stills of the pendulum, shown in the notebook (in a plain script nothing happens).

    q_list: angles in rad, one per still. labels: a line above each still; without them, the angle in degrees.
    block: draw the wall at x = 0.22 m, in all stills or one answer per still. target: commanded angle in rad, dashed.
    torque: N m, one per still, as an arrow.
    """
    display.described(alt)
    if display.in_notebook():
        display.show(strip(q_list, block=block, labels=labels, target=target, torque=torque), alt=alt)


def strip(q_list, *, block=False, labels=None, target=None, torque=None):
    """The figure that `filmstrip` shows."""
    q_list = np.atleast_1d(np.asarray(q_list, dtype=float))
    labels = [f"{degrees(q)}" for q in q_list] if labels is None else list(labels)
    torque = [None] * len(q_list) if torque is None else list(torque)
    block = [bool(block)] * len(q_list) if np.ndim(block) == 0 else list(block)
    if not len(q_list) == len(labels) == len(torque) == len(block):
        counts = f"{len(q_list)} angles, {len(labels)} labels, {len(torque)} torques and {len(block)} blocks"
        raise ValueError(f"{counts} do not make one strip.")
    seen = [tip(angle) for angle in (*q_list, *([] if target is None else [target]))]
    seen += [point for q, push in zip(q_list, torque, strict=True) if push for point in _arc(q, push)]
    left, right, bottom, top = window(seen, any(block))
    scale = min(3.4, 2.2 / (top - bottom), 7.0 / len(q_list) / (right - left))  # inches for a metre
    letter = 0.09  # inches, of a letter of a label
    longest = max(len(line) for text in labels for line in text.split("\n"))
    cell = min(7.0 / len(q_list), max(scale * (right - left), letter * longest))
    room = max(6, int(cell / letter))
    labels = ["\n".join(textwrap.fill(line, room) for line in text.split("\n")) for text in labels]
    lines = 1 + max(text.count("\n") for text in labels)
    high = 0.1 + 0.2 * lines + scale * (top - bottom)
    fig, axes = figure(cell * len(q_list), high, cols=len(q_list), squeeze=False)
    for ax, q, title, push, wall in zip(axes[0], q_list, labels, torque, block, strict=True):
        draw_pendulum(ax, q, block=wall, target=target, torque=push, title=title)
        ax.set(xlim=(left, right), ylim=(bottom, top))
    return fig


def window(seen: Sequence[tuple[float, float]], block: bool) -> tuple[float, float, float, float]:
    """What has to be shown, in metres: left, right, bottom, top. A pendulum that stays low needs no empty sky.

    seen: the points (x, z) that matter, beside the hinge and the straight-down position.
    """
    x, z = zip(*seen, strict=True)
    room = 0.06
    left = min(-0.1, *x) - room
    right = max(0.1, BLOCK_FACE + BLOCK_DEPTH if block else 0, *x) + room
    return left, right, min(-LINK, BLOCK_BOTTOM if block else 0, *z) - room, max(0.0, *z) + room


def degrees(q: float) -> str:
    """An angle in rad, as people read it."""
    return f"{np.degrees(q):.1f}\N{DEGREE SIGN}"


def animate(
    t: Sequence[float],
    q: Sequence[float],
    *,
    alt: str,
    block: bool = False,
    seconds: float = 6.0,
    fps: int = 20,
    target: float | None = None,
    stills: int = 5,
) -> None:
    """A short animation at true speed, with a described row of stills beneath (in a plain script nothing happens).

    t: s, ascending. q: rad, one per time. seconds: how much of the run is shown, from its beginning.
    Readers whose system asks for less motion see the last frame instead; everybody can close the animation.
    """
    display.described(alt)
    if not display.in_notebook():
        return
    time, angle = np.asarray(t, dtype=float) - t[0], np.asarray(q, dtype=float)
    moving, last = gif(time, angle, block=block, seconds=seconds, fps=fps, target=target)
    end = min(time[-1], seconds)
    times = telling_times(time[time <= end], angle[time <= end], stills)
    angles = np.interp(times, time, angle)
    labels = [f"{at:.1f} s\n{degrees(where)}" for at, where in zip(times, angles, strict=True)]
    said = "Stills of the same motion. " + ", ".join(text.replace("\n", ": ") for text in labels) + "."
    row = strip(angles, block=block, labels=labels, target=target)
    width = Image.open(io.BytesIO(last)).width
    display.display_html(
        f"<details open><summary>Animation, {end:.1f} s at true speed (close it to stop it)</summary>"
        f'<picture><source media="(prefers-reduced-motion: reduce)" srcset="{display.inline(last, "image/png")}">'
        f"{display.embedded(moving, 'image/gif', alt, width)}</picture></details>" + display.picture(row, said),
        plain=f"[animation] {alt} {said}",
    )


def telling_times(t: np.ndarray, q: np.ndarray, count: int) -> np.ndarray:
    """Times of stills that say most: even steps of clock and path together, so that a quick motion gets its share."""
    path = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(q)))])
    progress = (t - t[0]) / (t[-1] - t[0]) + path / max(path[-1], 1e-9)
    return np.interp(np.linspace(0, progress[-1], count), progress, t)


def gif(t, q, *, block=False, seconds=6.0, fps=20, target=None) -> tuple[bytes, bytes]:
    """The frames as (GIF, PNG of the last one), t from 0. Frames are dropped evenly until the GIF is under 300 kB."""
    fps = min(fps, 50)  # browsers slow down anything faster
    frames = _frames(np.interp(np.arange(0, min(t[-1], seconds) + 1e-9, 1 / fps), t, q), fps, block, target)
    while True:
        out = io.BytesIO()
        palette = _palette(frames[len(frames) // 2])
        small = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
        pause = [round(1000 / fps)] * (len(small) - 1) + [1000]
        small[0].save(out, "GIF", save_all=True, append_images=small[1:], duration=pause, loop=0, optimize=False)
        if out.tell() < GIF_LIMIT or len(frames) < 3:
            break
        frames, fps = frames[::2], fps / 2
    last = io.BytesIO()
    frames[-1].save(last, "PNG")
    return out.getvalue(), last.getvalue()


def _palette(frame: Image.Image) -> Image.Image:
    """The frame's most frequent colours. One short palette for all frames keeps the file small.

    Colours that look alike count once: Pillow sorts pixels into the palette coarsely, and white must stay white.
    """
    colours, counts = np.unique(np.asarray(frame).reshape(-1, 3), axis=0, return_counts=True)
    chosen: list[list[int]] = []
    for colour in colours[np.argsort(-counts, kind="stable")].astype(int).tolist():
        if all(max(abs(a - b) for a, b in zip(colour, other, strict=True)) > 12 for other in chosen):
            chosen.append(colour)
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in chosen[:48] for channel in colour])
    return palette


def _frames(q: np.ndarray, fps: float, block: bool, target: float | None) -> list:
    """One RGB image per angle. The still part is drawn once and only what moves is drawn again."""
    left, right, bottom, top = window([tip(angle) for angle in (*q, *([] if target is None else [target]))], block)
    top += 0.08  # a strip for the clock, which the bob never reaches
    scale = 3.0 / max(right - left, top - bottom)  # inches for a metre
    fig, ax = figure(scale * (right - left), scale * (top - bottom))
    rod, bob, hinge = draw_pendulum(ax, q[0], block=block, target=target)
    ax.set(xlim=(left, right), ylim=(bottom, top))
    clock = ax.text(left + 0.02, top - 0.05, "", fontsize=11, color=INK)
    for artist in (rod, bob, hinge, clock):
        artist.set_animated(True)
    fig.canvas.draw()
    background = fig.canvas.copy_from_bbox(fig.bbox)
    frames = []
    for k, angle in enumerate(q):
        x, z = tip(angle)
        rod.set_data([0, x], [0, z])
        bob.set_center((x, z))
        clock.set_text(f"{k / fps:.1f} s")
        fig.canvas.restore_region(background)
        for artist in (rod, bob, hinge, clock):
            ax.draw_artist(artist)
        frames.append(Image.fromarray(np.asarray(fig.canvas.buffer_rgba())[..., :3].copy()))
    return frames
