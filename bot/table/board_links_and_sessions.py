"""Access to a game's board on the web: signed links, browser sessions, and events that announce changes of a game."""

import asyncio
import hashlib
import hmac
import secrets
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Final

from bot.table.errors import Refused
from storage import Database, board_page, later_timestamp

PERSONAL_LINK_LIFETIME: Final = timedelta(hours=1)
"""Lifetime of an unused link to a user's own board."""
SPECTATOR_LINK_LIFETIME: Final = timedelta(days=7)
"""Lifetime of a spectator link, and of each session that it opens."""
SESSION_LIFETIME: Final = timedelta(days=14)
"""Lifetime of a user's browser session."""
CONFIRMATION_TIME_LIMIT: Final = timedelta(hours=1)
"""Time to confirm a browser that opened an already used link; after that, its session expires."""
MODERATOR_RIGHTS_LIFETIME: Final = timedelta(hours=1)
"""Time for which a session keeps moderator rights. After that, a new link checks the rights on Discord again."""
RESULT_PATH: Final = "/board/result"
INVALID_LINK_TEXT: Final = "This link is invalid or has expired. Press Board in Discord for a new one."
"""Refusal of a link that is unknown, expired, or wrongly signed."""
SESSION_HAS_ENDED_TEXT: Final = "That session has already ended."


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor at a game's board: a user, or a spectator (`user_id` None)."""

    game_id: int
    user_id: int | None = None
    moderates: bool = False
    code: str = ""
    """The four-digit code that this browser shows until its user confirms it on Discord; empty once confirmed."""
    session: str = ""
    """A digest of the session secret. It identifies the session but does not give access to the board."""
    user_name: str = ""
    """The user's name on Discord; empty for spectators, or if unknown."""


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that opens a link: the secret from its session cookie (empty without a cookie), and its device."""

    secret: str = ""
    device: str = ""


BROWSER_WITHOUT_COOKIE: Final = Browser()
"""A browser without a session cookie, on an unknown device."""


@dataclass(frozen=True, slots=True)
class OpenedBoard:
    """The result of opening a board link.

    `code` is the code that the user must confirm on Discord; empty if the session is open at once.
    """

    game_id: int
    secret: str
    """The secret of the new session; empty if the browser keeps its existing session."""
    code: str
    seat: str = ""
    """A code for the user's seat in the board's URL, if one browser may show several users' boards; else empty."""


class OtherUserLoggedIn(Refused):
    """Raised when another user is logged in on this browser. The caller may end that session and retry."""

    def __init__(self, link: board_page.BoardLink, session: board_page.BoardSession) -> None:
        super().__init__("Another user is logged in on this browser.")
        self.link = link
        self.session = session


