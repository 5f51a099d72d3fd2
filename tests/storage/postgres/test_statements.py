"""Statements and their values on the way to the server: each value arrives as it is."""

import psycopg
import pytest

from storage import Database
from storage.contract import RowValues, Transaction, query
from storage.errors import ConstraintBroken
from tests.storage.makers import change

INSERT = "INSERT INTO person_settings VALUES (?, 'a', 'b')"


async def users(db: Database) -> list[int]:
    return await db.numbers("SELECT user_id FROM person_settings ORDER BY user_id")


@pytest.mark.parametrize("value", ["a\0b", "\udc80", 1.5, True, 2**64])
async def test_value_of_another_type_is_refused(db: Database, value: object) -> None:
    with pytest.raises(ConstraintBroken, match="does not accept this data"):
        await db.write(lambda tx: tx.put("INSERT INTO person_settings VALUES (?, ?, 'b')", value, value))


@pytest.mark.parametrize("number", [0, -1, 2**63 - 1, -(2**63)])
async def test_number_is_stored_as_it_is(db: Database, number: int) -> None:
    await change(db, INSERT, number)
    assert await db.numbers("SELECT user_id FROM person_settings WHERE user_id = ?", number) == [number]


@pytest.mark.parametrize(("times", "written"), [(0, True), (5, False), (7, True), (7, False)])
async def test_failure_leaves_other_statements_alone(db: Database, times: int, written: bool) -> None:
    """However often they were run before, and so whether they were prepared."""

    async def fetch(*sql: str) -> list[list[RowValues]]:
        queries = [query(one) for one in sql]
        return await (db.write(lambda tx: tx.fetch(*queries)) if written else db.fetch(*queries))

    for _ in range(times):
        await fetch("SELECT 7")
    with pytest.raises(ConstraintBroken, match="division by zero"):
        await fetch("SELECT 1 / 0", "SELECT 7")
    for _ in range(8):
        assert await fetch("SELECT 7") == [[(7,)]]


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
