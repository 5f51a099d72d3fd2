"""What a table has agreed on beside the rules, as its lobby and its first line tell it."""

from bot.table.readings import title_of
from bot.table.sealed import seals_maxima, what_differs
from bot.table.table_settings import summary
from storage import Database
from storage.games import Game


async def agreed(db: Database, row: Game) -> tuple[str, ...]:
    """A line for each setting that was chosen, and what follows from it in this title; raises Damaged."""
    lines = [f"{line}." for line in await summary(db, row.id, whole=False)]
    if await seals_maxima(db, row.id):
        lines.append(f"-# {what_differs(title_of(row).spec)}")
    return tuple(lines)
