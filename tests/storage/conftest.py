"""A real database of each kind for each test, and short ways to fill it."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from storage import Database, Transaction, games, log, open_database
from tests.storage.makers import Act, Damage, NewGame, RunningGame, Undo
from tests.support.own_postgres import Server

NOW = "2026-01-02T03:04:05+00:00"


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
async def other(where: str | Path, db: Database) -> AsyncIterator[Database]:
    """The same database as another process has it; of a file there is only one."""
    if isinstance(where, Path):
        yield db
        return
    async with await open_database(where) as database:
        yield database


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


@pytest.fixture
def new_game() -> NewGame:
    async def make(db: Database, *, guild_id: int = 10, name: str = "Friday") -> games.GameRow:
        return await games.create_game(
            db,
            guild_id=guild_id,
            channel_id=20,
            title="t18al",
            profile="rulebook",
            options='{"short": true}',
            seed=42,
            name=name,
            now=NOW,
        )

    return make


@pytest.fixture
def running_game(new_game: NewGame) -> RunningGame:
    async def make(db: Database) -> int:
        game = await new_game(db)
        await log.commit_start(db, game.id, [log.Entry("start", "{}", "d1", "")], now=NOW)
        return game.id

    return make


@pytest.fixture
async def game_id(db: Database, running_game: RunningGame) -> int:
    """A running game with its first row."""
    return await running_game(db)


@pytest.fixture
def act() -> Act:
    def make(payload: str = '{"type": "pass"}', digest: str = "d") -> log.Entry:
        return log.Entry("action", payload, digest, "p1", 7)

    return make


@pytest.fixture
def undo() -> Undo:
    return lambda to: log.Entry("undo", log.undo_payload(to), "d", "p1", 7)
