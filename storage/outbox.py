"""The outbox: notices to post in games, stored in the transaction of their move and marked as sent once posted.

Rows that keep failing are parked: they are skipped until the game changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from storage import games, messages
from storage.contract import Database, Question, Transaction, ask, query, value_places
from storage.pings import NotificationChanges
from storage.shards import ALL_SHARDS, ShardSet


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """A notice to post; the bot defines `kind` and the content of `payload`.

    `notifications` are the changes of pending notifications if the notice passes the turn to another player.
    """

    kind: str
    payload: str
    notifications: NotificationChanges | None = None


@dataclass(frozen=True, slots=True)
class Posting:
    """A notice that waits in the outbox, with its failed attempts and the last error."""

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
    """Size and age of the unposted outbox; `oldest_at` (ISO 8601 in UTC) ignores parked rows.

    Parked rows do not count for the age, since only the players can fix their cause.
    """

    rows: int
    parked_rows: int
    games: int
    oldest_at: str | None


MAX_ATTEMPTS: Final = 6
"""Failed attempts after which a row is parked."""


async def add_notices(
    tx: Transaction, game_id: int, seq: int, notices: Sequence[OutboxMessage], now: str
) -> None:
    """Add notices to the outbox, in order, and change pending notifications, within a transaction."""
    if notices:
        rows = [(game_id, seq, notice.kind, notice.payload, now) for notice in notices]
        await tx.put(
            f"INSERT INTO outbox (game_id, seq, kind, payload, created_at) VALUES {value_places(*rows)}",
            *(cell for row in rows for cell in row),
        )
    for notice in notices:
        if notice.notifications is not None:
            await notice.notifications.write(tx, game_id, seq, now)


async def put_notices(
    db: Database, game_id: int, seq: int, notices: Sequence[OutboxMessage], now: str
) -> None:
    """Add notices that belong to no move to the outbox, in order."""
    await db.write(lambda tx: add_notices(tx, game_id, seq, notices, now))


async def add_notice_once(db: Database, game_id: int, seq: int, notice: OutboxMessage, now: str) -> bool:
    """Add a notice that belongs to no move, unless the game has the same one already, sent or not; True if added.

    Raises NoSuchGame.
    """

    async def change(tx: Transaction) -> bool:
        await games.lock_and_read(tx, game_id)
        same_notice_sql = "SELECT 1 FROM outbox WHERE game_id = ? AND seq = ? AND kind = ? AND payload = ?"
        if await tx.row(same_notice_sql, game_id, seq, notice.kind, notice.payload):
            return False
        await add_notices(tx, game_id, seq, [notice], now)
        return True

    return await db.write(change)


async def games_with_postings(db: Database, shards: ShardSet = ALL_SHARDS) -> list[int]:
    """Return the games with unposted notices; the game with the oldest notice comes first."""
    return await db.numbers(
        "SELECT game_id FROM outbox WHERE sent_at IS NULL AND game_id IN "
        f"(SELECT id FROM games WHERE {shards.sql_condition()}) GROUP BY game_id ORDER BY MIN(id)"
    )


async def postings_of_game(db: Database, game_id: int) -> list[Posting]:
    """Return the unposted notices of a game, in order."""
    return (await game_and_postings(db, game_id))[1]


async def game_and_postings(db: Database, game_id: int) -> tuple[games.GameRow | None, list[Posting]]:
    """Return a game (None if there is none) and its unposted notices, in order."""
    sql = (
        "SELECT id, game_id, seq, kind, payload, created_at, attempts, last_error FROM outbox "
        "WHERE sent_at IS NULL AND game_id = ? ORDER BY id"
    )
    answers, rows = await ask(
        db,
        games.select_question("WHERE games.id = ?", game_id),
        Question(query(sql, game_id), lambda rows: [Posting(*row) for row in rows]),
    )
    return next(iter(answers), None), rows


async def notices_of_kind(db: Database, game_id: int, kind: str, after: int) -> list[messages.StoredNotice]:
    """Return the notices of a kind that belong to rows after `after`, posted or not."""
    rows = await db.rows(
        f"SELECT {messages.NOTICE_COLUMNS} FROM outbox WHERE game_id = ? AND kind = ? AND seq > ? ORDER BY id",
        *(game_id, kind, after),
    )
    return messages.stored_notices(rows)


async def backlog(db: Database) -> Backlog:
    """Return the size and age of the unposted outbox."""
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
    shown_messages: Sequence[messages.ShownMessage] = (),
) -> None:
    """Mark postings as sent in message `message_id`, and store changed contents of messages; safe to repeat."""

    async def change(tx: Transaction) -> None:
        if posting_ids:
            await tx.put(
                "UPDATE outbox SET sent_at = ?, message_id = COALESCE(?, message_id) "
                f"WHERE id IN {value_places(posting_ids)} AND sent_at IS NULL",
                *(now, message_id, *posting_ids),
            )
        await messages.update_messages(tx, shown_messages)

    await db.write(change)


async def mark_failed(db: Database, *posting_ids: int, error: str, times: int = 1) -> None:
    """Count `times` more failed attempts at these postings, and store the error."""
    failures = [(times, error, posting_id) for posting_id in sorted(posting_ids)]
    statement = "UPDATE outbox SET attempts = attempts + ?, last_error = ? WHERE id = ? AND sent_at IS NULL"
    await db.write(lambda tx: tx.run_many(statement, failures))


async def delete_outbox_of_guild(db: Database, guild_id: int) -> int:
    """Delete all outbox rows of a guild's games and return their number."""
    statement = "DELETE FROM outbox WHERE game_id IN (SELECT id FROM games WHERE guild_id = ?)"
    return await db.write(lambda tx: tx.run(statement, guild_id))


async def delete_sent_before(db: Database, before: str) -> int:
    """Delete rows sent before a time (ISO 8601 in UTC) and return their number."""
    return await db.write(lambda tx: tx.run("DELETE FROM outbox WHERE sent_at < ?", before))
