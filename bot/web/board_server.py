"""The server of the board page: its routes, and how it is started and stopped."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Self

from aiohttp import web

from bot.table.moves.turn_buttons import Buttons
from bot.table.rate_limits import RateLimiter
from bot.table.tables import Tables
from bot.table.votes.proposals import Proposals
from bot.web.change_requests import ChangeRequests
from bot.web.entry.access import MOST_BYTES, Access
from bot.web.entry.addresses import THIS_MACHINE, Proxies
from bot.web.entry.connections import Connections
from bot.web.entry.login_and_sessions import BACK, Login, MaySee, Secret, Sessions
from bot.web.entry.page_limits import USUAL, Capacity, Limits, Refusals, Streams
from bot.web.event_stream import ALIVE, Events
from bot.web.history_and_close_ups import History, Looking
from bot.web.moves import Playing
from bot.web.page_files import Opening
from bot.web.position_answers import Positions
from bot.web.undo_and_proposals import Agreeing
from bot.web.what_ifs_and_orders import Planning
from storage import Game, StorageError

_log = logging.getLogger("stationmaster.web")

TIDY_SECONDS: Final = 3600.0
LOOPBACK: Final = "127.0.0.1"
_LINK: Final = r"/board/open/{token:[\w.-]{1,200}}"
_GAME: Final = r"/board/{game:[0-9]{1,9}}{seat:(~[0-9a-f]{6})?}"
"""The board of a game; where one browser plays several seats, the path of its cookie tells them apart."""


def _nothing(game_id: int, number: int) -> None:
    """Where no moves are made, there is nothing to do about them."""
    del game_id, number


async def _sees_nothing(row: Game, user_id: int) -> bool:
    """Where Discord cannot be asked, nobody is let in by it."""
    del row, user_id
    return False


@dataclass(frozen=True, slots=True)
class Behind:
    """What the page is a window on: the tables of a client, with what that does, or of a process that stands by."""

    tables: Tables
    buttons: Buttons
    proposals: Proposals
    acts: Callable[[int, int], None] = _nothing
    """Run with game and user whenever somebody moves."""
    answered: Callable[[int, int], None] = _nothing
    """Run with game and number of a proposal whenever somebody answers it."""
    require_shown: Callable[[Game], None] = lambda row: None
    """Raises Refused where the thread of a game could not show a move."""
    may_see: MaySee = _sees_nothing
    """True if a user may see the thread of a game; raises Refused where Discord does not say."""

    @classmethod
    def alone(cls, tables: Tables, may_see: MaySee = _sees_nothing) -> Self:
        """Without a client of these tables: that of a process that stands by."""
        return cls(tables, Buttons(tables), Proposals(tables), may_see=may_see)


class BoardPage:
    """The board page of a process: open while it is entered."""

    def __init__(
        self,
        behind: Behind,
        pace: RateLimiter,
        factor: float = 1.0,
        secret: Secret | None = None,
        capacity: Capacity = USUAL,
        proxies: str = THIS_MACHINE,
        alive: float = ALIVE,
    ) -> None:
        """`pace` is that of Discord's commands, `factor` multiplies the allowances of addresses.

        `proxies`: addresses and networks, with commas between them, of the web servers in front of the page.
        Every `alive` seconds an open page hears a sign of life.
        """
        tables, trusted = behind.tables, Proxies.named(proxies)
        self._links, self._refusals = tables.board, Refusals()
        self._connections = Connections(capacity, factor, trusted, self._refusals)
        limits = Limits(pace, factor, patience=capacity.patience)
        access = Access(self._links, limits, trusted, self._refusals, has_login=secret is not None)
        login, opening = (
            Login(tables, access, limits, secret, behind.may_see),
            Opening(tables, access, limits),
        )
        streams = Streams(capacity.streams, factor)
        self._events = Events(tables, access, behind.proposals, streams, opening.version, alive)
        positions = Positions(tables, access, limits, behind.proposals)
        self._app = web.Application(client_max_size=MOST_BYTES, middlewares=[access.around])
        self._app.add_routes(_entry_routes(opening, login, Sessions(tables, access, limits)))
        self._app.add_routes(_view_routes(behind, access, limits, positions))
        self._app.add_routes(_change_routes(behind, access, limits, positions))
        self._app.add_routes([web.get(f"{_GAME}/events", self._events.follow)])

    @asynccontextmanager
    async def serving(self, port: int, public: str | None = None, host: str = LOOPBACK) -> AsyncIterator[int]:
        """Answer at this port (0: any that is free), the one yielded; raises OSError when it is taken.

        `public` is the address at which people reach it, without a path; None: that of this machine alone.
        """
        runner = web.AppRunner(self._app, shutdown_timeout=1.0)
        await runner.setup()
        assert runner.server is not None
        watching = asyncio.create_task(self._events.watch())
        tidying = asyncio.create_task(self._tidy())
        try:
            async with self._connections.accepting(runner.server, host, port) as taken:
                self._links.by_seat = public is None
                self._links.address = f"http://{LOOPBACK}:{taken}" if public is None else public
                yield taken
        finally:
            watching.cancel()
            tidying.cancel()
            self._events.close()
            await runner.cleanup()
            self._refusals.close()
            self._links.address = None

    async def _tidy(self) -> None:
        """Delete what has expired, every hour."""
        while True:
            try:
                await self._links.forget_expired()
            except StorageError as error:
                _log.warning("links and sessions of the board page that have expired stay: %s", error)
            await asyncio.sleep(TIDY_SECONDS)


def _entry_routes(opening: Opening, login: Login, sessions: Sessions) -> list[web.RouteDef]:
    """The page itself, and how one comes in and leaves."""
    return [
        web.get(_LINK, opening.open, allow_head=False),
        web.post(_LINK, opening.replace),
        web.get(r"/board/static/{name:[\w.-]{1,60}}", opening.file),
        web.get("/board/login/{game:[0-9]{1,9}}", login.begin, allow_head=False),
        web.get(BACK, login.back, allow_head=False),
        web.get(_GAME, opening.shell),
        web.get(f"{_GAME}/sessions", sessions.list),
        web.post(f"{_GAME}/sessions", sessions.end),
    ]


def _view_routes(behind: Behind, access: Access, limits: Limits, positions: Positions) -> list[web.RouteDef]:
    """A game as everybody sees it."""
    history, looking = (
        History(behind.tables, access, limits),
        Looking(behind.tables, access, limits, positions),
    )
    return [
        web.get(f"{_GAME}/position", positions.show),
        web.get(f"{_GAME}/history", history.tell),
        web.get(rf"{_GAME}/hex/{{coord:[A-Za-z0-9]{{1,6}}}}", looking.hex),
        web.get(rf"{_GAME}/routes/{{company:[^/]{{1,20}}}}", looking.routes),
    ]


def _change_routes(
    behind: Behind, access: Access, limits: Limits, positions: Positions
) -> list[web.RouteDef]:
    """Moves, votes, what-ifs and orders of a player."""
    requests = ChangeRequests(behind.tables, access, limits, behind.acts, behind.require_shown)
    playing = Playing(requests, behind.buttons, behind.proposals, positions.known)
    planning = Planning(requests, positions.known)
    agreeing = Agreeing(requests, behind.proposals, behind.answered)
    return [
        web.get(f"{_GAME}/offers", playing.offers),
        web.post(f"{_GAME}/walk", playing.walk),
        web.post(f"{_GAME}/play", playing.play),
        web.post(f"{_GAME}/undo", agreeing.undo),
        web.post(f"{_GAME}/redo", agreeing.redo),
        web.post(f"{_GAME}/answer", agreeing.answer),
        web.post(f"{_GAME}/whatif", planning.try_moves),
        web.post(f"{_GAME}/whatif/walk", planning.walk),
        web.get(f"{_GAME}/orders", planning.orders),
        web.post(f"{_GAME}/orders", planning.order),
    ]
