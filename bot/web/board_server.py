"""The board page's server: routes, start and stop."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from aiohttp import web

from bot.table.rate_limits import RateLimiter
from bot.web import history_and_close_ups, moves, undo_and_proposals, what_ifs_and_orders
from bot.web.context import GAME, LoginSecret, Page, PageServices
from bot.web.entry import links, login_and_sessions
from bot.web.entry.access import MOST_BYTES, answer_or_refuse
from bot.web.entry.addresses import THIS_MACHINE, Proxies
from bot.web.entry.connections import Connections
from bot.web.entry.page_and_stream_limits import USUAL, PageLimits, PageRoom, Refusals, Streams
from bot.web.event_stream import ALIVE, Events
from bot.web.position_answers import Positions
from storage import StorageError

_log = logging.getLogger("stationmaster.web")

TIDY_SECONDS: Final = 3600.0
LOOPBACK: Final = "127.0.0.1"


class BoardPage:
    """The board page of a process, open as a context manager."""

    def __init__(
        self,
        behind: PageServices,
        rate_limiter: RateLimiter,
        factor: float = 1.0,
        secret: LoginSecret | None = None,
        capacity: PageRoom = USUAL,
        proxies: str = THIS_MACHINE,
        alive: float = ALIVE,
    ) -> None:
        """`rate_limiter` has the rate limits of Discord's commands, `factor` multiplies those of addresses.

        `proxies`: addresses and networks, with commas between them, of the web servers in front of the
        page. Every `alive` seconds an open page hears a sign of life.
        """
        refusals, trusted = Refusals(), Proxies.read_proxies(proxies)
        limits = PageLimits(rate_limiter, factor, patience=capacity.patience)
        self._page = page = Page(behind, limits, refusals, trusted, secret)
        self._connections = Connections(capacity, factor, trusted, refusals)
        positions = Positions(page)
        self._events = Events(page, positions, Streams(capacity.streams, factor), alive)
        around = web.middleware(partial(answer_or_refuse, page))
        self._app = web.Application(client_max_size=MOST_BYTES, middlewares=[around])
        self._app.add_routes(
            [
                web.get(GAME, page.files.shell),
                web.get(r"/board/static/{name:[\w.-]{1,60}}", page.files.file),
                *links.routes(page),
                *login_and_sessions.routes(page),
                web.get(f"{GAME}/position", positions.show),
                *history_and_close_ups.routes(page),
                *moves.routes(page),
                *undo_and_proposals.routes(page),
                *what_ifs_and_orders.routes(page),
                web.get(f"{GAME}/events", self._events.follow),
            ]
        )

    @asynccontextmanager
    async def serving(self, port: int, public: str | None = None, host: str = LOOPBACK) -> AsyncIterator[int]:
        """Serve at this port (0: any), which is yielded; raises OSError if it is taken.

        `public` is the address at which people reach it, without a path; None: that of this machine alone.
        """
        given_out, runner = self._page.links, web.AppRunner(self._app, shutdown_timeout=1.0)
        await runner.setup()
        assert runner.server is not None
        watching = asyncio.create_task(self._events.watch())
        tidying = asyncio.create_task(self._tidy())
        try:
            async with self._connections.accepting(runner.server, host, port) as taken:
                given_out.by_seat = public is None
                given_out.address = f"http://{LOOPBACK}:{taken}" if public is None else public
                yield taken
        finally:
            watching.cancel()
            tidying.cancel()
            self._events.close()
            await runner.cleanup()
            self._page.refusals.close()
            given_out.address = None

    async def _tidy(self) -> None:
        """Delete expired links and sessions every hour."""
        while True:
            try:
                await self._page.links.forget_expired()
            except StorageError as error:
                _log.warning("cannot delete expired links and sessions of the board page: %s", error)
            await asyncio.sleep(TIDY_SECONDS)
