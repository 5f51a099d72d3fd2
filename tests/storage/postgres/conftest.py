"""Databases on the server alone."""

from collections.abc import AsyncIterator

import pytest

from storage import Database, open_database
from tests.support.own_postgres import Server


@pytest.fixture
async def where(postgres: Server) -> AsyncIterator[str]:
    """A database on the server, with our tables."""
    async with postgres.fresh() as url:
        yield url


@pytest.fixture
async def other(where: str) -> AsyncIterator[Database]:
    """The same database as another process has it."""
    async with await open_database(where) as database:
        yield database


@pytest.fixture
async def empty(postgres: Server) -> AsyncIterator[str]:
    """A database on the server with nothing in it."""
    async with postgres.fresh("template1") as url:
        yield url
