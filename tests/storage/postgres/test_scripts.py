"""Values that are written into statements: what no column holds is refused, and never ends a statement."""

import asyncio
from collections.abc import AsyncIterator
from typing import TypeAlias

import asyncpg
import pytest

from storage import ConstraintBroken, Database, Transaction, open_database
from storage.contract import query
from storage.postgres.statements import MANY, read, written


@pytest.mark.parametrize("value", ["a\0b", "\udc80", 1.5, True, 2**64])
async def test_what_no_column_holds_is_refused(db: Database, value: object) -> None:
    with pytest.raises(ConstraintBroken, match="refuses this"):
        await db.write(lambda tx: tx.put("UPDATE games SET channel_id = ?", value))


async def test_a_value_too_many_is_refused(db: Database) -> None:
    with pytest.raises(ConstraintBroken, match="1 values are wanted, not 2"):
        await db.write(lambda tx: tx.put("UPDATE games SET name = ?", "a", "b"))


@pytest.mark.parametrize("number", [0, -1, 2**63 - 1, -(2**63)])
async def test_a_number_is_stored_as_it_is(where: str, number: int) -> None:
    async with await open_database(where) as db:
        await db.write(lambda tx: tx.put("INSERT INTO guild_settings VALUES (?, 'a', 'b')", number))
        assert await db.rows("SELECT guild_id FROM guild_settings") == [(number,)]


@pytest.mark.parametrize("text", ["it's", "\\", "\\'; DROP TABLE log; --", "a\nb", "?", "é\U0001f682"])
@pytest.mark.parametrize("standard", ["on", "off"])
async def test_a_text_is_stored_as_it_is_however_the_server_reads_backslashes(
    where: str, text: str, standard: str
) -> None:
    async def change(tx: Transaction) -> None:
        await tx.put(f"SET LOCAL standard_conforming_strings = {standard}")
        await tx.put("INSERT INTO guild_settings VALUES (1, 'a', ?)", text)

    async with await open_database(where) as db:
        await db.write(change)
        assert await db.rows("SELECT value FROM guild_settings") == [(text,)]


# What is sent, in how many trips

Sent: TypeAlias = tuple["asyncpg.Connection[asyncpg.Record]", list[str]]
BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"


@pytest.fixture
async def sent(where: str) -> AsyncIterator[Sent]:
    """A connection, and every message that goes to the server through it."""
    link = await asyncpg.connect(where)
    messages: list[str] = []
    link.add_query_logger(lambda one: messages.append(one.query))
    yield link, messages
    await link.close()


async def test_what_nobody_waits_for_goes_with_the_commit_in_order(sent: Sent) -> None:
    async def change(tx: Transaction) -> str:
        insert = "INSERT INTO person_settings VALUES (?, ?, 'b')"
        await tx.put(insert, 1, "a")
        await tx.run_many(insert, [(number, "a") for number in (2, 3)])
        await tx.require(query("SELECT 1 FROM person_settings WHERE user_id = ?", 3), "UPDATE", KeyError())
        return "done"

    link, messages = sent
    assert await written(link, change, "games") == "done"
    await asyncio.sleep(0)
    required = "SELECT 1 FROM person_settings WHERE user_id = (3) FOR UPDATE"
    inserts = [f"INSERT INTO person_settings VALUES (({number}), E'a', 'b')" for number in (1, 2, 3)]
    assert messages == [
        ";\n".join([BEGIN, *inserts, f"SELECT 1 / COUNT(*) FROM ({required}) AS wanted", "COMMIT"])
    ]


async def test_many_rows_are_sent_as_values_of_one_statement(sent: Sent) -> None:
    async def change(tx: Transaction) -> None:
        await tx.put("DELETE FROM person_settings")
        await tx.run_many("INSERT INTO person_settings VALUES (?, 'a', 'b')", [(n,) for n in range(MANY + 1)])

    link, messages = sent
    await written(link, change, "games")
    await asyncio.sleep(0)
    insert = "INSERT INTO person_settings VALUES ($1, 'a', 'b')"
    assert messages == [f"{BEGIN};\nDELETE FROM person_settings", insert, "COMMIT"]
    assert await link.fetchval("SELECT COUNT(*) FROM person_settings") == MANY + 1


@pytest.mark.parametrize("then", ["asks", "puts"])
async def test_what_fails_is_rolled_back_at_once(sent: Sent, then: str) -> None:
    async def change(tx: Transaction) -> None:
        await tx.put("SELECT 1")
        await (tx.row("SELECT * FROM nowhere") if then == "asks" else tx.put("SELECT * FROM nowhere"))

    link, messages = sent
    with pytest.raises(asyncpg.UndefinedTableError):
        await written(link, change, "games")
    await asyncio.sleep(0)
    assert not link.is_in_transaction()
    assert messages[-1] == "ROLLBACK"


async def test_a_reading_ends_its_transaction(sent: Sent) -> None:
    link, messages = sent
    assert await read(link, lambda tx: tx.row("SELECT 1")) == (1,)
    await asyncio.sleep(0)
    assert messages == ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "SELECT 1", "ROLLBACK"]


async def test_what_was_deleted_is_freed(db: Database) -> None:
    async def size() -> object:
        return (await db.rows("SELECT pg_relation_size('person_settings')"))[0][0]

    await db.write(lambda tx: tx.put("INSERT INTO person_settings VALUES (1, 'a', 'b')"))
    await db.write(lambda tx: tx.put("DELETE FROM person_settings"))
    assert await size() != 0
    await db.vacuum()
    assert await size() == 0


async def test_where_nothing_is_done_nothing_is_sent(sent: Sent) -> None:
    async def nothing(tx: Transaction) -> int:
        return 5

    link, messages = sent
    assert (await written(link, nothing, "games"), await read(link, nothing)) == (5, 5)
    await asyncio.sleep(0)
    assert messages == []


async def test_a_statement_that_counts_no_rows_has_changed_none(db: Database) -> None:
    async def change(tx: Transaction) -> list[int]:
        return [
            await tx.run("SET LOCAL lock_timeout = 0"),
            await tx.run("INSERT INTO person_settings VALUES (1, 'a', 'b'), (2, 'a', 'b')"),
            await tx.run("DELETE FROM person_settings WHERE user_id = ?", 1),
        ]

    assert await db.write(change) == [0, 2, 1]
