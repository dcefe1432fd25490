"""The command line: it reads what was asked and hands it on. Each command lives in the file of its name."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from course import __version__
from course.syllabus import ROOT, Module, UserError, exercise_file, modules
from course.syllabus import module as find


class ModuleName(click.ParamType):
    """A module by slug or number."""

    name = "module"

    def get_missing_message(self, param: Any, ctx: Any) -> str:
        return "There are: " + ", ".join(module.name for module in modules())

    def convert(self, value: Any, param: Any, ctx: Any) -> Module:
        return find(value)


class Seed(click.ParamType):
    """An integer, or the word random (None)."""

    name = "N|random"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | None:
        if value in (None, "random") or isinstance(value, int):
            return None if value == "random" else value
        if not str(value).isdigit():
            self.fail(f"{value!r} is neither a number nor the word random", param, ctx)
        return int(value)


class Program(click.Group):
    """Says a user's errors in one line, and lists the commands in the order in which they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        from course.updating.base import ensure_base

        try:
            ensure_base()  # before anything changes: what `update` will compare with
            return super().invoke(ctx)
        except UserError as problem:
            click.echo(str(problem), err=True)
            ctx.exit(2)
        except KeyboardInterrupt:
            click.echo("\nStopped.", err=True)
            ctx.exit(130)


@click.group(cls=Program, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="Inside the Actuator %(version)s")
@click.pass_context
def program(ctx: click.Context) -> None:
    """Inside the Actuator. Without a command: where you are and what is next.

    MODULE is a name or its number: first_steps, 00 and 0 are the same. COMMAND -h says more about a command.
    """
    if ctx.invoked_subcommand is None:
        from course.home import home

        home()


def command(function: Callable) -> Callable:
    """A subcommand whose help keeps the line breaks of its example."""
    function.__doc__ = (function.__doc__ or "").replace("    Example:", "    \b\n    Example:")
    settings = {"ignore_unknown_options": True} if function.__name__ == "test" else {}  # those are for pytest
    return program.command(context_settings=settings)(function)


a_module = click.argument("module", type=ModuleName())
maybe_module = click.argument("module", type=ModuleName(), required=False)


@command
@maybe_module
@click.argument("todo", required=False)
@click.option("--only", metavar="CHECK", help="only this check, by its name")
@click.option(
    "--seed", type=Seed(), metavar="N|random", default=0, help="which questions are drawn; random draws new ones"
)
@click.option("--json", metavar="FILE", help="write one record per check to FILE, as JSON Lines; - is standard output")
@click.option("--debug", is_flag=True, help="run your file inside this process, so that breakpoint() works")
def check(
    module: Module | None, todo: str | None, only: str | None, seed: int | None, json: str | None, debug: bool
) -> None:
    """Check your work: all of it, one module or one TODO. Exit code 0 only when all of it passes.

    Example: course check actuator_modes
    """
    from course.check import check as run

    if module is None and (only or debug):
        raise UserError(f"Name the module too: {typed()} check MODULE ...")
    if module and todo:
        module.todo(todo)
    passed = run([module] if module else modules(), todo=todo, only=only, seed=seed, json=json, debug=debug)
    sys.exit(0 if passed else 1)


@command
@maybe_module
def watch(module: Module | None) -> None:
    """Check a module, or all of them, again at every save. Ctrl-C ends it.

    Example: course watch actuator_modes
    """
    from course.watch import watch as run

    run([module] if module else list(modules()))


@command
@a_module
@click.argument("todo", required=False)
def hint(module: Module, todo: str | None) -> None:
    """The next of three hints: a nudge, a plan, almost the answer.

    Without TODO: for the first that has not passed.

    Example: course hint actuator_modes pd_force
    """
    from course.help import hint as run

    run(module, todo)


@command
@a_module
@click.argument("todo", required=False)
@click.option("--give-up", is_flag=True, help="show it although yours has not passed")
def show(module: Module, todo: str | None, give_up: bool) -> None:
    """The reference answer beside yours, after yours has passed.

    Example: course show actuator_modes pd_force
    """
    from course.help import show as run

    if todo is None:
        raise UserError(f"Name the TODO too: {', '.join(t.name for t in module.todos)}")
    run(module, todo, give_up)


@command
@a_module
@click.option("--solution", is_flag=True, help="run the reference instead of your file")
def run(module: Module, solution: bool) -> None:
    """Run the exercise as a script: Part A, Part B, ...

    Example: course run actuator_modes
    """
    from course.check import need_extras
    from course.lab import environment

    need_extras(module)
    file = module.solution if solution else exercise_file(module)
    if not file.exists():
        raise UserError(f"{file.relative_to(ROOT)} is not there")
    sys.exit(subprocess.call([sys.executable, str(file)], env=environment()))


