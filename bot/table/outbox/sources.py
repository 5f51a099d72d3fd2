"""Sources: how a queue reads the outbox, alone or with other processes."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

from bot.table.game_cache import Locks
from storage import outbox
from storage.contract import Database
from storage.errors import StorageError
from storage.leases import LEASE
from storage.outbox import Posting

_log = logging.getLogger("stationmaster.outbox")

CLAIM: Final = LEASE
"""Seconds for which what a game has to post is kept from other processes."""


class Taken(Exception):  # noqa: N818 - not an error: one waits
    """Another process posts what the game has to post."""


class Source(Protocol):
    """Where queues get rows, and tick them off."""

    async def fetch(self, game_id: int) -> list[Posting]:
        """What a game has to post, in order; raises Taken, StorageError."""

    async def mark(
        self, game_id: int, posting_ids: Sequence[int], now: str, message_id: int | None = None
    ) -> None:
        """Tick rows of a game off as sent, with the message that tells of them; raises StorageError."""

    async def give_up(self) -> None:
        """Leave the rest to others, at once."""


def source_of(db: Database, seconds: float = CLAIM) -> Source:
    """The source for this database; what is claimed from a shared one is claimed for so long."""
    return Shared(db, seconds) if db.shared else Alone(db)


class Together:
    """Queues of a game that are woken together look once: a request before the look begins shares it."""

    def __init__(self, look: Callable[[int], Awaitable[list[Posting]]]) -> None:
        self._look = look
        self._coming: dict[int, asyncio.Task[list[Posting]]] = {}

    async def fetch(self, game_id: int) -> list[Posting]:
        """What the look finds."""
        coming = self._coming.get(game_id)
        if coming is None:
            coming = self._coming[game_id] = asyncio.create_task(self._begun(game_id))
        # One of them may be stopped while the others continue.
        return await asyncio.shield(coming)

    async def _begun(self, game_id: int) -> list[Posting]:
        del self._coming[game_id]
        return await self._look(game_id)


class Alone:
    """The outbox of a database that nobody else has: it is simply read."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._together = Together(lambda game_id: outbox.of_game(db, game_id))

    async def fetch(self, game_id: int) -> list[Posting]:
        """What a game has to post, in order; raises StorageError."""
        return await self._together.fetch(game_id)

    async def mark(
        self, game_id: int, posting_ids: Sequence[int], now: str, message_id: int | None = None
    ) -> None:
        """Tick rows off as sent, with the message that tells of them; raises StorageError."""
        del game_id
        await outbox.mark_sent(self._db, *posting_ids, now=now, message_id=message_id)

    async def give_up(self) -> None:
        """Nobody else could take anything up."""


class Shared:
    """The outbox of a database that others use, too: what a game has to post is claimed."""

    def __init__(self, db: Database, seconds: float) -> None:
        self._db = db
        self._seconds = seconds
        self._holder = secrets.token_hex()
        # What one queue holds in a transaction the other would skip, as if another process had it.
        self._locks = Locks()
        self._together = Together(self._claimed)

    async def fetch(self, game_id: int) -> list[Posting]:
        """What a game has to post, in order, claimed; raises Taken, StorageError."""
        return await self._together.fetch(game_id)

    async def _claimed(self, game_id: int) -> list[Posting]:
        async with self._locks.of(game_id):
            rows = await outbox.claim(self._db, game_id, self._holder, seconds=self._seconds)
            if not rows and await outbox.of_game(self._db, game_id):
                raise Taken
            return rows

    async def mark(
        self, game_id: int, posting_ids: Sequence[int], now: str, message_id: int | None = None
    ) -> None:
        """Tick rows off as sent, with the message that tells of them; raises StorageError."""
        async with self._locks.of(game_id):
            await outbox.mark_sent(self._db, *posting_ids, now=now, message_id=message_id)

    async def give_up(self) -> None:
        """Let another process post the rest at once; what cannot be given up is free when its time is over."""
        try:
            await outbox.give_up(self._db, self._holder)
        except StorageError as error:
            _log.warning("what was claimed from the outbox stays so for a while: %s", error)
