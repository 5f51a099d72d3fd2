"""Garbage collections: short while people wait, whole while nobody does."""

import asyncio
import gc
import weakref

from bot.tools.process import keep_garbage_collections_short


class Knot:
    """Something that refers to itself, and so is freed by a collection alone."""

    def __init__(self) -> None:
        self.itself = self


async def test_cycles_are_freed_when_idle() -> None:
    """What lives is left out, and nothing is collected while somebody waits."""
    idle, frozen, knot = False, gc.get_freeze_count(), weakref.ref(Knot())
    gc.disable()
    task = asyncio.create_task(keep_garbage_collections_short(lambda: idle, 0.01, 0.02))
    try:
        async with asyncio.timeout(30):
            while gc.get_freeze_count() <= frozen:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            assert knot() is not None
            idle = True
            while knot() is not None:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
    finally:
        task.cancel()
        # What was frozen stays so, as what was imported: else each collection from now on would go through all of it.
        gc.enable()
