"""Show a recording: the arm's stills or animation with an arrow for the force, and its signals. No display."""

import io
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import mujoco
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bench import arms
from bench.recording import Recording, RecordingError
from bench.style import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, SKY, figure, png

TRY = "import mujoco; mujoco.Renderer(mujoco.MjModel.from_xml_string('<mujoco/>'), 16, 16).render()"
STILLS = 8
WIDTH, HEIGHT = 360, 300  # of a still, in pixels
GIF_RATE = 12.5  # frames a second
GIF_LONGEST = 20.0  # s: what is longer is played faster
ARROW, LONGEST_ARROW, THICK = 0.05, 0.35, 0.014  # in lengths of the arm: for each N, at most, and its shaft
RED, GREY_STEEL = np.array([0.84, 0.15, 0.16, 1], np.float32), np.array([0.35, 0.37, 0.4, 1], np.float32)


def replay(recording: Recording, file: Path) -> str:
    """Draw a recording into a .png (stills above its signals) or a .gif (the arm in motion).

    Returns what the reader should know about it, or "". Raises RecordingError for another suffix, and for a .gif of
    something that cannot be drawn.
    """
    if file.suffix not in (".png", ".gif"):
        raise RecordingError(file, "cannot be drawn", "name a file that ends in .png or .gif")
    stage, why = _stage(recording)
    if file.suffix == ".gif":
        if stage is None:
            raise RecordingError(file, why, "ask for a .png, which shows the signals")
        _write_gif(stage, recording, file)
        return why
    curves = Image.open(io.BytesIO(png(signals(recording)))).convert("RGB")
    if stage:
        moments = np.linspace(0, len(recording) - 1, STILLS).round().astype(int)
        sheet = _sheet([stage.still(recording, int(frame)) for frame in moments])
        curves = curves.resize((sheet.width, round(curves.height * sheet.width / curves.width)))
        both = Image.new("RGB", (sheet.width, sheet.height + curves.height), "white")
        both.paste(sheet, (0, 0))
        both.paste(curves, (0, sheet.height))
        curves = both
    curves.save(file, format="PNG")
    return why


def _stage(recording: Recording) -> tuple["Stage | None", str]:
    """Something that draws this robot, or None and the reason."""
    if recording.robot not in arms.ARMS:
        return None, f"there is no model of {recording.robot}"
    arm = arms.ARMS[recording.robot]
    if unknown := set(recording.joints) - {*arm.joints, arm.gripper}:
        return None, f"{recording.robot} has no joint {min(unknown)}"
    if not can_draw():
        return None, "there is no OpenGL to draw the arm with; `course doctor` says what to do"
    return Stage(recording.robot), ""


@cache
def can_draw() -> bool:
    """Whether MuJoCo can render here. It is tried in another process, because some drivers end the one that asks."""
    try:
        return subprocess.run([sys.executable, "-c", TRY], capture_output=True, timeout=30).returncode == 0
    except subprocess.TimeoutExpired:
        return False


