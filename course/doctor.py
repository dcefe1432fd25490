"""`course doctor`: looks at this computer and says, for each thing, what was found and what to do about it.

Runs on the standard library alone, so that `python3 -m course.doctor` also works where the installation does not.
"""

import getpass
import glob
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from course import __version__, bootstrap
from course.installing import requirements
from course.sandbox.choose import FORCED, lacking

ROOT = Path(__file__).resolve().parent.parent
# What MUJOCO_GL may be on each system, the one to prefer first.
GL_BACK_ENDS = {"linux": ("egl", "osmesa", "glfw"), "darwin": ("cgl", "glfw"), "win32": ("wgl", "glfw")}
GL_REMEDIES = {
    "egl": "a driver's libEGL; on Debian and Ubuntu: sudo apt install libegl1",
    "osmesa": "Mesa's software renderer; on Debian and Ubuntu: sudo apt install libosmesa6",
    "glfw": "a screen: it works in a desktop session, not over plain ssh",
}
GL_SECONDS = 30.0
RENDER_ONE_FRAME = """
import mujoco
scene = "<mujoco><worldbody><light pos='0 0 2'/><geom size='.2' pos='0 0 .2'/></worldbody></mujoco>"
model = mujoco.MjModel.from_xml_string(scene)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
with mujoco.Renderer(model, 48, 64) as renderer:
    renderer.update_scene(data)
    assert renderer.render().std() > 0, "the picture came out blank"
"""
DISK_NEEDED = 3e9  # bytes: the environment with all extras, and room to work
COLOURS = {"ok": "green", "note": "yellow", "mend": "red"}


@dataclass(frozen=True)
class Finding:
    """One line of the report. verdict: ok, note (works, but know this) or mend (the course needs it)."""

    verdict: str
    what: str
    found: str
    remedy: str = ""


def doctor(report: bool = False) -> int:
    """Print what was found. Returns 0, or 1 if something must be mended before the course works.

    report: plain text for a bug report, without colours and without your name.
    """
    sections = {
        "This computer": system(),
        "What the course needs": core(),
        "What some modules need": extras(),
        "Pictures from MuJoCo's cameras (no exercise needs one)": graphics(),
        "Sandboxes (a class is graded in the first that works)": sandboxes(),
        "Serial ports (only module 22 will need one)": serial_ports(),
    }
    for title, findings in sections.items():
        show(title, findings, report)
    count = sum(finding.verdict == "mend" for findings in sections.values() for finding in findings)
    print("\nNothing to mend." if not count else f"\n{count} to mend: the lines marked so.")
    return 1 if count else 0


def show(title: str, findings: list[Finding], plain: bool) -> None:
    """Print one section."""
    print_line(f"\n{title}", plain, bold=True)
    for finding in findings:
        print_line(
            f"  {finding.verdict:<5} {finding.what:<14} {redacted(finding.found)}", plain, COLOURS[finding.verdict]
        )
        if finding.remedy:
            print_line(f"        {'':<14} -> {redacted(finding.remedy)}", plain)


def print_line(line: str, plain: bool, colour: str = "", bold: bool = False) -> None:
    """Print a line with its verdict in colour, if rich is there and the terminal and NO_COLOR allow it."""
    try:
        from rich.console import Console
        from rich.text import Text
    except ImportError:
        plain = True
    if plain:
        print(line)
        return
    text = Text(line, style="bold" if bold else "")
    if colour:
        text.stylize(colour, 2, 7)
    Console(highlight=False, soft_wrap=True).print(text)


def system() -> list[Finding]:
    """Operating system, Python, folder, disk, git."""
    findings = [
        Finding("ok", "course", f"{__version__} in {ROOT}"),
        Finding("ok", "system", f"{platform.platform()} on {platform.machine()}, {os.cpu_count()} processors"),
        python(),
    ]
    if os.access(ROOT, os.W_OK):
        findings.append(Finding("ok", "folder", "can be written to"))
    else:
        remedy = "copy the course to a folder of your own: your answers and progress are kept in it"
        findings.append(Finding("mend", "folder", "cannot be written to", remedy))
    free = shutil.disk_usage(ROOT).free
    enough = free >= DISK_NEEDED
    remedy = "" if enough else f"free some: all extras together need about {DISK_NEEDED / 1e9:.0f} GB"
    findings.append(Finding("ok" if enough else "note", "disk", f"{free / 1e9:.1f} GB free", remedy))
    findings.append(git())
    return findings


def python() -> Finding:
    """Which Python this is, and where it lives."""
    found = f"{platform.python_version()}, {sys.executable}"
    if sys.version_info < bootstrap.OLDEST_PYTHON:
        return Finding("mend", "Python", found, "the course needs 3.11 or newer")
    reason = bootstrap.unavailable()
    return Finding("mend" if reason else "ok", "Python", found, reason)


def git() -> Finding:
    """git is a convenience: `course update` also takes a folder or a zip file."""
    if not shutil.which("git"):
        return Finding("note", "git", "not found", "not needed; without it, update from a folder or a zip file")
    version = subprocess.run(["git", "--version"], capture_output=True, text=True).stdout.strip()
    return Finding("ok", "git", version.removeprefix("git version "))


def core() -> list[Finding]:
    """Each requirement of the core, wanted and found."""
    findings = [requirement(line, "mend") for line in requirements.wanted()[""]]
    if any(finding.verdict == "mend" for finding in findings):
        remedy = "python3 -m course makes an environment with the right versions and works in that"
        findings.append(Finding("note", "all of these", "can be installed at once", remedy))
    return findings


