"""Connections that somebody opens at a page to leave no room for others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

HALF_SENT: Final = b"GET /board/1 HTTP/1.1\r\nHost: board.test\r\nX-Slow: "
"""The head of a request that does not end."""


class Flood:
    """Connections that are held open."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    @classmethod
    @asynccontextmanager
    async def at(cls, port: int) -> AsyncIterator["Flood"]:
        """Hold none yet; those that are held at the end are closed."""
        flood = cls(port)
        try:
            yield flood
        finally:
            flood.close()

    def close(self) -> None:
        for _, writer in self._open:
            writer.close()

    async def send(self, data: bytes, times: int) -> None:
        """Open as many more connections, which all send this and wait."""
        await asyncio.gather(*(self._one(data) for _ in range(times)))

    async def answered(self, words: bytes) -> int:
        beginnings = await asyncio.gather(*(_beginning(reader, len(words)) for reader, _ in self._open))
        return beginnings.count(words)

    async def left(self) -> int:
        return (await asyncio.gather(*(_is_open(reader) for reader, _ in self._open))).count(True)

    async def _one(self, data: bytes) -> None:
        with suppress(ConnectionError):
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            self._open.append((reader, writer))
            writer.write(data)


async def _beginning(reader: asyncio.StreamReader, size: int) -> bytes:
    with suppress(TimeoutError, ConnectionError, asyncio.IncompleteReadError):
        async with asyncio.timeout(0.5):
            return await reader.readexactly(size)
    return b""


async def _is_open(reader: asyncio.StreamReader) -> bool:
    with suppress(ConnectionError):
        try:
            async with asyncio.timeout(0.5):
                await reader.read()
        except TimeoutError:
            return True
    return False
