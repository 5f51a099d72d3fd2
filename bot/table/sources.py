"""Sources: how a lane gets what is in the outbox, alone or beside other processes."""

import logging
import secrets
from collections.abc import Sequence
from typing import Final, Protocol

from bot.table.shelf import Locks
from storage import claims, outbox
from storage.contract import Database
from storage.errors import StorageError
from storage.outbox import Posting

_log = logging.getLogger("stationmaster.outbox")

CLAIM: Final = 15.0
"""Seconds for which what a game has to post is kept from other processes; as long as a lease."""


class Taken(Exception):  # noqa: N818 - not an error: one waits
    """Another process posts what the game has to post."""


class Source(Protocol):
    """Where lanes get rows, and tick them off."""

    async def fetch(self, game_id: int) -> list[Posting]:
        """What a game has to post, in order; raises Taken, StorageError."""

    async def mark(self, game_id: int, posting_ids: Sequence[int], now: str) -> None:
        """Tick rows of a game off as sent; raises StorageError."""

    async def give_up(self) -> None:
        """Leave the rest to others, at once."""


def source_of(db: Database, seconds: float = CLAIM) -> Source:
    """The source for this database; what is claimed from a shared one is claimed for so long."""
    return Shared(db, seconds) if db.shared else Alone(db)


class Alone:
    """The outbox of a database that nobody else has: it is simply read."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def fetch(self, game_id: int) -> list[Posting]:
        """What a game has to post, in order; raises StorageError."""
        return await outbox.of_game(self._db, game_id)

    async def mark(self, game_id: int, posting_ids: Sequence[int], now: str) -> None:
        """Tick rows off as sent; raises StorageError."""
        del game_id
        await outbox.mark_sent(self._db, *posting_ids, now=now)

    async def give_up(self) -> None:
        """Nobody else could take anything up."""


class Shared:
    """The outbox of a database that others use, too: what a game has to post is claimed."""

    def __init__(self, db: Database, seconds: float) -> None:
        self._db = db
        self._seconds = seconds
        self._holder = secrets.token_hex(8)
        # What one lane holds in a transaction the other would pass over, as if another process had it.
        self._locks = Locks()

    async def fetch(self, game_id: int) -> list[Posting]:
        """What a game has to post, in order, claimed; raises Taken, StorageError."""
        async with self._locks.of(game_id):
            rows = await claims.claim(self._db, game_id, self._holder, seconds=self._seconds)
            if not rows and await outbox.of_game(self._db, game_id):
                raise Taken
            return rows

    async def mark(self, game_id: int, posting_ids: Sequence[int], now: str) -> None:
        """Tick rows off as sent; raises StorageError."""
        async with self._locks.of(game_id):
            await outbox.mark_sent(self._db, *posting_ids, now=now)

    async def give_up(self) -> None:
        """Let another process post the rest at once; what cannot be given up is free when its time is over."""
        try:
            await claims.give_up(self._db, self._holder)
        except StorageError as error:
            _log.warning("what was claimed from the outbox stays so for a while: %s", error)
