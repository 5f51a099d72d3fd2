"""`stationmaster export`: a game of the database as a file, whatever became of its server or its players."""

from pathlib import Path

from bot.table.history import recorded
from bot.table.loading import load
from bot.tools.keep import opened
from engine.record import write_record


async def export(where: str | Path, number: int, target: Path) -> str:
    """Write a game that has started to a file that other commands read; a sentence. Raises StorageError, Refused."""
    async with opened(where) as db:
        live = await load(db, number)
    # In mode x a file that is there stays as it is.
    with target.open("x", encoding="utf-8") as file:
        file.write(write_record(recorded(live)))
    return f"{target} holds game {number} up to move {live.seq}."
