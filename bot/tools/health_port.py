"""Pages for programs that watch the machine, on the loopback address: /health, and /metrics for Prometheus."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from bot.client.features.health import Health, standby
from bot.tools.environment import taking_port
from bot.tools.metrics import exposition
from storage.errors import StorageError

LOOPBACK: Final = "127.0.0.1"
"""Nobody else needs to know."""
SETTING: Final = "STATIONMASTER_HEALTH_PORT"


@dataclass
class Pages:
    """What is answered: of the client that runs, or that this process is a standby."""

    health: Health | None = None
    """None: another process holds the leases."""

    @contextmanager
    def of(self, health: Health) -> Iterator[None]:
        """Tell of a client, as long as it runs."""
        self.health = health
        try:
            yield
        finally:
            self.health = None

    async def tell_health(self, _: web.Request) -> web.Response:
        """An object, with 503 where something is wrong."""
        if self.health is None:
            return web.json_response(standby())
        try:
            state = await self.health.state()
        except StorageError as error:
            return web.json_response({"status": "trouble", "troubles": [str(error)]}, status=503)
        return web.json_response(state.json(), status=503 if state.troubles else 200)

    async def tell_metrics(self, request: web.Request) -> web.Response:
        """Prometheus' text, in the version that who asks takes; 503 where the database does not answer."""
        try:
            state = None if self.health is None else await self.health.state()
        except StorageError as error:
            return web.Response(text=f"{error}\n", status=503)
        text, kind = exposition(state, request.headers.get("Accept", ""))
        return web.Response(body=text, headers={"Content-Type": kind})


@asynccontextmanager
async def telling(pages: Pages, port: int | None) -> AsyncIterator[int | None]:
    """Answer at this port (0: any that is free), the one yielded; None: nowhere.

    Raises SettingsError when it is taken.
    """
    if port is None:
        yield None
        return
    app = web.Application()
    app.router.add_get("/health", pages.tell_health)
    app.router.add_get("/metrics", pages.tell_metrics)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        with taking_port(port, SETTING):
            await web.TCPSite(runner, LOOPBACK, port).start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()
