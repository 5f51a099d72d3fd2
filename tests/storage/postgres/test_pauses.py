"""A process that is paused in the middle of a transaction."""

import asyncio
import os
import signal

import pytest

from storage import games, open_database
from storage.errors import StorageError

NOW = "2026-01-02T03:04:05+00:00"


async def test_a_server_that_takes_no_farewell_keeps_no_process_from_ending(
    where: str,
) -> None:
    """What was stored is stored; the connections are cut off."""
    db = await open_database(where)
    ((backend,),) = await db.read(lambda tx: tx.rows("SELECT pg_backend_pid()"))
    assert isinstance(backend, int)
    os.kill(backend, signal.SIGSTOP)
    try:
        async with asyncio.timeout(1):
            await db.close()
    finally:
        os.kill(backend, signal.SIGCONT)
    with pytest.raises(StorageError, match="closed"):
        await games.get_game(db, 1)
