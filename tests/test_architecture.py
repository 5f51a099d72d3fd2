"""The house plan: who may import whom, and which words stay in which room."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

import pytest

from tests.support.sources import source_of

ROOT = Path(__file__).parents[1]
ROOMS = ("engine", "render", "storage", "bot")
ALLOWED = {
    "engine": {"engine", "pydantic"},
    "render": {"render", "engine", "PIL", "isal"},
    "storage": {"storage", "aiosqlite", "filelock", "psycopg"},
}
_PLAY = {"engine.core", "engine.board", "engine.routes", "engine.market"}
_GAME = _PLAY | {"engine.play", "engine.titles"}
FLOORS = {
    "engine.core": set[str](),
    "engine.board": {"engine.core"},
    "engine.routes": {"engine.core", "engine.board"},
    "engine.market": {"engine.core"},
    "engine.play": _PLAY,
    "engine.titles": _PLAY | {"engine.play"},
    "engine.game": _GAME,
    "engine.tell": _GAME | {"engine.game"},
    "engine.views": _GAME | {"engine.game", "engine.tell"},
    "engine.seat": _GAME | {"engine.game"},
    "engine.caretaker": _GAME | {"engine.game", "engine.seat"},
    "engine.orders": _GAME | {"engine.game", "engine.seat"},
    "engine.interchange": _GAME | {"engine.game", "engine.tell"},
    "engine.record": _GAME | {"engine.game", "engine.tell", "engine.interchange"},
    "bot.version_and_commit": set[str](),
    "bot.sandbox": set[str](),
    "bot.workers": set[str](),
    "bot.table": {"bot.workers"},
    "bot.client": {"bot.version_and_commit", "bot.workers", "bot.table"},
    "bot.web": {"bot.version_and_commit", "bot.workers", "bot.table"},
    "bot.tools": {
        "bot.version_and_commit",
        "bot.workers",
        "bot.table",
        "bot.client",
        "bot.sandbox",
        "bot.web",
    },
}
"""The floors of `engine` and `bot`, and on which others each may stand."""
DOORS: Final = {
    "engine": {"engine", "engine.views"},
    "storage": {"storage"},
    "render": {"render"},
}
"""Packages with a front door, and the modules of theirs that others import."""
_POSTS = {"entry", "places", "requests"}
ARROWS: Mapping[str, Mapping[str, set[str]]] = {
    "bot.client": {
        "requests": set(),
        "entry": {"requests"},
        "places": {"requests"},
        "thread": _POSTS,
        "features": _POSTS | {"thread"},
    },
    "bot.table": {
        "outbox": set(),
        "moves": set(),
        "settings": {"moves"},
        "games": {"outbox", "settings"},
        "past": {"games"},
        "orders": {"games", "moves", "outbox", "settings"},
        "clocks": {"orders", "outbox", "settings"},
        "votes": {"clocks", "games", "moves", "orders", "outbox", "past", "settings"},
        "events": {"games", "orders", "outbox", "settings", "votes"},
    },
    "bot.sandbox": {
        "guild": set(),
        "http": {"guild"},
    },
    "engine.play": {
        "shares": set(),
        "trains": {"shares"},
        "track": {"trains"},
        "privates": {"shares", "track", "trains"},
        "steps": {"privates", "shares", "track", "trains"},
    },
    "storage": {
        "migrations": set(),
        "sqlite": {"migrations"},
        "postgres": {"migrations"},
    },
    "render": {
        "hexes": set(),
        "maps": {"hexes"},
        "sheets": {"hexes", "maps"},
    },
}
"""Which rooms of a floor each of its rooms may import; the modules outside the rooms are open to all of them."""
MOST = 25
"""The most modules that stand directly in a folder."""
IMPURE = {"asyncio", "time", "datetime", "random", "secrets", "sqlite3", "socket", "os", "threading"}
"""Parts of the standard library that the rules must not touch: no clock, no input or output, no chance."""


def modules(room: str) -> list[Path]:
    """Every source file of a room."""
    return sorted((ROOT / room).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """The dotted names a file imports."""
    for node in source_of(path).imports:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            yield node.module or ""


def files_of(rooms: Iterable[str], root: Path = ROOT) -> dict[str, Path]:
    """Every source file of these packages by its dotted name; a package's is that of its `__init__`."""
    return {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for room in rooms
        for path in (root / room).rglob("*.py")
    }


def imports_among(files: Mapping[str, Path]) -> dict[str, set[str]]:
    """Which of these files each imports; imports for types or within functions count like any other."""
    return {name: {file for file in _targets(path, files) if file in files} for name, path in files.items()}


def _targets(path: Path, files: Mapping[str, Path]) -> Iterator[str]:
    for node in source_of(path).imports:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            assert not node.level, f"{path} imports by a relative name"
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in files else str(node.module) for name in inside)


def circle(imports: Mapping[str, Iterable[str]]) -> list[str]:
    """Files that import each other in a ring, the first again at the end; empty if there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def floor_of(name: str) -> str:
    """The floor on which a file stands."""
    return ".".join(name.split(".")[:2])


def outside(path: Path) -> set[str]:
    """Top-level packages that are neither ours nor the standard library's."""
    import sys

    return {name.split(".")[0] for name in imported(path)} - sys.stdlib_module_names


@pytest.mark.parametrize("room", ALLOWED)
def test_packages_import_one_way(room: str) -> None:
    """bot -> engine, render, storage; render -> engine; storage and engine know nobody."""
    wrong = {str(path.relative_to(ROOT)): outside(path) - ALLOWED[room] for path in modules(room)}
    assert {path: names for path, names in wrong.items() if names} == {}


