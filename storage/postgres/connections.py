"""PostgreSQL connections: session options, conversion of values, and a pool."""

import asyncio
import logging
import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import psycopg
from psycopg.adapt import AdaptersMap, Dumper

from storage.postgres.failures import FAILURES
from storage.postgres.statements import Link, roll_back

# psycopg warns of each statement that was sent after a failed one.
logging.getLogger("psycopg").setLevel(logging.ERROR)

MAX_CONNECTIONS: Final = 8
"""The most connections a pool holds."""
CONNECT_SECONDS: Final = 10
"""Seconds to wait for a connection."""

_SESSION_OPTIONS: Final = {
    # Statements sent in one trip without BEGIN form one transaction, so several questions see the same snapshot.
    "default_transaction_isolation": r"repeatable\ read",
    # Any other value may lose committed moves when the power fails.
    "synchronous_commit": "on",
    # Frees the rows of a process that is stopped in the middle of a transaction. A process that was only slow runs the
    # transaction again.
    "idle_in_transaction_session_timeout": "3s",
    # No statement of ours takes that long.
    "statement_timeout": "10s",
    # Longer than the idle timeout, so that a process waiting for a stopped one gets the row.
    "lock_timeout": "4s",
}
_NETWORK_OPTIONS: Final[dict[str, Any]] = {
    "connect_timeout": CONNECT_SECONDS,
    # Notices within 20 seconds that a server has vanished.
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}


class _UntypedDumper(Dumper):
    """Converts a number to text without a type, so that the server applies the type of the column."""

    def dump(self, obj: Any) -> bytes:
        return str(obj).encode()


_ADAPTERS: Final = AdaptersMap(psycopg.adapters)
for _kind in (int, float, bool):
    _ADAPTERS.register_dumper(_kind, _UntypedDumper)


async def connect(url: str, process_name: str) -> Link:
    """Connect to the database at a URL; the server lists the connection under `process_name`.

    Raises one of FAILURES.
    """
    return await psycopg.AsyncConnection.connect(
        url,
        autocommit=True,
        context=_ADAPTERS,
        cursor_factory=psycopg.AsyncRawCursor,
        application_name=process_name,
        options=" ".join(f"-c {name}={value}" for name, value in _SESSION_OPTIONS.items()),
        **_NETWORK_OPTIONS,
    )


class Pool:
    """A pool of connections. The one used last is reused first; closed ones are dropped."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.process_name = f"stationmaster-{os.getpid()}-{secrets.token_hex(4)}"
        """The name of this process in the server's list of connections."""
        self._idle_links: list[Link] = []
        self._free_places = asyncio.Semaphore(MAX_CONNECTIONS)
        self.closed = False

    @asynccontextmanager
    async def link(self) -> AsyncIterator[Link]:
        """Yield a pooled connection and roll it back afterwards; raises one of FAILURES."""
        async with asyncio.timeout(CONNECT_SECONDS):
            await self._free_places.acquire()
        try:
            link = await self._live_idle_link() or await self.connect()
            try:
                yield link
            finally:
                await roll_back(link)
                if self.closed:
                    await link.close()
                if not link.closed:
                    self._idle_links.append(link)
        finally:
            self._free_places.release()

    async def connect(self) -> Link:
        """Open a connection outside the pool; raises one of FAILURES."""
        return await connect(self.url, self.process_name)

    async def close(self) -> None:
        """Close idle connections now, and used ones as soon as they are free."""
        self.closed = True
        for link in self._idle_links:
            await link.close()
        self._idle_links.clear()

    async def _live_idle_link(self) -> Link | None:
        while self._idle_links:
            link = self._idle_links.pop()
            try:
                for _ in range(2):  # first the server's farewell, then the end of the stream
                    link.pgconn.consume_input()
            except FAILURES:
                await link.close()
            else:
                return link
        return None


_UNREADABLE_URL = "postgresql://..."
"""Shown in place of a URL that does not show clearly where its password ends."""


def url_without_secrets(url: str) -> str:
    """Return a URL for logs: without password and parameters."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return _UNREADABLE_URL
    if "@" in parts.path + parts.query + parts.fragment:
        return _UNREADABLE_URL  # the password has a character that ends the address for some parsers
    host = parts.netloc.rpartition("@")[2]
    user = f"{parts.username}@" if parts.username else ""
    return f"{parts.scheme}://{user}{host}{parts.path}"
