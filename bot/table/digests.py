"""Direct messages: the daily digest of games in which it is a user's move, and notifications of ended orders."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.orders.player_orders import ended_order_text
from bot.table.settings.person_settings import CLOSED, person_settings
from bot.table.tables import Tables
from storage import (
    PEOPLE,
    GameRow,
    Order,
    Transaction,
    direct_messages,
    format_timestamp,
    games,
    orders,
    parse_timestamp,
    waiting_games,
)

NEXT: Final = "digest_next"
"""The key under which stands when the next one is due (ISO 8601 in UTC)."""
LISTED: Final = 12
"""At most this many games are listed; of more, their number."""


def next_digest(now: datetime, at: time, zone: str) -> datetime:
    """The next time that it is so late in a zone."""
    today = now.astimezone(ZoneInfo(zone)).date()
    days = (datetime.combine(today + timedelta(days=n), at, ZoneInfo(zone)) for n in (0, 1))
    return next(due for due in (day.astimezone(UTC) for day in days) if due > now)


async def plan_digest(tables: Tables, user_id: int) -> None:
    """Note when the next digest of a person is due, who has chosen a time, or none."""
    person, now = await person_settings(tables.db, user_id), parse_timestamp(tables.clock())
    if person.digest is None:
        await PEOPLE.forget(tables.db, user_id, NEXT)
    else:
        await PEOPLE.put(
            tables.db, user_id, NEXT, format_timestamp(next_digest(now, person.digest, person.zone))
        )


async def write_digests(tables: Tables) -> None:
    """Queue every digest that is due; a user without a move gets none."""
    # People belong to no server: the process with the first shard writes to all.
    if 0 in tables.share.shards:
        for user_id in await PEOPLE.up_to(tables.db, NEXT, tables.clock()):
            await _write_digest(tables, user_id)


async def _write_digest(tables: Tables, user_id: int) -> None:
    person, now = await person_settings(tables.db, user_id), parse_timestamp(tables.clock())
    waiting = [] if person.is_away(now) else await waiting_games.waiting_for(tables.db, user_id)
    rows = [await games.get_game(tables.db, game_id) for game_id in waiting]
    at = person.digest

    async def change(tx: Transaction) -> None:
        if at is not None:
            await PEOPLE.write(tx, user_id, NEXT, format_timestamp(next_digest(now, at, person.zone)))
        if at is not None and rows:
            await direct_messages.write(tx, user_id, _digest_text(rows), (), rows[0].id, tables.clock())

    await tables.db.write(change)


def _digest_text(rows: Sequence[GameRow]) -> str:
    many = "1 game" if len(rows) == 1 else f"{len(rows)} games"
    listed = [f"[{strong(row.name)}, game {row.id}]({turn_link(row)})" for row in rows[:LISTED]]
    more = [f"and {len(rows) - LISTED} more: `/mine` lists all."] if len(rows) > LISTED else []
    return "\n".join([f"Your move in {strong(many)}:", *listed, *more])


def turn_link(row: GameRow) -> str:
    """Where a person goes from a direct message: to the turn message, else to the thread, else to the channel."""
    place = f"https://discord.com/channels/{row.guild_id}/{row.thread_id or row.channel_id}"
    return f"{place}/{row.turn_message_id}" if row.turn_message_id else place


_log = logging.getLogger("stationmaster.direct_messages")

ROOM: Final = 1_600
"""Characters of the lines about orders, of the 2000 that a message takes."""


async def ended_since(tables: Tables, game_id: int, user_id: int) -> tuple[str, tuple[int, ...]]:
    """The text for a user about ended orders, and their numbers; empty if there are none. Raises Refused.

    They are marked as notified: `orders.mark_not_notified` resets it where the answer fails.
    """
    if not await orders.to_notify(tables.db, game_id, user_id):
        return "", ()
    async with tables.reading(game_id) as live:
        found = await orders.notify(tables.db, game_id, user_id)
        return _ended_orders_text(live, found), tuple(order.number for order in found)


async def write_ended(tables: Tables) -> None:
    """Queue a direct message about every ended order, to owners who want them and may be pinged now."""
    for game_id, user_id in await orders.owed(tables.db, tables.share):
        try:
            await _write_ended_orders(tables, game_id, user_id)
        except Exception as error:  # noqa: BLE001 - whatever is wrong there keeps no other table waiting
            _log.warning("game %s: no direct message about orders is sent", game_id, exc_info=error)


async def _write_ended_orders(tables: Tables, game_id: int, user_id: int) -> None:
    now = tables.clock()
    at = parse_timestamp(now)
    if (await person_settings(tables.db, user_id)).free(at) > at:
        return
    if await PEOPLE.get(tables.db, user_id, CLOSED) is not None:
        return  # they accept none, and are notified with their next answer; a ping finds out if that changes
    async with tables.reading(game_id) as live:
        found = await orders.to_notify(tables.db, game_id, user_id)
        if not found:
            return  # they were notified meanwhile
        where = f"[{strong(live.row.name)}, game {live.id}]({turn_link(live.row)})"
        text = f"{where}\n{_ended_orders_text(live, found)}"
    await orders.write(tables.db, game_id, user_id, [order.number for order in found], text, now)


def _ended_orders_text(live: LiveGame, found: Sequence[Order]) -> str:
    lines = [f"Your order {order.number} has ended: {ended_order_text(live, order)}" for order in found]
    shown = [line for number, line in enumerate(lines) if sum(map(len, lines[: number + 1])) <= ROOM]
    more = len(lines) - len(shown)
    return "\n".join([*shown, *([f"And {more} more: `/orders list` has the last ones."] if more else [])])
