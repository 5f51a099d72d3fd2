"""Visitors of the board page: signed links, browser sessions, and followers of changes."""

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

PERSONAL_LINK_LASTS: Final = timedelta(hours=1)
"""The time for which a user can open a link to their own board."""
SPECTATOR_LINK_LASTS: Final = timedelta(days=7)
"""The time for which a link for spectators can be opened, and then for which a spectator's session lasts."""
SESSION_LASTS: Final = timedelta(days=14)
"""The duration of a user's session at the board."""
CONFIRMATION_LASTS: Final = timedelta(hours=1)
"""The time for which a browser that opened an already used link waits to be confirmed."""
MODERATION_LASTS: Final = timedelta(hours=1)
"""The time for which a link gives a moderator their rights. Then a new link is needed, and Discord is asked again."""
RESULT_PATH: Final = "/board/result"
INVALID_LINK: Final = "This link is invalid or has expired. Press Board in Discord for a new one."
"""The refusal of every link that cannot be opened, for any reason."""
SESSION_HAS_ENDED: Final = "That session has already ended."


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor at a game's board: a user, or (None) a spectator."""

    game_id: int
    user_id: int | None = None
    moderates: bool = False
    code: str = ""
    """The code that this browser shows while it waits to be confirmed."""
    session: str = ""
    """A digest that identifies this browser's session, but cannot open the board."""
    user_name: str = ""
    """The user's name on Discord; empty for spectators, or if unknown."""


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser: the secret in its cookie (empty without one), and its device."""

    secret: str = ""
    device: str = ""


UNKNOWN_BROWSER: Final = Browser()
"""A browser without a cookie, on an unknown device."""


@dataclass(frozen=True, slots=True)
class OpenedBoard:
    """An opened link: game, secret of the new session, and the code to show if the session must be confirmed."""

    game_id: int
    secret: str
    """The session's secret; empty if the browser keeps the session that it has."""
    code: str
    seat: str = ""
    """A key that tells several users' boards of a game apart in one browser (see `has_board_per_seat`); else empty."""


class OtherUser(Refused):
    """The browser has an open session of another user, which ends only if the caller agrees."""

    def __init__(self, link: board_page.Link, session: board_page.Session) -> None:
        super().__init__("Another user is logged in on this browser.")
        self.link = link
        self.session = session


