"""A database on a server, as two processes have it."""

from collections.abc import AsyncIterator

import pytest

from storage import Database, open_database
from tests.support.own_postgres import Server


@pytest.fixture
async def url(postgres: Server) -> AsyncIterator[str]:
    async with postgres.fresh() as url:
        yield url


@pytest.fixture
async def db(url: str) -> AsyncIterator[Database]:
    async with await open_database(url) as opened:
        yield opened


@pytest.fixture
async def other(url: str) -> AsyncIterator[Database]:
    """The same database as another process has it."""
    async with await open_database(url) as opened:
        yield opened
