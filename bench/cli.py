"""The command line of the lab: it reads what was asked and hands it on."""

import os
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from bench.recording.errors import RecordingError


class Lab(click.Group):
    """Says a user's errors in one line, and lists the commands in the order in which they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RecordingError as problem:
            click.echo(str(problem), err=True)
            ctx.exit(2)
        except OSError as problem:  # a full disk, a folder that is not there, no permission
            click.echo(f"{problem.filename or 'The disk'}: {problem.strerror or problem}", err=True)
            ctx.exit(2)
        except KeyboardInterrupt:
            click.echo("\nStopped.", err=True)
            ctx.exit(130)


@click.group(cls=Lab, context_settings={"help_option_names": ["-h", "--help"]})
def program() -> None:
    """The lab of Inside the Actuator: recordings of virtual and real arms.

    COMMAND -h says more about a command.
    """


def command(function):
    """A subcommand whose help keeps the line breaks of its example."""
    function.__doc__ = (function.__doc__ or "").replace("    Example:", "    \b\n    Example:")
    return program.command(function.__name__.removesuffix("_"))(function)


@command
@click.argument("sets", nargs=-1)
@click.option(
    "-o", "--into", type=click.Path(path_type=Path), default=Path("nad"), help="where the sets go; nad if not given"
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, help="of all that is drawn; the same seed gives the same files"
)
@click.option("--task", "tasks", multiple=True, help="only this task; may be repeated")
@click.option("--trials", type=click.IntRange(1), help="at most so many trials of each task")
@click.option("--jobs", type=click.IntRange(1), help="processes; one for each processor if not given")
@click.option("--list", "only_list", is_flag=True, help="say what there is to record, and record nothing")
def record(sets: tuple[str, ...], into: Path, only_list: bool, **options: Any) -> None:
    """Make the virtual Neural Actuation Dataset, with a twin-arm operator. SETS are their names; all if not given.

    Stopped at any moment, the same command goes on where it was.

    Example: bench record openmanipulator_x so101 -o nad
    """
    from bench.teleop.command import list_sets, record_sets

    if only_list:
        list_sets(Console(), sets)
    else:
        record_sets(Console(stderr=True), sets, into, **options)


@command
@click.argument("source", type=click.Path(path_type=Path))
@click.option("-o", "--into", type=click.Path(path_type=Path), required=True, help="the data set to be made")
@click.option(
    "--units", type=click.Choice(["radians", "degrees", "range"]), help="of the angles, where the files do not say"
)
@click.option("--calibration", type=click.Path(path_type=Path), help="LeRobot's calibration file of the arm")
@click.option("--robot", default="", help="what the arm is called here, such as so101")
@click.option("--skip-bad", is_flag=True, help="leave bad episodes out instead of stopping at the first")
def import_(source: Path, into: Path, units: str | None, calibration: Path | None, robot: str, skip_bad: bool) -> None:
    """Read a LeRobot set (v2.1 or v3.0), or a servo pendulum's logs, and write it as a data set of the course.

    Example: bench import record-test -o my_arm --units degrees --robot so101
    """
    from bench.importing.command import import_source

    import_source(Console(stderr=True), source, into, units or "", calibration, robot, skip_bad)


@command
@click.argument("path", type=click.Path(path_type=Path))
def info(path: Path) -> None:
    """Say what a data set holds and what is wrong with it. Exit code 1 if something is.

    Example: bench info data/sample/so101
    """
    from bench.importing.command import describe

    sys.exit(0 if describe(Console(), path) else 1)


@command
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("episode", type=int, default=0)
@click.option(
    "-o", "--into", type=click.Path(path_type=Path), help="a .png (stills and signals) or a .gif; a .png if not given"
)
def replay(folder: Path, episode: int, into: Path | None) -> None:
    """Show an episode of a data set: the arm with an arrow for the force on it, and its signals.

    Example: bench replay data/sample/openmanipulator_x 1 -o push.gif
    """
    from bench.recording import DataSet
    from bench.replay import replay as run

    data = DataSet(folder)
    if not 0 <= episode < len(data):
        raise RecordingError(folder, f"has episodes 0 to {len(data) - 1}, and no {episode}")
    file = into or Path(f"{folder.resolve().name}_{episode}.png")
    remark = run(data[episode], file)
    click.echo(f"{file}" + (f": {remark}" if remark else ""))


def main() -> None:
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        os.environ.setdefault("MUJOCO_GL", "egl")  # MuJoCo reads it when it is imported: drawing without a display
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a console may not speak UTF-8
    program(prog_name=os.environ.get("COURSE_COMMAND", "bench"))
