"""`stationmaster migrate`: a running game moves to a server and back, and is the same game."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from bot.tools.cli import main
from storage import Database, games, open_database
from tests.bot.support.table_service import TableService
from tests.support.own_postgres import Server

T = TypeVar("T")


def within(where: str | Path, work: Callable[[Database], Awaitable[T]]) -> T:
    """Do this with a database."""

    async def go() -> T:
        async with await open_database(where) as db:
            return await work(db)

    return asyncio.run(go())


async def begun(db: Database) -> int:
    """Begin a game and make a move."""
    service = TableService.on(db)
    await service.pass_on(game := await service.game())
    return game


async def stands(db: Database) -> str:
    """The digest of the first game, and another move in it."""
    service = TableService.on(db)
    digest = await service.digest(1)
    await service.pass_on(1)
    return digest


@pytest.fixture
def first(tmp_path: Path) -> Path:
    place = tmp_path / "first.db"
    assert within(place, begun) == 1
    return place


def test_game_moves_to_a_server_and_back(
    first: Path, tmp_path: Path, postgres: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    back = tmp_path / "back.db"
    with asyncio.Runner() as runner:
        fresh = postgres.fresh()
        url = runner.run(fresh.__aenter__())
        assert main(["migrate", str(first), url]) == 0
        assert "Games: 1, with" in capsys.readouterr().out
        assert main(["migrate", url, str(back)]) == 0
        assert len({within(where, stands) for where in (first, url, back)}) == 1
        runner.run(fresh.__aexit__(None, None, None))


def test_existing_games_are_refused(first: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["migrate", str(first), str(first.with_name("other.db"))]
    assert [main(arguments), main(arguments)] == [0, 1]
    assert "is there already; nothing was changed" in capsys.readouterr().err


def test_one_server_moves_alone(first: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = first.with_name("other.db")
    number = within(first, lambda db: games.get_game(db, 1)).guild_id
    assert main(["migrate", str(first), str(other), "--server", str(number + 1)]) == 1
    assert f"has no games of server {number + 1}" in capsys.readouterr().err
    assert not other.exists()
    assert main(["migrate", str(first), str(other), "--server", str(number)]) == 0


async def test_running_process_is_refused(
    tmp_path: Path, postgres: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    async with postgres.fresh() as url, await open_database(url) as db, db.owning():
        assert await asyncio.to_thread(main, ["migrate", url, str(tmp_path / "other.db")]) == 1
    assert "stop them first" in capsys.readouterr().err
    assert not (tmp_path / "other.db").exists()
