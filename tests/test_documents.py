"""The documents: what they name is there, every hook is explained, and the version stands in one place."""

import re
import tomllib
from pathlib import Path

import pytest

from engine.play.table import Hooks
from engine.titles import TITLES, Title
from engine.titles.standard import COMMON_OPTIONS
from tests.support import title_keys

ROOT = Path(__file__).parents[1]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "engine/routes/README.md",
]
_DEFINED = r"(?m)^\s*(?:async def |def |class )?{}\b(?:\(|:| =)"
"""A function, a class, a constant, or a key of a .toml file."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Pages and pictures, from the folder of the page."""
    found = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in found if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_files_exist(page: Path) -> None:
    """A path in backticks, from the top of the project."""
    named = re.findall(r"`((?:engine|bot|render|storage|tests|docs|benchmarks)/[\w./-]+)`", page.read_text())
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_architecture_answers_thirty_questions() -> None:
    """Each name of "Where is it?" stands in the first file of its row."""
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    table = page.split("## Where is it?\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| [^|]+\? \| `([^`|]+)`[^|]*\| `(\w+)` \|$", table, re.MULTILINE)
    assert len(rows) == 30
    lost = [
        (path, name) for path, name in rows if not re.search(_DEFINED.format(name), (ROOT / path).read_text())
    ]
    assert lost == []


@pytest.mark.parametrize("floor", ["bot/client", "bot/table", "storage", "render"])
def test_architecture_lists_every_package(floor: str) -> None:
    """A row for each folder of modules, and none for a folder that is gone."""
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    section = page.split(f"## Packages of `{floor}`\n")[1].split("\n## ")[0]
    packages = {path.parent.name for path in (ROOT / floor).glob("*/__init__.py")}
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == packages


def test_hooks_are_explained() -> None:
    """`docs/adding-a-title.md` lists the ways to vary a rule, whole."""
    page = (ROOT / "docs/adding-a-title.md").read_text()
    table = page[page.index("## The hooks") : page.index("## Example: ")]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == {
        name for name in vars(Hooks) if not name.startswith("_")
    }


def test_title_keys_are_explained() -> None:
    """`python -m tests.support.title_keys` writes the page."""
    assert title_keys.PAGE.read_text("utf-8") == title_keys.page()
    assert "|  |" not in title_keys.page(), "a key has no docstring"


def test_changelog_has_the_version() -> None:
    """The version stands in pyproject.toml; the changelog tells what it brought."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    released = re.findall(
        r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    assert released[0] == version


def test_version_is_stated_once() -> None:
    """Code that needs it asks importlib.metadata."""
    stated = [
        str(path.relative_to(ROOT))
        for folder in ("bot", "engine", "render", "storage", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"^(__version__|VERSION)\b.*[\"']\d", path.read_text(), re.MULTILINE)
    ]
    assert stated == []


@pytest.mark.parametrize("known", TITLES.values(), ids=lambda known: known.id)
def test_readme_lists_every_title(known: Title) -> None:
    """A row for each title; one with many options names a page of its own, which explains each."""
    page = (ROOT / "README.md").read_text("utf-8")
    [row] = re.findall(rf"^\| \*\*{re.escape(known.name)}\*\* \| (.*)$", page, re.MULTILINE)
    players = list(known.spec.players)
    assert row.startswith(f"{min(players)} to {max(players)} |")
    own = set(known.rules.OPTIONS) - set(COMMON_OPTIONS)
    link = re.search(r"(\d+), see \[[^]]+\]\(([^)]+)\)", row)
    if link is None:
        assert set(re.findall(r"`(\w+)`", row)) == own
    else:
        assert int(link[1]) == len(own)
        assert own <= set(re.findall(r"`(\w+)`", (ROOT / link[2]).read_text("utf-8")))
