"""Processes that stand by for another: they take over when it ends or says nothing, and may come back."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.sandbox.server import LoopbackServer
from bot.tools.cli import main
from bot.tools.environment import SettingsError, read_settings
from storage import ShardSet, open_database
from tests.bot.support.processes import ALONE, ended, free_port, said, started
from tests.bot.web.visitors import PUBLIC
from tests.support.own_postgres import Server

FILE = ("DATABASE_URL", "")
SERVER = ("DATABASE_URL", "postgresql://ann@host/games")


@pytest.fixture
async def settings(postgres: Server) -> AsyncIterator[dict[str, str]]:
    """Settings of processes that share a database and a Discord."""
    async with postgres.fresh() as url, LoopbackServer(port=0) as server:
        yield {
            "DATABASE_URL": url,
            "STATIONMASTER_DISCORD_URL": server.url,
            "STATIONMASTER_LOG_LEVEL": "INFO",
        }


async def test_a_process_takes_over_when_the_first_ends(tmp_path: Path, settings: dict[str, str]) -> None:
    """Also where its page was not served before: on one machine, both may be set to the same port."""
    async with await open_database(settings["DATABASE_URL"]) as db, AsyncExitStack() as first:
        await first.enter_async_context(db.owning())
        taken = first.enter_context(socket.socket())
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        page = {"STATIONMASTER_WEB": PUBLIC, "STATIONMASTER_WEB_PORT": str(taken.getsockname()[1])}
        second = await started(tmp_path, free_port(), **settings, **ALONE, **page)
        async with ended(second):
            await said(second, "standing by")
            await said(second, "no board page while standing by")
            await first.aclose()
            await said(second, "running for the shards 0 of 1")
            await said(second, "connected as")


async def test_a_process_takes_over_when_the_first_is_killed(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    first = await started(tmp_path, free_port(), **settings, **ALONE)
    await said(first, "connected as")
    second = await started(tmp_path, free_port(), **settings, **ALONE)
    async with ended(second):
        await said(second, "standing by")
        first.kill()
        await said(second, "running for the shards 0 of 1")
        await said(second, "connected as")
    await first.wait()


async def test_a_process_takes_over_when_the_first_is_stopped(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    """It is there, and says nothing; when it continues it stands by."""
    first = await started(tmp_path, free_port(), **settings, **ALONE)
    async with ended(first):
        await said(first, "connected as")
        second = await started(tmp_path, free_port(), **settings, **ALONE)
        async with ended(second):
            await said(second, "standing by")
            first.send_signal(signal.SIGSTOP)
            await said(second, "running for the shards 0 of 1")
            await said(second, "connected as")
            first.send_signal(signal.SIGCONT)
            await said(first, "standing by")


async def test_a_process_that_stands_by_ends_at_once(tmp_path: Path, settings: dict[str, str]) -> None:
    async with await open_database(settings["DATABASE_URL"]) as db, db.owning() as duty:
        second = await started(tmp_path, free_port(), **settings, **ALONE)
        async with ended(second):
            await said(second, "standing by")
        assert not duty.lost.is_set()


async def test_a_process_that_was_taken_over_from_comes_back(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    process = await started(tmp_path, free_port(), **settings)
    async with ended(process), await open_database(settings["DATABASE_URL"]) as db:
        await said(process, "connected as")
        await db.write(lambda tx: tx.run("UPDATE shards SET epoch = epoch + 1"))
        await said(process, "Another process has taken over part 0")
        await said(process, "running for the shards")
        await said(process, "connected as")


@pytest.mark.parametrize(
    ("words", "share"),
    [("0/1", ShardSet()), ("5/16", ShardSet((5,), 16)), ("0-3/16", ShardSet((0, 1, 2, 3), 16))],
)
def test_shards_are_set_as_a_range(monkeypatch: pytest.MonkeyPatch, words: str, share: ShardSet) -> None:
    monkeypatch.setenv(*SERVER)
    monkeypatch.setenv("STATIONMASTER_SHARDS", words)
    assert read_settings().share == share


@pytest.mark.parametrize("words", ["4/4", "3-1/4", "0/0", "0-16/16"])
def test_shards_that_are_not_there_are_refused(monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    monkeypatch.setenv(*SERVER)
    monkeypatch.setenv("STATIONMASTER_SHARDS", words)
    with pytest.raises(SettingsError, match="counted from 0"):
        read_settings()


async def test_words_that_name_no_shards_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATIONMASTER_SHARDS", "all")
    assert await asyncio.to_thread(main, ["run"]) == SettingsError.exit_code
    assert "STATIONMASTER_SHARDS" in capsys.readouterr().err


def test_of_a_file_all_shards_are_for_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(*FILE)
    monkeypatch.setenv("STATIONMASTER_SHARDS", "0-3/4")
    assert read_settings().share == ShardSet((0, 1, 2, 3), 4)
    monkeypatch.setenv("STATIONMASTER_SHARDS", "0-1/4")
    with pytest.raises(SettingsError, match="set DATABASE_URL"):
        read_settings()
