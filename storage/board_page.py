"""Storage for web pages (boards of games, pages of servers and events): signing key, links and browser sessions."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from storage.contract import Database, Transaction, value_placeholders

SessionState: TypeAlias = Literal["open", "waiting"]
"""The state of a browser session: `open`, or `waiting` until the user confirms the browser on Discord.

A browser whose session is waiting shows the spectators' view.
"""
MAX_WAITING_BROWSERS: Final = 5
"""Maximum number of unconfirmed sessions of one user at one game's board; older ones are deleted."""
SESSIONS_PER_QUERY: Final = 500
"""Maximum number of sessions read by one SQL statement."""


@dataclass(frozen=True, slots=True)
class BoardLink:
    """A single-use link that opens a game's board for a user (None: a spectator), and expires (ISO 8601 in UTC)."""

    nonce: str
    game_id: int
    user_id: int | None
    moderates: bool
    expires_at: str
    display_name: str = ""
    """The user's name on Discord."""


@dataclass(frozen=True, slots=True)
class BoardSession:
    """A browser's session at a game's board, for a user (None: a spectator); it expires (ISO 8601 in UTC)."""

    digest: str
    game_id: int
    user_id: int | None
    state: SessionState
    code: str
    """The code that an unconfirmed browser shows; the user compares it with the code on Discord."""
    moderates_until: str | None
    created_at: str
    expires_at: str
    display_name: str = ""
    """The user's name on Discord when the link was issued."""
    browser: str = ""
    """Digest of the cookie that identifies the browser; empty without a cookie."""
    device: str = ""
    """Browser and operating system, such as `Firefox on Linux`."""


_SESSION_COLUMNS: Final = (
    "digest, game_id, user_id, state, code, moderates_until, created_at, expires_at, "
    "display_name, browser, device"
)
_LINK_COLUMNS: Final = "nonce, game_id, user_id, moderates, expires_at, display_name"


async def get_or_store_signing_key(db: Database, new_key: str) -> str:
    """Return the stored key that signs links; if there is none, store `new_key` and return it."""

    async def in_transaction(tx: Transaction) -> str:
        await tx.put(
            "INSERT INTO board_keys (number, secret) VALUES (1, ?) ON CONFLICT (number) DO NOTHING", new_key
        )
        row = await tx.row("SELECT secret FROM board_keys WHERE number = 1")
        assert row is not None
        return str(row[0])

    return await db.write(in_transaction)


async def record_link(db: Database, link: BoardLink) -> None:
    """Store a newly issued board link."""
    values = (link.nonce, link.game_id, link.user_id, int(link.moderates), link.expires_at, link.display_name)
    statement = f"INSERT INTO board_links ({_LINK_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
    await db.write(lambda tx: tx.put(statement, *values))


async def find_link(db: Database, nonce: str, now: str) -> BoardLink | None:
    """Return the link with this nonce, even if already used; None if unknown or expired."""
    rows = await db.rows(
        f"SELECT {_LINK_COLUMNS} FROM board_links WHERE nonce = ? AND expires_at > ?", nonce, now
    )
    for link_nonce, game_id, user_id, moderates, expires_at, display_name in rows:
        return BoardLink(link_nonce, game_id, user_id, bool(moderates), expires_at, display_name)
    return None


async def mark_link_used(db: Database, nonce: str, now: str) -> bool:
    """Mark a link as used; return True only the first time."""
    statement = "UPDATE board_links SET used_at = ? WHERE nonce = ? AND used_at IS NULL"
    return await db.write(lambda tx: tx.run(statement, now, nonce)) > 0


async def open_session(db: Database, session: BoardSession, replaced_digests: Collection[str] = ()) -> None:
    """Store a new session and delete the sessions with `replaced_digests`.

    Of the unconfirmed sessions of this user at this game, only the newest MAX_WAITING_BROWSERS are kept.
    """
    values = [getattr(session, name) for name in _SESSION_COLUMNS.split(", ")]

    async def in_transaction(tx: Transaction) -> None:
        for digest in replaced_digests:
            await tx.put("DELETE FROM board_sessions WHERE digest = ?", digest)
        await tx.put(
            f"INSERT INTO board_sessions ({_SESSION_COLUMNS}) VALUES {value_placeholders(values)}", *values
        )
        await tx.put(
            "DELETE FROM board_sessions WHERE state = 'waiting' AND user_id = ? AND game_id = ? AND digest "
            "NOT IN (SELECT digest FROM board_sessions WHERE state = 'waiting' AND user_id = ? AND game_id = ? "
            "ORDER BY created_at DESC LIMIT ?)",
            *(session.user_id, session.game_id, session.user_id, session.game_id, MAX_WAITING_BROWSERS),
        )

    await db.write(in_transaction)


async def find_session(db: Database, digest: str, now: str) -> BoardSession | None:
    """Return the session with this digest; None if unknown or expired."""
    return (await sessions_by_digest(db, [digest], now)).get(digest)


async def sessions_by_digest(db: Database, digests: Collection[str], now: str) -> dict[str, BoardSession]:
    """Return the unexpired sessions with these digests, by digest."""
    wanted_digests = list(digests)
    sessions: dict[str, BoardSession] = {}
    for batch_start in range(0, len(wanted_digests), SESSIONS_PER_QUERY):
        digest_batch = wanted_digests[batch_start : batch_start + SESSIONS_PER_QUERY]
        condition = f"digest IN {value_placeholders(digest_batch)} AND expires_at > ?"
        sessions.update(
            (session.digest, session) for session in await _select_sessions(db, condition, *digest_batch, now)
        )
    return sessions


