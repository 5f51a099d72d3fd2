"""Where a write fails, the database is asked whether it was done; a game that may be ahead of its log is evicted."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.table.errors import MovedOn, NothingStored, NotStored, OutcomeNotKnown, Refused
from bot.table.games.confirmed_writes import confirm_write, evict_on_failure, stored_row, write_and_true
from engine.core.errors import IllegalAction
from engine.core.facts import fact
from storage import (
    Database,
    DatabaseUnreachable,
    NotSeated,
    OutcomeUnknown,
    ShardLost,
    StaleSequence,
    StorageError,
    Transaction,
    games,
    log,
    open_database,
)
from tests.bot.support.table_service import TableService
from tests.support.own_postgres import Server

GONE, STALE, ODD = DatabaseUnreachable("gone"), StaleSequence(3, 4), RuntimeError("nobody foresaw this")
NOW = "2026-01-02T03:04:05+00:00"


class Write:
    """A write that fails, and what the database then knows of it."""

    def __init__(self, error: Exception | None, found: int | Exception | None = None) -> None:
        self.looks = 0
        self._error, self._found = error, found

    async def confirmed(self) -> int:
        return await confirm_write(self._written(), self._done, "`/log` shows it.")

    async def _written(self) -> int:
        if self._error is not None:
            raise self._error
        return 7

    async def _done(self) -> int | None:
        self.looks += 1
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


@pytest.mark.parametrize("error", [None, GONE, STALE, ODD])
async def test_write_was_done(error: Exception | None) -> None:
    """Nothing is looked for unless it failed."""
    write = Write(error, 7)
    assert await write.confirmed() == 7
    assert write.looks == (error is not None)


@pytest.mark.parametrize(
    ("error", "raised", "looks"),
    [
        (NotSeated("no seat"), NotSeated, 0),
        (ShardLost(1), NotStored, 0),
        (GONE, NotStored, 1),
        (STALE, StaleSequence, 1),
        (ODD, NothingStored, 1),
    ],
)
async def test_write_was_not_done(error: Exception, raised: type[Exception], looks: int) -> None:
    write = Write(error)
    with pytest.raises(raised):
        await write.confirmed()
    assert write.looks == looks


async def test_nobody_knows_of_a_write() -> None:
    says = (
        "It is not known whether this was stored: the database has not answered. `/log` shows it. "
        "Look there before you try again."
    )
    with pytest.raises(OutcomeNotKnown, match=f"^{says}$"):
        await Write(GONE, GONE).confirmed()


async def test_write_without_a_result() -> None:
    assert await write_and_true(asyncio.sleep(0)) is True


@pytest.mark.parametrize(
    ("error", "raised", "forgotten"),
    [
        (None, None, False),
        (Refused("not now"), Refused, False),
        (IllegalAction(fact("offer.end_game")), IllegalAction, False),
        (NotStored(StorageError("full")), NotStored, True),
        (STALE, MovedOn, True),
        (OutcomeUnknown("gone"), OutcomeUnknown, True),
        (OutcomeNotKnown("see"), OutcomeNotKnown, True),
        (ODD, NothingStored, True),
        (KeyboardInterrupt(), KeyboardInterrupt, True),
    ],
)
async def test_failed_game_is_evicted(
    error: BaseException | None, raised: type[BaseException] | None, forgotten: bool
) -> None:
    times: list[int] = []
    caught: type[BaseException] | None = None
    try:
        async with evict_on_failure(lambda: times.append(1)):
            if error is not None:
                raise error
    except BaseException as found:  # noqa: BLE001 - an interrupt, too
        caught = type(found)
    assert (caught, bool(times)) == (raised, forgotten)


@pytest.fixture
async def url(postgres: Server) -> AsyncIterator[str]:
    async with postgres.fresh() as url:
        yield url


@pytest.fixture
async def shared(url: str) -> AsyncIterator[Database]:
    async with await open_database(url) as db:
        yield db


@pytest.fixture
async def other_process(url: str) -> AsyncIterator[Database]:
    async with await open_database(url) as db:
        yield db


async def test_stored_row_is_found(service: TableService, shared: Database, other_process: Database) -> None:
    """On a server when the transaction has ended that a broken connection may have left: its lock is waited for."""
    for db in (service.db, shared):
        game, entry = await TableService.on(db).game(), log.Entry("action", "{}", "d", "p1", 7)
        await log.commit_move(db, game, 1, [entry], now=NOW)
        assert await stored_row(db, game, 1, entry, NOW) == 2
        assert await stored_row(db, game, 1, replace(entry, digest="e"), NOW) is None
        assert await stored_row(db, game, 2, entry, NOW) is None
    held, done = asyncio.Event(), asyncio.Event()

    async def hold(tx: Transaction) -> None:
        await games.lock_and_read(tx, game)
        held.set()
        await done.wait()

    other = asyncio.create_task(other_process.write(hold))
    await held.wait()
    asked = asyncio.create_task(stored_row(shared, game, 1, entry, NOW))
    await asyncio.sleep(0.1)
    assert not asked.done()
    done.set()
    assert await asked == 2
    await other
