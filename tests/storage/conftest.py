"""A real database of each kind for each test."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from storage import Database, Transaction, open_database
from tests.storage.makers import Damage, running_game
from tests.support.own_postgres import Server


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture(params=["sqlite", "postgres"])
async def where(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[str | Path]:
    """A database of each kind, as a setting names it: every promise holds for both."""
    if request.param == "sqlite":
        yield path
        return
    server: Server = request.getfixturevalue("postgres")
    async with server.fresh() as url:
        yield url


@pytest.fixture
async def db(where: str | Path) -> AsyncIterator[Database]:
    async with await open_database(where) as database:
        yield database


@pytest.fixture
async def game_id(db: Database) -> int:
    """A running game with its first row."""
    return await running_game(db)


@pytest.fixture
def damage(where: str | Path, db: Database) -> Damage:
    async def to_file(statement: str) -> None:
        with closing(sqlite3.connect(where, isolation_level=None)) as other:  # checks no foreign keys
            other.execute("DROP TRIGGER log_is_never_changed")
            other.execute("DROP TRIGGER log_is_never_shortened")
            other.execute(statement)

    async def on_server(tx: Transaction, statement: str) -> None:
        await tx.run("DROP TRIGGER log_is_never_changed ON log")
        await tx.run("DROP TRIGGER log_is_never_shortened ON log")
        await tx.run("ALTER TABLE states DROP CONSTRAINT states_game_id_seq_fkey")
        await tx.run(statement)

    if isinstance(where, Path):
        return to_file
    return lambda statement: db.write(lambda tx: on_server(tx, statement))
