"""Transactions: whole or nothing, one unchanging picture; and several statements in one trip."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest

from storage import Database, log, open_database
from storage.contract import Transaction, query
from storage.errors import ConstraintBroken, StorageError, StorageReadOnly
from storage.games import get_game
from tests.storage.makers import act, change, move, new_game, running_game

NO_GAME = "INSERT INTO seats VALUES (99, 1, 'p1', 1, 'Ann')"
RENAMED = "UPDATE games SET name = 'Saturday'"
SAYINGS = [
    "it's",
    "''",
    "\\",
    "\\'",
    "$1 $$ ? %s",
    "'; DELETE FROM games; --",
    "a\nb\r\tc",
    "žluťoučký 🚂",
    "",
]


@pytest.mark.parametrize(
    ("statement", "words"),
    [("UPDATE games SET channel_id = 'here'", "does not accept this data"), (NO_GAME, r"(?i)foreign key")],
)
async def test_wrong_row_is_refused(db: Database, game_id: int, statement: str, words: str) -> None:
    with pytest.raises(ConstraintBroken, match=words):
        await change(db, statement)
    assert (await get_game(db, game_id)).channel_id == 20


async def test_stored_game_is_there_after_opening_again(where: str | Path) -> None:
    async with await open_database(where) as db:
        game = await new_game(db)
    async with await open_database(where) as db:
        assert await get_game(db, game.id) == game
    await db.close()
    with pytest.raises(StorageError, match="is closed"):
        await db.rows("SELECT 1")


async def fails_at_once(tx: Transaction) -> None:
    raise LookupError


async def fails_after_a_refusal(tx: Transaction) -> None:
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        await tx.run(NO_GAME)
    raise LookupError


async def fails_at_the_end(tx: Transaction) -> None:
    await tx.put(NO_GAME)


@pytest.mark.parametrize("fails", [fails_at_once, fails_after_a_refusal, fails_at_the_end])
async def test_exception_rolls_everything_back(
    db: Database, game_id: int, fails: Callable[[Transaction], Awaitable[None]]
) -> None:
    async def work(tx: Transaction) -> None:
        await tx.run(RENAMED)
        await tx.put("UPDATE games SET channel_id = 5")
        await fails(tx)

    before = await get_game(db, game_id)
    with pytest.raises((LookupError, ConstraintBroken)):
        await db.write(work)
    assert await get_game(db, game_id) == before


async def put(tx: Transaction) -> None:
    await tx.put(RENAMED)
    await tx.row("SELECT 1 FROM games")  # to a server it goes with the next question


async def many(tx: Transaction) -> None:
    await tx.run_many("UPDATE games SET name = ?", [("Saturday",)])
    await tx.row("SELECT 1 FROM games")


WRITES: Final[tuple[Callable[[Transaction], Awaitable[object]], ...]] = (
    lambda tx: tx.run(RENAMED),
    lambda tx: tx.rows("DELETE FROM games RETURNING id"),
    lambda tx: tx.put(RENAMED),
    put,
    many,
)


@pytest.mark.parametrize("write", WRITES)
async def test_reading_cannot_write(
    db: Database, game_id: int, write: Callable[[Transaction], Awaitable[object]]
) -> None:
    before = await get_game(db, game_id)
    with pytest.raises(StorageReadOnly, match=r"INSERT|UPDATE|DELETE|read-only"):
        await db.read(write)
    with pytest.raises(StorageReadOnly):
        await db.rows(f"{RENAMED} RETURNING id")
    assert await get_game(db, game_id) == before
    assert (await new_game(db)).id == game_id + 1


async def test_cancelled_write_is_whole(db: Database, game_id: int) -> None:
    async def moves() -> None:
        await move(db, game_id, 1, act(), act())
        await asyncio.sleep(10)  # a server that answers at once leaves no moment within the write to cancel

    task = asyncio.create_task(moves())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    seq = await log.last_seq(db, game_id)
    assert seq in (1, 3)
    assert await move(db, game_id, seq) == seq + 1


async def test_many_tasks_write_without_mixing(db: Database) -> None:
    async def pair(number: int) -> None:
        async def work(tx: Transaction) -> None:
            await tx.run("INSERT INTO guild_settings VALUES (1, ?, 'a')", f"{number}a")
            if number % 3 == 0:
                raise LookupError
            await tx.run("INSERT INTO guild_settings VALUES (1, ?, 'b')", f"{number}b")

        await db.write(work)

    outcomes = await asyncio.gather(*(pair(number) for number in range(30)), return_exceptions=True)
    assert [isinstance(outcome, LookupError) for outcome in outcomes] == [n % 3 == 0 for n in range(30)]
    keys = await db.rows("SELECT key FROM guild_settings")
    assert {key for (key,) in keys} == {f"{n}{letter}" for n in range(30) if n % 3 for letter in "ab"}


async def test_queries_in_one_trip(db: Database) -> None:
    """Their answers come in order, each as if it were asked alone."""
    for name in ("Friday", "Saturday"):
        await new_game(db, name=name)
    asked = [
        query("SELECT id, name, thread_id FROM games WHERE id > ? ORDER BY id DESC", 0),
        query("SELECT COUNT(*) FROM games WHERE name = ?", "Friday"),
        query("SELECT id FROM games WHERE id = ?", 99),
    ]
    together = await db.fetch(*asked)
    assert together == [[(2, "Saturday", None), (1, "Friday", None)], [(1,)], []]
    assert together == [(await db.fetch(one))[0] for one in asked]
    assert together == await db.write(lambda tx: tx.fetch(*asked))


@pytest.mark.parametrize("times", [1, 200])
async def test_text_is_stored_as_it_is(db: Database, times: int) -> None:
    async def work(tx: Transaction) -> None:
        insert = "INSERT INTO person_settings VALUES (?, ?, ?)"
        for text in SAYINGS:
            await tx.put(insert, -1, f"put {text}", text)
            await tx.run_many(insert, [(number, f"many {text}", text) for number in range(times)])

    await db.write(work)
    for text in SAYINGS:
        found = await db.rows("SELECT key, value FROM person_settings WHERE value = ?", text)
        assert set(found) == {(f"{how} {text}", text) for how in ("put", "many")}
        assert len(found) == times + 1


async def test_put_is_seen_by_the_next_statement(db: Database) -> None:
    game = await running_game(db)

    async def work(tx: Transaction) -> list[str]:
        await tx.put("UPDATE games SET name = 'Saturday' WHERE id = ?", game)
        first = await get_game(tx, game)
        await tx.put("UPDATE games SET name = 'Sunday' WHERE id = ?", game)
        assert await tx.run("UPDATE games SET name = name || '!' WHERE id = ?", game) == 1
        return [first.name, (await get_game(tx, game)).name]

    assert await db.write(work) == ["Saturday", "Sunday!"]
