"""Two-link arms as drawings: one still, a row of stills, and an animation of one arm or of many at once.

q = (0, 0) hangs straight down, the elbow's angle is counted from the upper arm, and positive angles swing to the right.
"""

import io
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from PIL import Image

from bench import display
from bench.style import BLUE, INK, figure

LENGTHS = np.array([0.4, 0.3])  # m: the links of models/planar.xml
REACH = 1.08 * LENGTHS.sum()
COLOURS = 32  # of an animation: lines on white need no more, and the file stays small


def corners(q) -> np.ndarray:
    """Shoulder, elbow and tip: x and z in m, an array (..., 3, 2) for angles (..., 2) in rad."""
    turned = np.cumsum(q, axis=-1)
    links = LENGTHS[:, None] * np.stack([np.sin(turned), -np.cos(turned)], axis=-1)
    return np.cumsum(np.concatenate([np.zeros_like(links[..., :1, :]), links], axis=-2), axis=-2)


def draw_arm(ax: Axes, q, title: str = "") -> Line2D:
    """Draw one arm and return its line, which an animation moves. q: two angles in rad."""
    ax.set(aspect="equal", xlim=(-REACH, REACH), ylim=(-REACH, REACH), xticks=[], yticks=[])
    ax.grid(False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    if title:
        ax.set_title(title, fontsize=10, loc="center", pad=3)
    (line,) = ax.plot(*corners(q).T, color=BLUE, linewidth=3, linestyle="-", marker="o", markersize=5)
    line.set(markerfacecolor="white", markeredgecolor=INK, solid_capstyle="round")
    return line


def arm_strip(q, *, alt: str, labels: Sequence[str]) -> None:
    """A row of stills, shown in the notebook (in a plain script nothing happens).

    q: angles in rad, an array (stills, 2). labels: a line above each.
    """
    display.described(alt)
    if display.in_notebook():
        display.show(strip(np.asarray(q), labels), alt=alt)


def strip(q: np.ndarray, labels: Sequence[str]):
    """The figure that `arm_strip` shows."""
    fig, axes = figure(7.0, 7.0 / max(len(q), 3) + 0.25, cols=len(q), squeeze=False)
    for ax, angles, text in zip(axes[0], q, labels, strict=True):
        draw_arm(ax, angles, text)
    frame(axes[0], q)
    return fig


def frame(axes, q: np.ndarray) -> None:
    """Show no more than these angles (..., 2) need, in all of the axes alike and as squares."""
    seen = corners(q).reshape(-1, 2)
    low, high = seen.min(axis=0), seen.max(axis=0)
    middle, half = (low + high) / 2, np.ptp(seen, axis=0).max() / 2 + 0.05
    for ax in axes:
        ax.set(xlim=middle[0] + half * np.array([-1, 1]), ylim=middle[1] + half * np.array([-1, 1]))


def animate_arms(t, q, *, alt: str, fps: int = 20, stills: int = 5) -> None:
    """Arms that move together, at true speed, with stills beneath (in a plain script nothing happens).

    t: s, ascending. q: rad, an array (arms, times, 2); several arms are drawn over each other.
    Readers whose system asks for less motion see the last frame instead; everybody can close the animation.
    """
    display.described(alt)
    if not display.in_notebook():
        return
    t, q = np.asarray(t, float), np.asarray(q, float)
    moving, last = gif(t, q, fps)
    at = np.linspace(0, len(t) - 1, stills).astype(int)
    labels = [f"{t[k]:.1f} s" for k in at]
    fig, axes = figure(7.0, 7.0 / stills + 0.25, cols=stills, squeeze=False)
    for ax, k, text in zip(axes[0], at, labels, strict=True):
        for arm in q:
            draw_arm(ax, arm[k], text)
    frame(axes[0], q[:, at])
    said = f"Stills of the same motion, at {', '.join(labels)}."
    display.display_html(
        f"<details open><summary>Animation, {t[-1] - t[0]:.1f} s at true speed (close it to stop it)</summary>"
        f'<picture><source media="(prefers-reduced-motion: reduce)" srcset="{display.inline(last, "image/png")}">'
        f"{display.embedded(moving, 'image/gif', alt, 320)}</picture></details>" + display.picture(fig, said),
        plain=f"[animation] {alt} {said}",
    )


def gif(t: np.ndarray, q: np.ndarray, fps: int) -> tuple[bytes, bytes]:
    """The frames as (GIF, PNG of the last one)."""
    fig, ax = figure(3.2, 3.2)
    lines = [draw_arm(ax, arm[0]) for arm in q]
    clock = ax.text(-REACH, 0.92 * REACH, "", fontsize=11, color=INK)
    frames = []
    for now in np.arange(t[0], t[-1] + 1e-9, 1 / fps):
        k = min(int(np.searchsorted(t, now - 1e-9)), len(t) - 1)
        for line, arm in zip(lines, q, strict=True):
            line.set_data(*corners(arm[k]).T)
        clock.set_text(f"{now:.1f} s")
        fig.canvas.draw()
        frames.append(Image.fromarray(np.asarray(fig.canvas.buffer_rgba())[..., :3].copy()))
    palette = frames[0].quantize(COLOURS, dither=Image.Dither.NONE)
    small = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    pause = [round(1000 / fps)] * (len(small) - 1) + [1000]
    moving, last = io.BytesIO(), io.BytesIO()
    small[0].save(moving, "GIF", save_all=True, append_images=small[1:], duration=pause, loop=0, optimize=False)
    frames[-1].save(last, "PNG")
    return moving.getvalue(), last.getvalue()
