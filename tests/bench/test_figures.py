"""Figures: described, readable without colour, deterministic, and quiet outside a notebook."""

import base64
import io
import re
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from PIL import Image

from bench import display, stills, style
from bench.figures import BLUE, CYCLE, STYLES, animate, figure, filmstrip, label, picture, png, show

T = np.linspace(0, 6, 601)
Q = np.radians(76) * (1 - np.exp(-T) * np.cos(3 * T))


@pytest.fixture
def shown(monkeypatch):
    """What would be displayed, as if this were a notebook."""
    page = []
    monkeypatch.setattr(display, "in_notebook", lambda: True)
    monkeypatch.setattr(display, "display_html", lambda text, plain: page.append((text, plain)))
    return page


def images(html):
    """(alt, mime, bytes) of every <img>."""
    found = re.findall(r'<img alt="([^"]*)" src="data:([^;]+);base64,([^"]+)"', html)
    return [(alt, mime, base64.b64decode(data)) for alt, mime, data in found]


@pytest.mark.parametrize("alt", ["", "  ", None, 3])
def test_a_figure_without_a_description_is_refused_even_in_a_script(alt):
    fig, _ = figure()
    for offend in (lambda: show(fig, alt=alt), lambda: filmstrip([0], alt=alt), lambda: animate(T, Q, alt=alt)):
        with pytest.raises(ValueError, match="alt"):
            offend()


def test_a_description_is_obligatory():
    with pytest.raises(TypeError):
        show(figure()[0])


def test_a_plain_script_stays_quiet(capsys):
    show(figure()[0], alt="nothing")
    filmstrip([0.1], alt="nothing")
    animate(T, Q, alt="nothing")
    assert capsys.readouterr() == ("", "")


def test_the_picture_carries_its_escaped_description(shown):
    fig, ax = figure()
    ax.plot(T, Q)
    show(fig, alt='a "free" joint\n& a <blocked> one')
    ((html, plain),) = shown
    ((alt, mime, data),) = images(html)
    assert alt == "a &quot;free&quot; joint &amp; a &lt;blocked&gt; one" and mime == "image/png"
    assert 'a "free" joint & a <blocked> one' in plain
    assert Image.open(io.BytesIO(data)).size == (1400, 640)
    assert 'width="700"' in html


def test_equal_figures_are_equal_files():
    def draw():
        fig, ax = figure()
        (line,) = ax.plot(T, Q)
        label(ax, line, "angle")
        return png(fig)

    assert draw() == draw()


def test_axes_come_as_in_matplotlib():
    assert figure()[1].get_xlabel() == ""
    assert figure(rows=2)[1].shape == (2,)
    _, axes = figure(rows=2, cols=3, sharex=True, width_ratios=(1, 2, 1))
    assert axes.shape == (2, 3)
    assert not axes[0, 0].spines["top"].get_visible()


def lightness(color):
    """CIE L* of a colour, 0 to 100."""
    y = style._luminance(np.array(style.to_rgb(color)))
    return 116 * np.cbrt(y) - 16 if y > 0.008856 else 903.3 * y


def test_neighbours_in_the_cycle_differ_in_lightness_and_all_in_line_style():
    assert list(STYLES) == [entry["color"] for entry in CYCLE]
    levels = [lightness(color) for color in STYLES]
    assert all(abs(a - b) > 7 for a, b in pairwise(levels)), levels
    assert len({str(pattern) for pattern in STYLES.values()}) == len(STYLES)


def test_label_text_can_be_read_on_white():
    for color in STYLES:
        assert 1.05 / (0.05 + style._luminance(np.array(style.readable(color)))) >= 4.5
    assert style.readable(BLUE) == pytest.approx(style.to_rgb(BLUE)), "what can be read already stays as it is"


def test_apart_moves_only_what_overlaps():
    assert style.apart([0, 50], [10, 10]) == [0, 50]
    assert style.apart([0, 4], [10, 10]) == pytest.approx([-3, 7])
    assert style.apart([], []) == []


def test_apart_keeps_order_distance_and_centre():
    rng = np.random.default_rng(1)
    for _ in range(50):
        n = rng.integers(2, 9)
        centres, heights = np.sort(rng.uniform(0, 60, n)), rng.uniform(5, 15, n)
        moved = np.array(style.apart(centres.tolist(), heights.tolist()))
        assert np.all(np.diff(moved) >= (heights[1:] + heights[:-1]) / 2 - 1e-9)
        # Least squares under these constraints leaves the mean where it was.
        assert moved.mean() == pytest.approx(centres.mean())


def test_labels_of_equal_lines_do_not_overlap():
    fig, ax = figure()
    for k in range(5):
        (line,) = ax.plot(T, Q * (1 + 0.001 * k))
        label(ax, line, f"line {k}\nwith two rows" if k == 2 else f"line {k}")
    png(fig)
    fig.draw_without_rendering()
    rows = sorted((box.y0, box.y1) for box in (Text.get_window_extent(note) for note in ax.texts))
    assert all(below[1] <= above[0] for below, above in pairwise(rows)), rows


def test_a_label_stands_at_the_last_point_that_is_drawn():
    fig, ax = figure()
    (line,) = ax.plot([0, 1, 2, 3], [0, 1, 2, np.nan])
    ax.set_xlim(0, 1.5)
    label(ax, line, "x")
    assert ax.texts[0].xy == (1, 1)
    (empty,) = ax.plot([np.nan], [np.nan])
    label(ax, empty, "nowhere")
    assert len(ax.texts) == 1
    png(fig)


