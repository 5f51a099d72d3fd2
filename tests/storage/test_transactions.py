"""Transactions: whole or nothing, one unchanging picture, and what is no fault of the database shows."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest

from storage import (
    ConstraintBroken,
    Database,
    StorageError,
    StorageReadOnly,
    Transaction,
    games,
    log,
    open_database,
)
from tests.storage.makers import Act, NewGame

NOW = "2026-01-02T03:04:05+00:00"


async def test_a_wrong_type_is_refused(db: Database, game_id: int) -> None:
    with pytest.raises(ConstraintBroken, match="refuses this"):
        await db.write(lambda tx: tx.run("UPDATE games SET channel_id = 'here'"))
    assert (await games.get_game(db, game_id)).channel_id == 20


async def test_a_row_of_a_game_that_is_not_there_is_refused(db: Database) -> None:
    with pytest.raises(ConstraintBroken, match=r"(?i)foreign key"):
        await db.write(
            lambda tx: tx.run(
                "INSERT INTO memberships (game_id, seat, user_id, display_name, event, at) "
                "VALUES (99, 1, 1, 'Ann', 'joined', 'now')"
            )
        )


async def test_what_was_written_is_there_after_opening_again(where: str | Path, new_game: NewGame) -> None:
    async with await open_database(where) as db:
        game = await new_game(db)
    async with await open_database(where) as db:
        assert await games.get_game(db, game.id) == game


async def test_an_exception_rolls_everything_back(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)

    async def change(tx: Transaction) -> None:
        await tx.run("UPDATE games SET name = 'Saturday'")
        raise LookupError("in between")

    with pytest.raises(LookupError, match="in between"):
        await db.write(change)
    assert await games.get_game(db, game.id) == game


async def test_a_change_that_commits_automatically_is_a_bug_that_shows(
    db: Database, new_game: NewGame
) -> None:
    await new_game(db)
    with pytest.raises(RuntimeError, match="ended from within"):
        await db.write(lambda tx: tx.run("COMMIT"))


WRITES: Final[tuple[Callable[[Transaction], Awaitable[object]], ...]] = (
    lambda tx: tx.run("UPDATE games SET name = 'Saturday'"),
    lambda tx: tx.rows("DELETE FROM games RETURNING id"),
    lambda tx: _put(tx, "UPDATE games SET name = 'Saturday'"),
    lambda tx: tx.put("UPDATE games SET name = 'Saturday'"),
    lambda tx: _many(tx, "UPDATE games SET name = ?"),
)


async def _put(tx: Transaction, sql: str) -> None:
    await tx.put(sql)
    await tx.row("SELECT 1 FROM games")  # to a server it goes with the next question


async def _many(tx: Transaction, sql: str) -> None:
    await tx.run_many(sql, [("Saturday",)])
    await tx.row("SELECT 1 FROM games")


@pytest.mark.parametrize("write", WRITES)
async def test_reading_cannot_write(
    db: Database, new_game: NewGame, write: Callable[[Transaction], Awaitable[object]]
) -> None:
    game = await new_game(db)
    with pytest.raises(StorageReadOnly, match=r"INSERT|UPDATE|DELETE|read-only"):
        await db.read(write)
    assert await games.get_game(db, game.id) == game
    assert (await new_game(db)).id == game.id + 1


async def test_a_cancelled_write_is_whole_and_leaves_the_database_usable(
    db: Database, game_id: int, act: Act
) -> None:
    async def moves() -> None:
        await log.commit_move(db, game_id, 1, [act(), act()], now=NOW)
        await asyncio.sleep(10)  # a server that answers at once leaves no moment within the write to cancel

    task = asyncio.create_task(moves())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    seq = await log.last_seq(db, game_id)
    assert seq in (1, 3)
    assert await log.commit_move(db, game_id, seq, [act()], now=NOW) == seq + 1


async def test_many_tasks_write_without_mixing(db: Database) -> None:
    async def pair(number: int) -> None:
        async def change(tx: Transaction) -> None:
            await tx.run("INSERT INTO guild_settings VALUES (1, ?, 'a')", f"{number}a")
            if number % 3 == 0:
                raise LookupError
            await tx.run("INSERT INTO guild_settings VALUES (1, ?, 'b')", f"{number}b")

        await db.write(change)

    outcomes = await asyncio.gather(*(pair(number) for number in range(30)), return_exceptions=True)
    assert [isinstance(outcome, LookupError) for outcome in outcomes] == [n % 3 == 0 for n in range(30)]
    keys = await db.read(lambda tx: tx.rows("SELECT key FROM guild_settings"))
    assert {key for (key,) in keys} == {f"{n}{letter}" for n in range(30) if n % 3 for letter in "ab"}


async def test_a_closed_database_says_so(where: str | Path) -> None:
    db = await open_database(where)
    await db.close()
    await db.close()
    with pytest.raises(StorageError, match="is closed"):
        await db.read(lambda tx: tx.run("SELECT 1"))


async def test_a_statement_that_failed_is_not_passed_over(db: Database, new_game: NewGame) -> None:
    """What follows a refusal is not stored, wherever the database stands by then."""
    game = await new_game(db)

    async def change(tx: Transaction) -> None:
        await tx.run("UPDATE games SET name = 'Saturday'")
        with pytest.raises(Exception, match=r"(?i)foreign key"):
            await tx.run("INSERT INTO seats VALUES (99, 1, 'p1', 1, 'Ann')")
        raise LookupError

    with pytest.raises(LookupError):
        await db.write(change)
    assert await games.get_game(db, game.id) == game


async def test_what_is_read_is_one_unchanging_picture(
    where: str | Path, db: Database, game_id: int, act: Act
) -> None:
    reads: list[object] = []

    async def query(tx: Transaction) -> None:
        for _ in range(2):
            reads.append(await tx.row("SELECT COUNT(*) FROM log"))
            await tx.rows("SELECT * FROM games")

    await asyncio.gather(db.read(query), log.commit_move(db, game_id, 1, [act()], now=NOW))
    assert reads[0] == reads[1]


async def test_no_password_is_in_its_name(where: str | Path, db: Database) -> None:
    assert db.name == (str(where) if isinstance(where, Path) else where.replace(":@", "@").partition("?")[0])
