"""Records of the bot's messages in game threads: role, Discord id, and content.

A record is stored, without a Discord id, before its message is sent. If the process dies before it stores the Discord
id, the next process searches the thread for the message.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from storage.contract import Database, ParsedQuery, RowValues, Transaction, fetch, query


@dataclass(frozen=True, slots=True)
class ThreadMessage:
    """A record of a message in a game's thread; `role` is its purpose, such as `board` or `turn`.

    `key` identifies the message's content, for example by the ids of the outbox rows that it shows. `message_id` is
    None until the message is known to be sent. `shows` is a digest of its text and buttons, empty if unknown; `files`
    is JSON text. `at` is the time when the record was stored.
    """

    id: int
    game_id: int
    role: str
    key: str
    message_id: int | None
    shows: str
    files: str
    at: str


@dataclass(frozen=True, slots=True)
class OutboxNotice:
    """An outbox notice about a log row. `message_id` is the message that shows it (None if not known)."""

    seq: int
    payload: str
    message_id: int | None
    id: int
    is_unposted: bool
    """True until the notice is posted."""


class ShownTurns(NamedTuple):
    """A game's open turn messages, and the notices to show in its thread."""

    turns: list[ThreadMessage]
    """Turn messages that are not closed yet, oldest first."""
    lines: list[OutboxNotice]
    unposted_turns: list[OutboxNotice]
    """Notices, not posted yet, that a turn has begun."""


_MESSAGE_COLUMNS = "id, game_id, role, key, message_id, shows, files, at"
NOTICE_COLUMNS = "seq, payload, message_id, id, sent_at"
"""The outbox columns that `read_notices` parses."""


async def put_message(db: Database, message: ThreadMessage) -> ThreadMessage:
    """Insert a record before its message is sent, or update a stored one; return the record with its row id."""

    async def in_transaction(tx: Transaction) -> ThreadMessage:
        if message.id:
            await update_messages(tx, [message])
            return message
        inserted_row = await tx.row(
            "INSERT INTO messages (game_id, role, key, shows, files, at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
            *(message.game_id, message.role, message.key, message.shows, message.files, message.at),
        )
        assert inserted_row is not None
        return replace(message, id=inserted_row[0])

    return await db.write(in_transaction)


async def record_message_changes(db: Database, *changed_messages: ThreadMessage) -> None:
    """Store the changed contents of messages."""
    await db.write(lambda tx: update_messages(tx, changed_messages))


async def delete_message_rows(db: Database, *row_ids: int) -> None:
    """Delete the records of messages that were deleted or never sent."""
    await db.write(
        lambda tx: tx.run_many("DELETE FROM messages WHERE id = ?", [(row_id,) for row_id in row_ids])
    )


async def delete_before(db: Database, before: str) -> int:
    """Delete records older than `before` (ISO 8601 in UTC) and return their number; keeps board and turn messages."""
    statement = "DELETE FROM messages WHERE at < ? AND role NOT IN ('board', 'turn')"
    return await db.write(lambda tx: tx.run(statement, before))


async def possibly_unsent_messages(db: Database, game_id: int) -> list[ThreadMessage]:
    """Return the messages that may not have been sent, oldest first."""
    return await _select_messages(db, "message_id IS NULL ORDER BY id", game_id)


async def newest_message_of_role(
    db: Database, game_id: int, role: str, key: str | None = None
) -> ThreadMessage | None:
    """Return a game's newest sent message with this role, and with this key if given; None if there is none."""
    condition = (
        "role = ? AND key = COALESCE(?, key) AND message_id IS NOT NULL ORDER BY message_id DESC LIMIT 1"
    )
    return next(iter(await _select_messages(db, condition, game_id, role, key)), None)


async def open_turn_messages(db: Database, game_id: int) -> list[ThreadMessage]:
    """Return a game's sent turn messages that are still open, oldest first."""
    return await _select_messages(db, "role = 'turn' AND message_id IS NOT NULL ORDER BY message_id", game_id)


