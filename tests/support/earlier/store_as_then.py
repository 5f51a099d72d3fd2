"""Stores games as an earlier version of the program does: run by `make.py` with the code of then.

Arguments: the folder of that code, the database file to make, and a server's URL to move there what the file has.
"""

import asyncio
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

RECORDED: Final = (
    "18chesapeake-bank-4p",
    "18al-price-3p",
    "18tn-bank-3p",
    "18newengland-bank-3p",
    "18c2c-bank-3p",
)
OVER: Final = "18chesapeake-agreement-2p"
INTO: Final = 3
"""Actions after the beginning of a round."""
PEOPLE: Final = ((11, "Ann"), (12, "Bob"), (13, "Cy"), (14, "Dee"))
NOW: Final = "2026-11-20T12:00:00+00:00"


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


async def moved(made: Path, url: str) -> None:
    """Move the games of a file to a server, as the program of then does."""
    opened, moving = either("open_database", "storage"), importlib.import_module("storage.moving")
    async with await opened(made) as source, await opened(url) as target:
        await moving.move(source, target, await moving.guilds(source))


def has(module: str, name: str) -> bool:
    return hasattr(importlib.import_module(module), name)


def storage_of_then() -> Any:
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
    module = importlib.import_module(
        either("add_recorded", "bot.table.games.imported", "bot.table.recorded", "bot.recorded").__module__
    )
    recorded = module.read_recorded(log, until)
    number: int = await module.add_recorded(tables, recorded, module.Place(1, 2, PEOPLE))
    return number


async def lobby(tables: Any) -> None:
    lobbies = either("Lobbies", "bot.table.lobby", "bot.lobby")(tables)
    who = {"user_id": 11, "user_name": "Ann"}
    await lobbies.new(guild_id=1, channel_id=2, title="18al", profile="rulebook", **who)


async def taken_back(tables: Any, then: Path) -> None:
    number = await show(tables, then / "tests" / "golden" / f"{RECORDED[0]}.json", 4)
    async with tables.reading(number) as live:
        actor = live.user_of(live.game.actors()[0])
    typed = either("Typed", "bot.table.moves.moves", "bot.table.moves", "bot.moves")
    await tables.submit(number, actor, typed("pass", {}))
    if hasattr(tables, "undo"):
        await tables.undo(number, actor)
    else:
        await either("undo", "bot.table.undo", "bot.table.undo.undoing", "bot.table.undoing")(
            tables, number, actor
        )


if __name__ == "__main__":
    # An editable install offers what then did not have yet.
    sys.meta_path[:] = [
        finder for finder in sys.meta_path if "editable" not in str(getattr(finder, "__module__", ""))
    ]
    then, made, *url = sys.argv[1:]
    asyncio.run(moved(Path(made), *url) if url else fill(Path(then), Path(made)))
