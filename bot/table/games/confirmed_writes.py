"""Confirmed writes: after a failure, a read of the database shows if the write was done."""

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
"""Errors by which the database refuses a request that it has understood."""
CLEAR_OUTCOMES: Final = (IllegalAction, NotDone, Refused, StorageError, OutcomeNotKnown, FailedBeforeStoring)
"""Errors that say themselves whether anything was stored."""
SEEN_IN_LOG: Final = "`/log` and the newest turn message in the game's thread show it."
SEEN_IN_GAME_LIST: Final = "`/game list` and the lobby message show it."


async def confirm_write(
    write: Awaitable[T], read_result: Callable[[], Awaitable[T | None]], where_to_look: str
) -> T:
    """The result of a write; `read_result` reads it from the database after a failure, None if it was not done.

    Raises NotStored or FailedBeforeStoring if nothing was stored, OutcomeNotKnown if that is unknown, and the
    database's own refusals unchanged.
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
    """True after the write."""
    await write
    return True


@asynccontextmanager
async def forgetting_on_failure(forget: Callable[[], None]) -> AsyncIterator[None]:
    """Forget a live game on an error, since it may be ahead of the log; a refusal keeps it."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, NotStored) or not isinstance(error, IllegalAction | Refused):
            forget()
        if isinstance(error, StaleSequence):
            raise GameMovedOn from error
        if isinstance(error, CLEAR_OUTCOMES) or not isinstance(error, Exception):
            raise
        raise FailedBeforeStoring from error  # once a row is stored, nothing is left that could fail


async def stored_row(db: Database, game_id: int, after_seq: int, entry: Entry, now: str) -> int | None:
    """The number of this entry's row, if it was stored after row `after_seq` at this time."""
    wanted_row = (entry.kind, entry.payload, entry.digest, entry.user_id, now)

    async def wait_for_lock(tx: Transaction) -> None:
        # A broken connection may have left the transaction to end on its own: the lock waits until it has.
        await games.lock_and_read(tx, game_id)

    if db.shared:
        await db.write(wait_for_lock)
    for row in await log.read_rows(db, game_id, after=after_seq):
        if (row.kind, row.payload, row.digest, row.user_id, row.created_at) == wanted_row:
            return row.seq
    return None


async def is_abandoned(db: Database, game_id: int) -> bool | None:
    """True if a game was abandoned, else None."""
    return (await games.get_game(db, game_id)).status == "abandoned" or None


async def _read_result(read_result: Callable[[], Awaitable[T | None]], where_to_look: str) -> T | None:
    try:
        return await read_result()
    except Exception as error:
        raise OutcomeNotKnown(where_to_look) from error
