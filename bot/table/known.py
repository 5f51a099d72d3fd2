"""The settings of a table and the orders that stand in its game, read once while the game is held."""

from bot.table.live import Known, Live
from bot.table.table_settings import SETTINGS
from storage import Database, orders
from storage.orders import Order
from storage.questions import ask
from storage.settings import GAMES


async def chosen(db: Database, live: Live) -> dict[str, str]:
    """All that the table has chosen, or that holds without a choice, by the names of the settings."""
    there = (await _known(db, live)).chosen
    return {name: there.get(name, setting.default) for name, setting in SETTINGS.items()}


async def standing(db: Database, live: Live) -> list[Order]:
    """The orders that stand, oldest first."""
    return list((await _known(db, live)).orders)


async def _known(db: Database, live: Live) -> Known:
    if live.known is None:
        live.known = Known(*await ask(db, GAMES.all_question(live.id), orders.question(live.id)))
    return live.known
