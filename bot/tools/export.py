"""`stationmaster export`: a game as a file, whatever became of its server or its players."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from bot.table.games.imported import read_recorded
from bot.table.games.loading import load
from bot.table.past.export_formats import as_ledger, as_log
from bot.table.past.history import recorded
from bot.tools.databases import opened
from engine.record import Record, write_record

WRITERS: Final[Mapping[str, Callable[[Record], str]]] = {
    "own": write_record,
    "18xx.games": as_log,
    "ledger": as_ledger,
}
"""What writes a game in each of the forms that may be typed."""


async def export(where: str | Path, game: str, target: Path, form: str) -> str:
    """Write a game that has started, or a log, to a file in one of the forms; a sentence.

    Raises StorageError, Refused, or EngineError where the game cannot be written so.
    """
    what, record = await _found(where, game)
    written = WRITERS[form](record)
    # In mode x a file that is there stays as it is.
    with target.open("x", encoding="utf-8") as file:
        file.write(written)
    return f"{target} holds {what}."


async def _found(where: str | Path, game: str) -> tuple[str, Record]:
    """A game's name, and its record: a number means one of the database, anything else a file."""
    if not game.isdecimal():
        return game, read_recorded(Path(game), None)
    async with opened(where) as db:
        live = await load(db, int(game))
    return f"game {game} up to move {live.seq}", recorded(live)
