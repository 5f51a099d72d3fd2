"""Makes the databases of earlier versions in `tests/earlier`: each by the program as it was then.

    .venv/bin/python -m tests.support.make_earlier [VERSION...]

For each version of the tables it takes a commit that had it, and lets that commit's own code store recorded games
up to a move in every kind of round, a lobby, a game with an undone move, and one that is over.
"""

import asyncio
import importlib
import lzma
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "tests" / "earlier"
COMMITS: Final = {
    4: "4bbf27ac",  # 0.1.0
    5: "f5d74a94",  # 0.2.0
    6: "769a2f73",
    7: "1922de43",
    8: "9f1d8443",
    9: "d3b0c601",
    10: "5d6be98c",
    11: "f1e55c0b",
    12: "33737973",
    13: "0e6772a8",
    14: "2bedf1fb",
    15: "9939e6f7",
    16: "16dacda8",
    17: "f5375b10",
    19: "707dd36c",
    20: "d285740a",
    21: "4f57f1f2",
    22: "786946e3",
    23: "9c193981",
    24: "4dbed0dd",
    25: "a1bf820f",
    26: "8b857aa3",
    27: "9d6bff31",
}
"""A commit with each version of the tables, for the most part the last one; 18 came together with 19."""
RECORDED: Final = (
    "18chesapeake-bank-4p",
    "18al-price-3p",
    "18tn-bank-3p",
    "18newengland-bank-3p",
    "18c2c-bank-3p",
)
OVER: Final = "18chesapeake-agreement-2p"
HOMES: Final = ("bot.table.imports", "bot.table.games.imported", "bot.table.recorded", "bot.recorded")
"""Where recorded games were stored."""
INTO: Final = 3
"""Actions after the beginning of a round."""
PEOPLE: Final = ((11, "Ann"), (12, "Bob"), (13, "Cy"), (14, "Dee"))
NOW: Final = "2026-11-20T12:00:00+00:00"


