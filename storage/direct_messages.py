"""Queue of direct messages. Each is stored until it is sent, so that a crash loses none."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from storage import pings
from storage.contract import Database, Transaction
from storage.pings import Ping
from storage.shards import ALL_SHARDS, ShardSet

NOT_NOTIFIED, NOTIFIED, QUEUED_IN_DIRECT_MESSAGE = 0, 1, 2
"""Values of the column `orders.notified` for a standing order that has ended.

Its owner does not know yet, or was notified, or a direct message about it is queued.
"""


@dataclass(frozen=True, slots=True)
class WantedPing:
    """A ping that should be sent by direct message, and the id of its game."""

    game_id: int
    ping: Ping


@dataclass(frozen=True, slots=True)
class DirectMessage:
    """A direct message that is not sent yet.

    `notifications` are the pending notifications that it covers, as (game id, player). `game_id` is the first of these
    games; its server decides which process sends the message.
    """

    id: int
    game_id: int
    user_id: int
    text: str
    notifications: tuple[tuple[int, str], ...]
    created_at: str


@dataclass(frozen=True, slots=True)
class SentDirectMessage:
    """A direct message that was sent: its row id, its user, and its message id on Discord."""

    dm_id: int
    user_id: int
    message_id: int


async def wanted_pings(db: Database, shards: ShardSet = ALL_SHARDS) -> dict[int, list[WantedPing]]:
    """Return the pings to send by direct message for games of these shards, by user."""
    rows = await db.rows(
        "SELECT game_id, player_id, user_id, stage, thread, direct FROM pings "
        f"JOIN games ON games.id = game_id WHERE direct = 'pending' AND {pings.MAY_PING_USERS_SQL} "
        f"AND {shards.sql_condition()} ORDER BY user_id, game_id, player_id"
    )
    pings_by_user: dict[int, list[WantedPing]] = {}
    for game_id, *row in rows:
        pings_by_user.setdefault(row[1], []).append(WantedPing(game_id, Ping(*row)))
    return pings_by_user


async def unsent_messages(db: Database, shards: ShardSet = ALL_SHARDS) -> list[DirectMessage]:
    """Return the direct messages about games of these shards that are not known to be sent, oldest first."""
    rows = await db.rows(
        "SELECT direct_messages.id, game_id, user_id, text, notifications, direct_messages.created_at "
        "FROM direct_messages JOIN games ON games.id = game_id "
        f"WHERE sent_at IS NULL AND {shards.sql_condition()} ORDER BY direct_messages.id"
    )
    return [
        DirectMessage(dm_id, game_id, user_id, text, tuple(map(tuple, json.loads(notifications))), created_at)
        for dm_id, game_id, user_id, text, notifications, created_at in rows
    ]


async def queue_message(
    tx: Transaction, user_id: int, text: str, notifications: Sequence[tuple[int, str]], game_id: int, now: str
) -> None:
    """Queue a direct message within a transaction, and mark the notifications that it covers as queued."""
    await tx.put(
        "INSERT INTO direct_messages (game_id, user_id, text, notifications, created_at) VALUES (?, ?, ?, ?, ?)",
        *(game_id, user_id, text, json.dumps(list(notifications)), now),
    )
    await _mark_pinged(tx, user_id, notifications, "queued")


async def mark_sent(db: Database, dm: DirectMessage, now: str, message_id: int) -> None:
    """Record that a direct message was sent.

    If the message pings the user, its Discord id is stored, so that the bot can delete the message later.
    """
    stored_message_id = message_id if dm.notifications else None

    async def in_transaction(tx: Transaction) -> None:
        await tx.put(
            "UPDATE direct_messages SET sent_at = ?, message_id = ? WHERE id = ?",
            now,
            stored_message_id,
            dm.id,
        )
        await _mark_orders_notified(tx, dm, NOTIFIED)

    await db.write(in_transaction)


async def withdraw_message(db: Database, dm: DirectMessage) -> None:
    """Delete an unsent message. Its pings become pending again, and get a new message if they are still needed."""

    async def in_transaction(tx: Transaction) -> None:
        await tx.put("DELETE FROM direct_messages WHERE id = ?", dm.id)
        await _mark_pinged(tx, dm.user_id, dm.notifications, "pending")

    await db.write(in_transaction)


async def mark_message_not_needed(
    db: Database, user_id: int, notifications: Sequence[tuple[int, str]]
) -> None:
    """Record that no direct message is needed for these notifications."""
    await db.write(lambda tx: _mark_pinged(tx, user_id, notifications, "queued"))


async def mark_direct_messages_closed(tx: Transaction, dm: DirectMessage) -> None:
    """Delete a message to a user who accepts no direct messages, within a transaction.

    The user is pinged in the thread instead.
    """
    await tx.put("DELETE FROM direct_messages WHERE id = ?", dm.id)
    await _mark_orders_notified(tx, dm, NOT_NOTIFIED)
    for game_id, player in dm.notifications:
        await tx.put(
            "UPDATE pings SET thread = CASE thread WHEN 'no' THEN 'pending' ELSE thread END "
            "WHERE game_id = ? AND player_id = ? AND user_id = ? AND muted = 0",
            *(game_id, player, dm.user_id),
        )


async def _mark_orders_notified(tx: Transaction, dm: DirectMessage, notified_value: int) -> None:
    statement = "UPDATE orders SET notified = ? WHERE game_id = ? AND user_id = ? AND notified = ?"
    await tx.put(statement, notified_value, dm.game_id, dm.user_id, QUEUED_IN_DIRECT_MESSAGE)


_CURRENT_NOTIFICATIONS_SQL = (
    "SELECT user_id, game_id, player_id FROM pings JOIN games ON games.id = game_id WHERE direct <> 'no' "
    "AND games.status = 'running' AND NOT EXISTS (SELECT 1 FROM pauses WHERE pauses.game_id = games.id)"
)
"""SQL: pending notifications in running, unpaused games whose users are pinged by direct message."""


async def stale_messages(db: Database, shards: ShardSet = ALL_SHARDS) -> list[SentDirectMessage]:
    """Return the sent direct messages about games of these shards that should be deleted.

    A message is stale once its user has acted, or if a later message covers the same notifications. While a game is
    paused, all its messages are stale; a new ping follows the pause.
    """

    async def in_snapshot(tx: Transaction) -> list[SentDirectMessage]:
        rows = await tx.rows(
            "SELECT direct_messages.id, user_id, message_id, notifications, guild_id FROM direct_messages "
            "JOIN games ON games.id = game_id WHERE message_id IS NOT NULL ORDER BY direct_messages.id DESC"
        )
        current_notifications = {tuple(row) for row in await tx.rows(_CURRENT_NOTIFICATIONS_SQL)}
        messages_to_delete = []
        for dm_id, user_id, message_id, notifications, guild_id in rows:
            covered_notifications = {(user_id, game, player) for game, player in json.loads(notifications)}
            if shards.holds(guild_id) and covered_notifications.isdisjoint(current_notifications):
                messages_to_delete.append(SentDirectMessage(dm_id, user_id, message_id))
            current_notifications -= covered_notifications
        return messages_to_delete

    return await db.read(in_snapshot)


async def messages_of_user(
    db: Database, user_id: int, guild_id: int | None = None
) -> list[SentDirectMessage]:
    """Return the sent direct messages that still exist in a user's inbox, about games of one server or of all."""
    rows = await db.rows(
        "SELECT direct_messages.id, user_id, message_id FROM direct_messages JOIN games ON games.id = game_id "
        "WHERE user_id = ? AND message_id IS NOT NULL AND guild_id = COALESCE(?, guild_id)",
        *(user_id, guild_id),
    )
    return [SentDirectMessage(*row) for row in rows]


async def mark_deleted(db: Database, dm_id: int) -> None:
    """Record that a direct message was deleted on Discord."""
    await db.write(lambda tx: tx.put("UPDATE direct_messages SET message_id = NULL WHERE id = ?", dm_id))


async def delete_sent_before(db: Database, cutoff: str) -> int:
    """Delete records of direct messages sent before a time (ISO 8601 in UTC); return the number of deleted rows.

    Records of messages that still exist on Discord are kept, since deleting the messages needs them.
    """
    statement = "DELETE FROM direct_messages WHERE sent_at < ? AND message_id IS NULL"
    return await db.write(lambda tx: tx.run(statement, cutoff))


async def _mark_pinged(
    tx: Transaction, user_id: int, notifications: Sequence[tuple[int, str]], direct_state: pings.DirectPing
) -> None:
    await tx.run_many(
        "UPDATE pings SET direct = ? WHERE game_id = ? AND player_id = ? AND user_id = ? AND muted = 0",
        [(direct_state, game_id, player, user_id) for game_id, player in notifications],
    )
