"""Signed links to the board page, each for one user and one game, and the sessions for which browsers exchange them."""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.table.errors import Refused
from storage.contract import Database
from storage.tables import board_page
from storage.tables.board_page import Link, Session
from storage.timestamps import later

LINK: Final = timedelta(hours=1)
"""How long a link to one's own board can be opened."""
SHARED: Final = timedelta(days=7)
"""How long a link for spectators can be opened, and how long they may look after that."""
SESSION: Final = timedelta(days=14)
"""How long a browser may stay at the board."""
WAITS: Final = timedelta(hours=1)
"""How long a browser that came by a used link waits to be confirmed."""
MODERATES: Final = timedelta(hours=1)
"""How long a link lets a moderator moderate: after that Discord is asked again, by another link."""
INVALID: Final = "This link is not valid, or not any more. Press Board in Discord for a new one."
"""What is said of every link that opens nothing, whatever is wrong with it."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks at the board of a game: a user, or (None) a spectator."""

    game_id: int
    user_id: int | None = None
    moderates: bool = False
    code: str = ""
    """What the browser of a visitor shows that waits to be confirmed as a user's own."""
    session: str = ""
    """What tells this browser's session from others; nobody can open the board by it."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What a link has opened: the game, what the browser keeps, for how many seconds, and a code where it must wait."""

    game_id: int
    secret: str
    seconds: int
    code: str
    seat: str = ""
    """What tells several users' boards of one game apart, where one browser may have them all; else nothing."""


class BoardLinks:
    """Gives out links, and knows the sessions that they have opened."""

    def __init__(self, db: Database, clock: Callable[[], str]) -> None:
        self._db = db
        self._clock = clock
        self._key: bytes | None = None
        self.address: str | None = None
        """Where people reach the page, without a path; None where it is not served."""
        self.by_seat = False
        """Whether one person plays several seats, each at a board with a path of its own, as in a sandbox."""

    async def personal(self, game_id: int, user_id: int, *, moderates: bool) -> str:
        """The token of a link by which one user opens the board of one game, once."""
        return await self._given_out(game_id, user_id, LINK, moderates=moderates)

    async def shared(self, game_id: int) -> str:
        """The token of a link by which anybody looks at the board of a game as a spectator."""
        return await self._given_out(game_id, None, SHARED, moderates=False)

    async def personal_url(self, game_id: int, user_id: int, *, moderates: bool) -> str:
        """The same as an address."""
        return self._url(await self.personal(game_id, user_id, moderates=moderates))

    async def shared_url(self, game_id: int) -> str:
        """A link for spectators as an address."""
        return self._url(await self.shared(game_id))

    async def open(self, token: str) -> Opened:
        """Exchange a link for a session; raises Refused where it opens nothing."""
        nonce, _, signature = token.partition(".")
        key = await self._signing_key()
        found = await board_page.use(
            self._db, nonce, self._clock(), lambda link: _is_signed(key, link, signature)
        )
        if found is None:
            raise Refused(INVALID)
        link, first = found
        if not first:
            code = f"{secrets.randbelow(9000) + 1000}"
            return await self._session(link.game_id, link.user_id, WAITS, code)
        lasts = SESSION if link.user_id is not None else SHARED
        return await self._session(link.game_id, link.user_id, lasts, moderates=link.moderates)

    async def admit(self, game_id: int, user_id: int) -> Opened:
        """A session of a user who is known by other means than a link."""
        return await self._session(game_id, user_id, SESSION)

    async def visitor(self, game_id: int, secret: str) -> Visitor | None:
        """Whose browser keeps this for the board of a game; None where its session is over, or of another game."""
        now = self._clock()
        found = await board_page.session(self._db, _digest(secret), now)
        if found is None or found.game_id != game_id:
            return None
        if found.state == "waiting":
            return Visitor(game_id, None, code=found.code, session=found.digest)
        moderates = found.moderates_until is not None and found.moderates_until > now
        return Visitor(game_id, found.user_id, moderates, session=found.digest)

    async def waiting(self, game_id: int, user_id: int) -> list[str]:
        """The codes that browsers show which came by a used link of this user, the latest first."""
        found = await board_page.waiting(self._db, user_id, game_id, self._clock())
        return [session.code for session in found]

    async def confirm(self, game_id: int, user_id: int, code: str) -> None:
        """The browser that shows this code is the user's own; raises Refused where none does."""
        until = later(self._clock(), SESSION)
        if not await board_page.confirm(self._db, user_id, game_id, code, until):
            raise Refused("No browser waits with this code any more. Open the board by the button instead.")

    async def end(self, user_id: int, game_id: int | None = None) -> None:
        """End a user's sessions and links, in one game or in all."""
        await self._db.write(lambda tx: board_page.end_sessions(tx, user_id, game_id))

    async def forget_expired(self) -> None:
        """Delete links and sessions that have expired."""
        await board_page.forget_expired(self._db, self._clock())

    async def _session(
        self, game_id: int, user_id: int | None, lasts: timedelta, code: str = "", *, moderates: bool = False
    ) -> Opened:
        """Open a session; with a code it waits to be confirmed."""
        secret, now = secrets.token_urlsafe(32), self._clock()
        session = Session(
            digest=_digest(secret),
            game_id=game_id,
            user_id=user_id,
            state="waiting" if code else "open",
            code=code,
            moderates_until=later(now, MODERATES) if moderates else None,
            created_at=now,
            expires_at=later(now, lasts),
        )
        await board_page.open_session(self._db, session)
        seat = ""
        if self.by_seat and user_id is not None:
            key = await self._signing_key()
            seat = hmac.new(key, f"seat {user_id}".encode(), hashlib.sha256).hexdigest()[:6]
        return Opened(game_id, secret, round(SESSION.total_seconds()), code, seat)

    async def _given_out(
        self, game_id: int, user_id: int | None, lasts: timedelta, *, moderates: bool
    ) -> str:
        key = await self._signing_key()
        link = Link(secrets.token_urlsafe(16), game_id, user_id, moderates, later(self._clock(), lasts))
        await board_page.give_out(self._db, link)
        return f"{link.nonce}.{_signature(key, link)}"

    def _url(self, token: str) -> str:
        return f"{self.address}/board/open/{token}"

    async def _signing_key(self) -> bytes:
        if self._key is None:
            self._key = bytes.fromhex(await board_page.key(self._db, secrets.token_hex(32)))
        return self._key


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _signature(key: bytes, link: Link) -> str:
    """Of everything a link says, so that no row of it can be put in place of another."""
    said = f"{link.nonce} {link.game_id} {link.user_id} {link.moderates:d} {link.expires_at}"
    return hmac.new(key, said.encode(), hashlib.sha256).hexdigest()[:32]


def _is_signed(key: bytes, link: Link, signature: str) -> bool:
    return hmac.compare_digest(_signature(key, link).encode(), signature.encode())
