"""After a failed write the database is asked whether it was done; a game that may be ahead of its log is evicted."""

import asyncio
from contextlib import nullcontext
from dataclasses import replace

import pytest

from bot.table.errors import FailedBeforeStoring, NotStored, OutcomeNotKnown
from bot.table.games.confirmed_writes import confirm_write, find_stored_row
from storage import (
    Database,
    DatabaseUnreachable,
    NotSeated,
    ShardLost,
    StaleSequence,
    Transaction,
    games,
    log,
)
from tests.bot.support.table_service import TableService

GONE, STALE, ODD = DatabaseUnreachable("gone"), StaleSequence(3, 4), RuntimeError("nobody foresaw this")
NOW = "2026-01-02T03:04:05+00:00"


SAYS = (
    "The bot does not know if it stored this: the database did not answer. `/log` shows it. Look "
    "there before you try again."
)


@pytest.mark.parametrize(
    ("error", "found", "outcome", "says", "looks"),
    [
        (None, 7, None, None, 0),
        (GONE, 7, None, None, 1),
        (STALE, 7, None, None, 1),
        (ODD, 7, None, None, 1),
        (NotSeated("no seat"), None, NotSeated, "no seat", 0),
        (ShardLost(1), None, NotStored, None, 0),
        (GONE, None, NotStored, None, 1),
        (STALE, None, StaleSequence, None, 1),
        (ODD, None, FailedBeforeStoring, None, 1),
        (GONE, GONE, OutcomeNotKnown, f"^{SAYS}$", 1),
    ],
)
async def test_write_is_confirmed(
    error: Exception | None,
    found: int | Exception | None,
    outcome: type[Exception] | None,
    says: str | None,
    looks: int,
) -> None:
    """Nothing is looked for unless it failed."""
    looked = list[int]()

    async def write() -> int:
        if error is not None:
            raise error
        return 7

    async def done() -> int | None:
        looked.append(1)
        if isinstance(found, Exception):
            raise found
        return found

    with nullcontext() if outcome is None else pytest.raises(outcome, match=says):
        assert await confirm_write(write(), done, "`/log` shows it.") == 7
    assert len(looked) == looks


async def test_stored_row_is_found(service: TableService, db: Database, other: Database) -> None:
    """On a server when the transaction has ended that a broken connection may have left: its lock is waited for."""
    for each in (service.db, db):
        game, entry = await TableService.on(each).game(), log.NewLogRow("action", "{}", "d", "p1", 7)
        await log.commit_move(each, game, 1, [entry], now=NOW)
        assert await find_stored_row(each, game, 1, entry, NOW) == 2
        assert await find_stored_row(each, game, 1, replace(entry, digest="e"), NOW) is None
        assert await find_stored_row(each, game, 2, entry, NOW) is None
    held, done = asyncio.Event(), asyncio.Event()

    async def hold(tx: Transaction) -> None:
        await games.lock_and_read(tx, game)
        held.set()
        await done.wait()

    holding = asyncio.create_task(other.write(hold))
    await held.wait()
    asked = asyncio.create_task(find_stored_row(db, game, 1, entry, NOW))
    await asyncio.sleep(0.1)
    assert not asked.done()
    done.set()
    assert await asked == 2
    await holding
