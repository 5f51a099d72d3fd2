"""`stationmaster migrate`: a running game moves to a server and back, and is the same game."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.tools.cli import main
from storage import games, open_database
from tests.bot.support.table_service import TableService
from tests.support.own_postgres import Server


@pytest.fixture
def server_url(postgres: Server) -> Iterator[str]:
    """A database on a server; the command itself runs the event loop."""
    with asyncio.Runner() as runner, _entered(runner, postgres) as url:
        yield url


@contextmanager
def _entered(runner: asyncio.Runner, postgres: Server) -> Iterator[str]:
    fresh = postgres.fresh()
    url = runner.run(fresh.__aenter__())
    yield url
    runner.run(fresh.__aexit__(None, None, None))


def played(where: str | Path) -> int:
    """Begin a game and make a move."""

    async def go() -> int:
        async with await open_database(where) as db:
            service = TableService.on(db)
            game = await service.game()
            await service.pass_on(game)
            return game

    return asyncio.run(go())


def stands(where: str | Path, game: int) -> str:
    """The digest of a game, and another move in it."""

    async def go() -> str:
        async with await open_database(where) as db:
            service = TableService.on(db)
            digest = await service.digest(game)
            await service.pass_on(game)
            return digest

    return asyncio.run(go())


def test_a_game_moves_to_a_server_and_back_and_continues(
    tmp_path: Path, server_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    first, back = tmp_path / "first.db", tmp_path / "back.db"
    game = played(first)
    assert main(["migrate", str(first), server_url]) == 0
    assert "Games: 1, with" in capsys.readouterr().out
    assert main(["migrate", server_url, str(back)]) == 0
    assert stands(first, game) == stands(server_url, game) == stands(back, game)


def test_what_is_there_already_is_refused_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, other = tmp_path / "first.db", tmp_path / "other.db"
    played(first)
    assert main(["migrate", str(first), str(other)]) == 0
    assert main(["migrate", str(first), str(other)]) == 1
    assert "is there already; nothing was changed" in capsys.readouterr().err


def test_one_server_moves_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, other = tmp_path / "first.db", tmp_path / "other.db"
    game = played(first)

    async def guild() -> int:
        async with await open_database(first) as db:
            return (await games.get_game(db, game)).guild_id

    number = asyncio.run(guild())
    assert main(["migrate", str(first), str(other), "--server", str(number + 1)]) == 1
    assert f"has no games of server {number + 1}" in capsys.readouterr().err
    assert not other.exists()
    assert main(["migrate", str(first), str(other), "--server", str(number)]) == 0


async def test_a_database_at_which_a_process_is_running_is_refused(
    tmp_path: Path, postgres: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    async with postgres.fresh() as url, await open_database(url) as db, db.owning():
        assert await asyncio.to_thread(main, ["migrate", url, str(tmp_path / "other.db")]) == 1
    assert "stop them first" in capsys.readouterr().err
    assert not (tmp_path / "other.db").exists()


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", str(tmp_path / "none.db"), str(tmp_path / "other.db")]) == 1
    assert "There is no database" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
