"""PostgreSQL connections: session options, conversion of values, and a connection pool."""

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

from storage.postgres.failures import DRIVER_ERRORS
from storage.postgres.statements import Connection, roll_back

# psycopg warns of each statement that was sent after a failed one.
logging.getLogger("psycopg").setLevel(logging.ERROR)

MAX_CONNECTIONS: Final = 8
"""Maximum number of connections in a pool."""
CONNECT_TIMEOUT_SECONDS: Final = 10
"""Timeout for opening a connection, in seconds."""

_SESSION_OPTIONS: Final = {
    # Statements sent in one trip without BEGIN form one transaction, so several parsed_queries see the same snapshot.
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
    "connect_timeout": CONNECT_TIMEOUT_SECONDS,
    # Notices within 20 seconds that a server has vanished.
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}


class _UntypedDumper(Dumper):
    """Converts numbers to text without a type, so that the server converts them to the column's type."""

    def dump(self, obj: Any) -> bytes:
        return str(obj).encode()


_TYPE_ADAPTERS: Final = AdaptersMap(psycopg.adapters)
for _number_type in (int, float, bool):
    _TYPE_ADAPTERS.register_dumper(_number_type, _UntypedDumper)


async def connect(url: str, process_name: str) -> Connection:
    """Connect to the database at a URL; the server's list of connections shows `process_name`.

    Raises one of FAILURES.
    """
    return await psycopg.AsyncConnection.connect(
        url,
        autocommit=True,
        context=_TYPE_ADAPTERS,
        cursor_factory=psycopg.AsyncRawCursor,
        application_name=process_name,
        options=" ".join(f"-c {name}={value}" for name, value in _SESSION_OPTIONS.items()),
        **_NETWORK_OPTIONS,
    )


class Pool:
    """A connection pool. The connection used last is reused first; closed connections are discarded."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.process_name = f"stationmaster-{os.getpid()}-{secrets.token_hex(4)}"
        """The name of this process in the server's list of connections."""
        self._idle_connections: list[Connection] = []
        self._free_connection_slots = asyncio.Semaphore(MAX_CONNECTIONS)
        self.closed = False

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """Yield a connection of the pool, and roll back any open transaction afterwards; raises one of FAILURES."""
        async with asyncio.timeout(CONNECT_TIMEOUT_SECONDS):
            await self._free_connection_slots.acquire()
        try:
            connection = await self._live_idle_connection() or await self.connect()
            try:
                yield connection
            finally:
                await roll_back(connection)
                if self.closed:
                    await connection.close()
                if not connection.closed:
                    self._idle_connections.append(connection)
        finally:
            self._free_connection_slots.release()

    async def connect(self) -> Connection:
        """Open a connection outside the pool; raises one of FAILURES."""
        return await connect(self.url, self.process_name)

    async def close(self) -> None:
        """Close idle connections now, and connections in use once they are free."""
        self.closed = True
        for connection in self._idle_connections:
            await connection.close()
        self._idle_connections.clear()

    async def _live_idle_connection(self) -> Connection | None:
        while self._idle_connections:
            connection = self._idle_connections.pop()
            try:
                for _ in range(2):  # first the server's farewell, then the end of the stream
                    connection.pgconn.consume_input()
            except DRIVER_ERRORS:
                await connection.close()
            else:
                return connection
        return None


_UNREADABLE_URL = "postgresql://..."
"""Shown in place of a URL if the end of its password cannot be determined."""


def url_without_secrets(url: str) -> str:
    """Return a URL without password and parameters, for logs."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return _UNREADABLE_URL
    if "@" in parts.path + parts.query + parts.fragment:
        return _UNREADABLE_URL  # the password has a character that ends the address for some parsers
    host = parts.netloc.rpartition("@")[2]
    user = f"{parts.username}@" if parts.username else ""
    return f"{parts.scheme}://{user}{host}{parts.path}"
