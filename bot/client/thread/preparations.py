"""What takes long to make for a post: it is made beside the queue of its game, which goes on meanwhile."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Final, Generic, TypeVar

from bot.table.bounded import BoundedDict
from bot.table.outbox.sender import NotYet

T = TypeVar("T")

PATIENCE: Final = 0.3
"""Seconds for which a queue waits for it before news go first."""
KEPT: Final = 100
"""How many of them are made, or wait to be posted, at a time; one that was dropped for others begins anew."""


class Preparations(Generic[T]):
    """What is being made, by the post for which it is."""

    def __init__(self) -> None:
        self._made: BoundedDict[Hashable, asyncio.Task[T]] = BoundedDict(KEPT)

    def begin(self, post: Hashable, make: Callable[[], Coroutine[Any, Any, T]]) -> None:
        """Begin to make it, unless it is being made."""
        if post not in self._made:
            self._made[post] = asyncio.create_task(make())

    async def of(self, post: Hashable) -> T:
        """What was begun, once; raises NotYet where that takes longer, and what its making raises."""
        made = self._made[post]
        await asyncio.wait({made}, timeout=PATIENCE)
        if not made.done():
            raise NotYet(made.add_done_callback)
        del self._made[post]
        return made.result()
