"""A title is one folder, its entries in the list and its own tests: without them everything else is as before."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/titles/18c2c.md"
"""What must be done is said there, and done here."""
FOLDER = "t18c2c"
ROOMS = ("engine", "bot", "render", "storage", "tests", "docs", "benchmarks", "deploy")
FILES = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Makefile",
    "pyproject.toml",
    "requirements.lock",
    ".env.example",
)
SHARED_ROWS = "docs/rules/other_titles.md"
QUICK = (
    "test_documents.py",
    "test_rule_docs.py",
    "test_architecture.py",
    "test_words.py",
    "test_rules.py",
    "test_drawing_holds_up_nobody.py",
    "test_effort.py",
)
"""Tests of what is left that a title is most likely to be missed by."""
ROW = re.compile(r"\| (?P<id>R-[A-Z0-9]+-\w+) \|.*\| (?P<tests>[^|]*) \|")
EVERY_TEST = """
from importlib import import_module
from pathlib import Path


def pytest_collection_finish():
    found = sorted(Path("tests").rglob("test_*.py"))
    for path in found:
        import_module(".".join(path.with_suffix("").parts))
    print(f"{len(found)} files read")
"""
"""Reads all tests as pytest does, and leaves it at that."""
LOOK = """
from engine.game import Game
from engine.titles import TITLES
import bot.client.app, bot.tools.cli, render  # noqa

assert not [name for name in TITLES if name.startswith("18c2c")], list(TITLES)
for name, title in TITLES.items():
    seats = [(f"p{n}", f"Player {n}") for n in range(1, min(title.spec.players) + 1)]
    assert Game(name, seats, 1).offers(), name
    assert title.topics
print("as before")
"""


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as it is after what the title's page says."""
    folder = tmp_path_factory.mktemp("without")
    leave = shutil.ignore_patterns(
        "*.pyc.*", "pictures"
    )  # what is compiled stays so; some is just being written
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=leave)
    (folder / "docs/pictures").symlink_to(ROOT / "docs/pictures")
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    rows = _rows(folder / "docs/rules/18c2c.md")
    for pattern in listed():
        for path in list(folder.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    _drop_lines(folder / "engine/titles/__init__.py", FOLDER)
    _drop_lines(folder / "tests/support/players/random_players.py", "Magnate")
    _drop_lines(folder / "README.md", "| **18C2C")
    for page in (*folder.glob("*.md"), *folder.glob("docs/**/*.md")):
        _unlink(page)
    _keep_rows(folder, rows)
    _run(folder, "-m", "tests.support.command_table")
    return folder


def listed() -> list[str]:
    """The patterns of files to delete, from the page."""
    text = PAGE.read_text("utf-8")
    part = text[text.index("## Taking the title away") :]
    return part.split("```")[1].split()


def _drop_lines(path: Path, naming: str) -> None:
    lines = [line for line in path.read_text("utf-8").splitlines() if naming not in line]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def _unlink(page: Path) -> None:
    """What led to the deleted pages is plain text."""
    text = re.sub(r"\[([^\]]+)\]\([^)]*18c2c\.md[^)]*\)", r"\1", page.read_text("utf-8"))
    page.write_text(re.sub(r"`(docs/\w+/18c2c\.md)`", r"\1", text), "utf-8")


def _rows(sheet: Path) -> dict[str, str]:
    found = ((ROW.fullmatch(line), line) for line in sheet.read_text("utf-8").splitlines())
    return {row["id"]: line for row, line in found if row}


def _keep_rows(folder: Path, rows: dict[str, str]) -> None:
    """Rows of rules that are still cited, with the tests that are left, in the order of their ids."""
    cited = set(re.findall(r"R-C2C-\w+", "\n".join(_sources(folder))))
    sheet = folder / SHARED_ROWS
    there = _rows(sheet)
    kept = {name: line for name, line in rows.items() if name in cited - there.keys()}
    lines = sheet.read_text("utf-8").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("| R-"))
    last = next(number for number, line in enumerate(lines[first:], first) if not line.startswith("| R-"))
    lines[first:last] = sorted([*lines[first:last], *kept.values()])
    tests = {name for text in _sources(folder) for name in re.findall(r"def (test_\w+)", text)}
    sheet.write_text("\n".join(_with_tests(line, tests) for line in lines) + "\n", "utf-8")


def _with_tests(line: str, tests: set[str]) -> str:
    row = ROW.fullmatch(line)
    if row is None:
        return line
    left = [f"`{name}`" for name in re.findall(r"`(\w+)`", row["tests"]) if name in tests]
    return f"{line[: row.start('tests')]}{', '.join(left) or '-'} |"


def _sources(folder: Path) -> Iterator[str]:
    for room in ROOMS:
        yield from (path.read_text("utf-8") for path in (folder / room).rglob("*.py"))


def _modules(folder: Path) -> set[str]:
    paths = (path.relative_to(folder).with_suffix("") for path in folder.glob("tests/**/*.py"))
    return {".".join(path.parts) for path in paths}


def _run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.long
def test_18c2c_can_be_taken_away(without: Path) -> None:
    """The program starts, and the other titles are played."""
    assert _run(without, "-c", LOOK).strip() == "as before"


@pytest.mark.long
def test_without_18c2c_no_file_imports_what_was_deleted(without: Path) -> None:
    """Not within a function either, where only the check of types would find it."""
    gone = _modules(ROOT) - _modules(without)
    named = {
        name for text in _sources(without) for name in re.findall(r"^ *(?:from|import) ([\w.]+)", text, re.M)
    }
    assert "tests.support.players.c2c_player" in gone
    assert named & gone == set()


@pytest.mark.long
def test_without_18c2c_every_other_test_is_found_and_a_quick_part_passes(without: Path) -> None:
    """Were what was deleted imported anywhere, none would run. The tests of the documents are among the quick."""
    quick = [str(path) for path in (without / "tests").rglob("test_*.py") if path.name in QUICK]
    assert {Path(path).name for path in quick} == set(QUICK)
    (without / "every_test.py").write_text(EVERY_TEST, "utf-8")
    done = _run(without, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "-p", "every_test", *quick)
    found = re.search(r"(\d+) passed", done)
    assert found
    assert int(found[1])
    assert f"{len(list(without.rglob('test_*.py')))} files read" in done


def test_every_pattern_of_the_page_names_something() -> None:
    """A file that was moved would stay."""
    assert [pattern for pattern in listed() if not list(ROOT.glob(pattern))] == []


def test_nothing_else_imports_18c2c() -> None:
    """Only the list of titles names its folder."""
    named = {
        str(path.relative_to(ROOT))
        for room in ("engine", "bot", "render", "storage")
        for path in (ROOT / room).rglob("*.py")
        if FOLDER not in path.parts and re.search(FOLDER, path.read_text("utf-8"))
    }
    assert named == {"engine/titles/__init__.py"}
