"""The tables of `docs/rules`: every rule that code or tests cite is told there, with the tests that protect it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.titles import TITLES, Title

ROOT = Path(__file__).parents[1]
ID = re.compile(r"\b[RD]-[A-Z][A-Z0-9]{1,2}-[0-9][0-9A-Za-z]*\b")
ROW = re.compile(r"\| (?P<id>[RD]-[^ |]+) \| (?P<rule>[^|]+) \| (?P<section>[^|]+) \| (?P<tests>[^|]+) \|")
SHEETS = sorted((ROOT / "docs/rules").glob("*.md"))
PROFILE = "18xx.games"


class Row(NamedTuple):
    """One rule: its id, and the tests named beside it."""

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


def every_test() -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield node


def order(rule: str) -> tuple[bool, str, str]:
    """Rules before differences; the numbers of differences have no leading zeros."""
    sort, title, number = rule.split("-")
    return (sort == "D", title, number.zfill(3))


def test_every_rule_that_is_cited_is_told() -> None:
    """Ids in code, data, comments and docstrings."""
    told = {row.id for row in every_row()}
    cited = {
        rule: str(path.relative_to(ROOT))
        for path in sources("engine", "render", "storage", "bot", "tests", "benchmarks")
        for rule in ID.findall(path.read_text())
    }
    assert {rule: path for rule, path in cited.items() if rule not in told} == {}


def test_every_test_named_beside_a_rule_is_there() -> None:
    """By its name, wherever it stands."""
    there = {test.name for test in every_test()}
    assert {(row.id, name) for row in every_row() for name in row.tests if name not in there} == set()


def test_every_test_that_cites_a_rule_is_named_beside_it() -> None:
    """What its docstring says it protects."""
    named = {(row.id, name) for row in every_row() for name in row.tests}
    citing = {(rule, t.name) for t in every_test() for rule in ID.findall(ast.get_docstring(t) or "")}
    assert citing - named == set()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_rules_are_told_once_and_in_order(sheet: Path) -> None:
    """Nothing that looks like a row is passed over."""
    ids = [row.id for row in rows(sheet)]
    assert ids == sorted(set(ids), key=order)
    assert len(ids) == sum(line.startswith(("| R-", "| D-")) for line in sheet.read_text().splitlines())


@pytest.mark.parametrize("title", [t for t in TITLES.values() if not t.variant], ids=lambda t: t.id)
def test_every_flag_of_the_other_profile_is_told(title: Title) -> None:
    """And no flag is named that a title does not have."""
    text = (ROOT / f"docs/rules/{title.id}.md").read_text()
    flags = set(title.spec.profiles.get(PROFILE, ()))
    named = set(re.findall(r"`(\w+)`", text)) & set(title.rules.FLAGS)
    assert named == flags