def requirement(line: str, verdict_if_not: str) -> Finding:
    """One requirement, such as "numpy>=2.3,<3"."""
    name, specifier = requirements.split(line)
    version = requirements.found(name)
    if version is None:
        return Finding(verdict_if_not, name, "not installed")
    if not requirements.satisfies(version, specifier):
        return Finding(verdict_if_not, name, f"{version} (wanted {specifier})")
    return Finding("ok", name, version)


def extras() -> list[Finding]:
    """Each extra: all there, partly there, to be had or not."""
    findings = []
    for extra, lines in requirements.wanted().items():
        if extra:
            findings += one_extra(extra, lines)
    return findings


def one_extra(extra: str, lines: list[str]) -> list[Finding]:
    """An extra in one line, with what is wrong in it."""
    looked_at = [requirement(line, "note") for line in lines]
    wrong = [finding for finding in looked_at if finding.verdict != "ok"]
    if not wrong:
        return [Finding("ok", extra, ", ".join(f"{finding.what} {finding.found}" for finding in looked_at))]
    remedy = bootstrap.unavailable(extra)
    if not remedy and not bootstrap.missing():
        remedy = f"to install: {bootstrap.install_command(extra)}"
    if len(wrong) == len(looked_at):
        return [Finding("note", extra, "not installed", remedy)]
    return [Finding("note", extra, "; ".join(f"{finding.what} {finding.found}" for finding in wrong), remedy)]


def graphics() -> list[Finding]:
    """Each way in which MuJoCo can draw, tried in a process of its own: a broken driver takes its process down."""
    if requirements.found("mujoco") is None:
        return [Finding("note", "MuJoCo", "not installed, so there is nothing to try")]
    names = GL_BACK_ENDS.get(sys.platform, GL_BACK_ENDS["linux"])
    with ThreadPoolExecutor(len(names)) as pool:
        return list(pool.map(one_back_end, names))


def one_back_end(name: str) -> Finding:
    """Render one small frame with MUJOCO_GL=name."""
    environment = {**os.environ, "MUJOCO_GL": name}
    environment.pop("PYOPENGL_PLATFORM", None)  # MuJoCo sets it from MUJOCO_GL, and refuses a different one
    remedy = f"if you want it: {GL_REMEDIES[name]}" if name in GL_REMEDIES else ""
    try:
        with tempfile.TemporaryDirectory() as folder:  # MuJoCo may leave a log where it runs
            process = subprocess.run(
                [sys.executable, "-c", RENDER_ONE_FRAME],
                env=environment,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=GL_SECONDS,
            )
    except subprocess.TimeoutExpired:
        return Finding("note", name, f"gave no picture within {GL_SECONDS:.0f} s", remedy)
    if process.returncode == 0:
        return Finding("ok", name, f"draws (MUJOCO_GL={name})")
    return Finding("note", name, f"no picture: {last_line(process.stderr) or f'code {process.returncode}'}", remedy)


def last_line(stderr: bytes) -> str:
    """The line of a traceback that says what happened, shortened. Messages from a clean-up that failed are not it."""
    lines = stderr.decode("utf-8", "replace").splitlines()
    telling = [line for line in lines if re.match(r"[\w.]+(Error|Exception)\b", line)]
    return short((telling or [line for line in lines if line.strip()] or [""])[0].strip())


def short(line: str, width: int = 80) -> str:
    """A line cut at a word."""
    return line if len(line) <= width else line[:width].rsplit(" ", 1)[0] + " ..."


def sandboxes() -> list[Finding]:
    """What can hold a file that nobody trusts."""
    findings = []
    works = {"bubblewrap": "namespaces of its own, and what Landlock has", "landlock": "files, system calls, limits"}
    for name, what in works.items():
        reason, _, remedy = lacking(name).partition("; ")
        findings.append(Finding("note" if reason else "ok", name, reason or what, remedy))
    if all(finding.verdict == "note" for finding in findings):
        remedy = "grade in a container: course/grading/README.md has a recipe"
        findings.append(Finding("note", "none", "course grade refuses here, unless --trust is added", remedy))
    if forced := os.environ.get(FORCED):
        findings.append(Finding("note", FORCED, f"is set to {forced}", "unset it to use the strongest"))
    return findings


def serial_ports() -> list[Finding]:
    """Ports to which an arm could be connected, and whether they may be opened."""
    ports = list_ports()
    if not ports:
        return [Finding("ok", "ports", "none found", "with an arm connected: check cable and power, and look again")]
    return [one_port(path, name) for path, name in ports]


def list_ports() -> list[tuple[str, str]]:
    """(path, description) of each USB serial port; from pyserial if it is there, from the device files if not."""
    try:
        from serial.tools import list_ports as pyserial
    except ImportError:
        paths = [path for pattern in ("ttyACM*", "ttyUSB*", "cu.usb*") for path in glob.glob(f"/dev/{pattern}")]
        return [(path, "") for path in sorted(paths)]
    # On-board ports that nothing is wired to have no USB vendor.
    return sorted((port.device, port.description or "") for port in pyserial.comports() if port.vid is not None)


def one_port(path: str, name: str) -> Finding:
    """A port and whether this user may open it."""
    found = f"{name}" if name and name != "n/a" else "found"
    if os.name == "nt" or os.access(path, os.R_OK | os.W_OK):
        return Finding("ok", path, found)
    remedy = "you may not open it; on Linux: sudo usermod -aG dialout $USER, then log out and in again"
    return Finding("note", path, found, remedy)


def redacted(text: str) -> str:
    """The text without the home directory and without the user's name in a path."""
    text = text.replace(str(Path.home()), "~")
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return text
    return re.sub(rf"(?<=[/\\]){re.escape(user)}(?=[/\\]|$)", "USER", text)


if __name__ == "__main__":
    sys.exit(doctor(report="--report" in sys.argv[1:]))
