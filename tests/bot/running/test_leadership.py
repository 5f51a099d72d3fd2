"""Leases: one process answers for a part of the servers, another stands by, and a lost lease is noticed at once."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.table.games.leadership import _Standby, leading
from storage import (
    GUILDS,
    Database,
    DatabaseInUse,
    DatabaseUnreachable,
    LeaseLost,
    ShardSet,
    leases,
    open_database,
)
from tests.support.own_postgres import Server

SHORT = 0.6
"""Seconds of a lease in these tests."""
SOON = 5.0
BOTH = ShardSet((0, 1), 2)


@pytest.fixture
async def url(postgres: Server) -> AsyncIterator[str]:
    async with postgres.fresh() as url:
        yield url


@pytest.fixture
async def db(url: str) -> AsyncIterator[Database]:
    async with await open_database(url) as opened:
        yield opened


@pytest.fixture
async def other(url: str) -> AsyncIterator[Database]:
    async with await open_database(url) as opened:
        yield opened


async def run_out(db: Database) -> None:
    """As if the process had been paused for longer than its leases."""
    await db.write(lambda tx: tx.run("UPDATE leases SET expires = 1, fence = fence + 1"))


async def test_a_file_has_nobody_to_wait_for(tmp_path: Path) -> None:
    async with await open_database(tmp_path / "games.db") as db, leading(db) as duty:
        assert duty.db is db
        assert duty.share.holds(197038439483310086)
        assert not await leases.any_held(db)


async def test_a_second_process_stands_by_until_the_first_has_ended(
    db: Database, other: Database, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "stationmaster.duty")
    async with AsyncExitStack() as stack:
        async with leading(db, BOTH, SHORT):
            waits: list[str] = []
            standing = leading(other, BOTH, SHORT, standing_by=lambda: waits.append("stands by"))
            second = asyncio.create_task(stack.enter_async_context(standing))
            await asyncio.sleep(2 * SHORT)
            assert not second.done()
            assert waits == ["stands by"]
            assert caplog.text.count("standing by") == 1
        duty = await asyncio.wait_for(second, SOON)
        await GUILDS.put(duty.db, 1, "a", "b")


async def test_what_is_given_up_is_free_before_its_time(db: Database, other: Database) -> None:
    async with leading(db, BOTH, 600):
        assert await leases.any_held(other)
    assert not await leases.any_held(other)
    async with asyncio.timeout(SOON), leading(other, BOTH, 600):
        assert await leases.any_held(db)


async def test_who_stands_by_for_several_shards_keeps_none_of_them(db: Database, other: Database) -> None:
    async with leading(db, ShardSet((1,), 2), SHORT):
        waiting = asyncio.create_task(AsyncExitStack().enter_async_context(leading(other, BOTH, SHORT)))
        await asyncio.sleep(SHORT / 2)
        async with asyncio.timeout(SOON), leading(db, ShardSet((0,), 2), SHORT):
            waiting.cancel()
            await asyncio.wait({waiting}, timeout=SOON)
        assert waiting.cancelled()


async def test_each_shard_has_a_process_of_its_own(db: Database, other: Database) -> None:
    async with (
        leading(db, ShardSet((0,), 2), SHORT) as first,
        leading(other, ShardSet((1,), 2), SHORT) as second,
    ):
        guild = 5 << 22
        assert (first.share.holds(guild), second.share.holds(guild)) == (False, True)


async def test_all_have_to_divide_alike(db: Database, other: Database) -> None:
    async with leading(db, BOTH, SHORT):
        with pytest.raises(DatabaseInUse, match="into 2, not into 3"):
            async with leading(other, ShardSet((2,), 3), SHORT):
                pass


async def test_who_renews_keeps_the_lease(db: Database) -> None:
    async with leading(db, BOTH, SHORT) as duty:
        await asyncio.sleep(2 * SHORT)
        assert await leases.any_held(db)
        assert not duty.lost.is_set()


async def test_a_write_after_another_has_taken_over_is_refused_and_ends_the_leadership(
    db: Database, other: Database
) -> None:
    async with leading(db, BOTH, 600) as duty:
        await run_out(other)
        with pytest.raises(LeaseLost):
            await GUILDS.put(duty.db, 1, "a", "b")
        assert duty.lost.is_set()
    assert await GUILDS.get(db, 1, "a") is None


async def test_who_writes_nothing_learns_it_when_renewing(db: Database, other: Database) -> None:
    async with leading(db, BOTH, SHORT) as duty:
        await run_out(other)
        await asyncio.wait_for(duty.lost.wait(), SOON)


async def test_a_holder_without_a_sign_is_gone_once_three_renewals_would_have_been_missed(
    db: Database, other: Database
) -> None:
    """Of ten in the time of a lease; not at the first look, and not where it shows again."""
    standby = _Standby(db, BOTH, "b", SHORT)
    assert not await standby._is_gone(0)
    await asyncio.sleep(3 * SHORT / 10)
    assert await standby._is_gone(0)
    async with leading(other, BOTH, 600):
        assert not await standby._is_gone(0)
    assert not await standby._is_gone(0)


async def test_the_lease_of_a_holder_that_may_still_be_there_is_waited_for(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the first look nobody is known to be gone."""
    asked: list[float | None] = []

    async def claim(*_: object, silence: float | None, **__: object) -> None:
        asked.append(silence)

    standby = _Standby(db, BOTH, "b", 600)
    monkeypatch.setattr("bot.table.games.leadership.leases.claim", claim)
    await standby._tried()
    standby._gone[0] -= 600
    await standby._tried()
    assert asked == [None, 600 * 3 / 10]


async def test_where_the_server_was_away_nobody_is_gone_for_that(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object, **__: object) -> None:
        raise DatabaseUnreachable

    standby = _Standby(db, BOTH, "b", 600)
    assert not await standby._is_gone(0)
    standby._gone[0] -= 600
    with monkeypatch.context() as patch:
        patch.setattr("bot.table.games.leadership.leases.claim", away)
        assert await standby._tried() == []
    assert not await standby._is_gone(0)
