"""A game's settings, standing orders and pending notifications, read once while the game is held."""

from bot.table.live import Known, LiveGame
from bot.table.settings.table_settings import SETTINGS
from storage import Database, orders, pings
from storage.contract import ask
from storage.orders import Order
from storage.pings import Notification, Ping
from storage.settings import GAMES


async def chosen(db: Database, live: LiveGame) -> dict[str, str]:
    """All that the table has chosen, or that holds without a choice, by the names of the settings."""
    there = (await _known(db, live)).chosen
    return {name: there.get(name, setting.default) for name, setting in SETTINGS.items()}


async def standing(db: Database, live: LiveGame) -> list[Order]:
    """The orders that stand, oldest first."""
    return list((await _known(db, live)).orders)


async def notifications(db: Database, live: LiveGame) -> tuple[list[Notification], list[Ping]]:
    """The pending notifications of a game when it was first asked about, and who was pinged for them."""
    known = await _known(db, live)
    if known.notifications is None:
        return await pings.of_game(db, live.id)
    return list(known.notifications), list(known.pinged)


async def _known(db: Database, live: LiveGame) -> Known:
    if live.known is None:
        questions = (
            GAMES.all_question(live.id),
            orders.question(live.id),
            pings.notifications_question(live.id),
            pings.pings_question(live.id),
        )
        live.known = Known(*await ask(db, *questions))
    return live.known
