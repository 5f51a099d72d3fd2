"""A process that ends, however it ends, is known to be gone: another takes over before its lease has run out."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from storage import Database, games
from storage.leases import Lease, claim, holder_alive, renew
from storage.postgres.database import advertise

NOW = "2026-01-02T03:04:05+00:00"
HOLDER = Path(__file__).parent / "holder.py"
LONG = 600.0
"""Seconds of leases that do not run out here."""
PATIENCE = 60.0


async def follow(db: Database, silence: float = 0.0) -> Lease | None:
    """The shard, for a process that stands by."""
    return await claim(db, 0, 1, "follower", seconds=LONG, silence=silence)


async def taken_over(db: Database) -> Lease:
    """The shard, once it is free."""
    async with asyncio.timeout(PATIENCE):
        while (lease := await follow(db)) is None:  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.02)
    return lease


@asynccontextmanager
async def held(where: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that holds the shard, and stands in the middle of a transaction; killed in the end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(HOLDER), where, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        assert await process.stdout.readline() == b"holds\n"
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_killed_process_is_followed_at_once_though_it_was_storing(
    where: str, db: Database, game_id: int
) -> None:
    async with held(where) as process:
        process.kill()
        assert (await taken_over(db)).fence == 2
    assert (await games.get_game(db, game_id)).name != "half"


async def test_a_stopped_process_is_there_until_its_lease_has_run_out(where: str, db: Database) -> None:
    async with held(where) as process:
        process.send_signal(signal.SIGSTOP)
        async with asyncio.timeout(PATIENCE):
            # The server ends its transaction; that takes a while.
            assert await follow(db) is None
        process.kill()
        assert (await taken_over(db)).fence == 2


async def test_a_holder_that_shows_itself_is_not_followed_however_slow_it_is(db: Database) -> None:
    """In each of its shards; what shows it ends with that."""
    before = asyncio.all_tasks()
    for shard in (0, 1):
        assert await claim(db, shard, 2, "holder", seconds=LONG) is not None
    async with db.advertise((0, 1), "holder"):
        for shard in (0, 1):
            assert await claim(db, shard, 2, "follower", seconds=LONG, silence=0.0) is None
    assert asyncio.all_tasks() == before
    async with asyncio.timeout(PATIENCE):
        while await claim(db, 1, 2, "follower", seconds=LONG, silence=0.0) is None:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_a_holder_that_renews_its_lease_is_not_followed_though_it_cannot_show_itself(
    db: Database,
) -> None:
    lease = await claim(db, 0, 1, "holder", seconds=LONG)
    assert lease is not None
    await renew(db, lease, seconds=LONG)
    assert await follow(db, silence=LONG / 2) is None
    assert await follow(db) is not None


async def test_one_who_shows_another_shard_or_name_does_not_count(db: Database) -> None:
    assert await claim(db, 0, 1, "holder", seconds=LONG) is not None
    async with db.advertise((1,), "holder"), db.advertise((0,), "somebody"):
        assert await follow(db) is not None


async def test_a_holder_of_several_shards_shows_itself_for_each(db: Database) -> None:
    for shard in (0, 1, 2):
        assert await claim(db, shard, 3, "holder", seconds=LONG) is not None
    async with db.advertise((1, 2), "holder"):
        assert [await holder_alive(db, shard) for shard in (0, 1, 2)] == [False, True, True]


async def test_a_process_that_cannot_show_itself_works_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    async with asyncio.timeout(10), advertise("postgresql://127.0.0.1:1/nowhere", (0,), "holder", {}):
        await asyncio.sleep(0.1)
        assert caplog.text.count("no sign of life can be given") == 1


async def test_a_sign_that_was_cut_off_is_given_again(where: str, db: Database) -> None:
    link = await asyncpg.connect(where)
    locks = (
        "FROM pg_locks WHERE locktype = 'advisory' "
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    async with db.advertise((0,), "holder"):
        first = await link.fetchval(f"SELECT pid {locks}")
        await link.execute("SELECT pg_terminate_backend($1)", first)
        async with asyncio.timeout(PATIENCE):
            while await link.fetchval(f"SELECT pid {locks}") in (first, None):  # noqa: ASYNC110 - the server tells nobody
                await asyncio.sleep(0.02)
    await link.close()
