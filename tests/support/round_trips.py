"""A way to a PostgreSQL server that counts the round trips made on it, and may take a while for each."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

PIECE = 2**16
"""Bytes read at once."""
STATEMENTS = b"QPB"
"""First bytes of a client's messages that hold statements: as text, apart from their values, or prepared."""


class Way:
    """Statements that are sent, on any connection, once the server has answered there, are a trip."""

    def __init__(self, delay: float) -> None:
        self.trips = 0
        self.deaf_after = b""
        """A message of the client whose answer does not come through: the server has hung up."""
        self._delay = delay

    async def carry(self, url: str, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        """Carry everything between a client and the server, until either hangs up."""
        answers, to_server = await _connected(url)
        answered, deaf = asyncio.Event(), asyncio.Event()
        answered.set()
        there = asyncio.create_task(self._ask(client, to_server, answered, deaf))
        back = asyncio.create_task(_answer(answers, to_client, answered, deaf))
        try:
            await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (there, back):
                task.cancel()
            for writer in (to_server, to_client):
                writer.close()

    async def _ask(
        self,
        client: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
        answered: asyncio.Event,
        deaf: asyncio.Event,
    ) -> None:
        while piece := await client.read(PIECE):
            if answered.is_set():
                answered.clear()
                self.trips += piece[:1] in STATEMENTS
                await asyncio.sleep(self._delay)
            if self.deaf_after and self.deaf_after in piece:
                deaf.set()
            to_server.write(piece)
            await to_server.drain()


async def _answer(
    answers: asyncio.StreamReader,
    to_client: asyncio.StreamWriter,
    answered: asyncio.Event,
    deaf: asyncio.Event,
) -> None:
    while (piece := await answers.read(PIECE)) and not deaf.is_set():
        answered.set()
        to_client.write(piece)
        await to_client.drain()


@asynccontextmanager
async def way_to(url: str, delay: float = 0.0) -> AsyncIterator[tuple[str, Way]]:
    """A URL of the same database, by a way on which each trip takes this many seconds more; and that way."""
    way, parts = Way(delay), urlsplit(url)

    async def met(client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        await way.carry(url, client, to_client)

    listening = await asyncio.start_server(met, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    try:
        yield f"postgresql://{parts.username or 'postgres'}@127.0.0.1:{port}{parts.path}?sslmode=disable", way
    finally:
        listening.close()


async def _connected(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    parts = urlsplit(url)
    folder = parse_qs(parts.query).get("host", [""])[0]
    if folder:
        return await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.{parts.port or 5432}")
    return await asyncio.open_connection(parts.hostname, parts.port or 5432)
