"""The web server of the board page: its HTTP routes, start and stop."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from aiohttp import web

from bot.table.rate_limits import RateLimiter
from bot.web import (
    event_page,
    games_page,
    history_and_close_ups,
    moves,
    planning,
    result_page,
    undo_and_proposals,
    what_ifs_and_orders,
)
from bot.web.context import GAME_PATH, OAuthClient, PageContext, PageServices
from bot.web.entry import links, login_and_sessions
from bot.web.entry.access import MAX_REQUEST_BYTES, handle_with_limits
from bot.web.entry.addresses import LOOPBACK_NETWORKS, Proxies
from bot.web.entry.connections import Connections
from bot.web.entry.page_and_stream_limits import (
    USUAL_CAPACITY,
    PageCapacity,
    PageLimits,
    RefusalCounter,
    StreamLimits,
)
from bot.web.event_stream import KEEP_ALIVE_SECONDS, EventStreams
from bot.web.page_files import BOARD_SHELL, FILM_SHELL
from bot.web.position_answers import PositionAnswers
from storage import StorageError

_log = logging.getLogger("stationmaster.web")

SECONDS_BETWEEN_CLEANUPS: Final = 3600.0
LOOPBACK: Final = "127.0.0.1"


class BoardPage:
    """The web server of one bot process for all its board pages."""

    def __init__(
        self,
        services: PageServices,
        rate_limiter: RateLimiter,
        limit_factor: float = 1.0,
        oauth_client: OAuthClient | None = None,
        capacity: PageCapacity = USUAL_CAPACITY,
        proxies: str = LOOPBACK_NETWORKS,
        keep_alive_seconds: float = KEEP_ALIVE_SECONDS,
    ) -> None:
        """`rate_limiter` holds the limits shared with Discord's commands.

        `limit_factor` multiplies the limits of client addresses. `proxies` are addresses and networks, separated by
        commas, of the reverse proxies in front of the server. An open page gets a keep-alive event every
        `keep_alive_seconds`.
        """
        refusals, trusted_proxies = RefusalCounter(), Proxies.read_proxies(proxies)
        limits = PageLimits(rate_limiter, limit_factor, request_timeout=capacity.request_timeout)
        self._page = page = PageContext(services, limits, refusals, trusted_proxies, oauth_client)
        self._connections = Connections(capacity, limit_factor, trusted_proxies, refusals)
        position_answers = PositionAnswers(page)
        self._event_streams = EventStreams(
            page, position_answers, StreamLimits(capacity.streams, limit_factor), keep_alive_seconds
        )
        refusal_middleware = web.middleware(partial(handle_with_limits, page))
        self._app = web.Application(client_max_size=MAX_REQUEST_BYTES, middlewares=[refusal_middleware])
        self._app.add_routes(
            [
                web.get(GAME_PATH, partial(page.files.send_shell, BOARD_SHELL)),
                web.get(f"{GAME_PATH}/film", partial(page.files.send_shell, FILM_SHELL)),
                web.get(r"/board/static/{name:[\w.-]{1,60}}", page.files.send_file),
                *links.routes(page),
                *login_and_sessions.routes(page),
                web.get(f"{GAME_PATH}/position", position_answers.show),
                *history_and_close_ups.routes(page),
                *planning.routes(page),
                *moves.routes(page),
                *undo_and_proposals.routes(page),
                *what_ifs_and_orders.routes(page),
                *event_page.routes(page),
                *games_page.routes(page),
                *result_page.routes(page),
                web.get(f"{GAME_PATH}/events", self._event_streams.follow),
            ]
        )

    @asynccontextmanager
    async def serving(
        self, port: int, public_url: str | None = None, host: str = LOOPBACK
    ) -> AsyncIterator[int]:
        """Within the context, serve on `port` (0: any free port), and yield the actual port.

        Raises OSError if the port is taken. `public_url` is the URL at which users reach the server, without a path. If
        it is None, only this machine can reach the server.
        """
        board_links, runner = self._page.links, web.AppRunner(self._app, shutdown_timeout=1.0)
        await runner.setup()
        assert runner.server is not None
        watch_task = asyncio.create_task(self._event_streams.watch())
        cleanup_task = asyncio.create_task(self._delete_expired_hourly())
        try:
            async with self._connections.accepting(runner.server, host, port) as bound_port:
                board_links.has_board_per_seat = public_url is None
                board_links.address = f"http://{LOOPBACK}:{bound_port}" if public_url is None else public_url
                yield bound_port
        finally:
            watch_task.cancel()
            cleanup_task.cancel()
            self._event_streams.close()
            await runner.cleanup()
            self._page.refusals.close()
            board_links.address = None

    async def _delete_expired_hourly(self) -> None:
        while True:
            try:
                await self._page.links.forget_expired()
            except StorageError as error:
                _log.warning("cannot delete expired links and sessions of the board page: %s", error)
            await asyncio.sleep(SECONDS_BETWEEN_CLEANUPS)
