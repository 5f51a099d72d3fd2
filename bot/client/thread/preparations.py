"""Slow parts of posts, made in the background while newer notices are posted."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Final, Generic, TypeVar

from bot.table.bounded_caches import BoundedDict
from bot.table.outbox.sender import PostLater

T = TypeVar("T")

PATIENCE_SECONDS: Final = 0.3
"""Seconds to wait for a slow part before newer rows are posted first."""
MAX_PREPARATIONS: Final = 100
"""The most parts being made or waiting to be posted; a part that was dropped is made again."""


class Preparations(Generic[T]):
    """Slow parts being made, by a key for each post."""

    def __init__(self) -> None:
        self._parts: BoundedDict[Hashable, asyncio.Task[T]] = BoundedDict(MAX_PREPARATIONS)

    def start_making(self, key: Hashable, make_part: Callable[[], Coroutine[Any, Any, T]]) -> None:
        """Start making a part, unless it is being made already."""
        if key not in self._parts:
            self._parts[key] = asyncio.create_task(make_part())

    async def take_finished(self, key: Hashable) -> T:
        """Return a finished part and forget it; raises PostLater while it is being made, or the error that ended it."""
        task = self._parts[key]
        await asyncio.wait({task}, timeout=PATIENCE_SECONDS)
        if not task.done():
            raise PostLater(task.add_done_callback)
        del self._parts[key]
        return task.result()
