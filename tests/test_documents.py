"""The documents: links that lead somewhere, and one place for the version."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "engine/routes/README.md",
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_within_the_project_lead_somewhere(page: Path) -> None:
    """Pages and pictures, from the folder of the page."""
    found = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in found if not (page.parent / link).exists()] == []


def test_the_newest_release_of_the_changelog_is_the_version() -> None:
    """The version stands in pyproject.toml; the changelog tells what it brought."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    released = re.findall(
        r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    assert released[0] == version


def test_the_version_stands_in_one_place() -> None:
    """Code that needs it asks importlib.metadata."""
    told = [
        str(path.relative_to(ROOT))
        for folder in ("bot", "engine", "render", "storage", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"^(__version__|VERSION)\b.*[\"']\d", path.read_text(), re.MULTILINE)
    ]
    assert told == []
