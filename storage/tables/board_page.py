"""The board page: the key of its links, which links were given out and used, and the sessions of browsers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from storage.contract import Database, Transaction, query
from storage.questions import Question, ask

State: TypeAlias = Literal["open", "waiting"]
"""`waiting`: it came by a link that had been used, and sees what spectators see until its user confirms it."""
WAITING: Final = 5
"""Browsers of one user at one game that may wait to be confirmed; the oldest make room."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link that was given out: for whom (None: for spectators), and until when (ISO 8601 in UTC)."""

    nonce: str
    game_id: int
    user_id: int | None
    moderates: bool
    expires_at: str


@dataclass(frozen=True, slots=True)
class Session:
    """A browser at the board of one game: whose it is (None: a spectator's), and until when."""

    digest: str
    game_id: int
    user_id: int | None
    state: State
    code: str
    """What the browser shows while it waits to be confirmed."""
    moderates_until: str | None
    created_at: str
    expires_at: str


_SESSION: Final = "digest, game_id, user_id, state, code, moderates_until, created_at, expires_at"
_LINK: Final = "nonce, game_id, user_id, moderates, expires_at"


async def key(db: Database, new: str) -> str:
    """Return the key that signs links; the first time it is `new`."""

    async def change(tx: Transaction) -> str:
        await tx.put(
            "INSERT INTO board_keys (number, secret) VALUES (1, ?) ON CONFLICT (number) DO NOTHING", new
        )
        found = await tx.row("SELECT secret FROM board_keys WHERE number = 1")
        assert found is not None
        return str(found[0])

    return await db.write(change)


async def give_out(db: Database, link: Link) -> None:
    """Note a link that is given out."""
    values = (link.nonce, link.game_id, link.user_id, int(link.moderates), link.expires_at)
    statement = f"INSERT INTO board_links ({_LINK}) VALUES (?, ?, ?, ?, ?)"
    await db.write(lambda tx: tx.put(statement, *values))


async def use(
    db: Database, nonce: str, now: str, is_good: Callable[[Link], bool]
) -> tuple[Link, bool] | None:
    """Use a link: it, and whether this is its first use; None where there is none, or not any more, or no good one."""

    async def change(tx: Transaction) -> tuple[Link, bool] | None:
        found = await tx.row(
            f"SELECT {_LINK} FROM board_links WHERE nonce = ? AND expires_at > ?{tx.locking('UPDATE')}",
            *(nonce, now),
        )
        if found is None:
            return None
        _, game_id, user_id, moderates, expires_at = found
        link = Link(nonce, game_id, user_id, bool(moderates), expires_at)
        if not is_good(link):
            return None
        first = await tx.run(
            "UPDATE board_links SET used_at = ? WHERE nonce = ? AND used_at IS NULL AND user_id IS NOT NULL",
            *(now, nonce),
        )
        return link, first > 0 or link.user_id is None

    return await db.write(change)


async def open_session(db: Database, session: Session) -> None:
    """Store a session; of those that wait to be confirmed only the newest stay."""
    values = [getattr(session, name) for name in _SESSION.split(", ")]

    async def change(tx: Transaction) -> None:
        await tx.put(f"INSERT INTO board_sessions ({_SESSION}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *values)
        await tx.put(
            "DELETE FROM board_sessions WHERE state = 'waiting' AND user_id = ? AND game_id = ? AND digest "
            "NOT IN (SELECT digest FROM board_sessions WHERE state = 'waiting' AND user_id = ? AND game_id = ? "
            "ORDER BY created_at DESC LIMIT ?)",
            *(session.user_id, session.game_id, session.user_id, session.game_id, WAITING),
        )

    await db.write(change)


def session_question(digest: str, now: str) -> Question[Session | None]:
    """Ask for a session that has not expired, None if there is none."""
    columns = f"SELECT {_SESSION} FROM board_sessions WHERE digest = ? AND expires_at > ?"
    return Question(query(columns, digest, now), lambda rows: Session(*rows[0]) if rows else None)


async def session(db: Database, digest: str, now: str) -> Session | None:
    """Return a session that has not expired, None if there is none."""
    return await ask(db, session_question(digest, now))


async def waiting(db: Database, user_id: int, game_id: int, now: str) -> list[Session]:
    """Return the sessions that a user may confirm, the latest first."""
    rows = await db.rows(
        f"SELECT {_SESSION} FROM board_sessions WHERE state = 'waiting' AND user_id = ? AND game_id = ? "
        "AND expires_at > ? ORDER BY created_at DESC",
        *(user_id, game_id, now),
    )
    return [Session(*row) for row in rows]


async def confirm(db: Database, user_id: int, game_id: int, code: str, expires_at: str) -> bool:
    """The browser that shows this code is the user's own; False where none waits with it."""
    statement = (
        "UPDATE board_sessions SET state = 'open', expires_at = ? "
        "WHERE state = 'waiting' AND user_id = ? AND game_id = ? AND code = ?"
    )
    return await db.write(lambda tx: tx.run(statement, expires_at, user_id, game_id, code)) > 0


async def end_sessions(tx: Transaction, user_id: int, game_id: int | None = None) -> None:
    """End a user's sessions, and their links, in one game or in all, within a transaction."""
    for table in ("board_links", "board_sessions"):
        await tx.put(
            f"DELETE FROM {table} WHERE user_id = ? AND game_id = COALESCE(?, game_id)", user_id, game_id
        )


async def forget_expired(db: Database, now: str) -> None:
    """Delete what has expired."""

    async def change(tx: Transaction) -> None:
        for table in ("board_links", "board_sessions"):
            await tx.put(f"DELETE FROM {table} WHERE expires_at <= ?", now)

    await db.write(change)
