"""Stores games as the program of a release does: run by `make.py` with the code of then.

Arguments: the folder of that code, the database file to make, and a server's URL to move there what the file has.
"""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.table import tables as module
from bot.table.imports import ImportTarget, read_recorded_game, store_recorded_game
from bot.table.lobby import Lobbies, LobbyOpener
from bot.table.moves.moves import TypedMove
from bot.table.tables import Tables
from bot.table.undo import undo
from engine.game import Game
from engine.record import read_record
from storage import moving, open_database

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
PLACE: Final = ImportTarget(1, 2, ((11, "Ann"), (12, "Bob"), (13, "Cy"), (14, "Dee")))
NOW: Final = "2026-11-20T12:00:00+00:00"


async def fill(then: Path, made: Path) -> None:
    """Make a database with games, as the program of then keeps them."""
    assert str(module.__file__).startswith(str(then))
    golden, seen = then / "tests" / "golden", set[str]()
    async with await open_database(made) as db:
        tables = Tables(db, clock=lambda: NOW)
        for log in (golden / f"{name}.json" for name in RECORDED):
            for until in positions(log, seen):
                await show(tables, log, until)
        await show(tables, golden / f"{OVER}.json", None)
        await Lobbies(tables).open_lobby(1, LobbyOpener(11, "Ann", 2), "18al", "rulebook")
        number = await show(tables, golden / f"{RECORDED[0]}.json", 4)
        async with tables.reading(number) as live:
            actor = live.user_of(live.game.actors()[0])
        await tables.submit(number, actor, TypedMove("pass"))
        await undo(tables, number, actor)


async def moved(made: Path, url: str) -> None:
    """Move the games of a file to a server, as the program of then does."""
    async with await open_database(made) as source, await open_database(url) as target:
        await moving.move_guilds(source, target, await moving.guilds_with_data(source))


def positions(log: Path, seen: set[str]) -> Iterator[int]:
    """Numbers of actions: a few into each kind of round that is new, and into an operating round of each title."""
    record = read_record(log.read_text("utf-8"))
    game = record.initial_game()
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


def round_of(game: Game) -> str:
    """The kind of round, or that a proposal waits for answers."""
    state = game.table.state
    return "Proposal" if state.proposal is not None else type(state.round).__name__


async def show(tables: Tables, log: Path, until: int | None) -> int:
    """Store a recorded game as one of Ann, Bob and others."""
    return await store_recorded_game(tables, read_recorded_game(log, until), PLACE)


if __name__ == "__main__":
    then, made, *url = sys.argv[1:]
    asyncio.run(moved(Path(made), *url) if url else fill(Path(then), Path(made)))
