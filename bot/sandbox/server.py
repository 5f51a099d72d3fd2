"""The sandbox's HTTP server: Discord's REST routes, gateway and files, and the browser page, on one loopback port."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from aiohttp import web
from aiohttp.typedefs import Middleware

from bot.sandbox.guild import seed
from bot.sandbox.guild.person import Person
from bot.sandbox.guild.world import World
from bot.sandbox.http.gateway import Gateway, SendFrame, send_frame
from bot.sandbox.http.page_api import PageApi
from bot.sandbox.http.rate_limits import RateLimits
from bot.sandbox.http.requests import RestMiddleware
from bot.sandbox.http.rest_guilds import ChannelRoutes, GuildAndUserRoutes
from bot.sandbox.http.rest_messages import FileRoutes, InteractionRoutes, MessageRoutes

_MAX_BODY_BYTES = 110 * 1024 * 1024
"""Maximum size of a request body in bytes: ten files of 10 MiB with multipart overhead."""


class LoopbackServer:
    """The sandbox's HTTP server. Port 0 means any free port. Raises OSError if the port is in use.

    ``middlewares`` wrap every handler, and ``relay`` sends the gateway's frames. Tests use both to cause faults.
    """

    def __init__(
        self,
        port: int = 0,
        world: World | None = None,
        *,
        middlewares: Sequence[Middleware] = (),
        relay: SendFrame = send_frame,
    ) -> None:
        self.world = world if world is not None else World()
        self.gateway = Gateway(self.world, relay)
        self._middlewares = middlewares
        self._rest_middleware = RestMiddleware(self.world)
        self._page = PageApi(self.world)
        self._port = port
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """The URL of the browser page, which is also the argument for `redirect_discord_to`."""
        return self.world.base_url

    @property
    def token(self) -> str:
        """The bot's login token for this server."""
        return seed.DUMMY_TOKEN

    @property
    def rates(self) -> RateLimits:
        """The rate limits. They are not enforced by default."""
        return self._rest_middleware.rates

    @property
    def requests(self) -> list[str]:
        """Each REST request since the start, as "METHOD /path"."""
        return self._rest_middleware.requests

    def person(self, name: str) -> Person:
        """The user with this name. A test can act as this user."""
        return Person.find_by_name(self.world, name)

    async def wait_until_ready(self, *, timeout: float = 10.0) -> bool:  # noqa: ASYNC109
        """Wait until a bot is connected and has registered commands; return False after ``timeout`` seconds."""
        return await self.world.wait_until(
            lambda: self.gateway.is_connected and bool(self.world.commands), timeout=timeout
        )

    async def start(self) -> None:
        app = web.Application(
            client_max_size=_MAX_BODY_BYTES,
            middlewares=[self._rest_middleware.middleware(), *self._middlewares],
        )
        route_groups = (MessageRoutes, ChannelRoutes, GuildAndUserRoutes, InteractionRoutes, FileRoutes)
        for route_group in route_groups:
            app.add_routes(route_group(self.world).routes())
        app.add_routes(self._page.routes())
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/gateway/", self.gateway.handle)
        app.on_shutdown.append(self._close_sockets)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        try:
            await site.start()
        except OSError:
            await self._runner.cleanup()
            raise
        self.world.base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def _close_sockets(self, _: web.Application) -> None:
        await self.gateway.close_sockets(1001)
        await self._page.close_sockets()

    async def stop(self) -> None:
        """Close all WebSockets and the port."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.stop()
