"""Messages in game threads: their role, number at Discord, and content.

A row is written before its message is sent, without a number. A process that dies in between leaves it so,
and the next one looks for a message without a row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from storage.contract import Cells, Database, Question, Transaction, ask, query


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message in a game's thread; `key` identifies its content, such as rows of the outbox.

    `message_id` is None while it is sent, and where nobody knows whether it was. `shows` is a digest of its
    words and buttons, empty where that is not known; `files` is JSON. `at` is when it was begun.
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
    """A notice of a log row, posted or not, with its message if known."""

    seq: int
    payload: str
    message_id: int | None
    id: int
    waits: bool
    """True until it is posted."""


class ShownTurns(NamedTuple):
    """A game's turn messages, with the notices they show and must show."""

    turns: list[ShownMessage]
    """Turn messages that are not closed, oldest first."""
    lines: list[StoredNotice]
    begun_turns: list[StoredNotice]
    """Notices of turns that have begun and are still to be shown."""


_COLUMNS = "id, game_id, role, key, message_id, shows, files, at"
NOTICE_COLUMNS = "seq, payload, message_id, id, sent_at"
"""The columns of a notice that a message may show."""


async def put_message(db: Database, message: ShownMessage) -> ShownMessage:
    """Add a row for a message that is about to be sent, or change the key of its row."""

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
    """Record the content of messages."""
    await db.write(lambda tx: update_messages(tx, changed_messages))


async def delete_message_rows(db: Database, *numbers: int) -> None:
    """Delete the rows of deleted or unsent messages."""
    await db.write(
        lambda tx: tx.run_many("DELETE FROM messages WHERE id = ?", [(number,) for number in numbers])
    )


async def delete_before(db: Database, before: str) -> int:
    """Delete the rows from before a time (ISO 8601 in UTC), but for boards and turns; return how many they were."""
    statement = "DELETE FROM messages WHERE at < ? AND role NOT IN ('board', 'turn')"
    return await db.write(lambda tx: tx.run(statement, before))


async def doubtful_messages(db: Database, game_id: int) -> list[ShownMessage]:
    """Return the messages that may or may not have been sent, oldest first."""
    return await _select_messages(db, "message_id IS NULL ORDER BY id", game_id)


async def newest_of_role(
    db: Database, game_id: int, role: str, key: str | None = None
) -> ShownMessage | None:
    """Return the newest sent message of a role, with this key if given."""
    condition = (
        "role = ? AND key = COALESCE(?, key) AND message_id IS NOT NULL ORDER BY message_id DESC LIMIT 1"
    )
    return next(iter(await _select_messages(db, condition, game_id, role, key)), None)


async def open_turn_messages(db: Database, game_id: int) -> list[ShownMessage]:
    """Return the open turn messages of a game, oldest first."""
    return await _select_messages(db, "role = 'turn' AND message_id IS NOT NULL ORDER BY message_id", game_id)


async def message_numbers_after(db: Database, game_id: int, after: int) -> frozenset[int]:
    """Return the numbers above `after` of all recorded messages of a game."""
    sql = (
        "SELECT message_id FROM messages WHERE game_id = ? AND message_id > ? "
        "UNION SELECT message_id FROM outbox WHERE game_id = ? AND message_id > ?"
    )
    return frozenset(await db.numbers(sql, game_id, after, game_id, after))


async def shown_turns(db: Database, game_id: int, line_kind: str, turn_kind: str, after: int) -> ShownTurns:
    """Return a game's open turn messages and the notices that they show or must show."""
    return ShownTurns(*await ask(db, *shown_questions(game_id, line_kind, turn_kind, after)))


def shown_questions(
    game_id: int, line_kind: str, turn_kind: str, after: int
) -> tuple[Question[list[ShownMessage]], Question[list[StoredNotice]], Question[list[StoredNotice]]]:
    """Ask for a game's open turn messages and the notices that they show or must show.

    The answers are the open turn messages, the notices of kind `line_kind` that came after row `after`, are
    unsent, or stand in one of these messages, and the unsent notices of kind `turn_kind`.
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
    """Return the posted notices of a kind in every message with one after row `after`."""
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
    """Record the content of messages, within a transaction."""
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
