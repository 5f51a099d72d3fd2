"""The house plan: who may import whom, and which words stay in which room."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("engine", "render", "storage", "bot")
ALLOWED = {
    "engine": {"engine", "pydantic"},
    "render": {"render", "engine", "PIL"},
    "storage": {"storage", "aiosqlite"},
}
"""What each room may import beside the standard library."""
IMPURE = {"asyncio", "time", "datetime", "random", "secrets", "sqlite3", "socket", "os", "threading"}
"""Parts of the standard library that the rules must not touch: no clock, no input or output, no chance."""


def modules(room: str) -> list[Path]:
    """Every source file of a room."""
    return sorted((ROOT / room).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """The dotted names a file imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def outside(path: Path) -> set[str]:
    """Top-level packages that are neither ours nor the standard library's."""
    import sys

    return {name.split(".")[0] for name in imported(path)} - sys.stdlib_module_names


@pytest.mark.parametrize("room", ALLOWED)
def test_arrows_between_packages_point_one_way(room: str) -> None:
    """bot -> engine, render, storage; render -> engine; storage and engine know nobody."""
    wrong = {str(path.relative_to(ROOT)): outside(path) - ALLOWED[room] for path in modules(room)}
    assert {path: names for path, names in wrong.items() if names} == {}


def test_the_engine_is_pure() -> None:
    """No clock, no chance of its own, no input or output."""
    wrong = {
        str(path): {name.split(".")[0] for name in imported(path)} & IMPURE for path in modules("engine")
    }
    assert {path: names for path, names in wrong.items() if names} == {}


def test_the_renderer_sees_views_not_the_state() -> None:
    """Pictures are drawn from `engine.tell.views` and the geometry of the board alone."""
    seen = {name for path in modules("render") for name in imported(path) if name.startswith("engine")}
    assert seen <= {"engine.tell.views", "engine.core.topology", "engine.board.hexes", "engine.core.ids"}


def test_only_the_raster_knows_pillow() -> None:
    """Everything else in `render` is values."""
    users = {path.name for path in modules("render") if "PIL" in outside(path)}
    assert users <= {"raster.py", "metrics.py"}


def test_only_the_list_of_titles_names_them() -> None:
    """Shared rules never ask which title they play."""
    named = re.compile(r"18(chesapeake|al|tn|newengland|c2c)\b|t18[a-z]", re.IGNORECASE)
    shared = [path for path in modules("engine") if "titles" not in path.parts]
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in shared
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Compare) and named.search(ast.unparse(node))
    ]
    assert wrong == []


def test_no_file_is_too_long_to_be_one_room() -> None:
    """400 lines at most."""
    long = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for r in ROOMS
        for path in modules(r)
    }
    assert {path: lines for path, lines in long.items() if lines > 400} == {}
