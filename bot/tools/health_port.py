"""A page for programs that watch the machine: how the bot is, at /health on the loopback address."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from bot.client.health import Health
from storage.errors import StorageError

LOOPBACK: Final = "127.0.0.1"
"""Nobody else needs to know."""


@asynccontextmanager
async def telling(health: Health, port: int | None) -> AsyncIterator[int | None]:
    """Answer at this port (0: any that is free), the one yielded; None: nowhere. Raises OSError when it is taken."""
    if port is None:
        yield None
        return
    app = web.Application()
    app.router.add_get("/health", _answering(health))
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, LOOPBACK, port).start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


def _answering(health: Health) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def answer(_: web.Request) -> web.Response:
        try:
            state = await health.state()
        except StorageError as error:
            return web.json_response({"status": "trouble", "troubles": [str(error)]}, status=503)
        return web.json_response(state.json(), status=503 if state.troubles else 200)

    return answer
