"""What the documents say of the code is there."""

import re
from pathlib import Path

from engine.play.table import Hooks

ROOT = Path(__file__).parents[1]
DOCS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "engine").rglob("*.md")]


def test_every_hook_is_explained() -> None:
    """`docs/adding-a-title.md` lists the ways to vary a rule, whole."""
    page = (ROOT / "docs" / "adding-a-title.md").read_text("utf-8")
    table = page[page.index("## The hooks") : page.index("## A walk")]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    explained = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert explained == set(Hooks.__abstractmethods__)


def test_files_that_documents_name_exist() -> None:
    """A path in backticks or a link leads somewhere."""
    missing = {
        f"{page.relative_to(ROOT)}: {path}"
        for page in DOCS
        for path in _paths(page.read_text("utf-8"))
        if not (ROOT / path).exists() and not (page.parent / path).exists()
    }
    assert missing == set()


def _paths(text: str) -> set[str]:
    named = re.findall(r"`((?:engine|bot|render|storage|tests|docs|benchmarks)/[\w./-]+)`", text)
    linked = re.findall(r"\]\((?!https?:)([\w./-]+)\)", text)
    return {*named, *linked}
