"""Leases: one process writes for a shard, and one that was paused writes no more once another has taken over."""

import asyncio

import pytest

from storage import Database, DatabaseInUse, LeaseLost, StorageError, Transaction, games, log, outbox, seats
from storage.leases import Fenced, Lease, ShardSet, any_held, claim, holder_alive, release, renew, shard_of
from storage.outbox import OutboxMessage
from tests.storage.makers import Act, NewGame
from tests.support.unsent import unsent

NOW = "2026-01-02T03:04:05+00:00"


async def taken(db: Database, holder: str, shard: int = 0, *, shards: int = 1) -> Lease:
    lease = await claim(db, shard, shards, holder, seconds=30)
    assert lease is not None
    return lease


async def run_out(db: Database) -> None:
    """The time of every lease is over."""
    await db.write(lambda tx: tx.run("UPDATE leases SET expires = 1 WHERE expires > 1"))


def test_a_server_is_in_the_shard_in_which_discord_sends_it() -> None:
    guild = 197038439483310086
    assert [shard_of(guild, count) for count in (1, 2, 3, 16)] == [0, 0, 2, 2]


async def test_a_shard_has_one_holder(db: Database, other: Database) -> None:
    assert await taken(db, "a") == Lease(0, "a", 1)
    assert await claim(other, 0, 1, "b", seconds=30) is None