@pytest.mark.parametrize("room", ["engine", "bot"])
def test_every_module_is_on_a_floor(room: str) -> None:
    """Except the package itself, which holds no code."""
    floors = {floor for floor in FLOORS if floor.startswith(f"{room}.")}
    assert {floor_of(name) for name in files_of([room])} - {room} == floors


@pytest.mark.parametrize("room", ["engine", "bot"])
def test_floors_import_downwards(room: str) -> None:
    """Values below, mechanisms on them, then play, titles, the game, and words and views above."""
    wrong = {
        f"{name} -> {target}"
        for name, targets in imports_among(files_of([room])).items()
        if name != room  # the front door names what lies behind it
        for target in targets
        if floor_of(target) not in {floor_of(name)} | FLOORS.get(floor_of(name), set())
    }
    assert wrong == set()


@pytest.mark.parametrize("package", DOORS)
def test_packages_are_entered_by_their_door(package: str) -> None:
    """Nothing deeper in a package with a front door is imported from outside."""
    deeper = {
        f"{path.relative_to(ROOT)}: {name}"
        for room in {*ROOMS} - {package}
        for path in modules(room)
        for name in imported(path)
        if name.split(".")[0] == package and name not in DOORS[package]
    }
    assert deeper == set()


def rooms_of(floor: str) -> set[str]:
    """The rooms of a floor: its folders with modules."""
    return {path.parent.name for path in ROOT.joinpath(*floor.split(".")).glob("*/__init__.py")}


def room_in(floor: str, name: str) -> str | None:
    """The room in which a module stands; None for one outside the rooms, or on another floor."""
    inside = name.removeprefix(f"{floor}.")
    return (
        inside.partition(".")[0] if inside != name and inside.partition(".")[0] in rooms_of(floor) else None
    )


@pytest.mark.parametrize("floor", ARROWS)
def test_rooms_import_one_way(floor: str) -> None:
    """A room is read knowing only those below it."""
    assert circle(ARROWS[floor]) == []
    wrong = set()
    for name, targets in imports_among(files_of([floor.partition(".")[0]])).items():
        here = room_in(floor, name)
        for there in {room_in(floor, target) for target in targets} - {here, None}:
            if here is not None and there not in ARROWS[floor][here]:
                wrong.add(f"{name} -> {there}")
    assert wrong == set()


def test_folders_hold_25_modules_at_most() -> None:
    """Tests too."""
    folders = {path.parent for room in (*ROOMS, "tests", "benchmarks") for path in modules(room)}
    full = {str(one.relative_to(ROOT)): len(set(one.glob("*.py")) - {one / "__init__.py"}) for one in folders}
    assert {folder: count for folder, count in full.items() if count > MOST} == {}


def test_every_package_has_a_docstring() -> None:
    """In the docstring of its package."""
    silent = [
        str(path.relative_to(ROOT))
        for room in (*ROOMS, "tests")
        for path in modules(room)
        if path.name == "__init__.py" and not source_of(path).says
    ]
    assert silent == []


def test_table_and_web_never_import_discord() -> None:
    below = [path for floor in ("bot/workers", "bot/table", "bot/web") for path in modules(floor)]
    wrong = [str(path.relative_to(ROOT)) for path in below if "discord" in outside(path)]
    assert wrong == []


def test_sandbox_imports_nothing_of_ours() -> None:
    """A small Discord, which a bot of anybody could use."""
    ours = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules("bot/sandbox")
        for name in imported(path)
        if name.split(".")[0] in ROOMS and not f"{name}.".startswith("bot.sandbox.")
    }
    assert ours == set()


@pytest.mark.parametrize("room", ROOMS)
def test_no_import_circles(room: str) -> None:
    """Any file can be read knowing only those below it."""
    assert circle(imports_among(files_of([room]))) == []


def test_engine_is_pure() -> None:
    """No clock, no chance of its own, no input or output."""
    wrong = {
        str(path): {name.split(".")[0] for name in imported(path)} & IMPURE for path in modules("engine")
    }
    assert {path: names for path, names in wrong.items() if names} == {}


def test_renderer_sees_views_only() -> None:
    """Pictures are drawn from `engine.views` and the geometry of the board alone."""
    seen = {
        name
        for path in modules("render")
        for node in source_of(path).imports
        if isinstance(node, ast.ImportFrom) and node.module == "engine"
        for name in (alias.name for alias in node.names)
    }
    assert seen == {"Cell", "Coord", "topology"}


def test_bot_reads_offers_and_views_only() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for floor in ("bot/table", "bot/client", "bot/web", "bot/tools")
        for path in modules(floor)
        for attribute, line in source_of(path).attributes
        if attribute == "table"
    ]
    assert wrong == []


def test_pillow_is_imported_by_the_raster_only() -> None:
    """Everything else in `render` is values."""
    users = {path.name for path in modules("render") if "PIL" in outside(path)}
    assert users <= {"raster.py", "font_metrics.py"}


def test_shared_rules_never_name_a_title() -> None:
    """Shared rules never ask which title they play."""
    named = re.compile(r"18(chesapeake|al|tn|newengland|c2c)\b|t18[a-z]", re.IGNORECASE)
    shared = [path for path in modules("engine") if "titles" not in path.parts]
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in shared
        for node in source_of(path).comparisons
        if named.search(ast.unparse(node))
    ]
    assert wrong == []


def test_modules_have_500_lines_at_most() -> None:
    """500 lines at most: a module is as long as its one job."""
    long = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for r in ROOMS
        for path in modules(r)
    }
    assert {path: lines for path, lines in long.items() if lines > 500} == {}