class Stage:
    """An arm's model, a camera and a renderer."""

    def __init__(self, robot: str):
        spec = arms.spec(robot)
        sky = {"type": mujoco.mjtTexture.mjTEXTURE_SKYBOX, "builtin": mujoco.mjtBuiltin.mjBUILTIN_FLAT}
        spec.add_texture(name="sky", rgb1=[1, 1, 1], width=16, height=16, **sky)
        table = [0, 0, arms.ARMS[robot].table]
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, pos=table, size=[2, 2, 0.1], rgba=[1, 1, 1, 1])
        spec.worldbody.add_light(pos=[0.5, -0.6, 1.5], dir=[-0.3, 0.4, -1], diffuse=[0.5, 0.5, 0.5])
        spec.visual.headlight.ambient = [0.6, 0.6, 0.6]
        self.reach = reach = arms.load(robot).stat.extent  # without the floor
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.site = self.model.site(arms.EFFECTOR).id
        self.renderer = mujoco.Renderer(self.model, HEIGHT, WIDTH)
        self.camera = mujoco.MjvCamera()
        self.camera.lookat[:] = [0.28 * reach, 0, 0.36 * reach]
        self.camera.distance, self.camera.azimuth, self.camera.elevation = 1.45 * reach, 130, -15

    def still(self, recording: Recording, frame: int) -> Image.Image:
        """The arm in one frame, with the force on it, the time and the force in words."""
        for j, joint in enumerate(recording.joints):
            self.data.joint(joint).qpos = recording["q"][frame, j]
        mujoco.mj_kinematics(self.model, self.data)
        self.renderer.update_scene(self.data, self.camera)
        here = self.data.site_xpos[self.site]
        if recording.payload and "contact" in recording and recording["contact"][frame]:
            radius = (3 * recording.payload / (4 * np.pi * arms.STEEL)) ** (1 / 3)
            self._add(mujoco.mjtGeom.mjGEOM_SPHERE, GREY_STEEL, [radius, 0, 0], here)
        words = f"{recording['timestamp'][frame]:.2f} s"
        if "force_valid" in recording and not recording["force_valid"][frame]:
            words += ", force not known"
        elif "force" in recording:
            force = recording["force"][frame]
            strength = float(np.linalg.norm(force))
            words += f", {strength:.2f} N"
            if strength > 0.05:
                along = force / strength * min(ARROW * strength, LONGEST_ARROW) * self.reach
                # A weight pulls away from the hand, a push comes to it: so the arrow is not inside the arm.
                start = here if recording.payload else here - along
                arrow = self._add(mujoco.mjtGeom.mjGEOM_ARROW, RED)
                # MuJoCo draws an arrow half as long as its connector.
                mujoco.mjv_connector(arrow, arrow.type, THICK * self.reach, start, start + 2 * along)
        picture = Image.fromarray(self.renderer.render())
        ImageDraw.Draw(picture).text((8, 6), words, fill=INK, font=ImageFont.load_default(16))
        return picture

    def _add(self, kind, colour, size=(0, 0, 0), at=(0, 0, 0)):
        """Another geom in the scene that is about to be drawn. It glows a little, so that its colour is seen."""
        scene = self.renderer.scene
        geom = scene.geoms[scene.ngeom]
        mujoco.mjv_initGeom(geom, kind, np.array(size, float), np.array(at), np.eye(3).ravel(), colour)
        geom.emission = 0.4
        scene.ngeom += 1
        return geom


def _sheet(stills: list[Image.Image]) -> Image.Image:
    """Stills in two rows."""
    columns = (len(stills) + 1) // 2
    sheet = Image.new("RGB", (columns * WIDTH, 2 * HEIGHT), "white")
    for i, still in enumerate(stills):
        sheet.paste(still, (i % columns * WIDTH, i // columns * HEIGHT))
    return sheet


def _write_gif(stage: Stage, recording: Recording, file: Path) -> None:
    speed = max(1.0, recording.duration / GIF_LONGEST)
    moments = np.arange(0, recording.duration, speed / GIF_RATE) + recording["timestamp"][0]
    frames = np.searchsorted(recording["timestamp"], moments).clip(0, len(recording) - 1)
    pictures = (stage.still(recording, int(frame)) for frame in frames)
    # One palette for all frames, from the first: colours do not flicker and the file stays small.
    first = next(pictures).quantize(128)
    rest: Iterator[Image.Image] = (picture.quantize(palette=first, dither=Image.Dither.NONE) for picture in pictures)
    first.save(
        file, format="GIF", save_all=True, append_images=rest, duration=round(1000 / GIF_RATE), loop=0, optimize=True
    )


def signals(recording: Recording):
    """A figure of a recording over time: angles (thin: commanded), effort, and force where there is one."""
    time = recording["timestamp"]
    rows = ["q"] + [name for name in ("effort", "force") if name in recording]
    fig, axes = figure(14, 2.4 * len(rows), rows=len(rows), sharex=True, squeeze=False)
    colours = [BLUE, ORANGE, GREEN, PURPLE, SKY, INK, GREY]
    for ax, name in zip(axes[:, 0], rows, strict=True):
        for j in range(recording[name].shape[1]):
            title = "xyz"[j] if name == "force" else recording.joints[j]
            colour = colours[j % len(colours)]
            ax.plot(time, recording[name][:, j], color=colour, linestyle="-", linewidth=1.4, label=title)
            if name == "q":
                ax.plot(time, recording["q_cmd"][:, j], color=colour, linestyle="-", linewidth=0.6)
        unit = {"q": "rad", "effort": recording.effort_unit, "force": "N"}[name]
        ax.set_ylabel(f"{name} ({unit})" if unit else name)
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=9)
    axes[-1, 0].set_xlabel("time (s)")
    axes[0, 0].set_title(f"{recording.robot}, {recording.task}; thin lines: commanded")
    return fig
