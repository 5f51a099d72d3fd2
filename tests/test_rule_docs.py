"""The tables of `docs/rules`: every rule that code or tests cite stands there, with the tests that protect it, and
every rule described there is named at the code that plays it.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.titles import TITLES, Title
from tests.support.sources import source_of

ROOT = Path(__file__).parents[1]
ID = re.compile(r"\b[RD]-(?:[A-Z][A-Z0-9]{1,2}|18\d\d)-[0-9][0-9A-Za-z]*\b")
ROW = re.compile(r"\| (?P<id>[RD]-[^ |]+) \| (?P<rule>[^|]+) \| (?P<section>[^|]+) \| (?P<tests>[^|]+) \|")
SHEETS = sorted((ROOT / "docs/rules").glob("*.md"))
PROFILE = "18xx.games"
SECTION = r"\d+(?:\.\d+)*[a-m]?(?:\([a-z0-9]\))*"
CITATION = re.compile(
    rf"\b(?P<title>18[A-Za-z]\w*) (?P<sections>{SECTION}(?:(?:, | and | to ){SECTION})*)(?!\w)"
)
"""Sections of one title: `18Chesapeake 10.1, 10.4`."""
UNTITLED = re.compile(
    r"(?:\brulebook|\b[Ss]ections?|§) ?\d[\d.]*|(?<![\d.$])[1-9]\d?\.\d{1,2}\b|\((?:[2-9]|1\d)\b(?=[,;:)])"
)

NOWHERE_PLAYED = {
    "D-NE-8": "what that site checks otherwise makes no difference on this map",
    "D-NE-9": "only that site lets minors that are taken be reserved",
    "D-NE-10": "only that site leaves purchases of the offering unchecked",
    "D-NE-16": "only that site lets a train cost anything",
    "D-NE-19": "that site's names are not ours",
    "D-NE-20": "that site asks for no better routes; a table may, by R-NE-090",
    "D-TN-18": "only that site tells early and late trains of one kind apart",
}
"""Differences that no code of ours plays, and why."""


class Row(NamedTuple):
    """One rule: its id, and the tests named for it."""

    id: str
    tests: tuple[str, ...]


def rows(sheet: Path) -> list[Row]:
    found = map(ROW.fullmatch, sheet.read_text().splitlines())
    return [Row(row["id"], tuple(re.findall(r"`(\w+)`", row["tests"]))) for row in found if row]


def every_row() -> list[Row]:
    return [row for sheet in SHEETS for row in rows(sheet)]


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from (p for p in (ROOT / folder).rglob("*") if p.suffix in {".py", ".toml"})


def shared() -> Iterator[Path]:
    """The engine's files that belong to no single title."""
    titles = ROOT / "engine/titles"
    for path in sorted((ROOT / "engine").rglob("*.py")):
        if titles not in path.parents or path.parent == titles:
            yield path


@cache
def prose(path: Path) -> tuple[str, ...]:
    """Docstrings, of values too, and comments, each as one line and without what stands in backticks."""
    source = source_of(path)
    comments = " ".join(comment.lstrip("# ") for comment in source.comments)
    return tuple(re.sub(r"`[^`]*`", "", " ".join(text.split())) for text in (*source.docstrings, comments))


def untitled(text: str) -> list[str]:
    """The sections that are cited without their title."""
    return UNTITLED.findall(CITATION.sub("", text))


@cache
def every_test() -> tuple[tuple[str, str], ...]:
    """The name of each test, and its docstring."""
    return tuple(
        (found.name, found.says)
        for path in (ROOT / "tests").rglob("test_*.py")
        for found in source_of(path).definitions
        if found.is_function and found.name.startswith("test_")
    )


def order(rule: str) -> tuple[bool, str, str]:
    """Rules before differences; the numbers of differences have no leading zeros."""
    sort, title, number = rule.split("-")
    return (sort == "D", title, number.zfill(3))


def test_cited_rules_are_in_the_tables() -> None:
    """Ids in code, data, comments and docstrings."""
    listed = {row.id for row in every_row()}
    cited = {
        rule: str(path.relative_to(ROOT))
        for path in sources("engine", "render", "storage", "bot", "tests", "benchmarks")
        for rule in ID.findall(path.read_text())
    }
    assert {rule: path for rule, path in cited.items() if rule not in listed} == {}


def test_rules_are_cited_where_they_are_played() -> None:
    """In a docstring or comment of the engine; those that nothing plays are few, and listed."""
    named = {rule for path in sources("engine") for rule in ID.findall(path.read_text())}
    assert {row.id for row in every_row()} - named == set(NOWHERE_PLAYED)


def test_tests_in_the_tables_exist() -> None:
    """By its name, wherever it stands."""
    there = {name for name, _ in every_test()}
    assert {(row.id, name) for row in every_row() for name in row.tests if name not in there} == set()


def test_tests_that_cite_a_rule_are_in_its_row() -> None:
    named = {(row.id, name) for row in every_row() for name in row.tests}
    citing = {(rule, name) for name, says in every_test() for rule in ID.findall(says)}
    assert citing - named == set()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_rules_are_listed_once_in_order(sheet: Path) -> None:
    """Nothing that looks like a row is passed over."""
    ids = [row.id for row in rows(sheet)]
    assert ids == sorted(set(ids), key=order)
    assert len(ids) == sum(line.startswith(("| R-", "| D-")) for line in sheet.read_text().splitlines())


@pytest.mark.parametrize("title", [t for t in TITLES.values() if not t.variant], ids=lambda t: t.id)
def test_profile_flags_are_described(title: Title) -> None:
    """And no flag is named that a title does not have."""
    text = (ROOT / f"docs/rules/{title.id}.md").read_text()
    flags = set(title.spec.profiles.get(PROFILE, ()))
    named = set(re.findall(r"`(\w+)`", text)) & set(title.rules.FLAGS)
    assert named == flags


def test_shared_code_cites_titled_sections() -> None:
    """Each rulebook has its own 11.8."""
    found = {
        str(path.relative_to(ROOT)): sections
        for path in shared()
        if (sections := [one for text in prose(path) for one in untitled(text)])
    }
    assert found == {}


@pytest.mark.parametrize("title", ["18chesapeake", "18al", "18tn", "18newengland"])
def test_cited_sections_have_rows(title: str) -> None:
    """In the third column of the title's table."""
    rows_of = map(ROW.fullmatch, (ROOT / f"docs/rules/{title}.md").read_text("utf-8").splitlines())
    listed = {section for row in rows_of if row for section in row["section"].split(", ")}
    cited = {
        section
        for path in shared()
        for text in prose(path)
        for one in CITATION.finditer(text)
        if one["title"].casefold() == title
        for section in re.findall(SECTION, one["sections"])
    }
    assert cited
    assert cited - listed == set()
