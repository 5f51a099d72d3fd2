"""Confirmed writes: after a failure the database is asked whether the write was done."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from bot.table.errors import MovedOn, NothingStored, NotStored, OutcomeNotKnown, Refused
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

ANSWERS: Final = (BadEntry, LobbyFull, NoSuchGame, NotSeated, StillSeated, WrongOrder, WrongStatus)
"""Errors by which the database refuses a request that it has understood."""
ANSWERED: Final = (IllegalAction, NotDone, Refused, StorageError, OutcomeNotKnown, NothingStored)
"""Errors that say themselves whether anything was stored."""
SEE_LOG: Final = "`/log` and the newest turn message in the game's thread show it."
SEE_LIST: Final = "`/game list` and the lobby message show it."


async def confirm_write(write: Awaitable[T], done: Callable[[], Awaitable[T | None]], sight: str) -> T:
    """The result of a write; `done` reads it from the database after a failure, None if it was not done.

    Raises NotStored or Untouched where it certainly was not, NotKnown where nobody can say, and what the
    database refuses as it is.
    """
    try:
        return await write
    except ANSWERS:
        raise
    except Exception as error:
        _log.warning("cannot store: %r", error)
        if isinstance(error, ShardLost):
            raise NotStored(error) from error
        seen = await _read_result(done, sight)
        if seen is not None:
            return seen
        if isinstance(error, StaleSequence):
            raise
        if isinstance(error, StorageError):
            raise NotStored(error) from error
        raise NothingStored from error


async def write_and_true(write: Awaitable[None]) -> bool:
    """True after the write."""
    await write
    return True


@asynccontextmanager
async def evict_on_failure(forget: Callable[[], None]) -> AsyncIterator[None]:
    """Forget a live game on an error, since it may be ahead of the log; a refusal keeps it."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, NotStored) or not isinstance(error, IllegalAction | Refused):
            forget()
        if isinstance(error, StaleSequence):
            raise MovedOn from error
        if isinstance(error, ANSWERED) or not isinstance(error, Exception):
            raise
        raise NothingStored from error  # once a row is stored, nothing is left that could fail


async def stored_row(db: Database, game_id: int, after: int, entry: Entry, now: str) -> int | None:
    """The number of this entry's row, if it was stored after row `after` at this time."""
    mine = (entry.kind, entry.payload, entry.digest, entry.user_id, now)

    async def settled(tx: Transaction) -> None:
        # A broken connection may have left the transaction to end on its own: the lock waits until it has.
        await games.lock_and_read(tx, game_id)

    if db.shared:
        await db.write(settled)
    for row in await log.read_rows(db, game_id, after=after):
        if (row.kind, row.payload, row.digest, row.user_id, row.created_at) == mine:
            return row.seq
    return None


async def is_abandoned(db: Database, game_id: int) -> bool | None:
    """True if a game was abandoned, else None."""
    return (await games.get_game(db, game_id)).status == "abandoned" or None


async def _read_result(done: Callable[[], Awaitable[T | None]], sight: str) -> T | None:
    try:
        return await done()
    except Exception as error:
        raise OutcomeNotKnown(sight) from error
