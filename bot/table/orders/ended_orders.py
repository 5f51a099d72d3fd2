"""Ended orders: each owner is notified once, by an answer or a direct message."""

import logging
from collections.abc import Sequence
from typing import Final

from bot.table.digests import turn_link
from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.orders.player_orders import ended_order_text
from bot.table.settings.person_settings import CLOSED, person_settings
from bot.table.tables import Tables
from storage import (
    PEOPLE,
    Order,
    orders,
    parse_timestamp,
)

_log = logging.getLogger("stationmaster.direct_messages")


ROOM: Final = 1_600
"""Characters of the lines about orders, of the 2000 that a message takes."""


async def ended_since(tables: Tables, game_id: int, user_id: int) -> tuple[str, tuple[int, ...]]:
    """The text about a user's ended orders, and their numbers; empty without any. Raises Refused.

    They are marked as notified: `orders.mark_not_notified` resets it where the answer fails.
    """
    if not await orders.unnotified(tables.db, game_id, user_id):
        return "", ()
    async with tables.reading(game_id) as live:
        ended = await orders.take_unnotified(tables.db, game_id, user_id)
        return _ended_orders_text(live, ended), tuple(order.number for order in ended)


async def write_ended(tables: Tables) -> None:
    """Queue direct messages about ended orders, for owners who want them and may be pinged now."""
    for game_id, user_id in await orders.users_to_notify(tables.db, tables.share):
        try:
            await _write_ended_orders(tables, game_id, user_id)
        except Exception as error:  # noqa: BLE001 - whatever is wrong there keeps no other table waiting
            _log.warning("game %s: cannot send a direct message about orders", game_id, exc_info=error)


async def _write_ended_orders(tables: Tables, game_id: int, user_id: int) -> None:
    now = tables.clock()
    at = parse_timestamp(now)
    if (await person_settings(tables.db, user_id)).free(at) > at:
        return
    if await PEOPLE.get(tables.db, user_id, CLOSED) is not None:
        return  # they accept none, and are notified with their next answer; a ping finds out if that changes
    async with tables.reading(game_id) as live:
        ended = await orders.unnotified(tables.db, game_id, user_id)
        if not ended:
            return  # they were notified meanwhile
        where = f"[{strong(live.row.name)}, game {live.id}]({turn_link(live.row)})"
        text = f"{where}\n{_ended_orders_text(live, ended)}"
    await orders.queue_message(tables.db, game_id, user_id, [order.number for order in ended], text, now)


def _ended_orders_text(live: LiveGame, found: Sequence[Order]) -> str:
    lines = [f"Your order {order.number} has ended: {ended_order_text(live, order)}" for order in found]
    shown = [line for number, line in enumerate(lines) if sum(map(len, lines[: number + 1])) <= ROOM]
    more = len(lines) - len(shown)
    return "\n".join([*shown, *([f"And {more} more: `/orders list` shows the last ones."] if more else [])])
