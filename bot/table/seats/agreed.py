"""The settings of a game, as its lobby and its first line show them."""

from collections.abc import Callable
from typing import Final

from bot.table.orders.sealed import seals_maxima
from bot.table.settings.readings import title_of
from bot.table.settings.table_settings import summary
from engine.core.spec import TitleSpec
from storage import Database
from storage.games import Game
from storage.people import CARETAKER
from storage.tables import seats

OPEN: Final = "The computer has a seat, and seals nothing: here bids are open all the same."


async def agreed(db: Database, row: Game, differs: Callable[[TitleSpec], str]) -> tuple[str, ...]:
    """A line for each setting that was chosen, and how a sealed sale differs in this title; raises Damaged."""
    lines = [f"{line}." for line in await summary(db, row.id, whole=False)]
    if await seals_maxima(db, row.id):
        by_people = all(seat.user_id != CARETAKER for seat in await seats.seats(db, row.id))
        lines.append(f"-# {differs(title_of(row).spec) if by_people else OPEN}")
    return tuple(lines)