def main(versions: list[int]) -> None:
    """Make the databases of these versions, or of all."""
    FOLDER.mkdir(exist_ok=True)
    for version in versions or COMMITS:
        with tempfile.TemporaryDirectory() as folder, checkout(COMMITS[version], Path(folder)) as then:
            made = Path(folder) / "games.db"
            environment = {**os.environ, "PYTHONPATH": str(then), "PYTHONDONTWRITEBYTECODE": "1"}
            command = [sys.executable, __file__, "--then", str(then), str(made)]
            subprocess.run(command, cwd=then, env=environment, check=True)
            with closing(sqlite3.connect(made)) as conn:
                conn.execute("VACUUM")
                assert tables(conn) == tables_of(version), f"{COMMITS[version]} had other tables"
            target = FOLDER / f"{version}.db.xz"
            target.write_bytes(lzma.compress(made.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
            sys.stdout.write(f"{target.name}: {target.stat().st_size} bytes\n")


def tables(conn: sqlite3.Connection) -> set[str]:
    """Tables, indexes and triggers of a database, and its version, as text."""
    [version] = conn.execute("PRAGMA user_version").fetchone()
    return {
        str(version),
        *(sql for (sql,) in conn.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")),
    }


def tables_of(version: int) -> set[str]:
    """What the migrations of today make up to a version: branches that were merged later numbered theirs otherwise."""
    from storage.migrations.schema_versions import MIGRATIONS
    from storage.sqlite.files import migrate

    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        migrate(conn, MIGRATIONS[:version])
        return tables(conn)


@contextmanager
def checkout(commit: str, folder: Path) -> Iterator[Path]:
    """The files of a commit, for a while."""
    then = folder / "then"
    then.mkdir()
    packed = subprocess.run(["git", "-C", str(ROOT), "archive", commit], capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(then)], input=packed.stdout, check=True)
    yield then


# What follows runs with the code of then.


def either(name: str, *modules: str) -> Any:
    """The value of this name in the first of these modules that exists."""
    for module in modules:
        try:
            return getattr(importlib.import_module(module), name)
        except (ModuleNotFoundError, AttributeError):
            continue
    raise LookupError(name)


async def fill(then: Path, made: Path) -> None:
    """Make a database with games, as the program of then keeps them."""
    opened = either("open_database", "storage") if has("storage", "open_database") else storage_of_then()
    db = await opened(made)
    tables = either("Tables", "bot.table.tables", "bot.table.service", "bot.service")(db, clock=lambda: NOW)
    assert str(sys.modules[type(tables).__module__].__file__).startswith(str(then))
    seen: set[str] = set()
    for name in RECORDED:
        log = then / "tests" / "golden" / f"{name}.json"
        if log.exists():
            for until in positions(log, seen):
                await show(tables, log, until)
    await show(tables, then / "tests" / "golden" / f"{OVER}.json", None)
    await lobby(tables)
    await taken_back(tables, then)
    await db.close()


def has(module: str, name: str) -> bool:
    """Whether a module of then has this."""
    return hasattr(importlib.import_module(module), name)


def storage_of_then() -> Any:
    """How a database was opened before there were two kinds."""
    return importlib.import_module("storage").Database.open


def positions(log: Path, seen: set[str]) -> Iterator[int]:
    """Numbers of actions: a few into each kind of round that is new, and into an operating round of each title."""
    read = either("read_record", "engine.record")
    record = read(log.read_text("utf-8"))
    new = either("Game", "engine.game")
    game = record.begin() if hasattr(record, "begin") else None
    if game is None:
        game = new(record.title, record.players, record.seed, record.profile, record.options)
    begun, last = 0, ""
    mine: set[str] = set()
    for number, action in enumerate(record.actions):
        kind = round_of(game)
        begun, last = (number, kind) if kind != last else (begun, last)
        wanted = kind not in seen or (kind == "Operating" and kind not in mine)
        if wanted and (kind == "Proposal" or number - begun == INTO):
            seen.add(kind)
            mine.add(kind)
            yield number
        game.apply(action)


def round_of(game: Any) -> str:
    """The kind of round, or that a proposal waits for answers."""
    state = game.table.state
    return "Proposal" if getattr(state, "proposal", None) is not None else type(state.round).__name__


async def show(tables: Any, log: Path, until: int | None) -> int:
    """Store a recorded game as one of Ann, Bob and others."""
    module = importlib.import_module(either("add_recorded", *HOMES).__module__)
    recorded = module.read_recorded(log, until)
    number: int = await module.add_recorded(tables, recorded, module.Place(1, 2, PEOPLE))
    return number


async def lobby(tables: Any) -> None:
    """A game that waits for its second player."""
    lobbies = either("Lobbies", "bot.table.lobby", "bot.lobby")(tables)
    who = {"user_id": 11, "user_name": "Ann"}
    await lobbies.new(guild_id=1, channel_id=2, title="18al", profile="rulebook", **who)


async def taken_back(tables: Any, then: Path) -> None:
    """A game whose last move was undone."""
    number = await show(tables, then / "tests" / "golden" / f"{RECORDED[0]}.json", 4)
    async with tables.reading(number) as live:
        actor = live.user_of(live.game.actors()[0])
    typed = either("Typed", "bot.table.moves.moves", "bot.table.moves", "bot.moves")
    await tables.submit(number, actor, typed("pass", {}))
    if hasattr(tables, "undo"):
        await tables.undo(number, actor)
    else:
        await either("undo", "bot.table.undo", "bot.table.undoing", "bot.table.undo.undoing")(
            tables, number, actor
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--then"]:
        # An editable install offers what then did not have yet.
        sys.meta_path[:] = [
            finder for finder in sys.meta_path if "editable" not in str(getattr(finder, "__module__", ""))
        ]
        asyncio.run(fill(Path(sys.argv[2]), Path(sys.argv[3])))
    else:
        main([int(version) for version in sys.argv[1:]])
