"""Processes that stand by for another: they take over when it ends or says nothing, and may return."""

import signal
from pathlib import Path

from bot.sandbox.server import LoopbackServer
from tests.bot.support.processes import ALONE, ended, free_port, said, started

RUNS = ("running with the shards 0 of 1", "connected as")


async def test_standby_takes_over_from_a_silent_process(tmp_path: Path, url: str) -> None:
    """When that continues it stands by, and comes back in its turn."""
    async with LoopbackServer(port=0) as discord:
        told = {"STATIONMASTER_DISCORD_URL": discord.url, "STATIONMASTER_LOG_LEVEL": "INFO"}
        settings = {"DATABASE_URL": url, **told, **ALONE}
        first = await started(tmp_path, free_port(), **settings)
        await said(first, "connected as")
        second = await started(tmp_path, free_port(), **settings)
        async with ended(second):
            await said(second, "standing by")
            first.send_signal(signal.SIGSTOP)
            for words in RUNS:
                await said(second, words)
            first.send_signal(signal.SIGCONT)
            await said(first, "standing by")
        async with ended(first):
            for words in RUNS:
                await said(first, words)