def test_the_pendulum_hangs_down_and_swings_to_the_right():
    assert stills.tip(0) == pytest.approx((0, -0.4))
    assert stills.tip(np.pi / 2) == pytest.approx((0.4, 0))


def test_the_drawing_agrees_with_the_plant():
    import mujoco

    from bench.pendulum import build

    model = build(block=True)
    data = mujoco.MjData(model)
    data.qpos[0] = 0.3
    mujoco.mj_forward(model, data)
    x, _, z = data.geom("bob").xpos
    assert stills.tip(0.3) == pytest.approx((x, z))
    (half_x, _, half_z), (x, _, z) = model.geom("block").size, data.geom("block").xpos
    face, bottom, top = stills.BLOCK_FACE, stills.BLOCK_BOTTOM, stills.BLOCK_TOP
    assert (face, bottom, top) == pytest.approx((x - half_x, z - half_z, z + half_z))
    assert pytest.approx(2 * half_x) == stills.BLOCK_DEPTH
    assert model.geom("bob").size[0] == stills.BOB


@pytest.mark.parametrize("q", [[0.0], [0.1, 1.57, 3.1], np.linspace(-3, 3, 7)])
def test_everything_drawn_is_inside_the_window(q):
    left, right, bottom, top = stills.window([stills.tip(angle) for angle in q], block=True)
    for angle in q:
        x, z = stills.tip(angle)
        assert left < x - stills.BOB < x + stills.BOB < right and bottom < z - stills.BOB < z + stills.BOB < top
    assert right > stills.BLOCK_FACE + stills.BLOCK_DEPTH and bottom < stills.BLOCK_BOTTOM


def test_a_filmstrip_is_one_described_picture(shown):
    filmstrip([0, 0.3, 0.5], alt="it rises", block=True, labels=["a", "b", "c"], target=1.57, torque=[0, 1, -3])
    ((alt, mime, _),) = images(shown[0][0])
    assert (alt, mime) == ("it rises", "image/png")


def test_a_filmstrip_wants_a_label_for_each_still(shown):
    with pytest.raises(ValueError, match="2 angles, 1 labels"):
        filmstrip([0, 0.3], alt="it rises", labels=["a"])


def test_the_block_may_stand_in_some_stills_only(shown):
    filmstrip([0.5, 0.5], alt="free and blocked", block=np.array([False, True]), labels=["free", ""])
    fig = stills.strip([0.5, 0.5], block=[False, True])
    walls = [sum(isinstance(patch, Rectangle) for patch in ax.patches) for ax in fig.axes]
    assert walls == [0, 1] and len(shown) == 1


def test_an_animation_is_small_moves_and_has_described_stills(shown):
    animate(T, Q, alt="it rises & rests", block=True, target=1.57)
    ((html, plain),) = shown
    (alt, mime, data), (below, below_mime, _) = images(html)
    assert (alt, mime, below_mime) == ("it rises &amp; rests", "image/gif", "image/png")
    assert "0.0 s: 0.0" in below and "75.9" in plain and "it rises & rests" in plain
    assert "prefers-reduced-motion" in html and "<details open>" in html
    assert len(data) < 300_000
    movie = Image.open(io.BytesIO(data))
    assert movie.n_frames == 121
    first = movie.convert("RGB")
    assert first.getpixel((3, first.height - 3)) == (255, 255, 255), "white must stay white"
    movie.seek(60)
    assert np.abs(np.asarray(first, dtype=int) - np.asarray(movie.convert("RGB"), dtype=int)).max() > 100
    played = sum(_pause(movie, k) for k in range(movie.n_frames - 1))
    assert played == pytest.approx(6000, abs=100), "true speed"


def _pause(movie, k):
    movie.seek(k)
    return movie.info["duration"]


def test_a_long_animation_drops_frames_until_it_is_small():
    t = np.linspace(0, 15, 1501)
    data, last = stills.gif(t, 3 * np.sin(5 * t), seconds=15, fps=50)
    assert len(data) < 300_000
    movie = Image.open(io.BytesIO(data))
    assert sum(_pause(movie, k) for k in range(movie.n_frames - 1)) == pytest.approx(15_000, rel=0.02)
    assert Image.open(io.BytesIO(last)).size == movie.size


def test_no_figure_stays_behind():
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    picture(figure()[0], "nothing")
    assert plt.get_fignums() == before


def test_the_cover_shows_the_numbers_of_module_01(tmp_path):
    from bench import cover

    free, blocked = cover.record(block=False), cover.record(block=True)
    assert (np.degrees(free[1][-1]), free[2][-1]) == pytest.approx((76.3454, 1.9065), abs=1e-3)
    assert (np.degrees(blocked[1][-1]), blocked[2][-1]) == pytest.approx((28.3867, 3.0), abs=1e-3)
    assert len(free[0]) == 6000


def test_stills_are_taken_where_something_happens():
    t = np.linspace(0, 10, 1001)
    quick_then_still = np.minimum(t, 1.0)
    times = stills.telling_times(t, quick_then_still, 5)
    assert times[0] == 0 and times[-1] == 10 and np.all(np.diff(times) > 0)
    assert np.sum(times < 1) >= 3, "half of the stills belong to the motion, although it takes a tenth of the time"
    assert stills.telling_times(t, np.zeros_like(t), 5) == pytest.approx(np.linspace(0, 10, 5))
