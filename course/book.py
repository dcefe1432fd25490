"""The lessons as web pages with their outputs, for those who only read.

    python -m course.book FOLDER

Each lesson runs on the solutions and becomes one page that needs nothing else: figures and animations are in it,
formulas are MathML, and the code that would give a quiz away is left out. Needs the extra "dev".
"""

import html
import os
import sys
from pathlib import Path

import nbformat
from latex2mathml.converter import convert
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from traitlets.config import Config

from course.files import write_atomically
from course.syllabus import ROOT, Module, modules

WIDGET = "application/vnd.jupyter.widget-view+json"
STYLE = """<style>
  body { max-width: 58rem; margin: auto; padding: 0 1rem; font-family: system-ui, sans-serif; line-height: 1.5; }
  nav { display: flex; justify-content: space-between; padding: 1rem 0; }
  img { max-width: 100%; height: auto; }
</style>"""


class Pages(HTMLExporter):
    """Notebook to one page without a script from anywhere."""

    @property
    def default_config(self) -> Config:
        """Nothing is loaded from the network, and no cell has a number."""
        ours: dict[str, object] = {
            "exclude_input_prompt": True,
            "exclude_output_prompt": True,
            "exclude_anchor_links": True,
        }
        for name in ("mathjax_url", "require_js_url", "jquery_url", "jupyter_widgets_base_url", "mermaid_js_url"):
            ours[name] = ""
        return Config({"HTMLExporter": {"embed_images": True, **ours}})

    def markdown2html(self, source: str) -> str:
        return MarkdownWithMath(renderer=Formulas(escape=False, exclude_anchor_links=True)).render(source)

    def default_filters(self):
        yield from super().default_filters()
        yield "markdown2html", self.markdown2html


class Formulas(IPythonRenderer):
    """Formulas as MathML, which a browser draws by itself."""

    def inline_math(self, body: str) -> str:
        return convert(body)

    def block_math(self, body: str) -> str:
        return convert(body, display="block")


def run(notebook: nbformat.NotebookNode, exercises: str, seconds: int) -> None:
    """Fill in the outputs of a lesson, in a fresh kernel, on the exercises of one folder.

    seconds: the limit for one cell. Raises nbclient's CellExecutionError at the first cell that fails.
    """
    env = os.environ | {"COURSE_EXERCISES": exercises, "PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
    env.pop("DISPLAY", None)  # lessons run without a display
    where = {"metadata": {"path": str(ROOT / "lessons")}}
    client = NotebookClient(notebook, timeout=seconds, kernel_name="python3", resources=where)
    client.extra_arguments = ["--IPKernelApp.log_level=ERROR"]  # its warnings are about this machine, not the lesson
    client.execute(env=env)


def page(module: Module, notebook: nbformat.NotebookNode) -> str:
    """One lesson as a page, with ways to its neighbours."""
    for cell in notebook.cells:
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            cell.metadata["transient"] = {"remove_source": True}
        if cell.cell_type == "code":  # a slider does nothing on paper; the still beneath it stays
            cell.outputs = [out for out in cell.outputs if WIDGET not in out.get("data", {})]
    body, _ = Pages().from_notebook_node(notebook, {"metadata": {"name": f"{module.number:02d}. {module.title}"}})
    head, middle, end = body.partition("</head>")[0], *body.partition("</head>")[2].rpartition("</body>")[::2]
    return f"{head}{STYLE}</head>{middle}{neighbours(module)}</body>{end}"


def neighbours(module: Module) -> str:
    place = modules().index(module)
    before, after = (
        "".join(f'<a href="{m.lesson.stem}.html">{m.number:02d}. {html.escape(m.title)}</a>' for m in some)
        for some in (modules()[max(place - 1, 0) : place], modules()[place + 1 : place + 2])
    )
    return f'<nav><span>{before}</span><a href="index.html">All lessons</a><span>{after}</span></nav>'


def index() -> str:
    """The page that lists the lessons."""
    rows = "\n".join(
        f'<li value="{m.number}"><a href="{m.lesson.stem}.html">{html.escape(m.title)}</a>, {m.minutes} minutes</li>'
        for m in modules()
    )
    head = (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Inside the Actuator</title>{STYLE}</head>'
    )
    return f"{head}<body><h1>Inside the Actuator</h1><ol>\n{rows}\n</ol></body></html>\n"


def main() -> None:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("Name the folder for the pages: python -m course.book FOLDER")
    folder = Path(sys.argv[1])
    for module in modules():
        print(f"{module.name} ...", flush=True)
        notebook = nbformat.read(module.lesson, as_version=4)
        run(notebook, "solutions", seconds=600)
        write_atomically(folder / f"{module.lesson.stem}.html", page(module, notebook).encode())
    write_atomically(folder / "index.html", index().encode())
    print(f"Open {folder / 'index.html'}")


if __name__ == "__main__":
    main()
