"""A shard has one owner at a time, which is followed soon after it ends, is cut off or is stopped."""

import asyncio
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from storage import Database, games, log, outbox
from storage.contract import Ownership, Transaction
from storage.errors import DatabaseInUse, ShardLost
from storage.postgres.ownership import MAX_SILENCE_SECONDS
from storage.settings import GUILD_SETTINGS
from storage.shards import ShardSet
from tests.storage.makers import act, change, line, move
from tests.support.own_postgres import connected
from tests.support.unsent import unsent

ROOT = Path(__file__).parents[3]
BOTH = ShardSet((0, 1), 2)
PATIENCE = 30.0
TAKEN_OVER = 5.0
"""Seconds within which another process must have taken over."""
LOCK = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2"


@asynccontextmanager
async def owner(where: str, deed: str = "append") -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that owns the shard and writes; killed in the end."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.storage.appender", where, deed),
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def said(process: asyncio.subprocess.Process) -> str:
    """The next line of a process."""
    assert process.stdout is not None
    return (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode().strip()


async def follow(db: Database, stack: AsyncExitStack, share: ShardSet = BOTH) -> Ownership:
    """Own a share as soon as it is free, which must be soon."""
    async with asyncio.timeout(TAKEN_OVER):
        return await stack.enter_async_context(db.own_shards(share))


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP])
async def test_owner_that_ends_is_followed(
    where: str, db: Database, game_id: int, end: signal.Signals
) -> None:
    """It was writing all the time: what it had stored is there, and it writes nothing after that."""
    async with owner(where) as process, AsyncExitStack() as stack:
        acknowledged = [await said(process) for _ in range(7)]
        process.send_signal(end)
        duty = await follow(db, stack, ShardSet())
        seq = await log.last_seq(db, game_id)
        for last in range(seq, seq + 3):
            await move(duty.db, game_id, last, act("follower"))
        if end == signal.SIGSTOP:
            process.send_signal(signal.SIGCONT)
            assert process.stdout is not None
            rest = await asyncio.wait_for(process.stdout.read(), PATIENCE)
            acknowledged += rest.decode().split()
            assert acknowledged.pop() == "lost"
        written = [row.payload for row in await log.read_rows(db, game_id, after_seq=1)]
        assert written == ["x" * 500] * (seq - 1) + ["follower"] * 3
        # The last move may have been stored without the owner learning of it.
        assert [int(one) for one in acknowledged] == list(range(2, len(acknowledged) + 2))
        assert len(acknowledged) + 1 <= seq


async def test_owner_in_a_transaction_is_followed(where: str, db: Database, game_id: int) -> None:
    async with owner(where, "stay") as process, AsyncExitStack() as stack:
        assert await said(process) == "half"
        process.send_signal(signal.SIGSTOP)
        await follow(db, stack, ShardSet())
        assert (await games.get_game(db, game_id)).name != "half"


async def test_owner_that_cannot_connect_is_followed(where: str, db: Database, other: Database) -> None:
    """Its connections are cut, and it gets no other."""
    async with AsyncExitStack() as stack:
        duty = await stack.enter_async_context(db.own_shards(BOTH))
        async with await connected(where) as connection:
            found = await connection.execute(
                f"SELECT application_name FROM pg_stat_activity WHERE pid IN ({LOCK})".encode()
            )
            ((name,),) = set(await found.fetchall())
            mine = f"SELECT pid FROM pg_stat_activity WHERE application_name = '{name}'"
            follower = asyncio.create_task(follow(other, stack))
            while not follower.done():
                await connection.execute(
                    f"SELECT pg_terminate_backend(pid) FROM ({mine}) AS connections".encode()
                )
                await asyncio.sleep(0)
        await follower
        await asyncio.wait_for(duty.shard_lost.wait(), TAKEN_OVER)
        with pytest.raises(ShardLost, match="has taken over shard 0"):
            await GUILD_SETTINGS.put(duty.db, 1, "a", "b")


