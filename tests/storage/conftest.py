"""A real database file for each test, and short ways to fill it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from storage import Database, games, log, open_database
from tests.storage.makers import Act, NewGame, RunningGame, Undo

NOW = "2026-01-02T03:04:05+00:00"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
async def db(path: Path) -> AsyncIterator[Database]:
    async with await open_database(path) as database:
        yield database


@pytest.fixture
def new_game() -> NewGame:
    async def make(db: Database, *, guild_id: int = 10, name: str = "Friday") -> games.Game:
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
