"""Slow parts of posts, made while the game's queue continues."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Final, Generic, TypeVar

from bot.table.bounded_caches import BoundedDict
from bot.table.outbox.sender import PostLater

T = TypeVar("T")

PATIENCE_SECONDS: Final = 0.3
"""Seconds for which a game's queue waits for a slow part; after that it posts newer rows first."""
MAX_PREPARATIONS: Final = 100
"""Most parts in the making or waiting to be posted; a dropped one is started again."""


class Preparations(Generic[T]):
    """Slow parts in the making, by a key for each post."""

    def __init__(self) -> None:
        self._parts: BoundedDict[Hashable, asyncio.Task[T]] = BoundedDict(MAX_PREPARATIONS)

    def start_making(self, key: Hashable, make_part: Callable[[], Coroutine[Any, Any, T]]) -> None:
        """Start making a part, unless it is being made."""
        if key not in self._parts:
            self._parts[key] = asyncio.create_task(make_part())

    async def take_finished(self, key: Hashable) -> T:
        """Return a finished part and forget it; raises NotYet while it is being made, or its error."""
        task = self._parts[key]
        await asyncio.wait({task}, timeout=PATIENCE_SECONDS)
        if not task.done():
            raise PostLater(task.add_done_callback)
        del self._parts[key]
        return task.result()
