"""What a process does with leases: when it asks for them, how it waits, how often it renews, and how it gives up."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from bot.table.games.leadership import Watched, _keep, _Standby, leading
from storage import DatabaseUnreachable, LeaseLost, ShardSet, leases

BOTH = ShardSet((1, 0), 2)
SHORT = 0.03
"""Seconds of a lease."""
SOON = 5.0


class Leases:
    """Leases that no server keeps: what is done with them is noted, in order."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.taken: list[int] = []
        """Shards that another process has, one for each time that all are asked for."""
        self.unanswered: tuple[int, ...] = ()
        """Shards about which the server does not answer."""
        self.there = False
        """Whether holders show that they are there."""
        self.silences: list[float | None] = []
        self.renewals: list[Exception] = []
        """How renewals go; without one they take for ever."""
        self.renewing = asyncio.Event()
        self.shown: list[tuple[list[int], str]] = []
        self.db: Any = SimpleNamespace(name="games", shared=True, advertise=self.shows, write=self.write)

    @asynccontextmanager
    async def shows(self, shards: list[int], holder: str) -> AsyncIterator[None]:
        self.shown.append((shards, holder))
        yield
        self.done.append("gone")

    async def write(self, _: object) -> None:
        raise LeaseLost(1)

    async def claim(
        self, _: object, shard: int, shard_count: int, holder: str, *, seconds: float, silence: float | None
    ) -> leases.Lease | None:
        if shard in self.unanswered:
            raise DatabaseUnreachable("away")
        self.done.append(f"claim {shard} of {shard_count} for {seconds}")
        self.silences.append(silence)
        if self.taken and self.taken[0] == shard:
            self.taken.pop(0)
            return None
        return leases.Lease(shard, holder, 1)

    async def holder_alive(self, *_: object) -> bool:
        return self.there

    async def renew(self, _: object, lease: leases.Lease, *, seconds: float) -> None:
        self.done.append(f"renew {lease.shard} for {seconds}")
        if self.renewals:
            raise self.renewals.pop(0)
        self.renewing.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.done.append(f"no more of {lease.shard}")

    async def release(self, _: object, lease: leases.Lease) -> None:
        self.done.append(f"release {lease.shard}")


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Leases:
    found = Leases()
    monkeypatch.setattr("bot.table.games.leadership.leases", found)
    return found


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """For how long is slept each time; no time passes."""
    found, sleep = list[float](), asyncio.sleep

    async def sleeps(seconds: float) -> None:
        found.append(seconds)
        await sleep(0)

    monkeypatch.setattr("bot.table.games.leadership.asyncio.sleep", sleeps)
    return found


async def test_who_stands_by_says_so_once_and_holds_nothing_until_it_gets_all(
    kept: Leases, slept: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    """It looks ten times while a lease lasts."""
    caplog.set_level(logging.INFO, "stationmaster.duty")
    kept.taken, waits = [1, 0, 0], list[str]()
    async with asyncio.timeout(SOON):
        held = await _Standby(kept.db, BOTH, "b", leases.LEASE).wait(lambda: waits.append("stands by"))
    assert held == [leases.Lease(0, "b", 1), leases.Lease(1, "b", 1)]
    zero, one = (f"claim {shard} of 2 for {leases.LEASE}" for shard in (0, 1))
    assert kept.done == [zero, one, "release 0", zero, zero, zero, one]
    assert waits == ["stands by"]
    assert slept == [0.5, 0.5, 0.5]
    assert [record.getMessage() for record in caplog.records] == [
        "standing by: another process holds some of the shards 1, 0 of 2",
        "running for the shards 1, 0 of 2",
    ]


async def test_a_holder_is_gone_when_it_was_not_seen_for_as_long_as_three_renewals_take(
    kept: Leases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the ten while a lease lasts; once it is seen, that time begins again."""
    looks = {100.0: False, 101.4: False, 101.5: False, 102.0: True, 103.0: False, 104.5: False}
    standby = _Standby(kept.db, ShardSet(), "b", leases.LEASE)
    for at, kept.there in looks.items():
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda at=at: at)
        await standby._tried()
    assert kept.silences == [None, None, 1.5, None, None, 1.5]


async def test_where_the_server_was_away_no_holder_is_gone_for_that(
    kept: Leases, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The signs of holders were away, too: the time in which one is not seen begins again."""
    standby, held = _Standby(kept.db, ShardSet(), "b", leases.LEASE), list[list[leases.Lease]]()
    for at, kept.unanswered in ((100.0, ()), (101.0, (0,)), (102.0, ()), (103.5, ())):
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda at=at: at)
        held.append(await standby._tried())
    assert kept.silences == [None, None, 1.5]
    assert held == [[leases.Lease(0, "b", 1)], [], [leases.Lease(0, "b", 1)], [leases.Lease(0, "b", 1)]]
    assert caplog.records[0].getMessage().startswith("no shard can be taken: ")


async def test_where_the_server_answers_no_more_what_was_taken_before_is_given_up(kept: Leases) -> None:
    kept.unanswered = (1,)
    assert await _Standby(kept.db, BOTH, "b", leases.LEASE)._tried() == []
    assert kept.done == [f"claim 0 of 2 for {leases.LEASE}", "release 0"]


async def test_a_lease_is_renewed_ten_times_while_it_lasts_until_it_is_lost(
    kept: Leases, slept: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    """That a server does not answer once is no loss."""
    kept.renewals = [DatabaseUnreachable("away"), LeaseLost(1)]
    lost = asyncio.Event()
    async with asyncio.timeout(SOON):
        await _keep(kept.db, [leases.Lease(1, "b", 1)], leases.LEASE, lost)
    assert lost.is_set()
    assert slept == [0.5, 0.5]
    assert kept.done == ["renew 1 for 5.0"] * 2
    assert caplog.records[0].getMessage().startswith("a lease cannot be renewed: ")


async def test_a_write_that_finds_a_lease_lost_says_so_to_the_whole_process(kept: Leases) -> None:
    lost = asyncio.Event()

    async def nothing(_: object) -> None:
        return

    with pytest.raises(LeaseLost):
        await Watched(kept.db, [leases.Lease(1, "b", 1)], lost).write(nothing)
    assert lost.is_set()


async def test_nothing_is_renewed_any_more_when_leases_are_given_up(kept: Leases) -> None:
    """And who gives up is shown to be there until that is done."""
    async with asyncio.timeout(SOON), leading(kept.db, BOTH, SHORT) as duty:
        assert (duty.share, duty.lost.is_set()) == (BOTH, False)
        await asyncio.wait_for(kept.renewing.wait(), SOON)
    assert kept.done[-4:] == ["no more of 0", "release 0", "release 1", "gone"]
    ((shards, holder),) = kept.shown
    assert shards == [0, 1]
    assert f"-{os.getpid()}-" in holder
