"""A process that is paused in the middle of a transaction."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import asyncpg
import pytest

from storage import Database, Transaction, games, log, open_database
from storage.errors import StorageError
from storage.leases import Fenced, Lease, claim
from storage.postgres import database
from tests.storage.makers import Act
from tests.support.own_postgres import Server

NOW = "2026-01-02T03:04:05+00:00"

SHORT = 0.05


async def test_a_lease_is_not_taken_over_before_what_was_begun_under_it_has_ended(
    where: str, db: Database, game_id: int
) -> None:
    lease = await claim(db, 0, 1, "a", seconds=SHORT)
    assert lease is not None
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def change(tx: Transaction) -> None:
        await tx.run("UPDATE games SET name = 'Saturday'")
        inside.set()
        await go_on.wait()

    async with await open_database(where) as other:
        writing = asyncio.create_task(Fenced(db, [lease]).write(change))
        await inside.wait()
        await asyncio.sleep(2 * SHORT)
        claiming = asyncio.create_task(claim(other, 0, 1, "b", seconds=30))
        await asyncio.sleep(2 * SHORT)
        assert not claiming.done()
        go_on.set()
        await writing
        assert await claiming is not None
    assert (await games.get_game(db, game_id)).name == "Saturday"


async def test_who_stopped_in_the_middle_of_a_statement_is_not_waited_for(
    where: str, db: Database, game_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server waits for the values of a statement without end; meanwhile nobody could take over."""
    monkeypatch.setattr(database, "SILENCE", SHORT)
    monkeypatch.setitem(database._SETTINGS, "lock_timeout", "300ms")
    stopped = await asyncpg.connect(where, server_settings={"application_name": "stationmaster"})
    await stopped.execute("BEGIN")
    await stopped.execute("UPDATE games SET name = 'Sunday'")
    await stopped.prepare("SELECT name FROM games WHERE id = $1")

    async with await open_database(where) as other:
        await other.write(lambda tx: tx.run("UPDATE games SET name = 'Saturday'"))

    assert (await games.get_game(db, game_id)).name == "Saturday"
    assert stopped.is_closed()


async def test_who_is_at_work_for_long_is_waited_for(
    where: str, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is busy has not fallen silent, however long ago it was asked."""
    monkeypatch.setattr(database, "SILENCE", 0)
    async with await open_database(where) as other:
        working = asyncio.create_task(other.write(lambda tx: tx.rows("SELECT pg_sleep(0.5)")))
        await asyncio.sleep(0.2)
        looking = await asyncpg.connect(where, server_settings={"application_name": "stationmaster"})
        assert not await database.end_silent(looking)
        await looking.close()
        assert len(await working) == 1


async def test_who_has_nothing_to_do_keeps_the_connection(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Idle is not silent, and neither is what another program asks."""
    monkeypatch.setattr(database, "SILENCE", 0)
    idle, looking = [
        await asyncpg.connect(where, server_settings={"application_name": "stationmaster"}) for _ in range(2)
    ]
    assert not await database.end_silent(looking)
    assert await idle.fetchval("SELECT 1") == 1
    await idle.close()
    await looking.close()


async def test_only_silent_processes_of_ours_in_this_database_are_cut_off(
    where: str, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither other programs, databases and users, nor who is idle, busy, or silent for a moment."""
    ours = {"application_name": "stationmaster"}
    await postgres.run("CREATE ROLE neighbour LOGIN")
    silent, *others = [
        await asyncpg.connect(url, server_settings=settings)
        for url, settings in (
            *((where, ours), (where, {"application_name": "another"})),
            *((postgres.at("postgres"), ours), (where.replace("postgres:@", "neighbour:@"), ours)),
        )
    ]
    idle, busy, looking = [await asyncpg.connect(where, server_settings=ours) for _ in range(3)]
    for link in (silent, *others):
        await link.prepare("SELECT 1 WHERE 1 = $1")
    working = asyncio.create_task(busy.fetchval("SELECT 2 FROM pg_sleep(0.3)"))
    await asyncio.sleep(0.05)
    assert not await database.end_silent(looking)
    monkeypatch.setattr(database, "SILENCE", 0)
    assert await database.end_silent(looking)
    assert await working == 2
    assert [await link.fetchval("SELECT 1") for link in (*others, idle, looking)] == [1] * 5
    assert silent.is_closed()
    for link in (*others, idle, busy, looking):
        await link.close()
    await postgres.run("DROP ROLE neighbour")


async def test_a_server_that_takes_no_farewell_keeps_no_process_from_ending(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was stored is stored; the connections are cut off."""
    monkeypatch.setattr(database, "FAREWELL", 0.05)
    db = await open_database(where)
    ((backend,),) = await db.read(lambda tx: tx.rows("SELECT pg_backend_pid()"))
    assert isinstance(backend, int)
    os.kill(backend, signal.SIGSTOP)
    try:
        await db.close()
    finally:
        os.kill(backend, signal.SIGCONT)
    with pytest.raises(StorageError, match="closed"):
        await games.get_game(db, 1)


WRITER = Path(__file__).parent / "writer.py"


async def test_a_process_that_was_stopped_writes_nothing_late(
    where: str, db: Database, game_id: int, act: Act
) -> None:
    """Stopped at any instant, it is followed by another; continued, it learns that it has been."""
    writer = await asyncio.create_subprocess_exec(
        sys.executable, str(WRITER), where, str(game_id), stdout=asyncio.subprocess.PIPE
    )
    assert writer.stdout is not None
    try:
        acknowledged = [(await writer.stdout.readline()).decode().strip() for _ in range(7)]
        writer.send_signal(signal.SIGSTOP)
        lease = await taken_over(db)
        seq = await log.last_seq(db, game_id)
        for last in range(seq, seq + 5):
            await log.commit_move(Fenced(db, [lease]), game_id, last, [act("follower")], now=NOW)
        writer.send_signal(signal.SIGCONT)
        rest, _ = await asyncio.wait_for(writer.communicate(), 30)
    finally:
        if writer.returncode is None:
            writer.kill()
            await writer.wait()
    acknowledged += rest.decode().split()
    assert acknowledged.pop() == "lost"
    written = [row.payload for row in await log.read(db, game_id, after=1)]
    assert written == ["writer"] * (seq - 1) + ["follower"] * 5
    # The last move may have been stored without the writer learning of it.
    assert [int(number) for number in acknowledged] in ([*range(2, seq + 1)], [*range(2, seq)])


async def taken_over(db: Database) -> Lease:
    """The lease, once that of the writer has run out."""
    while (lease := await claim(db, 0, 1, "follower", seconds=60)) is None:  # noqa: ASYNC110 - another process lets it run out
        await asyncio.sleep(0.05)
    return lease
