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
    """Those that are not closed, oldest first."""
    lines: list[StoredNotice]
    overs: list[StoredNotice]
    """Rows of turns that have begun, which wait to be shown."""


_COLUMNS = "id, game_id, role, key, message_id, shows, files, at"
NOTICE = "seq, payload, message_id, id, sent_at"
"""The columns of a notice that a message may show."""


async def put_message(db: Database, message: ShownMessage) -> ShownMessage:
    """Add a row for a message that is about to be sent, or change the key of its row."""

    async def change(tx: Transaction) -> ShownMessage:
        if message.id:
            await update(tx, [message])
            return message
        made = await tx.row(
            "INSERT INTO messages (game_id, role, key, shows, files, at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
            *(message.game_id, message.role, message.key, message.shows, message.files, message.at),
        )
        assert made is not None
        return replace(message, id=made[0])

    return await db.write(change)


async def record_changes(db: Database, *changed: ShownMessage) -> None:
    """Record the content of messages."""
    await db.write(lambda tx: update(tx, changed))


async def delete_rows(db: Database, *numbers: int) -> None:
    """Delete the rows of deleted or unsent messages."""
    await db.write(
        lambda tx: tx.run_many("DELETE FROM messages WHERE id = ?", [(number,) for number in numbers])
    )


async def forget_old(db: Database, before: str) -> int:
    """Delete the rows from before a time (ISO 8601 in UTC), but for boards and turns; return how many they were."""
    statement = "DELETE FROM messages WHERE at < ? AND role NOT IN ('board', 'turn')"
    return await db.write(lambda tx: tx.run(statement, before))


async def in_doubt(db: Database, game_id: int) -> list[ShownMessage]:
    """Return the messages that may or may not have been sent, oldest first."""
    return await _select(db, "message_id IS NULL ORDER BY id", game_id)


async def newest_of_role(
    db: Database, game_id: int, role: str, key: str | None = None
) -> ShownMessage | None:
    """Return the newest sent message of a role, with this key if given."""
    which = "role = ? AND key = COALESCE(?, key) AND message_id IS NOT NULL ORDER BY message_id DESC LIMIT 1"
    return next(iter(await _select(db, which, game_id, role, key)), None)


async def turns(db: Database, game_id: int) -> list[ShownMessage]:
    """Return the open turn messages of a game, oldest first."""
    return await _select(db, "role = 'turn' AND message_id IS NOT NULL ORDER BY message_id", game_id)


async def numbers(db: Database, game_id: int, after: int) -> frozenset[int]:
    """Return the numbers above `after` of all recorded messages of a game."""
    asked = (
        "SELECT message_id FROM messages WHERE game_id = ? AND message_id > ? "
        "UNION SELECT message_id FROM outbox WHERE game_id = ? AND message_id > ?"
    )
    return frozenset(await db.numbers(asked, game_id, after, game_id, after))


async def shown_turns(db: Database, game_id: int, line: str, turn: str, after: int) -> ShownTurns:
    """Return the content of a game's turn messages, current and due."""
    return ShownTurns(*await ask(db, *shown_questions(game_id, line, turn, after)))


def shown_questions(
    game_id: int, line: str, turn: str, after: int
) -> tuple[Question[list[ShownMessage]], Question[list[StoredNotice]], Question[list[StoredNotice]]]:
    """Ask for the content of a game's turn messages, current and due.

    That are notices of the kind `line` that came after a row of the log, that wait, or that stand in one of
    these messages; and those of the kind `turn` that wait.
    """
    turns = "SELECT {} FROM messages WHERE game_id = ? AND role = 'turn' AND message_id IS NOT NULL"
    notices = f"SELECT {NOTICE} FROM outbox WHERE game_id = ? AND kind = ?"
    lines = f"{notices} AND (seq > ? OR sent_at IS NULL OR message_id IN ({turns.format('message_id')})) ORDER BY id"
    return (
        Question(query(f"{turns.format(_COLUMNS)} ORDER BY message_id", game_id), _messages),
        Question(query(lines, game_id, line, after, game_id), stored_notices),
        Question(query(f"{notices} AND sent_at IS NULL ORDER BY id", game_id, turn), stored_notices),
    )


async def with_neighbours(db: Database, game_id: int, kind: str, after: int) -> list[StoredNotice]:
    """Return the posted notices of a kind in every message with one after row `after`."""
    rows = await db.rows(
        f"SELECT {NOTICE} FROM outbox WHERE game_id = ? AND kind = ? AND message_id IN "
        "(SELECT message_id FROM outbox WHERE game_id = ? AND kind = ? AND seq > ?) ORDER BY id",
        *(game_id, kind, game_id, kind, after),
    )
    return stored_notices(rows)


async def _select(db: Database, key: str, game_id: int, *values: object) -> list[ShownMessage]:
    asked = f"SELECT {_COLUMNS} FROM messages WHERE game_id = ? AND {key}"
    return _messages(await db.rows(asked, game_id, *values))


async def update(tx: Transaction, changed_messages: Sequence[ShownMessage]) -> None:
    """Record the content of messages, within a transaction."""
    await tx.run_many(
        "UPDATE messages SET role = ?, key = ?, message_id = ?, shows = ?, files = ? WHERE id = ?",
        [(one.role, one.key, one.message_id, one.shows, one.files, one.id) for one in changed_messages],
    )


def _messages(rows: list[Cells]) -> list[ShownMessage]:
    return [ShownMessage(*row) for row in rows]


def stored_notices(rows: list[Cells]) -> list[StoredNotice]:
    """Read rows of NOTICE."""
    return [
        StoredNotice(seq, text, message, number, sent is None) for seq, text, message, number, sent in rows
    ]
