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
"""Time for which a link to one's own board can be opened."""
SPECTATOR_LINK_LASTS: Final = timedelta(days=7)
"""Time for which a link for spectators can be opened, and for which they may look after that."""
SESSION_LASTS: Final = timedelta(days=14)
"""Time for which a browser may stay at the board."""
CONFIRMATION_LASTS: Final = timedelta(hours=1)
"""Time for which a browser that came by a used link waits to be confirmed."""
MODERATION_LASTS: Final = timedelta(hours=1)
"""Time for which a link lets a moderator moderate: after that Discord is asked again, by another link."""
INVALID_LINK: Final = "This link is invalid or has expired. Press Board in Discord for a new one."
"""The answer to every link that opens nothing, whatever is wrong with it."""
SESSION_HAS_ENDED: Final = "That session has already ended."


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor at a game's board: a user, or (None) a spectator."""

    game_id: int
    user_id: int | None = None
    moderates: bool = False
    code: str = ""
    """The code in a browser that waits to be confirmed as a user's own."""
    session: str = ""
    """A key of this browser's session; nobody can open the board by it."""
    user_name: str = ""
    """The user's name on Discord; empty for spectators, and where it is not known."""


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser: the secret by which it is recognised (or empty), and its device."""

    secret: str = ""
    device: str = ""


UNKNOWN_BROWSER: Final = Browser()
"""A browser that nothing is known of."""


@dataclass(frozen=True, slots=True)
class OpenedBoard:
    """An opened link: game, session secret, and a code if it must be confirmed."""

    game_id: int
    secret: str
    """Empty where the browser has a session that stays."""
    code: str
    seat: str = ""
    """A key of one user's board of the game, where one browser may have several; else nothing."""


class OtherUser(Refused):
    """The link and the browser's sessions belong to different users; ending those needs consent."""

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
        """Set whenever sessions have ended or changed here; the one who waits for it clears it."""
        self.address: str | None = None
        """Address of the page for people, without a path; None where it is not served."""
        self.has_board_per_seat = False
        """True if one person plays several seats, each at a board with a path of its own, as in a sandbox."""

    async def personal_token(self, game_id: int, user_id: int, *, moderates: bool, name: str = "") -> str:
        """A one-time token for a user's personal board link of one game."""
        return await self._record_token(game_id, user_id, PERSONAL_LINK_LASTS, moderates=moderates, name=name)

    async def spectator_token(self, game_id: int) -> str:
        """A token for spectators of a game."""
        return await self._record_token(game_id, None, SPECTATOR_LINK_LASTS, moderates=False)

    async def personal_url(self, game_id: int, user_id: int, *, moderates: bool, name: str = "") -> str:
        return self._url(await self.personal_token(game_id, user_id, moderates=moderates, name=name))

    async def spectator_url(self, game_id: int) -> str:
        """A link for spectators as an address."""
        return self._url(await self.spectator_token(game_id))

    async def open(
        self, token: str, browser: Browser = UNKNOWN_BROWSER, *, ends_other_sessions: bool = False
    ) -> OpenedBoard:
        """Exchange a link for a session; raises Refused for an invalid one.

        A link for spectators, or one that was used, leaves a browser the user's session that it has.
        Sessions of other users in the browser end with it; raises OtherUser unless that is `ends_other_sessions`.
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
        """The visitor with this session secret; None if it is over, or of another game."""
        now = self._clock()
        session = await board_page.find_session(self._db, _digest(secret), now)
        return None if session is None or session.game_id != game_id else _visitor_of(session, now)

    async def visitors(self, sessions: Collection[str]) -> dict[str, Visitor]:
        """The visitors of these sessions, without ended ones."""
        now = self._clock()
        found = await board_page.sessions_by_digest(self._db, sessions, now)
        return {digest: _visitor_of(session, now) for digest, session in found.items()}

    async def codes_to_confirm(self, game_id: int, user_id: int) -> list[str]:
        """Codes of browsers that opened a used link of this user, the latest first."""
        unconfirmed = await board_page.unconfirmed_sessions(self._db, user_id, game_id, self._clock())
        return [session.code for session in unconfirmed]

    async def confirm(self, game_id: int, user_id: int, code: str) -> None:
        """Confirm the browser that shows this code; raises Refused if there is none."""
        until = later_timestamp(self._clock(), SESSION_LASTS)
        if not await board_page.confirm_session(self._db, user_id, game_id, code, until):
            raise Refused("That code has expired. Press Board for a new link.")
        self.changed.set()

    async def sessions_of(self, user_id: int) -> list[board_page.Session]:
        """The sessions of a user at the boards of all games, the latest first."""
        return await board_page.sessions_of_user(self._db, user_id, self._clock())

    async def end_sessions(self, user_id: int, game_id: int | None = None) -> None:
        """End a user's sessions and links, in one game or in all."""
        await self._db.write(lambda tx: board_page.end_sessions(tx, user_id, game_id))
        self.changed.set()

    async def end_session(self, session: str, user_id: int | None = None) -> None:
        """End a session, of this user if one is given; raises Refused where there is none."""
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
        """True if this browser has the session at the link's address."""
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
        """Open the session of a link, or one that waits to be confirmed."""
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
    """True if the user's own session stays: the link is for that user or for spectators."""
    return session.state == "open" and session.user_id is not None and link.user_id in (None, session.user_id)


def _is_of_another_user(session: board_page.Session, link: board_page.Link) -> bool:
    return None not in (session.user_id, link.user_id) and session.user_id != link.user_id


def _browser_digest(browser: Browser) -> str:
    return _digest(browser.secret) if browser.secret else ""


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _signature(key: bytes, link: board_page.Link) -> str:
    """The signature of all fields of a link, against substitution of rows."""
    signed_text = (
        f"{link.nonce} {link.game_id} {link.user_id} {link.moderates:d} {link.expires_at} {link.display_name}"
    )
    return hmac.new(key, signed_text.strip().encode(), hashlib.sha256).hexdigest()[:32]


def _is_signed(key: bytes, link: board_page.Link, signature: str) -> bool:
    return hmac.compare_digest(_signature(key, link).encode(), signature.encode())


class Followers:
    """Followers of games, such as open board pages."""

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
        """A number that grows with every possible change of a game, or a new follower."""
        return self._woken.get(game_id, 0)

    @contextmanager
    def follow(self, game_id: int) -> Iterator[asyncio.Event]:
        """An event set at every possible change of a game; the follower clears it."""
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
        """Wake a game's followers."""
        if game_id in self._events_by_game:
            self._woken[game_id] = next(self._happened)
            for change_event in self._events_by_game[game_id]:
                change_event.set()

    def wake_all(self) -> None:
        """Wake all followers."""
        for game_id in self.followed_games:
            self.wake(game_id)
