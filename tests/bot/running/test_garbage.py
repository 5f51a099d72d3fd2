"""Garbage collections: short while people wait, whole while nobody does."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot.tools.process import keep_collections_short


class Knot:
    """Something that refers to itself, and so is freed by a collection alone."""

    def __init__(self) -> None:
        self.itself = self


@asynccontextmanager
async def collecting(*, idle: bool) -> AsyncIterator[None]:
    """With collections kept short, many times a second; nothing is collected automatically."""
    gc.disable()
    task = asyncio.create_task(keep_collections_short(lambda: idle, 0.01, 0.02))
    try:
        yield
    finally:
        task.cancel()
        # What was frozen stays so, as what was imported: else each collection from now on would go through all of it.
        gc.enable()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def test_what_lives_is_left_out() -> None:
    """And nothing is collected while somebody waits."""
    before = gc.get_freeze_count()
    async with collecting(idle=False):
        knot = weakref.ref(Knot())
        await until(lambda: gc.get_freeze_count() > before)
        await asyncio.sleep(0.1)
        assert knot() is not None


async def test_cycles_are_freed_when_idle() -> None:
    knot = weakref.ref(Knot())
    async with collecting(idle=True):
        await until(lambda: knot() is None)
