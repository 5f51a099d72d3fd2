"""A process that is paused in the middle of a transaction."""

import asyncio
import os
import signal

import pytest

from storage import Database, Transaction, games, log, open_database, outbox
from storage.errors import StorageError
from storage.outbox import OutboxMessage
from tests.storage.makers import Act

NOW = "2026-01-02T03:04:05+00:00"


async def test_what_somebody_is_claiming_at_this_moment_is_passed_over(
    where: str, db: Database, game_id: int, act: Act
) -> None:
    await log.commit_move(
        db, game_id, 1, [act()], [OutboxMessage("line", "a"), OutboxMessage("line", "b")], now=NOW
    )

    async with await open_database(where) as other:

        async def change(tx: Transaction) -> int:
            await tx.rows(f"SELECT id FROM outbox ORDER BY id LIMIT 1{tx.locking('UPDATE')}")
            return len(await outbox.claim(other, game_id, "b", seconds=30))

        assert await db.write(change) == 0
        assert len(await outbox.claim(other, game_id, "b", seconds=30)) == 2


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
