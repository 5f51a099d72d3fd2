"""`stationmaster migrate`: one server moves alone, once, and not while a process runs; its games continue there."""

import asyncio
from pathlib import Path

import pytest

from bot.tools.cli import main
from storage import games, open_database
from tests.bot.support.table_service import TableService
from tests.support.own_postgres import Server


async def test_one_server_moves_alone(
    tmp_path: Path, postgres: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "first.db"
    async with await open_database(place) as db:
        service = TableService.on(db)
        await service.pass_on(await service.game())
        number, digest = (await games.get_game(db, 1)).guild_id, await service.digest(1)
    async with postgres.fresh() as url:
        for server, code, said in (
            (number + 1, 1, f"has no games of server {number + 1}"),
            (number, 0, ""),
            (number, 1, "already has server 1; nothing was changed"),
        ):
            asked = ["migrate", str(place), url, "--server", str(server)]
            assert await asyncio.to_thread(main, asked) == code
            assert said in capsys.readouterr().err
        async with await open_database(url) as db:
            there = TableService.on(db)
            assert await there.digest(1) == digest
            await there.pass_on(1)


async def test_running_process_is_refused(
    tmp_path: Path, postgres: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    async with postgres.fresh() as url, await open_database(url) as db, db.own_shards():
        assert await asyncio.to_thread(main, ["migrate", url, str(tmp_path / "other.db")]) == 1
    assert "Stop them first" in capsys.readouterr().err
    assert not (tmp_path / "other.db").exists()
