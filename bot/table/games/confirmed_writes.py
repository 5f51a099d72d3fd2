"""Confirmed writes: after a failed write, the database is read to find out if it was done."""

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
    Entry,
    LobbyFull,
    NoSuchGame,
    NotSeated,
    ShardLost,
    StaleSequence,
    StillSeated,
    StorageError,
    Transaction,
    WrongOrder,
    WrongStatus,
    games,
    log,
)

_log = logging.getLogger("stationmaster.service")

T = TypeVar("T")

DATABASE_REFUSALS: Final = (BadEntry, LobbyFull, NoSuchGame, NotSeated, StillSeated, WrongOrder, WrongStatus)
"""Errors with which the database refuses a request; nothing is stored then."""
CLEAR_OUTCOMES: Final = (IllegalAction, NotDone, Refused, StorageError, OutcomeNotKnown, FailedBeforeStoring)
"""Errors whose text states whether anything was stored."""
SEEN_IN_LOG: Final = "`/log` and the newest turn message in the game's thread show it."
SEEN_IN_GAME_LIST: Final = "`/game list` and the lobby message show it."


async def confirm_write(
    write: Awaitable[T], read_result: Callable[[], Awaitable[T | None]], where_to_look: str
) -> T:
    """Return the result of a write; after a failure, `read_result` reads it, or None if the write was not done.

    Raises NotStored or FailedBeforeStoring if nothing was stored, OutcomeNotKnown if that is unknown, and refusals of
    the database unchanged. `where_to_look` tells the user how to check.
    """
    try:
        return await write
    except DATABASE_REFUSALS:
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


async def true_after(write: Awaitable[None]) -> bool:
    """Wait for the write and return True."""
    await write
    return True


@asynccontextmanager
async def forgetting_on_failure(forget: Callable[[], None]) -> AsyncIterator[None]:
    """Call `forget` on an error within the context, since the live game may be ahead of the log.

    After a refusal, which changes nothing, the game is kept.
    """
    try:
        yield
    except BaseException as error:
        if isinstance(error, NotStored) or not isinstance(error, IllegalAction | Refused):
            forget()
        if isinstance(error, StaleSequence):
            raise GameMovedOn from error
        if isinstance(error, CLEAR_OUTCOMES) or not isinstance(error, Exception):
            raise
        raise FailedBeforeStoring from error  # only steps before the commit can fail with another error


async def stored_row(db: Database, game_id: int, after_seq: int, entry: Entry, now: str) -> int | None:
    """The number of the row stored for this entry after row `after_seq` at the time `now`; None if not stored."""
    wanted_row = (entry.kind, entry.payload, entry.digest, entry.user_id, now)

    async def wait_for_lock(tx: Transaction) -> None:
        # After a broken connection the transaction may still be running; the lock is free once it has ended.
        await games.lock_and_read(tx, game_id)

    if db.shared:
        await db.write(wait_for_lock)
    for row in await log.read_rows(db, game_id, after=after_seq):
        if (row.kind, row.payload, row.digest, row.user_id, row.created_at) == wanted_row:
            return row.seq
    return None


async def is_abandoned(db: Database, game_id: int) -> bool | None:
    """True if a game was abandoned, else None (see `confirm_write`)."""
    return (await games.get_game(db, game_id)).status == "abandoned" or None


async def _read_result(read_result: Callable[[], Awaitable[T | None]], where_to_look: str) -> T | None:
    try:
        return await read_result()
    except Exception as error:
        raise OutcomeNotKnown(where_to_look) from error
