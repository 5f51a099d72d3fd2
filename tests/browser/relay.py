"""A way to a server that can fall silent, as where a router loses a connection and neither end hears of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self
from urllib.parse import urlsplit

PIECE = 65_536


class Relay:
    """Passes on whatever comes, except while it is silent."""

    def __init__(self, server: str) -> None:
        self._port = urlsplit(server).port
        self.url = ""
        self.silent = False

    @classmethod
    @asynccontextmanager
    async def before(cls, server: str) -> AsyncIterator[Self]:
        """A way to the server at this address."""
        relay = cls(server)
        listening = await asyncio.start_server(relay.pass_on, "127.0.0.1", 0)
        async with listening:
            relay.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
            yield relay

    async def pass_on(self, near: asyncio.StreamReader, to_browser: asyncio.StreamWriter) -> None:
        """Pass on what comes on a connection, both ways."""
        far, to_server = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(self._copy(near, to_server), self._copy(far, to_browser))

    async def _copy(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while piece := await source.read(PIECE):
                if not self.silent:
                    target.write(piece)
        except ConnectionError:
            return  # it ends as if it had been closed
        finally:
            target.close()
