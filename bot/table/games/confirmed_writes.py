"""Database writes with a known outcome: after an error, the database is read to find out if the write was stored."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from bot.table.errors import FailedBeforeStoring, GameMovedOn, NotStored, OutcomeNotKnown, Refused
from bot.workers.errors import NotDone
from engine import IllegalAction
from storage import (
    BadEntry,
    Database,
    InvalidSeatingOrder,
    LobbyFull,
    NewLogRow,
    NoSuchGame,
    NotSeated,
    ShardLost,
    StaleSequence,
    StillSeated,
    StorageError,
    Transaction,
    WrongStatus,
    games,
    log,
)

_log = logging.getLogger("stationmaster.service")

T = TypeVar("T")

DATABASE_REFUSAL_ERRORS: Final = (
    BadEntry,
    LobbyFull,
    NoSuchGame,
    NotSeated,
    StillSeated,
    InvalidSeatingOrder,
    WrongStatus,
)
"""Errors with which the database code refuses a request and stores nothing, such as NotSeated."""
ERRORS_WITH_CLEAR_OUTCOME: Final = (
    IllegalAction,
    NotDone,
    Refused,
    StorageError,
    OutcomeNotKnown,
    FailedBeforeStoring,
)
"""Errors whose message already tells the user if anything was stored."""
CHECK_LOG_HINT: Final = "`/log` and the newest turn message in the game's thread show it."
CHECK_GAME_LIST_HINT: Final = "`/game list` and the lobby message show it."


async def confirm_write(
    write: Awaitable[T], read_result: Callable[[], Awaitable[T | None]], where_to_look: str
) -> T:
    """Return the result of a write. After an error, `read_result` reads the result back (None: nothing was stored).

    Raises NotStored or FailedBeforeStoring if nothing was stored, and OutcomeNotKnown if this cannot be found out.
    Errors in DATABASE_REFUSAL_ERRORS are raised unchanged. `where_to_look` tells the user where to check.
    """
    try:
        return await write
    except DATABASE_REFUSAL_ERRORS:
        raise
    except Exception as error:
        _log.warning("cannot store: %r", error)
        if isinstance(error, ShardLost):
            raise NotStored(error) from error
        result = await _read_result(read_result, where_to_look)
        if result is not None:
            return result
        if isinstance(error, StaleSequence):
            raise
        if isinstance(error, StorageError):
            raise NotStored(error) from error
        raise FailedBeforeStoring from error


async def return_true_after(write: Awaitable[None]) -> bool:
    """Await this write and return True."""
    await write
    return True


@asynccontextmanager
async def forget_game_on_failure(forget: Callable[[], None]) -> AsyncIterator[None]:
    """Context that calls `forget` after an error, since the game in memory may be ahead of the database.

    It does not call `forget` after a refusal, which changes nothing; NotStored counts as an error. Raises GameMovedOn
    in place of StaleSequence, and FailedBeforeStoring in place of an unexpected error.
    """
    try:
        yield
    except BaseException as error:
        if isinstance(error, NotStored) or not isinstance(error, IllegalAction | Refused):
            forget()
        if isinstance(error, StaleSequence):
            raise GameMovedOn from error
        if isinstance(error, ERRORS_WITH_CLEAR_OUTCOME) or not isinstance(error, Exception):
            raise
        raise FailedBeforeStoring from error  # only steps before the commit can fail with another error


async def find_stored_row(
    db: Database, game_id: int, after_seq: int, entry: NewLogRow, now: str
) -> int | None:
    """The number of the log row in which this entry was stored after row `after_seq`; None if it was not stored.

    `now` is the timestamp that the row must have.
    """
    row_values = (entry.kind, entry.payload, entry.digest, entry.user_id, now)

    async def wait_for_lock(tx: Transaction) -> None:
        # After a broken connection the transaction may still be running; the lock is free once it has ended.
        await games.lock_and_read(tx, game_id)

    if db.is_shared:
        await db.write(wait_for_lock)
    for row in await log.read_rows(db, game_id, after_seq=after_seq):
        if (row.kind, row.payload, row.digest, row.user_id, row.created_at) == row_values:
            return row.seq
    return None


async def is_abandoned(db: Database, game_id: int) -> bool | None:
    """True if a game is abandoned; otherwise None, which tells `confirm_write` that nothing was stored."""
    return (await games.get_game(db, game_id)).status == "abandoned" or None


async def _read_result(read_result: Callable[[], Awaitable[T | None]], where_to_look: str) -> T | None:
    try:
        return await read_result()
    except Exception as error:
        raise OutcomeNotKnown(where_to_look) from error
