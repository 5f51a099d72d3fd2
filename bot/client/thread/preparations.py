"""Background tasks for slow parts of posts, such as pictures, which let newer notices be posted first."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Final, Generic, TypeVar

from bot.table.bounded_caches import BoundedDict
from bot.table.outbox.sender import PostLater

T = TypeVar("T")

MAX_WAIT_FOR_PART_SECONDS: Final = 0.3
"""Seconds to wait for a slow part of a post. After that, newer notices are posted first."""
MAX_PREPARATIONS: Final = 100
"""Number of slow parts kept, in progress or finished. A part that was dropped is made again when needed."""


class Preparations(Generic[T]):
    """Background tasks that make slow parts of posts, such as pictures. Each part has a key."""

    def __init__(self) -> None:
        self._task_by_key: BoundedDict[Hashable, asyncio.Task[T]] = BoundedDict(MAX_PREPARATIONS)

    def start_making(self, key: Hashable, make_part: Callable[[], Coroutine[Any, Any, T]]) -> None:
        """Start to make a part in the background, unless a part with this key exists already."""
        if key not in self._task_by_key:
            self._task_by_key[key] = asyncio.create_task(make_part())

    async def take_finished(self, key: Hashable) -> T:
        """Return a finished part and forget it. If making it failed, its error is raised.

        Raises PostLater if the part is not finished in time.
        """
        task = self._task_by_key[key]
        await asyncio.wait({task}, timeout=MAX_WAIT_FOR_PART_SECONDS)
        if not task.done():
            raise PostLater(task.add_done_callback)
        del self._task_by_key[key]
        return task.result()
