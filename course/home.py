"""`course` alone: where you are, what is next and how to do it."""

from rich.console import Console
from rich.table import Table

from course import progress, report
from course.syllabus import Module, exercise_file, modules


def home() -> None:
    """Print the modules with their points, and the next thing to type."""
    console = Console(highlight=False)
    known = progress.load()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title, justify in (
        ("module", "left"),
        ("what it is about", "left"),
        ("minutes", "right"),
        ("points", "right"),
        ("", "left"),
    ):
        table.add_column(title, justify=justify)  # type: ignore[arg-type]
    for module in modules():
        got = progress.points(known, module)
        state = (
            "[green]done[/green]"
            if got == module.points
            else "[yellow]begun[/yellow]"
            if progress.begun(known, module, exercise_file(module))
            else ""
        )
        table.add_row(module.name, module.title, str(module.minutes), f"{got} of {module.points}", state)
    console.print("\n[bold]Inside the Actuator[/bold]\n")
    console.print(table)
    _say_what_next(next((m for m in modules() if progress.points(known, m) < m.points), None), console)


def _say_what_next(module: Module | None, console: Console) -> None:
    go = report.command()
    if module is None:
        console.print(f"\nAll modules are done. What changed since: {go} update\n")
        return
    console.print(f"\nNext: [bold]{module.name}[/bold]\n")
    checks = [("check them", f"{go} check {module.slug}"), ("or at every save", f"{go} watch {module.slug}")]
    for what, how in (
        ("read the lesson", f"{go} lab {module.slug}"),
        ("write your answers", f"code/{module.slug}.py, at the lines that say TODO(you)"),
        *(checks if module.checks.exists() else []),
        ("when stuck", f"{go} hint {module.slug}"),
    ):
        console.print(f"  {what:20}{how}", soft_wrap=True)
    console.print(f"\nEverything else: {go} --help\n")
