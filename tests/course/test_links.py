"""Links in what people read lead somewhere: files and headings are looked up, addresses only looked at."""

import json
import re
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("lessons/*.md"), *ROOT.glob("lessons/*.ipynb"), *ROOT.glob("data/*.md")])
# [text](target) and ![text](target "title"); the text may run over several lines and hold a nested image.
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.S | re.M)
CODE_SPAN = re.compile(r"`[^`\n]+`")


def markdown(page: Path) -> str:
    """The prose of a page without its code blocks, which may hold brackets of another kind."""
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return FENCE.sub("", text)


def links(page: Path) -> list[str]:
    return LINK.findall(CODE_SPAN.sub("", markdown(page)))


def anchors(page: Path) -> set[str]:
    """What a # may point to: headings, as the usual renderers name them, and names given by hand."""
    text = markdown(page)
    headings = re.findall(r"^#{1,6}\s+(.+?)\s*#*$", text, re.M)
    named = re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", text)
    # GitHub writes them in lower case, Jupyter as they stand.
    as_github = [re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-") for heading in headings]
    return {*as_github, *(heading.replace(" ", "-") for heading in headings), *named}


def trouble(page: Path, target: str) -> str:
    """What is wrong with a link, or ""."""
    address = urlparse(target)
    if address.scheme in ("http", "https"):
        return "" if "." in address.netloc else "not an address"
    if address.scheme in ("mailto", "attachment"):
        return ""
    if address.scheme:
        return f"unknown scheme {address.scheme}"
    goal = (page.parent / unquote(address.path)).resolve() if address.path else page
    if not goal.exists():
        return "no such file"
    if page.is_relative_to(ROOT) and not goal.is_relative_to(ROOT):
        return "leads out of the repository"
    if address.fragment and goal.suffix in (".md", ".ipynb") and unquote(address.fragment) not in anchors(goal):
        return "no such heading"
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_resolve(page):
    broken = {target: why for target in links(page) if (why := trouble(page, target))}
    assert not broken


def test_paths_that_the_readme_names_exist():
    """`lessons/` in the text is as good as a link. What lies in code/ is the reader's; its twin is looked at."""
    named = re.findall(r"`([a-z_]+/[\w./]*)`", markdown(ROOT / "README.md"))
    assert named
    assert [path for path in named if not (ROOT / path.replace("code/", "solutions/")).exists()] == []


def test_a_broken_link_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A heading\n[good](#a-heading) [bad](#another) [gone](nowhere.md) `[code](x.md)`\n", "utf-8")
    assert [trouble(page, target) for target in links(page)] == ["", "no such heading", "no such file"]
