"""Notifications about standing orders that ended, each given once: with the next reply, or by direct message."""

import logging
from collections.abc import Sequence
from typing import Final

from bot.table.digests import turn_link
from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.orders.player_orders import ended_order_text
from bot.table.settings.person_settings import NO_DIRECT_MESSAGES_KEY, person_settings
from bot.table.tables import Tables
from storage import (
    PERSON_SETTINGS,
    Order,
    games,
    orders,
    parse_timestamp,
)

_log = logging.getLogger("stationmaster.direct_messages")


MAX_ENDED_ORDERS_LENGTH: Final = 1_600
"""Maximum number of characters for lines about ended orders in a message; Discord allows 2000 in all."""


async def take_ended_orders(tables: Tables, game_id: int, user_id: int) -> tuple[str, tuple[int, ...]]:
    """The text about a user's newly ended orders, and their numbers; both empty if none has ended. Raises Refused.

    The orders are marked as notified. If the reply with the text fails, call `mark_not_notified`.
    """
    game_in_memory = tables.cached_game(game_id)
    if game_in_memory is not None and not game_in_memory.orders_may_have_ended:
        return "", ()  # nearly always
    async with tables.reading(game_id) as live:
        live.orders_may_have_ended = await orders.may_have_unnotified_owners(tables.db, game_id)
        if not await orders.unnotified_orders(tables.db, game_id, user_id):
            return "", ()
        ended_orders = await orders.take_unnotified_orders(tables.db, game_id, user_id)
        return _ended_orders_text(live, ended_orders), tuple(order.number for order in ended_orders)


async def mark_not_notified(tables: Tables, game_id: int, numbers: Sequence[int]) -> None:
    """Undo the mark of `take_ended_orders` because the reply failed, so that the next reply names the orders again."""
    async with tables.reading(game_id) as live:
        await orders.mark_not_notified(tables.db, game_id, numbers)
        live.orders_may_have_ended = True


async def queue_ended_order_messages(tables: Tables) -> None:
    """Queue direct messages about ended orders, to owners who accept them and may be pinged now."""
    for game_id, user_id in await orders.users_to_notify(tables.db, tables.shards):
        try:
            await _queue_message(tables, game_id, user_id)
        except Exception as error:  # noqa: BLE001 - a failure in one game must not stop the others
            _log.warning("game %s: cannot send a direct message about orders", game_id, exc_info=error)


async def _queue_message(tables: Tables, game_id: int, user_id: int) -> None:
    now = tables.clock()
    now_time = parse_timestamp(now)
    server_id = (await games.get_game(tables.db, game_id)).guild_id
    if (await person_settings(tables.db, user_id, server_id)).next_ping_time(now_time) > now_time:
        return
    if await PERSON_SETTINGS.get(tables.db, user_id, NO_DIRECT_MESSAGES_KEY) is not None:
        return  # they accept no direct messages, and are notified with the next reply
    async with tables.reading(game_id) as live:
        ended_orders = await orders.unnotified_orders(tables.db, game_id, user_id)
        if not ended_orders:
            return  # they were notified meanwhile
        game_link = f"[{strong(live.row.name)}, game {live.id}]({turn_link(live.row)})"
        text = f"{game_link}\n{_ended_orders_text(live, ended_orders)}"
    await orders.queue_message(
        tables.db, game_id, user_id, [order.number for order in ended_orders], text, now
    )


def _ended_orders_text(live: LiveGame, ended_orders: Sequence[Order]) -> str:
    lines = [
        f"Your order {order.number} has ended: {ended_order_text(live, order)}" for order in ended_orders
    ]
    lines_that_fit = [
        line
        for number, line in enumerate(lines)
        if sum(map(len, lines[: number + 1])) <= MAX_ENDED_ORDERS_LENGTH
    ]
    omitted_count = len(lines) - len(lines_that_fit)
    return "\n".join(
        [
            *lines_that_fit,
            *([f"And {omitted_count} more: `/orders list` shows the last ones."] if omitted_count else []),
        ]
    )
