"""What must still be posted: written with the move it tells of, and ticked off once Discord has it."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from storage.db import Database


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to post; `kind` and `payload` mean what the bot wants them to mean."""

    kind: str
    payload: str


@dataclass(frozen=True, slots=True)
class Posting:
    """A notice in the outbox: the game and sequence it belongs to, and how posting it has gone so far."""

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
    """How much waits to be sent, and since when the oldest of it does (ISO 8601 in UTC; None: nothing waits)."""

    rows: int
    oldest: str | None


def add(conn: sqlite3.Connection, game_id: int, seq: int, notices: Sequence[Notice], now: str) -> None:
    """Put notices into the outbox, in order, within a transaction."""
    conn.executemany(
        "INSERT INTO outbox (game_id, seq, kind, payload, created_at) VALUES (?, ?, ?, ?, ?)",
        [(game_id, seq, notice.kind, notice.payload, now) for notice in notices],
    )


async def add_once(db: Database, game_id: int, seq: int, notice: Notice, now: str) -> bool:
    """Put a notice that comes with no move into the outbox, unless the same is there, sent or not.

    Returns whether it was new.
    """

    def change(conn: sqlite3.Connection) -> bool:
        same = "SELECT 1 FROM outbox WHERE (game_id, seq, kind, payload) = (?, ?, ?, ?)"
        if conn.execute(same, (game_id, seq, notice.kind, notice.payload)).fetchone():
            return False
        add(conn, game_id, seq, [notice], now)
        return True

    return await db.write(change)


async def pending(db: Database, limit: int = 100, *, attempts_below: int | None = None) -> list[Posting]:
    """Return what has not been sent, oldest first, leaving out what has failed `attempts_below` times."""

    def query(conn: sqlite3.Connection) -> list[Posting]:
        rows = conn.execute(
            "SELECT id, game_id, seq, kind, payload, created_at, attempts, last_error FROM outbox "
            "WHERE sent_at IS NULL AND (? IS NULL OR attempts < ?) ORDER BY id LIMIT ?",
            (attempts_below, attempts_below, limit),
        )
        return [Posting(*row) for row in rows]

    return await db.read(query)


async def backlog(db: Database) -> Backlog:
    """Return how much has not been sent, and since when."""
    count = "SELECT COUNT(*), MIN(created_at) FROM outbox WHERE sent_at IS NULL"
    return await db.read(lambda conn: Backlog(*conn.execute(count).fetchone()))


async def mark_sent(db: Database, *posting_ids: int, now: str) -> None:
    """Record that postings have reached Discord, or that a later one stands for them; twice is harmless."""
    marks = [(now, posting_id) for posting_id in posting_ids]

    def change(conn: sqlite3.Connection) -> None:
        conn.executemany("UPDATE outbox SET sent_at = ? WHERE id = ? AND sent_at IS NULL", marks)

    await db.write(change)


async def mark_failed(db: Database, posting_id: int, error: str) -> None:
    """Record that a posting failed once more, and why."""
    await db.execute(
        "UPDATE outbox SET attempts = attempts + 1, last_error = ? WHERE id = ? AND sent_at IS NULL",
        error,
        posting_id,
    )


async def forget_sent(db: Database, before: str) -> int:
    """Delete what was sent before a time (ISO 8601 in UTC) and return how many rows that were."""
    return await db.execute("DELETE FROM outbox WHERE sent_at < ?", before)