async def sessions_in_browser(db: Database, browser: str, now: str) -> list[BoardSession]:
    """Return the unexpired sessions that a browser has at the boards of any games, newest first."""
    condition = "browser = ? AND browser <> '' AND expires_at > ? ORDER BY created_at DESC, digest"
    return await _select_sessions(db, condition, browser, now)


async def sessions_of_user(db: Database, user_id: int, now: str) -> list[BoardSession]:
    """Return the confirmed, unexpired sessions of a user at the boards of any games, newest first."""
    condition = "user_id = ? AND state = 'open' AND expires_at > ? ORDER BY created_at DESC, digest"
    return await _select_sessions(db, condition, user_id, now)


async def unconfirmed_sessions(db: Database, user_id: int, game_id: int, now: str) -> list[BoardSession]:
    """Return a user's sessions at a game's board that are not confirmed yet, newest first."""
    condition = (
        "state = 'waiting' AND user_id = ? AND game_id = ? AND expires_at > ? ORDER BY created_at DESC"
    )
    return await _select_sessions(db, condition, user_id, game_id, now)


async def confirm_session(db: Database, user_id: int, game_id: int, code: str, expires_at: str) -> bool:
    """Open the unconfirmed session with this code until `expires_at`; return False if there is none."""
    statement = (
        "UPDATE board_sessions SET state = 'open', expires_at = ? "
        "WHERE state = 'waiting' AND user_id = ? AND game_id = ? AND code = ?"
    )
    return await db.write(lambda tx: tx.run(statement, expires_at, user_id, game_id, code)) > 0


async def end_sessions(tx: Transaction, user_id: int, game_id: int | None = None) -> None:
    """Delete a user's sessions and links at one game's board, within a transaction.

    Without `game_id`, delete those at all boards and at the pages of all servers and events.
    """
    if game_id is None:
        await tx.put("DELETE FROM page_visits WHERE user_id = ?", user_id)
    for table in ("board_links", "board_sessions"):
        await tx.put(
            f"DELETE FROM {table} WHERE user_id = ? AND game_id = COALESCE(?, game_id)", user_id, game_id
        )


async def end_session(db: Database, digest: str, user_id: int | None = None) -> bool:
    """Delete a session. If `user_id` is given, delete it only if this user owns it. Return True if it was deleted."""
    statement = (
        "DELETE FROM board_sessions WHERE digest = ? AND COALESCE(user_id, 0) = COALESCE(?, user_id, 0)"
    )
    return await db.write(lambda tx: tx.run(statement, digest, user_id)) > 0


async def delete_expired(db: Database, now: str) -> None:
    """Delete expired links and sessions."""

    async def in_transaction(tx: Transaction) -> None:
        for table in ("board_links", "board_sessions", "page_visits"):
            await tx.put(f"DELETE FROM {table} WHERE expires_at <= ?", now)

    await db.write(in_transaction)


async def _select_sessions(db: Database, condition: str, *values: object) -> list[BoardSession]:
    rows = await db.rows(f"SELECT {_SESSION_COLUMNS} FROM board_sessions WHERE {condition}", *values)
    return [BoardSession(*row) for row in rows]


# --- pages of servers and events -------------------------------------------------------------------------------------


class PageId(NamedTuple):
    """A server's or event's web page: `kind` is `server` or `event`, and `number` is its id."""

    kind: Literal["server", "event"]
    number: int


_PAGE_CONDITION_BY_KIND: Final = {"server": "event_id IS NULL AND guild_id = ?", "event": "event_id = ?"}


async def record_page_link(
    db: Database, link_digest: str, page_id: PageId, user_id: int, expires_at: str
) -> None:
    """Store a single-use link to a server's or event's page; `link_digest` is a digest of the link's secret."""

    async def in_transaction(tx: Transaction) -> None:
        guild_id, event_id = page_id.number, None
        if page_id.kind == "event":
            event_id = page_id.number
            row = await tx.row("SELECT guild_id FROM events WHERE id = ?", event_id)
            assert row is not None
            (guild_id,) = row
        statement = (
            "INSERT INTO page_visits (link, guild_id, event_id, user_id, expires_at) VALUES (?, ?, ?, ?, ?)"
        )
        await tx.put(statement, link_digest, guild_id, event_id, user_id, expires_at)

    await db.write(in_transaction)


async def open_page_link(
    db: Database, link_digest: str, session_digest: str, now: str, expires_at: str
) -> PageId | None:
    """Turn a link into a session, and return the page that it opens.

    Returns None if the link is unknown, used or expired. `link_digest` and `session_digest` are digests of secrets.
    """

    async def in_transaction(tx: Transaction) -> PageId | None:
        row = await tx.row(
            "UPDATE page_visits SET session = ?, expires_at = ? "
            "WHERE link = ? AND session IS NULL AND expires_at > ? RETURNING guild_id, event_id",
            *(session_digest, expires_at, link_digest, now),
        )
        if row is None:
            return None
        guild_id, event_id = row
        return PageId("server", guild_id) if event_id is None else PageId("event", event_id)

    return await db.write(in_transaction)


async def user_of_page_session(db: Database, page_id: PageId, session_digest: str, now: str) -> int | None:
    """Return the user who has this session at a page; None if the session is unknown or expired."""
    page_condition = _PAGE_CONDITION_BY_KIND[page_id.kind]
    sql = f"SELECT user_id FROM page_visits WHERE session = ? AND expires_at > ? AND {page_condition}"
    row = await db.row(sql, session_digest, now, page_id.number)
    return None if row is None else int(row[0])