@command
@maybe_module
@click.option("--allow-root", is_flag=True, help="let JupyterLab run as root, as in a container")
def lab(module: Module | None, allow_root: bool) -> None:
    """Read the lesson in JupyterLab, in a working copy of your own.

    Without MODULE: the folder of all lessons.

    Example: course lab actuator_modes
    """
    from course.lab import is_root, open_lab, prepare

    if is_root() and not allow_root:
        again = " ".join([typed(), "lab", *([module.slug] if module else []), "--allow-root"])
        raise UserError(f"JupyterLab does not run as root: be an ordinary user or, in a container, type: {again}")
    open_lab(prepare(module), allow_root=allow_root)


@command
@a_module
def reset(module: Module) -> None:
    """Start a module again. Your file goes to a dated backup first.

    Example: course reset actuator_modes
    """
    from course.reset import reset as run

    say(run(module))


@command
@click.argument("source", required=False)
def update(source: str | None) -> None:
    """Bring in a new version of the course; your answers stay.

    SOURCE is a git remote or address, a folder or a zip file; without it, the remote you cloned from.

    Example: course update ~/Downloads/inside-the-actuator.zip
    """
    from course.update import update as run

    say(run(source))


@command
@click.option("--report", is_flag=True, help="plain text to paste into a bug report")
def doctor(report: bool) -> None:
    """Look at this computer, and say what to mend.

    Versions, graphics, serial ports, disk, and what to do about each.

    Example: course doctor --report
    """
    from course.doctor import doctor as run

    sys.exit(run(report))


@command
@click.argument("pytest_arguments", nargs=-1, type=click.UNPROCESSED)
def test(pytest_arguments: tuple[str, ...]) -> None:
    """The course checks itself: solutions, mutants, commands, notebooks.

    Takes some minutes; with --full some more. The arguments are pytest's. It first installs what the tests need.

    Example: course test -k actuator_modes
    """
    from course.selftest import selftest

    sys.exit(selftest(pytest_arguments))


@command
@click.option("--check", "only_check", is_flag=True, help="write nothing; fail if anything would change")
def sync(only_check: bool) -> None:
    """For authors: write code/ from solutions/.

    Example: course sync --check
    """
    from course.sync import sync as run

    say(run(check=only_check))


@command
@click.argument("submissions", type=click.Path(path_type=Path))
@click.option("-o", "--into", type=click.Path(path_type=Path), required=True, help="the folder for all that comes out")
@click.option("--module", "only", type=ModuleName(), multiple=True, help="only this module; may be repeated")
@click.option("--jobs", type=click.IntRange(1), help="processes at a time; one for each processor if not given")
@click.option("--scheduler", metavar="ADDRESS", help="send the files to this dask.distributed scheduler instead")
@click.option("--seed", type=click.IntRange(0), help="fix the secret draw of the questions, for a regrade")
@click.option("--regrade", is_flag=True, help="ask again what has its results; the old ones stay beside the new")
@click.option("--trust", is_flag=True, help="where there is no sandbox, go on with limits alone")
@click.option("--roster", type=click.Path(path_type=Path), help="a CSV file with the columns id and name")
@click.option("--settings", type=click.Path(path_type=Path), help="weights, late rules, which attempt counts: TOML")
def grade(submissions: Path, into: Path, only: tuple[Module, ...], **options: Any) -> None:
    """For instructors: grade a class. SUBMISSIONS is a folder or a zip file, as Canvas, Moodle or Gradescope give it.

    Every file runs in a sandbox. Stopped at any moment, the same command goes on. Exit code 1 if a file could not be
    asked.

    Example: course grade submissions.zip -o graded
    """
    from course.grade import grade as run

    sys.exit(0 if run(submissions, into, only=only, **options) else 1)


@command
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--to", type=click.Choice(["nbgrader", "junit", "csv", "html"]), required=True, help="the kind of export")
@click.option("--into", type=click.Path(path_type=Path), help="nbgrader's course folder; or where junit files go")
def export(folder: Path, to: str, into: Path | None) -> None:
    """For instructors: the grades in FOLDER, which `course grade -o` has made, for other programs.

    Example: course export graded --to nbgrader --into ~/nbgrader-course
    """
    from course.export import export as run

    say(run(folder, to, into))


@command
@click.argument("module", type=ModuleName(), nargs=-1, required=True)
@click.option("-o", "--into", type=click.Path(path_type=Path), help="a folder with what students get, without answers")
@click.option("--gradescope", type=click.Path(path_type=Path), metavar="FILE.zip", help="an autograder for Gradescope")
@click.option("--nbgrader", type=click.Path(path_type=Path), metavar="COURSE_DIR", help="sources for nbgrader's course")
def release(module: tuple[Module, ...], into: Path | None, gradescope: Path | None, nbgrader: Path | None) -> None:
    """For instructors: hand a module out.

    Example: course release actuator_modes -o handout
    """
    from course.release import release as run

    say(run(list(module), into, gradescope, nbgrader))


def typed() -> str:
    """How the course was called, for messages that name a command."""
    return os.environ.get("COURSE_COMMAND", "course")


def say(lines: list[str]) -> None:
    for line in lines:
        click.echo(line)


def main() -> None:
    # A Windows console may not speak UTF-8; a question mark there is better than a traceback.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    program(prog_name=typed())
