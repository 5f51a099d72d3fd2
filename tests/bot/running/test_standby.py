"""Processes that stand by for another: they take over when it ends or says nothing, and may return."""

import signal
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.sandbox.server import LoopbackServer
from storage import open_database
from tests.bot.support.processes import ALONE, ended, free_port, said, started
from tests.bot.web.visitors import PUBLIC


@pytest.fixture
async def settings(url: str) -> AsyncIterator[dict[str, str]]:
    """Settings of processes that share a database and a Discord."""
    async with LoopbackServer(port=0) as server:
        discord = {"STATIONMASTER_DISCORD_URL": server.url, "STATIONMASTER_LOG_LEVEL": "INFO"}
        yield {"DATABASE_URL": url, **discord, **ALONE}


RUNS = ("running with the shards 0 of 1", "connected as")


async def test_standby_takes_over_at_the_end(tmp_path: Path, settings: dict[str, str]) -> None:
    """Also where its page was not served before: on one machine, both may be set to the same port."""
    async with await open_database(settings["DATABASE_URL"]) as db, AsyncExitStack() as first:
        await first.enter_async_context(db.own_shards())
        taken = first.enter_context(socket.socket())
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        page = {"STATIONMASTER_WEB": PUBLIC, "STATIONMASTER_WEB_PORT": str(taken.getsockname()[1])}
        second = await started(tmp_path, free_port(), **settings, **page)
        async with ended(second):
            await said(second, "standing by")
            await said(second, "cannot serve the board page while standing by")
            await first.aclose()
            for words in RUNS:
                await said(second, words)


async def test_standby_takes_over_from_a_silent_process(tmp_path: Path, settings: dict[str, str]) -> None:
    """When that continues it stands by."""
    first = await started(tmp_path, free_port(), **settings)
    await said(first, "connected as")
    second = await started(tmp_path, free_port(), **settings)
    async with ended(second):
        await said(second, "standing by")
        first.send_signal(signal.SIGSTOP)
        for words in RUNS:
            await said(second, words)
        async with ended(first):
            first.send_signal(signal.SIGCONT)
            await said(first, "standing by")


async def test_process_comes_back(tmp_path: Path, settings: dict[str, str]) -> None:
    """Another had taken over from it; its workers start anew."""
    process = await started(tmp_path, free_port(), **{**settings, "STATIONMASTER_WORKERS": "3"})
    async with ended(process), await open_database(settings["DATABASE_URL"]) as db:
        await said(process, "connected as")
        await db.write(lambda tx: tx.run("UPDATE shards SET epoch = epoch + 1"))
        for words in ("Another process has taken over shard 0", *RUNS):
            await said(process, words)
