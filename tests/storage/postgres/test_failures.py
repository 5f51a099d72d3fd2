"""Failures of a server in a transaction: each has a kind and a sentence, and stores nothing by halves."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import psycopg
import pytest

from storage import Database, errors, games, log, open_database, personal_data
from storage.contract import RowValues, Transaction
from storage.errors import (
    DatabaseUnreachable,
    OutcomeUnknown,
    StorageError,
    StorageFull,
)
from storage.games import get_game
from storage.personal_data import TextKind, UserInGame
from tests.storage.makers import ANN, NOW, change, new_game, running_game
from tests.support.own_postgres import connected
from tests.support.round_trips import way_to

KILLED = "SELECT pg_terminate_backend(pg_backend_pid())"
RENAMED = "UPDATE games SET name = name || '!'"


def failing(code: str) -> str:
    """A statement with which the server fails as it does under this code."""
    return f"DO $$ BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = '{code}'; END $$"


DRIVER_ERRORS = (
    ("25006", errors.StorageReadOnly, "is read-only"),
    ("42501", errors.StorageReadOnly, "no permission to write"),
    ("53100", errors.StorageFull, "no room left"),
    ("53300", errors.DatabaseUnreachable, "connections left"),
    ("57P03", errors.DatabaseUnreachable, "starting up"),
    ("58030", errors.StorageError, "disk of .* failed"),
    ("55P03", errors.DatabaseInUse, "busy"),
    ("57014", errors.DatabaseInUse, "busy"),
    ("40001", errors.DatabaseInUse, "busy"),
    ("40P01", errors.DatabaseInUse, "busy"),
    ("08006", errors.DatabaseUnreachable, "was lost"),
    ("57P01", errors.DatabaseUnreachable, "was lost"),
    ("22003", errors.ConstraintBroken, "does not accept this data"),
    ("23505", errors.ConstraintBroken, "does not accept this data"),
    ("XX001", errors.DatabaseUnreadable, "damaged"),
)


async def test_failure_has_a_kind_and_a_sentence(db: Database, game_id: int) -> None:
    async def fails(tx: Transaction, code: str) -> None:
        await tx.run(RENAMED)
        await tx.run(failing(code))

    for code, kind, words in DRIVER_ERRORS:
        with pytest.raises(StorageError, match=words) as raised:
            await db.write(lambda tx, code=code: fails(tx, code))  # type: ignore[misc]
        assert type(raised.value) is kind, code
        assert (await get_game(db, game_id)).name == "Friday"


@pytest.mark.parametrize(("failure", "times"), [(failing("40001"), 2), (KILLED, 1)])
async def test_transaction_is_run_again(db: Database, game_id: int, failure: str, times: int) -> None:
    """After others came across it, or it was cut off."""
    runs = 0

    async def work(tx: Transaction) -> None:
        nonlocal runs
        runs += 1
        await tx.run(RENAMED)
        if runs <= times:
            await tx.run(failure)

    await db.write(work)
    assert runs == times + 1
    assert (await get_game(db, game_id)).name == "Friday!"


async def test_connection_is_made_again(where: str, db: Database, game_id: int) -> None:
    """A statement that always cuts it off is given up."""
    async with await connected(where) as other:
        others = b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        await other.execute(others)
    assert (await new_game(db)).id == game_id + 1
    with pytest.raises(DatabaseUnreachable, match="nothing was changed"):
        await change(db, KILLED)
    assert (await get_game(db, game_id)).status == "running"


async def test_close_waits_for_no_silent_server(where: str) -> None:
    db = await open_database(where)
    ((backend,),) = await db.rows("SELECT pg_backend_pid()")
    assert isinstance(backend, int)
    os.kill(backend, signal.SIGSTOP)
    try:
        async with asyncio.timeout(1):
            await db.close()
    finally:
        os.kill(backend, signal.SIGCONT)
    with pytest.raises(StorageError, match="closed"):
        await get_game(db, 1)


async def test_deadlock_is_resolved(db: Database) -> None:
    first, second = await running_game(db), await running_game(db)
    met = asyncio.Barrier(2)

    async def rename(*order: int) -> None:
        waited = False

        async def work(tx: Transaction) -> None:
            nonlocal waited
            await games.lock_and_read(tx, order[0])
            if not waited:
                waited = True
                await met.wait()
            await tx.run(f"{RENAMED} WHERE id = ?", order[1])

        await db.write(work)

    await asyncio.gather(rename(first, second), rename(second, first))
    assert [game.name for game in await games.list_games(db, 10)] == ["Friday!", "Friday!"]


@asynccontextmanager
async def held(db: Database, take: Callable[[Transaction], Awaitable[object]]) -> AsyncIterator[None]:
    """Within it, a transaction stands after this, and has not ended."""
    inside, done = asyncio.Event(), asyncio.Event()

    async def hold(tx: Transaction) -> None:
        await take(tx)
        inside.set()
        await done.wait()

    holding = asyncio.create_task(db.write(hold))
    await inside.wait()
    try:
        yield
    finally:
        done.set()
        await holding


@pytest.mark.parametrize("take", [games.lock_and_read, log.lock_and_read])
async def test_held_game_is_written_by_nobody_else(
    where: str, db: Database, game_id: int, take: Callable[[Transaction, int], Awaitable[object]]
) -> None:
    async with await open_database(where) as other:
        async with held(db, lambda tx: take(tx, game_id)):
            waiting = asyncio.create_task(other.write(lambda tx: games.lock_and_read(tx, game_id)))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(asyncio.shield(waiting), 0.2)
        await waiting


async def test_user_is_anonymised_after_others_wrote(db: Database, game_id: int) -> None:
    """Under a name, too, that they had got just then."""
    asked: list[UserInGame] = []

    def rewrite(where: TextKind, text: str, somebody: UserInGame) -> str:
        asked.append(somebody)
        return text

    renamed = "INSERT INTO memberships (game_id, seat, user_id, display_name, event, at) VALUES (?, 1, ?, ?, 'left', ?)"
    await change(db, renamed, game_id, ANN, "Ann", NOW)

    async def named(tx: Transaction) -> None:
        await games.lock_game(tx, game_id)
        await tx.run(renamed, game_id, ANN, "Annabel", NOW)

    async with held(db, named):
        anonymising = asyncio.create_task(personal_data.anonymise(db, ANN, rewrite))
        await asyncio.sleep(0.2)
    assert await anonymising == [game_id]
    assert {somebody.names for somebody in asked} == {("Annabel", "Ann")}


async def at_commit(db: Database, what: str) -> None:
    """Let this happen when a change of a game is being committed."""
    await change(
        db,
        f"CREATE FUNCTION happens() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {what}; RETURN NULL; END $$",
    )
    await change(
        db,
        "CREATE CONSTRAINT TRIGGER happens AFTER UPDATE ON games DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION happens()",
    )


@pytest.mark.parametrize(
    ("what", "kind", "words"),
    [
        ("RAISE EXCEPTION 'no room' USING ERRCODE = '53100'", StorageFull, "no room left"),
        ("PERFORM pg_terminate_backend(pg_backend_pid())", OutcomeUnknown, "may or may not have been stored"),
    ],
)
async def test_failed_commit_stores_nothing(
    db: Database, game_id: int, what: str, kind: type[StorageError], words: str
) -> None:
    await at_commit(db, what)
    with pytest.raises(kind, match=words):
        await games.abandon_game(db, game_id)
    assert (await get_game(db, game_id)).status == "running"


async def test_outcome_is_open_without_an_answer(where: str, db: Database, game_id: int) -> None:
    """It was stored all the same: this is why nobody may say that nothing was changed."""
    async with way_to(where) as (through, way), await open_database(through) as far:
        way.deaf_after = b"COMMIT\x00"
        with pytest.raises(OutcomeUnknown):
            await games.abandon_game(far, game_id)
    assert (await get_game(db, game_id)).status == "abandoned"


async def test_passed_over_failure_is_not_stored(db: Database, game_id: int) -> None:
    """The server rolls such a transaction back when it is asked to commit it."""

    async def work(tx: Transaction) -> None:
        await tx.run(RENAMED)
        with suppress(psycopg.Error):
            await tx.run("SELECT 1 / 0")

    with pytest.raises(RuntimeError, match="as if it had not"):
        await db.write(work)
    assert (await get_game(db, game_id)).name == "Friday"


async def test_reading_does_not_see_later_commits(db: Database, game_id: int) -> None:
    async def work(tx: Transaction) -> list[RowValues]:
        before = await tx.rows("SELECT name FROM games")
        await change(db, RENAMED)
        assert await tx.rows("SELECT name FROM games") == before
        return before

    assert await db.read(work) == [("Friday",)]
