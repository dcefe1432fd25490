"""The one-joint bench of modules 00 to 04, with the actuator of your choice bolted on."""

import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco

PLANT = Path(__file__).parent.parent / "models" / "pendulum.xml"
# A wall for the bob: its near face stands at x = 0.22 m, so the link meets it at about 28.4 degrees.
BLOCK = '<geom name="block" type="box" pos="0.27 0 -0.35" size="0.05 0.1 0.1"/>'


def build(*actuators: str, block: bool = False) -> mujoco.MjModel:
    """Compile the pendulum with these actuators.

    actuators: MJCF elements that name the joint "hinge", such as '<motor joint="hinge"/>'.
    block: put a wall in the way of the bob, at x = 0.22 m.
    Raises ValueError (from MuJoCo) if an element does not compile.
    """
    return mujoco.MjModel.from_xml_string(mjcf(*actuators, block=block))


def mjcf(*actuators: str, block: bool = False) -> str:
    """The MJCF text that `build` compiles, for reading."""
    root = ET.parse(PLANT).getroot()
    sections = {section.tag: section for section in root}
    sections["actuator"].extend(ET.fromstring(element) for element in actuators)
    if block:
        sections["worldbody"].append(ET.fromstring(BLOCK))
    return ET.tostring(root, encoding="unicode")
