"""Orders that have ended: their owners are told once, with their next answer or, if they want, by direct message."""

from collections.abc import Sequence
from datetime import datetime

from bot.table.digests import turn_link
from bot.table.errors import Refused
from bot.table.live import Live
from bot.table.own_orders import meant
from bot.table.person_settings import person_settings
from bot.table.service import Tables
from bot.table.style import strong
from storage import orders
from storage.orders import Order


async def ended_since(tables: Tables, game_id: int, user_id: int) -> tuple[str, tuple[int, ...]]:
    """What a person is told now of orders that have ended, and their numbers; empty if there are none. Raises Refused.

    It is noted that he is told: what cannot be said is given back with `orders.not_told`.
    """
    if not await orders.untold(tables.db, game_id, user_id):
        return "", ()
    async with tables.reading(game_id) as live:
        found = await orders.tell(tables.db, game_id, user_id)
        return _says(live, found), tuple(order.number for order in found)


async def write_ended(tables: Tables) -> None:
    """Write a letter about every order that has ended, to owners who want direct messages and may be called now."""
    now = tables.clock()
    for game_id, user_id in await orders.owed(tables.db, tables.share):
        at = datetime.fromisoformat(now)
        if (await person_settings(tables.db, user_id)).free(at) > at:
            continue
        try:
            async with tables.reading(game_id) as live:
                found = await orders.untold(tables.db, game_id, user_id)
                text = (
                    f"[{strong(live.row.name)}, game {live.id}]({turn_link(live.row)})\n{_says(live, found)}"
                )
        except Refused:
            continue  # a damaged game waits: its orders are told of when it is mended
        numbers = [order.number for order in found]
        await orders.write(tables.db, game_id, user_id, numbers, text, now)


def _says(live: Live, found: Sequence[Order]) -> str:
    lines = (f"Your order {order.number} has ended: {meant(live, order)} {order.why}" for order in found)
    return "\n".join(lines)