class BoardLinks:
    """Creates links to boards, and opens, checks and ends browser sessions."""

    def __init__(self, db: Database, clock: Callable[[], str]) -> None:
        self._db = db
        self._clock = clock
        self._cached_signing_key: bytes | None = None
        self.sessions_changed = asyncio.Event()
        """Event set when this process ends or changes a session; the task that waits for it clears it."""
        self.address: str | None = None
        """The public base URL of the web page, without a path; None if no page is served."""
        self.has_board_per_seat = False
        """True if one browser may show the boards of several users, each at a different path, as in a sandbox."""

    async def personal_token(self, game_id: int, user_id: int, *, moderates: bool, name: str = "") -> str:
        """Record a one-time link to a user's board of one game; return its token."""
        return await self._record_token(
            game_id, user_id, PERSONAL_LINK_LIFETIME, moderates=moderates, name=name
        )

    async def spectator_token(self, game_id: int) -> str:
        """Record a link for spectators of a game; return its token."""
        return await self._record_token(game_id, None, SPECTATOR_LINK_LIFETIME, moderates=False)

    async def personal_url(self, game_id: int, user_id: int, *, moderates: bool, name: str = "") -> str:
        return self._url(await self.personal_token(game_id, user_id, moderates=moderates, name=name))

    async def spectator_url(self, game_id: int) -> str:
        """Record a link for spectators of a game; return its URL."""
        return self._url(await self.spectator_token(game_id))

    async def result_url(self, game_id: int) -> str:
        """The permanent URL of an ended game's result. It works for anybody who has it."""
        return f"{self.address}{RESULT_PATH}/{game_id}.{await self._result_key(game_id)}"

    async def is_result_key(self, game_id: int, key: str) -> bool:
        """True if `key` is the secret part of the URL of this game's result."""
        return hmac.compare_digest(key.encode(), (await self._result_key(game_id)).encode())

    async def open(
        self, token: str, browser: Browser = BROWSER_WITHOUT_COOKIE, *, ends_other_sessions: bool = False
    ) -> OpenedBoard:
        """Exchange a link for a session; raises Refused for an invalid link.

        A user who is logged in keeps their session when they open a spectator link or a link that was already used. If
        another user is logged in on the browser, `ends_other_sessions` ends that user's session; without it,
        OtherUserLoggedIn is raised.
        """
        link = await self._checked_link(token)
        browser_sessions = await board_page.sessions_in_browser(
            self._db, _browser_digest(browser), self._clock()
        )
        other_users_sessions = (
            []
            if self.has_board_per_seat
            else [session for session in browser_sessions if _is_session_of_another_user(session, link)]
        )
        sessions_to_end = [
            other_session for other_session in other_users_sessions if other_session.state == "open"
        ]
        if sessions_to_end and not ends_other_sessions:
            raise OtherUserLoggedIn(link, sessions_to_end[0])
        sessions_of_link = [
            session for session in browser_sessions if self._is_session_of_link(session, link)
        ]
        is_first_use = link.user_id is None or await board_page.mark_link_used(
            self._db, link.nonce, self._clock()
        )
        if any(_keeps_own_session(session, link) for session in sessions_of_link) and (
            link.user_id is None or not is_first_use
        ):
            return OpenedBoard(link.game_id, "", "", await self._seat_key(link.user_id))
        return await self._open_session(
            link, browser, [*sessions_of_link, *other_users_sessions], must_be_confirmed=not is_first_use
        )

    async def visitor(self, game_id: int, secret: str) -> Visitor | None:
        """The visitor with this session secret; None if the session has ended or belongs to another game."""
        now = self._clock()
        session = await board_page.find_session(self._db, _digest(secret), now)
        return None if session is None or session.game_id != game_id else _visitor_of(session, now)

    async def visitors(self, session_digests: Collection[str]) -> dict[str, Visitor]:
        """Visitors by session digest, for these session digests. Sessions that have ended are left out."""
        now = self._clock()
        sessions_by_digest = await board_page.sessions_by_digest(self._db, session_digests, now)
        return {digest: _visitor_of(session, now) for digest, session in sessions_by_digest.items()}

    async def codes_to_confirm(self, game_id: int, user_id: int) -> list[str]:
        """The codes of this user's unconfirmed browsers, newest first."""
        unconfirmed_sessions = await board_page.unconfirmed_sessions(
            self._db, user_id, game_id, self._clock()
        )
        return [session.code for session in unconfirmed_sessions]

    async def confirm(self, game_id: int, user_id: int, code: str) -> None:
        """Confirm the browser that shows this code and open its session; raises Refused if no browser shows it."""
        expires_at = later_timestamp(self._clock(), SESSION_LIFETIME)
        if not await board_page.confirm_session(self._db, user_id, game_id, code, expires_at):
            raise Refused("That code has expired. Press Board for a new link.")
        self.sessions_changed.set()

    async def sessions_of(self, user_id: int) -> list[board_page.BoardSession]:
        """A user's sessions in all games, newest first."""
        return await board_page.sessions_of_user(self._db, user_id, self._clock())

    async def end_sessions(self, user_id: int, game_id: int | None = None) -> None:
        """End a user's sessions and links, in one game or in all."""
        await self._db.write(lambda tx: board_page.end_sessions(tx, user_id, game_id))
        self.sessions_changed.set()

    async def end_session(self, session_digest: str, user_id: int | None = None) -> None:
        """End the session with this digest; raises Refused if it has ended.

        With `user_id`, only a session of this user; raises Refused for a session of another user.
        """
        if not await board_page.end_session(self._db, session_digest, user_id):
            raise Refused(SESSION_HAS_ENDED_TEXT)
        self.sessions_changed.set()

    async def forget_expired(self) -> None:
        """Delete expired links and sessions."""
        await board_page.delete_expired(self._db, self._clock())

    async def _checked_link(self, token: str) -> board_page.BoardLink:
        nonce, _, signature = token.partition(".")
        link = await board_page.find_link(self._db, nonce, self._clock())
        if link is None or not _has_valid_signature(await self._signing_key(), link, signature):
            raise Refused(INVALID_LINK_TEXT)
        return link

    def _is_session_of_link(self, session: board_page.BoardSession, link: board_page.BoardLink) -> bool:
        return session.game_id == link.game_id and (
            not self.has_board_per_seat or session.user_id == link.user_id
        )

    async def _open_session(
        self,
        link: board_page.BoardLink,
        browser: Browser,
        replaced_sessions: Collection[board_page.BoardSession],
        *,
        must_be_confirmed: bool,
    ) -> OpenedBoard:
        secret, now = secrets.token_urlsafe(32), self._clock()
        code = f"{secrets.randbelow(9000) + 1000}" if must_be_confirmed else ""
        lifetime = (
            CONFIRMATION_TIME_LIMIT
            if must_be_confirmed
            else SPECTATOR_LINK_LIFETIME
            if link.user_id is None
            else SESSION_LIFETIME
        )
        session = board_page.BoardSession(
            digest=_digest(secret),
            game_id=link.game_id,
            user_id=link.user_id,
            state="waiting" if must_be_confirmed else "open",
            code=code,
            moderates_until=later_timestamp(now, MODERATOR_RIGHTS_LIFETIME)
            if link.moderates and not must_be_confirmed
            else None,
            created_at=now,
            expires_at=later_timestamp(now, lifetime),
            display_name=link.display_name,
            browser=_browser_digest(browser),
            device=browser.device,
        )
        await board_page.open_session(self._db, session, [session.digest for session in replaced_sessions])
        if replaced_sessions:
            self.sessions_changed.set()
        seat = await self._seat_key(link.user_id)
        return OpenedBoard(link.game_id, secret, code, seat)

    async def _seat_key(self, user_id: int | None) -> str:
        if not self.has_board_per_seat or user_id is None:
            return ""
        key = await self._signing_key()
        return hmac.new(key, f"seat {user_id}".encode(), hashlib.sha256).hexdigest()[:6]

    async def _result_key(self, game_id: int) -> str:
        key = await self._signing_key()
        return hmac.new(key, f"result {game_id}".encode(), hashlib.sha256).hexdigest()[:32]

    async def _record_token(
        self, game_id: int, user_id: int | None, lifetime: timedelta, *, moderates: bool, name: str = ""
    ) -> str:
        key = await self._signing_key()
        expires_at = later_timestamp(self._clock(), lifetime)
        link = board_page.BoardLink(secrets.token_urlsafe(16), game_id, user_id, moderates, expires_at, name)
        await board_page.record_link(self._db, link)
        return f"{link.nonce}.{_signature(key, link)}"

    def _url(self, token: str) -> str:
        return f"{self.address}/board/open/{token}"

    async def _signing_key(self) -> bytes:
        if self._cached_signing_key is None:
            self._cached_signing_key = bytes.fromhex(
                await board_page.get_or_store_signing_key(self._db, secrets.token_hex(32))
            )
        return self._cached_signing_key


