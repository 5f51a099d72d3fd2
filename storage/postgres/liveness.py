"""Signs of life of processes: locks of a connection of its own, which the server releases as the process ends."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

import asyncpg

from storage.postgres.failures import FAILURES
from storage.postgres.statements import PRESENCE

_log = logging.getLogger("stationmaster.storage")

AGAIN: Final = 0.25
"""Seconds until a connection that was lost is made anew."""
VANISHED: Final = {"tcp_keepalives_idle": "2", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "2"}
"""So soon the server finds out that a machine is gone, whose connections nobody could close."""


@asynccontextmanager
async def advertise(
    url: str, shards: Sequence[int], holder: str, settings: dict[str, str]
) -> AsyncIterator[None]:
    """Give signs for these shards; a connection that is lost is made anew."""
    tried = asyncio.Event()
    keeping = asyncio.create_task(_keep(url, shards, holder, settings, tried))
    await tried.wait()
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def _keep(
    url: str, shards: Sequence[int], holder: str, settings: dict[str, str], tried: asyncio.Event
) -> None:
    while True:
        try:
            await _give(url, shards, holder, settings, tried)
        except FAILURES as error:
            # A process that renews its leases keeps them all the same.
            _log.warning("no sign of life can be given: %s", error)
        finally:
            tried.set()
        await asyncio.sleep(AGAIN)


async def _give(
    url: str, shards: Sequence[int], holder: str, settings: dict[str, str], given: asyncio.Event
) -> None:
    """Give signs as long as a connection lasts."""
    lost = asyncio.Event()
    link = await asyncpg.connect(url, server_settings=settings)
    try:
        link.add_termination_listener(lambda _: lost.set())
        for shard in shards:
            await link.execute("SELECT pg_advisory_lock($1, hashtext($2))", PRESENCE + shard, holder)
        given.set()
        await lost.wait()
    finally:
        with suppress(*FAILURES):
            await link.close(timeout=1.0)