async def message_ids_after(db: Database, game_id: int, after_id: int) -> frozenset[int]:
    """Return the Discord ids of a game's recorded messages that are greater than `after_id`."""
    sql = (
        "SELECT message_id FROM messages WHERE game_id = ? AND message_id > ? "
        "UNION SELECT message_id FROM outbox WHERE game_id = ? AND message_id > ?"
    )
    return frozenset(await db.numbers(sql, game_id, after_id, game_id, after_id))


async def shown_turns(
    db: Database, game_id: int, line_kind: str, turn_kind: str, after_seq: int
) -> ShownTurns:
    """Return a game's open turn messages and the notices to show in its thread; see `shown_turns_queries`."""
    return ShownTurns(*await fetch(db, *shown_turns_queries(game_id, line_kind, turn_kind, after_seq)))


def shown_turns_queries(
    game_id: int, line_kind: str, turn_kind: str, after_seq: int
) -> tuple[
    ParsedQuery[list[ThreadMessage]], ParsedQuery[list[OutboxNotice]], ParsedQuery[list[OutboxNotice]]
]:
    """Return the queries for the three fields of ShownTurns; run them with `fetch`.

    The first reads the open turn messages. The second reads notices of kind `line_kind`: those about log rows after
    `after_seq`, those not posted yet, and those shown in an open turn message. The third reads the notices of kind
    `turn_kind` that are not posted yet.
    """
    turns_sql = "SELECT {} FROM messages WHERE game_id = ? AND role = 'turn' AND message_id IS NOT NULL"
    notices_sql = f"SELECT {NOTICE_COLUMNS} FROM outbox WHERE game_id = ? AND kind = ?"
    lines_sql = f"{notices_sql} AND (seq > ? OR sent_at IS NULL OR message_id IN "
    lines_sql += f"({turns_sql.format('message_id')})) ORDER BY id"
    return (
        ParsedQuery(
            query(f"{turns_sql.format(_MESSAGE_COLUMNS)} ORDER BY message_id", game_id), _read_messages
        ),
        ParsedQuery(query(lines_sql, game_id, line_kind, after_seq, game_id), read_notices),
        ParsedQuery(
            query(f"{notices_sql} AND sent_at IS NULL ORDER BY id", game_id, turn_kind), read_notices
        ),
    )


async def notices_sharing_messages(
    db: Database, game_id: int, kind: str, after_seq: int
) -> list[OutboxNotice]:
    """Return the notices of a kind in all messages that show one about a log row after `after_seq`."""
    rows = await db.rows(
        f"SELECT {NOTICE_COLUMNS} FROM outbox WHERE game_id = ? AND kind = ? AND message_id IN "
        "(SELECT message_id FROM outbox WHERE game_id = ? AND kind = ? AND seq > ?) ORDER BY id",
        *(game_id, kind, game_id, kind, after_seq),
    )
    return read_notices(rows)


async def _select_messages(
    db: Database, condition: str, game_id: int, *values: object
) -> list[ThreadMessage]:
    sql = f"SELECT {_MESSAGE_COLUMNS} FROM messages WHERE game_id = ? AND {condition}"
    return _read_messages(await db.rows(sql, game_id, *values))


async def update_messages(tx: Transaction, changed_messages: Sequence[ThreadMessage]) -> None:
    """Store the changed contents of messages, within a transaction."""
    await tx.run_many(
        "UPDATE messages SET role = ?, key = ?, message_id = ?, shows = ?, files = ? WHERE id = ?",
        [
            (message.role, message.key, message.message_id, message.shows, message.files, message.id)
            for message in changed_messages
        ],
    )


def _read_messages(rows: list[RowValues]) -> list[ThreadMessage]:
    return [ThreadMessage(*row) for row in rows]


def read_notices(rows: list[RowValues]) -> list[OutboxNotice]:
    """Notices parsed from outbox rows that have the columns NOTICE_COLUMNS."""
    return [
        OutboxNotice(seq, payload, message_id, row_id, sent_at is None)
        for seq, payload, message_id, row_id, sent_at in rows
    ]