def _visitor_of(session: board_page.BoardSession, now: str) -> Visitor:
    if session.state == "waiting":
        return Visitor(session.game_id, None, code=session.code, session=session.digest)
    is_moderator = session.moderates_until is not None and session.moderates_until > now
    return Visitor(
        session.game_id,
        session.user_id,
        is_moderator,
        session=session.digest,
        user_name=session.display_name,
    )


def _keeps_own_session(session: board_page.BoardSession, link: board_page.BoardLink) -> bool:
    return session.state == "open" and session.user_id is not None and link.user_id in (None, session.user_id)


def _is_session_of_another_user(session: board_page.BoardSession, link: board_page.BoardLink) -> bool:
    return None not in (session.user_id, link.user_id) and session.user_id != link.user_id


def _browser_digest(browser: Browser) -> str:
    return _digest(browser.secret) if browser.secret else ""


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _signature(key: bytes, link: board_page.BoardLink) -> str:
    """The signature of a link. If somebody changes the link in the database, its signature is no longer valid."""
    signed_text = (
        f"{link.nonce} {link.game_id} {link.user_id} {link.moderates:d} {link.expires_at} {link.display_name}"
    )
    return hmac.new(key, signed_text.strip().encode(), hashlib.sha256).hexdigest()[:32]


def _has_valid_signature(key: bytes, link: board_page.BoardLink, signature: str) -> bool:
    return hmac.compare_digest(_signature(key, link).encode(), signature.encode())


class GameFollowers:
    """The tasks that follow a game, such as open board pages: each has an event that is set when the game changes."""

    def __init__(self) -> None:
        self._events_by_game: defaultdict[int, set[asyncio.Event]] = defaultdict(set)
        self._version_numbers = count(1)
        self._version_by_game: dict[int, int] = {}

    def __len__(self) -> int:
        return sum(map(len, self._events_by_game.values()))

    @property
    def followed_games(self) -> tuple[int, ...]:
        return tuple(self._events_by_game)

    def version_of(self, game_id: int) -> int:
        """A version number that grows each time a followed game may have changed; 0 for a game that nobody follows."""
        return self._version_by_game.get(game_id, 0)

    @contextmanager
    def follow(self, game_id: int) -> Iterator[asyncio.Event]:
        """Yield an event that is set whenever the game may have changed; the caller clears it."""
        change_event = asyncio.Event()
        if game_id not in self._events_by_game:
            self._version_by_game[game_id] = next(self._version_numbers)
        self._events_by_game[game_id].add(change_event)
        try:
            yield change_event
        finally:
            self._events_by_game[game_id].discard(change_event)
            if not self._events_by_game[game_id]:
                del self._events_by_game[game_id]
                self._version_by_game.pop(game_id, None)

    def wake(self, game_id: int) -> None:
        """Set the events of all tasks that follow this game."""
        if game_id in self._events_by_game:
            self._version_by_game[game_id] = next(self._version_numbers)
            for change_event in self._events_by_game[game_id]:
                change_event.set()

    def wake_all(self) -> None:
        """Set the events of all tasks that follow any game."""
        for game_id in self.followed_games:
            self.wake(game_id)