async def test_who_finds_a_shard_held_writes_nothing(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """To write would hold the lease, and its holder would wait."""

    async def refused(_: object) -> None:
        raise StorageError("written")

    await taken(db, "a")
    monkeypatch.setattr(db, "write", refused)
    assert await claim(db, 0, 1, "b", seconds=30) is None


async def test_of_many_who_claim_at_once_one_gets_it(db: Database, other: Database) -> None:
    claims = [
        claim(process, 0, 1, name, seconds=30)
        for name, process in zip("abcdef", [db, other] * 3, strict=True)
    ]
    assert len([lease for lease in await asyncio.gather(*claims) if lease is not None]) == 1


async def test_nobody_is_there_for_a_shard_that_nobody_holds(db: Database) -> None:
    """Also where somebody shows that they are there for another."""
    assert not await holder_alive(db, 0)
    await taken(db, "a", 1, shards=2)
    assert not await holder_alive(db, 0)


async def test_a_lease_that_has_run_out_is_taken_over_with_a_higher_fence(
    db: Database, other: Database
) -> None:
    await taken(db, "a")
    await run_out(db)
    assert await taken(other, "b") == Lease(0, "b", 2)


async def test_time_is_that_of_the_database(db: Database) -> None:
    lease = await taken(db, "a")
    assert await claim(db, 0, 1, "b", seconds=30) is None
    await renew(db, lease, seconds=0.05)
    await asyncio.sleep(0.06)
    assert await claim(db, 0, 1, "b", seconds=30) is not None


async def test_who_renews_in_time_keeps_it(db: Database, other: Database) -> None:
    lease = await taken(db, "a")
    await run_out(db)
    await renew(db, lease, seconds=30)
    assert await claim(other, 0, 1, "b", seconds=30) is None


async def test_who_renews_after_another_has_taken_over_learns_it(db: Database, other: Database) -> None:
    lease = await taken(db, "a")
    await run_out(db)
    await taken(other, "b")
    with pytest.raises(LeaseLost, match="Another process has taken over part 0"):
        await renew(db, lease, seconds=30)


async def test_what_was_given_up_is_free_at_once_and_its_fence_still_grows(
    db: Database, other: Database
) -> None:
    lease = await taken(db, "a")
    await release(db, lease)
    with pytest.raises(LeaseLost):
        await renew(db, lease, seconds=30)
    assert await db.rows("SELECT expires, fence FROM leases") == [(0, lease.fence + 1)]
    later = await taken(other, "b")
    assert later.fence > lease.fence
    await release(db, lease)
    await renew(other, later, seconds=30)


async def test_without_a_word_of_silence_a_lease_holds_to_its_last_second(db: Database) -> None:
    """Also of a process that does not show that it is there."""
    assert await claim(db, 0, 1, "a", seconds=0.9) is not None
    assert await claim(db, 0, 1, "b", seconds=30) is None


async def test_shards_are_held_each_by_itself(db: Database, other: Database) -> None:
    first, second = await taken(db, "a", 0, shards=2), await taken(other, "b", 1, shards=2)
    await run_out(db)
    await taken(other, "b", 0, shards=2)
    with pytest.raises(LeaseLost):
        await renew(db, first, seconds=30)
    await renew(other, second, seconds=30)


async def test_all_divide_the_servers_alike(db: Database, other: Database) -> None:
    """Else a server would be in two shards, and two processes would write for it."""
    lease = await taken(db, "a", 1, shards=2)
    with pytest.raises(DatabaseInUse, match="divide the servers into 2, not into 4"):
        await claim(other, 3, 4, "b", seconds=30)
    await release(db, lease)
    await taken(other, "b", 3, shards=4)


async def test_who_holds_the_lease_writes(db: Database, new_game: NewGame, act: Act) -> None:
    fenced = Fenced(db, [await taken(db, "a")])
    game = await new_game(fenced)
    await log.commit_start(fenced, game.id, [log.Entry("start", "{}", "d", "")], now=NOW)
    assert await log.commit_move(fenced, game.id, 1, [act()], now=NOW) == 2
    await run_out(db)
    assert await log.commit_move(fenced, game.id, 2, [act()], now=NOW) == 3


async def test_who_was_paused_too_long_writes_nothing_late(
    db: Database, other: Database, new_game: NewGame, game_id: int, act: Act
) -> None:
    lobby = await new_game(db)
    await log.commit_move(db, game_id, 1, [act()], [OutboxMessage("turn", "a")], now=NOW)
    posting = (await unsent(db))[0]
    late = Fenced(db, [await taken(db, "a")])
    await run_out(db)
    await taken(other, "b")
    for attempt in (
        log.commit_move(late, game_id, 2, [act()], now=NOW),
        log.commit_start(late, lobby.id, [log.Entry("start", "{}", "d", "")], now=NOW),
        games.finish(late, game_id),
        games.abandon(late, lobby.id),
        games.set_messages(late, game_id, thread_id=5),
        seats.join(late, lobby.id, 1, "Ann", now=NOW),
        outbox.mark_sent(late, posting.id, now=NOW),
        outbox.mark_failed(late, posting.id, error="late"),
    ):
        with pytest.raises(LeaseLost):
            await attempt
    assert await log.last_seq(late, game_id) == 2
    stand = {game.id: (game.status, game.thread_id) for game in await games.list_games(late, 10)}
    assert stand == {lobby.id: ("lobby", None), game_id: ("running", None)}
    assert await seats.seats(late, lobby.id) == []
    assert await unsent(db) == [posting]


async def test_who_lost_one_of_its_shards_writes_for_none(
    db: Database, other: Database, game_id: int
) -> None:
    late = Fenced(db, [await taken(db, "a", shard, shards=2) for shard in (1, 0)])
    await run_out(db)
    await taken(other, "b", 1, shards=2)
    with pytest.raises(LeaseLost) as lost:
        await games.finish(late, game_id)
    assert lost.value.shard == 1


async def test_nobody_takes_over_in_the_middle_of_a_transaction(db: Database, game_id: int) -> None:
    """What was looked at when it began is still so when it is committed."""
    fenced = Fenced(db, [await taken(db, "a")])
    await run_out(db)
    looked_at: list[bool] = []
    claimed: list[Lease | None] = []

    async def change(tx: Transaction) -> None:
        looked_at.append(True)
        await outbox.add(tx, game_id, 1, [OutboxMessage("turn", "a")], NOW)
        for _ in range(200):  # Time enough for a claim that does not wait.
            await tx.row("SELECT 1")
        assert claimed == []

    async def take() -> None:
        while not looked_at:  # noqa: ASYNC110 - a transaction may run outside the event loop
            await asyncio.sleep(0.001)
        claimed.append(await claim(db, 0, 1, "b", seconds=30))

    await asyncio.gather(fenced.write(change), take())
    assert claimed == [Lease(0, "b", 2)]
    assert [posting.payload for posting in await unsent(db)] == ["a"]
    with pytest.raises(LeaseLost):
        await games.finish(fenced, game_id)


async def test_who_has_a_shard_may_claim_it_again(db: Database, other: Database) -> None:
    """Under a new fence: what it wrote under the old one is over."""
    first = await taken(db, "a")
    assert await taken(db, "a") == Lease(0, "a", 2)
    with pytest.raises(LeaseLost):
        await renew(db, first, seconds=30)
    assert await claim(other, 0, 1, "b", seconds=30) is None


async def test_a_lease_lasts_as_long_as_was_said(db: Database) -> None:
    """A million seconds and two, less what has passed since."""

    async def left() -> int:
        found = await db.read(lambda tx: tx.row(f"SELECT expires - {tx.clock()} FROM leases"))
        assert found is not None
        return int(found[0])

    lease = await claim(db, 0, 1, "a", seconds=1_000_000)
    assert lease is not None
    assert 999_900_000 < await left() <= 1_000_000_000
    await renew(db, lease, seconds=2_000_000)
    assert 1_999_900_000 < await left() <= 2_000_000_000


async def test_processes_are_running_while_one_of_their_leases_has_not_run_out(db: Database) -> None:
    assert not await any_held(db)
    await taken(db, "a", 0, shards=2)
    await run_out(db)
    assert not await any_held(db)
    lease = await taken(db, "b", 1, shards=2)
    assert await any_held(db)
    await release(db, lease)
    assert not await any_held(db)


async def test_another_shard_or_holder_keeps_no_lease(db: Database) -> None:
    lease = await taken(db, "a")
    for other in (Lease(1, "a", 1), Lease(0, "b", 1), Lease(0, "a", 2)):
        with pytest.raises(LeaseLost):
            await renew(db, other, seconds=30)
        with pytest.raises(LeaseLost):
            await Fenced(db, [other]).write(lambda tx: tx.run("UPDATE games SET name = 'x'"))
        await release(db, other)
    await renew(db, lease, seconds=30)


async def test_who_lost_a_lease_still_reads_and_closes(
    db: Database, other: Database, game_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept: list[str] = []

    async def vacuum() -> None:
        swept.append(db.name)

    lost = Fenced(db, [await taken(db, "a")])
    await run_out(db)
    await taken(other, "b")
    assert (lost.name, lost.shared) == (db.name, db.shared)
    assert await lost.rows("SELECT id FROM games") == [(game_id,)]
    assert await lost.read(lambda tx: tx.row("SELECT id FROM games")) == (game_id,)
    monkeypatch.setattr(db, "vacuum", vacuum)
    await lost.vacuum()
    assert swept == [db.name]
    async with lost.advertise([0], "a"):
        pass
    await lost.close()
    with pytest.raises(StorageError, match="The database is closed"):
        await db.rows("SELECT id FROM games")


def test_a_share_holds_the_servers_of_its_shards() -> None:
    share = ShardSet((1, 3), 4)
    assert [share.holds(shard << 22) for shard in range(5)] == [False, True, False, True, False]
