"""The outbox: notices to post in game threads.

A notice is stored in the transaction of its move, and marked once it is posted. A notice that keeps failing is parked:
it is skipped until the game changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from storage import games, messages
from storage.contract import Database, ParsedQuery, Transaction, fetch, query, value_placeholders
from storage.pings import NotificationChanges
from storage.shards import ALL_SHARDS, ShardSet


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """A new notice to post in a game's thread; the bot defines `kind` and the content of `payload`.

    If the move passes the turn to another player, `notifications` are the changes of pending notifications.
    """

    kind: str
    payload: str
    notifications: NotificationChanges | None = None


@dataclass(frozen=True, slots=True)
class Posting:
    """A notice in the outbox that is not posted yet, with its failed attempts and last error."""

    id: int
    game_id: int
    seq: int
    kind: str
    payload: str
    created_at: str
    attempts: int
    last_error: str | None


@dataclass(frozen=True, slots=True)
class Backlog:
    """Number and age of notices that are not posted yet; `oldest_at` is ISO 8601 in UTC.

    The age ignores parked notices, since only players can remove the cause of their failure.
    """

    row_count: int
    parked_row_count: int
    game_count: int
    oldest_at: str | None


MAX_ATTEMPTS: Final = 6
"""Number of failed attempts after which a notice is parked."""


async def add_notices(
    tx: Transaction, game_id: int, seq: int, notices: Sequence[OutboxMessage], now: str
) -> None:
    """Append notices to the outbox, and apply their changes of pending notifications, within a transaction."""
    if notices:
        rows = [(game_id, seq, notice.kind, notice.payload, now) for notice in notices]
        await tx.put(
            f"INSERT INTO outbox (game_id, seq, kind, payload, created_at) VALUES {value_placeholders(*rows)}",
            *(cell for row in rows for cell in row),
        )
    for notice in notices:
        if notice.notifications is not None:
            await notice.notifications.write(tx, game_id, seq, now)


async def queue_notices(
    db: Database, game_id: int, seq: int, notices: Sequence[OutboxMessage], now: str
) -> None:
    """Append notices that belong to no move to the outbox."""
    await db.write(lambda tx: add_notices(tx, game_id, seq, notices, now))


async def add_notice_once(db: Database, game_id: int, seq: int, notice: OutboxMessage, now: str) -> bool:
    """Append a notice that belongs to no move; True if appended.

    Does nothing if the game already has an identical notice with this `seq`, posted or not. Raises NoSuchGame.
    """

    async def in_transaction(tx: Transaction) -> bool:
        await games.lock_and_read(tx, game_id)
        same_notice_sql = "SELECT 1 FROM outbox WHERE game_id = ? AND seq = ? AND kind = ? AND payload = ?"
        if await tx.row(same_notice_sql, game_id, seq, notice.kind, notice.payload):
            return False
        await add_notices(tx, game_id, seq, [notice], now)
        return True

    return await db.write(in_transaction)


async def games_with_unposted_notices(db: Database, shards: ShardSet = ALL_SHARDS) -> list[int]:
    """Return the ids of the games of these shards with unposted notices, oldest unposted notice first."""
    return await db.numbers(
        "SELECT game_id FROM outbox WHERE sent_at IS NULL AND game_id IN "
        f"(SELECT id FROM games WHERE {shards.sql_condition()}) GROUP BY game_id ORDER BY MIN(id)"
    )


async def unposted_notices_of_game(db: Database, game_id: int) -> list[Posting]:
    """Return the unposted notices of a game, in order."""
    return (await game_and_unposted_notices(db, game_id))[1]


async def game_and_unposted_notices(db: Database, game_id: int) -> tuple[games.GameRow | None, list[Posting]]:
    """Return a game (None if there is none) and its unposted notices, in order."""
    sql = (
        "SELECT id, game_id, seq, kind, payload, created_at, attempts, last_error FROM outbox "
        "WHERE sent_at IS NULL AND game_id = ? ORDER BY id"
    )
    game_rows, rows = await fetch(
        db,
        games.games_query("WHERE games.id = ?", game_id),
        ParsedQuery(query(sql, game_id), lambda rows: [Posting(*row) for row in rows]),
    )
    return next(iter(game_rows), None), rows


async def notices_of_kind(
    db: Database, game_id: int, kind: str, after_seq: int
) -> list[messages.OutboxNotice]:
    """Return a game's notices of a kind that belong to log rows after `after_seq`, posted or not."""
    rows = await db.rows(
        f"SELECT {messages.NOTICE_COLUMNS} FROM outbox WHERE game_id = ? AND kind = ? AND seq > ? ORDER BY id",
        *(game_id, kind, after_seq),
    )
    return messages.read_notices(rows)


async def backlog(db: Database) -> Backlog:
    """Return the backlog of the outbox: the number and age of unposted notices."""
    row = await db.row(
        "SELECT COUNT(*), COUNT(CASE WHEN attempts >= ? THEN 1 END), COUNT(DISTINCT game_id), "
        "MIN(CASE WHEN attempts < ? THEN created_at END) FROM outbox WHERE sent_at IS NULL",
        *(MAX_ATTEMPTS, MAX_ATTEMPTS),
    )
    assert row is not None
    return Backlog(*row)


async def mark_sent(
    db: Database,
    *posting_ids: int,
    now: str,
    message_id: int | None = None,
    shown_messages: Sequence[messages.ThreadMessage] = (),
) -> None:
    """Mark notices as posted in message `message_id`, and store `shown_messages`; repeating it is harmless."""

    async def in_transaction(tx: Transaction) -> None:
        if posting_ids:
            await tx.put(
                "UPDATE outbox SET sent_at = ?, message_id = COALESCE(?, message_id) "
                f"WHERE id IN {value_placeholders(posting_ids)} AND sent_at IS NULL",
                *(now, message_id, *posting_ids),
            )
        await messages.update_messages(tx, shown_messages)

    await db.write(in_transaction)


async def mark_failed(db: Database, *posting_ids: int, error: str, attempt_count: int = 1) -> None:
    """Count `attempt_count` more failed attempts for these notices, and store the error."""
    failures = [(attempt_count, error, posting_id) for posting_id in sorted(posting_ids)]
    statement = "UPDATE outbox SET attempts = attempts + ?, last_error = ? WHERE id = ? AND sent_at IS NULL"
    await db.write(lambda tx: tx.run_many(statement, failures))


async def delete_outbox_of_guild(db: Database, guild_id: int) -> int:
    """Delete the outbox rows of all games of a server (guild) and return their number."""
    statement = "DELETE FROM outbox WHERE game_id IN (SELECT id FROM games WHERE guild_id = ?)"
    return await db.write(lambda tx: tx.run(statement, guild_id))


async def delete_sent_before(db: Database, before: str) -> int:
    """Delete outbox rows posted before a time (ISO 8601 in UTC) and return their number."""
    return await db.write(lambda tx: tx.run("DELETE FROM outbox WHERE sent_at < ?", before))
