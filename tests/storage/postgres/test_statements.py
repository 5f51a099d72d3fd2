"""Statements and their values on the way to the server: in few round trips, and each value as it is."""

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest

from storage import Database, games, open_database, overviews, seats
from storage.contract import Cells, Transaction, query
from storage.errors import ConstraintBroken, StorageReadOnly
from tests.storage.makers import ANN, NOW, change, new_game
from tests.support.round_trips import Way, way_to

INSERT = "INSERT INTO person_settings VALUES (?, 'a', 'b')"


@pytest.fixture
async def far(where: str) -> AsyncIterator[tuple[Database, Way]]:
    """A database, and the way to it."""
    async with way_to(where) as (through, way), await open_database(through) as db:
        way.trips = 0
        yield db, way


async def users(db: Database) -> list[int]:
    return await db.numbers("SELECT user_id FROM person_settings ORDER BY user_id")


@pytest.mark.parametrize("value", ["a\0b", "\udc80", 1.5, True, 2**64])
async def test_value_of_another_type_is_refused(db: Database, value: object) -> None:
    with pytest.raises(ConstraintBroken, match="refuses this"):
        await db.write(lambda tx: tx.put("INSERT INTO person_settings VALUES (?, ?, 'b')", value, value))


@pytest.mark.parametrize("number", [0, -1, 2**63 - 1, -(2**63)])
async def test_number_is_stored_as_it_is(db: Database, number: int) -> None:
    await change(db, INSERT, number)
    assert await db.numbers("SELECT user_id FROM person_settings WHERE user_id = ?", number) == [number]


async def test_statements_are_sent_with_the_commit(far: tuple[Database, Way]) -> None:
    """Those whose results nobody waits for; where nothing is done, nothing is sent."""

    async def work(tx: Transaction) -> str:
        await tx.put(INSERT, 1)
        await tx.run_many(INSERT, [(2,), (3,)])
        return "done"

    async def nothing(_: Transaction) -> int:
        return 5

    db, way = far
    assert (await db.write(nothing), await db.read(nothing), way.trips) == (5, 5, 0)
    assert (await db.write(work), way.trips) == ("done", 1)
    assert (await users(db), way.trips) == ([1, 2, 3], 2)


async def test_several_questions_are_one_trip(far: tuple[Database, Way]) -> None:
    db, way = far
    assert await db.ask(query("SELECT 1"), query("SELECT ? + 1", 1)) == [[(1,)], [(2,)]]
    assert way.trips == 1
    with pytest.raises(StorageReadOnly):
        await db.ask(query("DELETE FROM person_settings"))


async def test_overviews_of_many_games_are_one_trip(far: tuple[Database, Way]) -> None:
    """And one more to find out where a user substitutes."""
    db, way = far
    for _ in range(5):
        game = await new_game(db)
        await seats.join(db, game.id, ANN, "Ann", now=NOW)
        way.trips = 0
        found = await overviews.overviews_of_server(db, 10, NOW)
        assert (await overviews.overviews_of_user(db, ANN, NOW), way.trips) == (found, 3)
    assert [one.row for one in found] == await games.list_games(db, 10)


async def test_several_questions_see_one_picture(db: Database) -> None:
    count = query("SELECT COUNT(*) FROM person_settings")
    asked = asyncio.create_task(db.ask(count, query("SELECT pg_sleep(0.3)"), count))
    await asyncio.sleep(0.1)
    await change(db, INSERT, 1)
    before, _, after = await asked
    assert before == after


@pytest.mark.parametrize("written", [True, False])
@pytest.mark.parametrize("times", [0, 5, 7])
async def test_failure_leaves_other_statements_alone(db: Database, times: int, written: bool) -> None:
    """However often they were run before, and so whether they were prepared."""

    async def ask(*sql: str) -> list[list[Cells]]:
        queries = [query(one) for one in sql]
        return await (db.write(lambda tx: tx.ask(*queries)) if written else db.ask(*queries))

    for _ in range(times):
        await ask("SELECT 7")
    with pytest.raises(ConstraintBroken, match="division by zero"):
        await ask("SELECT 1 / 0", "SELECT 7")
    for _ in range(8):
        assert await ask("SELECT 7") == [[(7,)]]


@pytest.mark.parametrize("then", ["asks", "puts"])
async def test_failed_transaction_is_rolled_back(db: Database, then: str) -> None:
    async def work(tx: Transaction) -> None:
        await tx.put(INSERT, 1)
        await (tx.row("SELECT * FROM nowhere") if then == "asks" else tx.put("SELECT * FROM nowhere"))
        await tx.put(INSERT, 2)

    with pytest.raises(psycopg.errors.UndefinedTable):
        await db.write(work)
    open_ones = "SELECT pid FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND datname = "
    assert await db.rows(f"{open_ones} current_database()") == []
    assert await users(db) == []


async def test_deleted_rows_are_freed(db: Database) -> None:
    async def size() -> list[int]:
        return await db.numbers("SELECT pg_relation_size('person_settings')")

    await change(db, INSERT, 1)
    await change(db, "DELETE FROM person_settings")
    assert await size() != [0]
    await db.vacuum()
    assert await size() == [0]


async def test_changed_rows_are_counted(db: Database) -> None:
    async def work(tx: Transaction) -> list[int]:
        return [
            await tx.run("SET LOCAL lock_timeout = 0"),
            await tx.run("INSERT INTO person_settings VALUES (1, 'a', 'b'), (2, 'a', 'b')"),
            await tx.run("DELETE FROM person_settings WHERE user_id = ?", 1),
        ]

    assert await db.write(work) == [0, 2, 1]