async def test_standby_waits_for_the_end(where: str, db: Database, other: Database) -> None:
    """Also where the owner's connections are cut: it makes others."""
    waits: list[str] = []
    async with AsyncExitStack() as stack:
        async with db.own_shards(BOTH) as duty, await connected(where) as connection:
            standing = other.own_shards(BOTH, lambda: waits.append("stands by"))
            second = asyncio.create_task(stack.enter_async_context(standing))
            await asyncio.sleep(0.2)
            await connection.execute(f"SELECT pg_terminate_backend(pid) FROM ({LOCK}) AS holders".encode())
            await asyncio.sleep(MAX_SILENCE_SECONDS + 0.3)
            await GUILD_SETTINGS.put(duty.db, 1, "a", "b")
            assert not duty.shard_lost.is_set()
            assert not second.done()
            assert waits == ["stands by"]
        began = time.monotonic()
        duty = await second
        assert time.monotonic() - began < 2.0
        await GUILD_SETTINGS.put(duty.db, 1, "a", "b")


async def test_standby_holds_no_part_of_a_share(db: Database, other: Database) -> None:
    """Each shard may have an owner of its own."""
    async with db.own_shards(ShardSet((1,), 2)) as one:
        standing = asyncio.create_task(AsyncExitStack().enter_async_context(other.own_shards(BOTH)))
        await asyncio.sleep(0.5)
        async with asyncio.timeout(1.0), db.own_shards(ShardSet((0,), 2)) as zero:
            standing.cancel()
            await asyncio.gather(
                GUILD_SETTINGS.put(zero.db, 1, "a", "b"), GUILD_SETTINGS.put(one.db, 2, "a", "b")
            )


async def test_all_divide_the_servers_alike(db: Database, other: Database) -> None:
    """As long as somebody owns a part, which every process sees."""
    assert not await db.is_owned()
    async with db.own_shards(BOTH):
        assert await other.is_owned()
        with pytest.raises(DatabaseInUse, match="use 2 shards, this one 3"):
            async with other.own_shards(ShardSet((2,), 3)):
                pass
    async with other.own_shards(ShardSet((2,), 3)):
        pass
    async with asyncio.timeout(TAKEN_OVER):
        while await other.is_owned():  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.02)


async def test_loser_of_one_shard_writes_for_none(db: Database, game_id: int) -> None:
    """Whatever it writes is refused, and stored by nobody; it still reads."""
    await move(db, game_id, 1, notices=[line("a")])
    (posting,) = await unsent(db)
    async with db.own_shards(BOTH) as duty:
        assert [duty.db.owns(guild) for guild in (0, 1 << 22)] == [True, True]
        await change(db, "UPDATE shards SET epoch = epoch + 1 WHERE shard = 1")
        for late in (
            move(duty.db, game_id, 2),
            games.finish_game(duty.db, game_id),
            outbox.mark_sent(duty.db, posting.id, now="now"),
        ):
            with pytest.raises(ShardLost, match="shard 1"):
                await late
        assert duty.shard_lost.is_set()
        assert not duty.db.owns(0)
        assert await log.last_seq(duty.db, game_id) == 2
        assert await unsent(db) == [posting]


async def test_nobody_takes_over_in_a_transaction(db: Database, other: Database, game_id: int) -> None:
    inside, done = asyncio.Event(), asyncio.Event()

    async def work(tx: Transaction) -> None:
        await tx.run("UPDATE games SET name = 'Saturday'")
        inside.set()
        await done.wait()

    async with db.own_shards() as duty:
        writing = asyncio.create_task(duty.db.write(work))
        await inside.wait()
        taking = asyncio.create_task(change(other, "UPDATE shards SET epoch = epoch + 1"))
        await asyncio.sleep(0.2)
        assert not taking.done()
        done.set()
        await asyncio.gather(writing, taking)
    assert (await games.get_game(db, game_id)).name == "Saturday"
