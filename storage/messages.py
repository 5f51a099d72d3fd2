"""Messages in game threads: their role, id on Discord, and content.

A row is stored before its message is sent, still without a message id. If the process dies before it stores the id, the
next process looks in the thread for a message without a row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from storage.contract import Cells, Database, Question, Transaction, ask, query


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message in a game's thread; `key` identifies its content, such as rows of the outbox.

    `message_id` is None until the message is known to be sent. `shows` is a digest of its words and buttons, empty if
    not known; `files` is JSON. `at` is the time when its row was stored.
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
class StoredNotice:
    """A notice of a log row, and the id of the message that shows it, None if not known."""

    seq: int
    payload: str
    message_id: int | None
    id: int
    waits: bool
    """True until it is posted."""


class ShownTurns(NamedTuple):
    """A game's open turn messages, and the notices for the thread."""

    turns: list[ShownMessage]
    """Turn messages that are still open, oldest first."""
    lines: list[StoredNotice]
    begun_turns: list[StoredNotice]
    """Unposted notices of turns that have begun."""


_COLUMNS = "id, game_id, role, key, message_id, shows, files, at"
NOTICE_COLUMNS = "seq, payload, message_id, id, sent_at"
"""The columns from which `stored_notices` makes notices."""


async def put_message(db: Database, message: ShownMessage) -> ShownMessage:
    """Store a row for a message before it is sent, or update its stored row; return it with its id."""

    async def change(tx: Transaction) -> ShownMessage:
        if message.id:
            await update_messages(tx, [message])
            return message
        inserted_row = await tx.row(
            "INSERT INTO messages (game_id, role, key, shows, files, at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
            *(message.game_id, message.role, message.key, message.shows, message.files, message.at),
        )
        assert inserted_row is not None
        return replace(message, id=inserted_row[0])

    return await db.write(change)


async def record_changes(db: Database, *changed_messages: ShownMessage) -> None:
    """Store changed contents of messages."""
    await db.write(lambda tx: update_messages(tx, changed_messages))


async def delete_message_rows(db: Database, *numbers: int) -> None:
    """Delete the rows of messages that were deleted or never sent."""
    await db.write(
        lambda tx: tx.run_many("DELETE FROM messages WHERE id = ?", [(number,) for number in numbers])
    )


async def delete_before(db: Database, before: str) -> int:
    """Delete rows older than `before` (ISO 8601 in UTC), except boards and turns; return the number of deleted rows."""
    statement = "DELETE FROM messages WHERE at < ? AND role NOT IN ('board', 'turn')"
    return await db.write(lambda tx: tx.run(statement, before))


async def doubtful_messages(db: Database, game_id: int) -> list[ShownMessage]:
    """Return the messages that may or may not have been sent, oldest first."""
    return await _select_messages(db, "message_id IS NULL ORDER BY id", game_id)


async def newest_of_role(
    db: Database, game_id: int, role: str, key: str | None = None
) -> ShownMessage | None:
    """Return the newest sent message of a role, and of a key if given; None if there is none."""
    condition = (
        "role = ? AND key = COALESCE(?, key) AND message_id IS NOT NULL ORDER BY message_id DESC LIMIT 1"
    )
    return next(iter(await _select_messages(db, condition, game_id, role, key)), None)


async def open_turn_messages(db: Database, game_id: int) -> list[ShownMessage]:
    """Return the sent turn messages of a game that are still open, oldest first."""
    return await _select_messages(db, "role = 'turn' AND message_id IS NOT NULL ORDER BY message_id", game_id)


async def message_numbers_after(db: Database, game_id: int, after: int) -> frozenset[int]:
    """Return the Discord ids above `after` of all recorded messages of a game."""
    sql = (
        "SELECT message_id FROM messages WHERE game_id = ? AND message_id > ? "
        "UNION SELECT message_id FROM outbox WHERE game_id = ? AND message_id > ?"
    )
    return frozenset(await db.numbers(sql, game_id, after, game_id, after))


async def shown_turns(db: Database, game_id: int, line_kind: str, turn_kind: str, after: int) -> ShownTurns:
    """Return a game's open turn messages and the notices for its thread; see `shown_questions`."""
    return ShownTurns(*await ask(db, *shown_questions(game_id, line_kind, turn_kind, after)))


def shown_questions(
    game_id: int, line_kind: str, turn_kind: str, after: int
) -> tuple[Question[list[ShownMessage]], Question[list[StoredNotice]], Question[list[StoredNotice]]]:
    """Return a Question for a game's open turn messages and the notices for its thread.

    The three answers: the open turn messages; the notices of kind `line_kind` that belong to rows after `after`, are
    not posted, or are in one of these messages; and the unposted notices of kind `turn_kind`.
    """
    turns_sql = "SELECT {} FROM messages WHERE game_id = ? AND role = 'turn' AND message_id IS NOT NULL"
    notices_sql = f"SELECT {NOTICE_COLUMNS} FROM outbox WHERE game_id = ? AND kind = ?"
    lines_sql = f"{notices_sql} AND (seq > ? OR sent_at IS NULL OR message_id IN "
    lines_sql += f"({turns_sql.format('message_id')})) ORDER BY id"
    return (
        Question(query(f"{turns_sql.format(_COLUMNS)} ORDER BY message_id", game_id), _read_messages),
        Question(query(lines_sql, game_id, line_kind, after, game_id), stored_notices),
        Question(query(f"{notices_sql} AND sent_at IS NULL ORDER BY id", game_id, turn_kind), stored_notices),
    )


async def notices_with_neighbours(db: Database, game_id: int, kind: str, after: int) -> list[StoredNotice]:
    """Return the notices of a kind in every message that shows at least one for a row after `after`."""
    rows = await db.rows(
        f"SELECT {NOTICE_COLUMNS} FROM outbox WHERE game_id = ? AND kind = ? AND message_id IN "
        "(SELECT message_id FROM outbox WHERE game_id = ? AND kind = ? AND seq > ?) ORDER BY id",
        *(game_id, kind, game_id, kind, after),
    )
    return stored_notices(rows)


async def _select_messages(db: Database, condition: str, game_id: int, *values: object) -> list[ShownMessage]:
    sql = f"SELECT {_COLUMNS} FROM messages WHERE game_id = ? AND {condition}"
    return _read_messages(await db.rows(sql, game_id, *values))


async def update_messages(tx: Transaction, changed_messages: Sequence[ShownMessage]) -> None:
    """Store changed contents of messages, within a transaction."""
    await tx.run_many(
        "UPDATE messages SET role = ?, key = ?, message_id = ?, shows = ?, files = ? WHERE id = ?",
        [
            (message.role, message.key, message.message_id, message.shows, message.files, message.id)
            for message in changed_messages
        ],
    )


def _read_messages(rows: list[Cells]) -> list[ShownMessage]:
    return [ShownMessage(*row) for row in rows]


def stored_notices(rows: list[Cells]) -> list[StoredNotice]:
    """Notices from rows with the columns NOTICE_COLUMNS."""
    return [
        StoredNotice(seq, text, message, number, sent_at is None)
        for seq, text, message, number, sent_at in rows
    ]
