"""What a server can do to a transaction: each failure has a kind and a sentence, and stores nothing by halves."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import psycopg
import pytest

from storage import (
    ConstraintBroken,
    Database,
    DatabaseInUse,
    DatabaseUnreachable,
    DatabaseUnreadable,
    StaleSequence,
    StorageError,
    StorageFull,
    StorageReadOnly,
    Transaction,
    games,
    log,
    open_database,
)
from tests.storage.makers import Act, NewGame
from tests.support.own_postgres import Server, connected

NOW = "2026-01-02T03:04:05+00:00"

Cut = Callable[[bytes], bool]


def failing(code: str) -> str:
    """A statement with which the server fails as it does under this code."""
    return f"DO $$ BEGIN RAISE EXCEPTION 'as told' USING ERRCODE = '{code}'; END $$"


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("25006", StorageReadOnly, "may not be written"),
        ("42501", StorageReadOnly, "may not be written by this user"),
        ("53100", StorageFull, "no room left"),
        ("53300", DatabaseUnreachable, "connections left"),
        ("57P03", DatabaseUnreachable, "starting up"),
        ("58030", StorageError, "disk of .* failed"),
        ("55P03", DatabaseInUse, "busy"),
        ("57014", DatabaseInUse, "busy"),
        ("40001", DatabaseInUse, "busy"),
        ("40P01", DatabaseInUse, "busy"),
        ("08006", DatabaseUnreachable, "was lost"),
        ("57P01", DatabaseUnreachable, "was lost"),
        ("22003", ConstraintBroken, "refuses this"),
        ("23505", ConstraintBroken, "refuses this"),
        ("XX001", DatabaseUnreadable, "damaged"),
    ],
)
async def test_what_the_server_says_has_a_kind_and_a_sentence(
    db: Database, new_game: NewGame, code: str, kind: type[StorageError], words: str
) -> None:
    game = await new_game(db)

    async def change(tx: Transaction) -> None:
        await tx.run("UPDATE games SET name = 'Saturday'")
        await tx.run(failing(code))

    with pytest.raises(StorageError, match=words) as raised:
        await db.write(change)
    assert type(raised.value) is kind
    assert await games.get_game(db, game.id) == game


async def test_a_database_that_may_only_be_read_can_be_read(
    where: str, db: Database, new_game: NewGame, postgres: Server
) -> None:
    game = await new_game(db)
    name = urlsplit(where).path[1:]
    await postgres.run(
        f"ALTER DATABASE {name} SET default_transaction_read_only = on",
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'",
    )
    assert await games.get_game(db, game.id) == game
    with pytest.raises(StorageReadOnly, match="may not be written"):
        await games.abandon(db, game.id)


async def test_a_bug_stays_what_it_is(db: Database) -> None:
    with pytest.raises(psycopg.errors.UndefinedTable):
        await db.write(lambda tx: tx.run("UPDATE nowhere SET a = 1"))


async def test_what_others_came_across_is_run_again(db: Database, new_game: NewGame) -> None:
    game, runs = await new_game(db), 0

    async def change(tx: Transaction) -> None:
        nonlocal runs
        runs += 1
        await tx.run("UPDATE games SET name = name || '!'")
        if runs < 3:
            await tx.run(failing("40001"))

    await db.write(change)
    assert runs == 3
    assert (await games.get_game(db, game.id)).name == "Friday!"


async def test_two_who_wait_for_each_other_both_get_through(db: Database, new_game: NewGame) -> None:
    first, second = await new_game(db), await new_game(db)
    met = asyncio.Barrier(2)

    async def rename(*order: int) -> None:
        waited = False

        async def change(tx: Transaction) -> None:
            nonlocal waited
            await games.lock_and_read(tx, order[0])
            if not waited:
                waited = True
                await met.wait()
            await tx.run("UPDATE games SET name = name || '!' WHERE id = ?", order[1])

        await db.write(change)

    await asyncio.gather(rename(first.id, second.id), rename(second.id, first.id))
    assert [game.name for game in await games.list_games(db, 10)] == ["Friday!", "Friday!"]


@pytest.mark.parametrize("take", [games.lock_and_read, log.lock_and_read])
async def test_who_holds_a_game_keeps_others_from_writing_it(
    where: str, db: Database, game_id: int, take: Callable[[Transaction, int], Awaitable[object]]
) -> None:
    held, done = asyncio.Event(), asyncio.Event()

    async def hold(tx: Transaction) -> None:
        await take(tx, game_id)
        held.set()
        await done.wait()

    async with await open_database(where) as other:
        holding = asyncio.create_task(db.write(hold))
        await held.wait()
        waiting = asyncio.create_task(other.write(lambda tx: games.lock_and_read(tx, game_id)))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(waiting), 0.2)
        done.set()
        await asyncio.gather(holding, waiting)


async def test_of_two_processes_exactly_one_wins_each_move(
    where: str, db: Database, game_id: int, act: Act
) -> None:
    async with await open_database(where) as other:
        for seq in range(1, 20):
            outcomes = await asyncio.gather(
                log.commit_move(db, game_id, seq, [act("a")], now=NOW),
                log.commit_move(other, game_id, seq, [act("b")], now=NOW),
                return_exceptions=True,
            )
            assert sorted(map(type, outcomes), key=str) == [int, StaleSequence]
    assert [row.seq for row in await log.read(db, game_id)] == list(range(1, 21))


async def test_a_connection_that_was_cut_before_is_made_again(
    where: str, db: Database, new_game: NewGame
) -> None:
    await new_game(db)
    async with await connected(where) as other:
        await other.execute(
            b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        )
    assert (await new_game(db)).id == 2


async def test_a_transaction_that_was_cut_off_is_run_again(db: Database, new_game: NewGame) -> None:
    game, runs = await new_game(db), 0

    async def change(tx: Transaction) -> None:
        nonlocal runs
        runs += 1
        await tx.run("UPDATE games SET name = name || '!'")
        if runs == 1:
            await tx.run("SELECT pg_terminate_backend(pg_backend_pid())")

    await db.write(change)
    assert runs == 2
    assert (await games.get_game(db, game.id)).name == "Friday!"


async def test_a_server_that_goes_away_for_good_is_said_to_be_unreachable(
    db: Database, new_game: NewGame
) -> None:
    game = await new_game(db)
    with pytest.raises(DatabaseUnreachable, match="nothing was changed"):
        await db.write(lambda tx: tx.run("SELECT pg_terminate_backend(pg_backend_pid())"))
    assert await games.get_game(db, game.id) == game


async def test_server_without_a_farewell_is_not_waited_for(where: str) -> None:
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