class BoardLinks:
    """Issues board links, and manages their sessions."""

    def __init__(self, db: Database, clock: Callable[[], str]) -> None:
        self._db = db
        self._clock = clock
        self._key: bytes | None = None
        self.changed = asyncio.Event()
        """Set when sessions have ended or changed in this process; the waiting task clears it."""
        self.address: str | None = None
        """The public address of the page, without a path; None if the page is not served."""
        self.has_board_per_seat = False
        """True if one person plays several seats in one browser, each at its own path, as in a sandbox."""

    async def personal_token(self, game_id: int, user_id: int, *, moderates: bool, name: str = "") -> str:
        """Record a one-time link to a user's board of one game; return its token."""
        return await self._record_token(game_id, user_id, PERSONAL_LINK_LASTS, moderates=moderates, name=name)

    async def spectator_token(self, game_id: int) -> str:
        """Record a link for spectators of a game; return its token."""
        return await self._record_token(game_id, None, SPECTATOR_LINK_LASTS, moderates=False)

    async def personal_url(self, game_id: int, user_id: int, *, moderates: bool, name: str = "") -> str:
        return self._url(await self.personal_token(game_id, user_id, moderates=moderates, name=name))

    async def spectator_url(self, game_id: int) -> str:
        """Record a link for spectators of a game; return its URL."""
        return self._url(await self.spectator_token(game_id))

    async def result_url(self, game_id: int) -> str:
        """The URL of the result of an ended game: always the same, for everybody who has it."""
        return f"{self.address}{RESULT_PATH}/{game_id}.{await self._result_key(game_id)}"

    async def opens_result(self, game_id: int, key: str) -> bool:
        """True if this is the key in the URL of a game's result."""
        return hmac.compare_digest(key.encode(), (await self._result_key(game_id)).encode())

    async def open(
        self, token: str, browser: Browser = UNKNOWN_BROWSER, *, ends_other_sessions: bool = False
    ) -> OpenedBoard:
        """Exchange a link for a session; raises Refused for an invalid link.

        If the link is for spectators or already used, a browser with the user's own session keeps it. Other users'
        sessions in the browser end if `ends_other_sessions` is set; if not, OtherUser is raised.
        """
        link = await self._checked_link(token)
        browser_sessions = await board_page.sessions_in_browser(
            self._db, _browser_digest(browser), self._clock()
        )
        other_users_sessions = (
            []
            if self.has_board_per_seat
            else [session for session in browser_sessions if _is_of_another_user(session, link)]
        )
        sessions_to_end = [other for other in other_users_sessions if other.state == "open"]
        if sessions_to_end and not ends_other_sessions:
            raise OtherUser(link, sessions_to_end[0])
        sessions_at_link = [session for session in browser_sessions if self._is_at_link(session, link)]
        is_first_use = link.user_id is None or await board_page.use_up_link(
            self._db, link.nonce, self._clock()
        )
        if any(_keeps_own_session(session, link) for session in sessions_at_link) and (
            link.user_id is None or not is_first_use
        ):
            return OpenedBoard(link.game_id, "", "", await self._seat_key(link.user_id))
        return await self._open_session(
            link, browser, [*sessions_at_link, *other_users_sessions], must_be_confirmed=not is_first_use
        )

    async def visitor(self, game_id: int, secret: str) -> Visitor | None:
        """The visitor with this session secret; None if the session has ended or is for another game."""
        now = self._clock()
        session = await board_page.find_session(self._db, _digest(secret), now)
        return None if session is None or session.game_id != game_id else _visitor_of(session, now)

    async def visitors(self, sessions: Collection[str]) -> dict[str, Visitor]:
        """The visitors of these sessions, by session; ended sessions are left out."""
        now = self._clock()
        sessions_by_digest = await board_page.sessions_by_digest(self._db, sessions, now)
        return {digest: _visitor_of(session, now) for digest, session in sessions_by_digest.items()}

    async def codes_to_confirm(self, game_id: int, user_id: int) -> list[str]:
        """Codes shown by browsers that opened a used link of this user, newest first."""
        unconfirmed = await board_page.unconfirmed_sessions(self._db, user_id, game_id, self._clock())
        return [session.code for session in unconfirmed]

    async def confirm(self, game_id: int, user_id: int, code: str) -> None:
        """Confirm the browser that shows this code; raises Refused if no browser does."""
        until = later_timestamp(self._clock(), SESSION_LASTS)
        if not await board_page.confirm_session(self._db, user_id, game_id, code, until):
            raise Refused("That code has expired. Press Board for a new link.")
        self.changed.set()

    async def sessions_of(self, user_id: int) -> list[board_page.Session]:
        """The sessions of a user at the boards of all games, newest first."""
        return await board_page.sessions_of_user(self._db, user_id, self._clock())

    async def end_sessions(self, user_id: int, game_id: int | None = None) -> None:
        """End a user's sessions and links, in one game or in all."""
        await self._db.write(lambda tx: board_page.end_sessions(tx, user_id, game_id))
        self.changed.set()

    async def end_session(self, session: str, user_id: int | None = None) -> None:
        """End a session (if `user_id` is given, only one of that user); raises Refused if there is none."""
        if not await board_page.end_session(self._db, session, user_id):
            raise Refused(SESSION_HAS_ENDED)
        self.changed.set()

    async def forget_expired(self) -> None:
        """Delete links and sessions that have expired."""
        await board_page.delete_expired(self._db, self._clock())

    async def _checked_link(self, token: str) -> board_page.Link:
        nonce, _, signature = token.partition(".")
        link = await board_page.find_link(self._db, nonce, self._clock())
        if link is None or not _is_signed(await self._signing_key(), link, signature):
            raise Refused(INVALID_LINK)
        return link

    def _is_at_link(self, session: board_page.Session, link: board_page.Link) -> bool:
        """True if the session is for the board at the link's address."""
        return session.game_id == link.game_id and (
            not self.has_board_per_seat or session.user_id == link.user_id
        )

    async def _open_session(
        self,
        link: board_page.Link,
        browser: Browser,
        replaced_sessions: Collection[board_page.Session],
        *,
        must_be_confirmed: bool,
    ) -> OpenedBoard:
        """Open a session for a link, in place of the `replaced_sessions`; it may have to be confirmed first."""
        secret, now = secrets.token_urlsafe(32), self._clock()
        code = f"{secrets.randbelow(9000) + 1000}" if must_be_confirmed else ""
        lifetime = (
            CONFIRMATION_LASTS
            if must_be_confirmed
            else SPECTATOR_LINK_LASTS
            if link.user_id is None
            else SESSION_LASTS
        )
        session = board_page.Session(
            digest=_digest(secret),
            game_id=link.game_id,
            user_id=link.user_id,
            state="waiting" if must_be_confirmed else "open",
            code=code,
            moderates_until=later_timestamp(now, MODERATION_LASTS)
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
            self.changed.set()
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
        until = later_timestamp(self._clock(), lifetime)
        link = board_page.Link(secrets.token_urlsafe(16), game_id, user_id, moderates, until, name)
        await board_page.record_link(self._db, link)
        return f"{link.nonce}.{_signature(key, link)}"

    def _url(self, token: str) -> str:
        return f"{self.address}/board/open/{token}"

    async def _signing_key(self) -> bytes:
        if self._key is None:
            self._key = bytes.fromhex(await board_page.signing_key(self._db, secrets.token_hex(32)))
        return self._key


def _visitor_of(session: board_page.Session, now: str) -> Visitor:
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


def _keeps_own_session(session: board_page.Session, link: board_page.Link) -> bool:
    """True if the browser keeps this session: it is a user's, and the link is for that user or for spectators."""
    return session.state == "open" and session.user_id is not None and link.user_id in (None, session.user_id)


def _is_of_another_user(session: board_page.Session, link: board_page.Link) -> bool:
    return None not in (session.user_id, link.user_id) and session.user_id != link.user_id


def _browser_digest(browser: Browser) -> str:
    return _digest(browser.secret) if browser.secret else ""


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _signature(key: bytes, link: board_page.Link) -> str:
    """The signature of all fields of a link, so that changed database rows are noticed."""
    signed_text = (
        f"{link.nonce} {link.game_id} {link.user_id} {link.moderates:d} {link.expires_at} {link.display_name}"
    )
    return hmac.new(key, signed_text.strip().encode(), hashlib.sha256).hexdigest()[:32]


def _is_signed(key: bytes, link: board_page.Link, signature: str) -> bool:
    return hmac.compare_digest(_signature(key, link).encode(), signature.encode())


class Followers:
    """Tasks that wait for changes of games, such as those of open board pages."""

    def __init__(self) -> None:
        self._events_by_game: defaultdict[int, set[asyncio.Event]] = defaultdict(set)
        self._happened = count(1)
        self._woken: dict[int, int] = {}

    def __len__(self) -> int:
        return sum(map(len, self._events_by_game.values()))

    @property
    def followed_games(self) -> tuple[int, ...]:
        return tuple(self._events_by_game)

    def version_of(self, game_id: int) -> int:
        """A number that grows with every possible change of a followed game."""
        return self._woken.get(game_id, 0)

    @contextmanager
    def follow(self, game_id: int) -> Iterator[asyncio.Event]:
        """Yield an event that is set at every possible change of a game; the follower clears it."""
        change_event = asyncio.Event()
        if game_id not in self._events_by_game:
            self._woken[game_id] = next(self._happened)
        self._events_by_game[game_id].add(change_event)
        try:
            yield change_event
        finally:
            self._events_by_game[game_id].discard(change_event)
            if not self._events_by_game[game_id]:
                del self._events_by_game[game_id]
                self._woken.pop(game_id, None)

    def wake(self, game_id: int) -> None:
        """Tell a game's followers that it may have changed."""
        if game_id in self._events_by_game:
            self._woken[game_id] = next(self._happened)
            for change_event in self._events_by_game[game_id]:
                change_event.set()

    def wake_all(self) -> None:
        """Tell all followers that their games may have changed."""
        for game_id in self.followed_games:
            self.wake(game_id)
