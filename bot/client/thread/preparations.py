"""Slow parts of posts, made while the game's queue continues."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Final, Generic, TypeVar

from bot.table.bounded_caches import BoundedDict
from bot.table.outbox.sender import NotYet

T = TypeVar("T")

PATIENCE: Final = 0.3
"""Seconds for which a queue waits for one of them; after that news are posted first."""
KEPT: Final = 100
"""The most that are made, or wait to be posted, at a time; one dropped for others is begun again."""


class Preparations(Generic[T]):
    """Parts being made, by a key for each post."""

    def __init__(self) -> None:
        self._parts: BoundedDict[Hashable, asyncio.Task[T]] = BoundedDict(KEPT)

    def start_making(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, T]]) -> None:
        """Start making a part, unless it is being made."""
        if key not in self._parts:
            self._parts[key] = asyncio.create_task(make())

    async def take_part(self, key: Hashable) -> T:
        """Return a finished part and forget it; raises NotYet while it is being made, or its error."""
        made = self._parts[key]
        await asyncio.wait({made}, timeout=PATIENCE)
        if not made.done():
            raise NotYet(made.add_done_callback)
        del self._parts[key]
        return made.result()
