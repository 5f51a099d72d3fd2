"""Garbage collections that hold the event loop for milliseconds: what has lived for a minute is left out of them."""

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

THRESHOLDS: Final = (5_000, 4, 1_000_000)
"""Objects made since the last collection that bring the next one, which takes some milliseconds; every fifth looks at
what the four before left, too; all others wait for the whole collection (see `gc.set_threshold`)."""
FREEZE_SECONDS: Final = 60.0
"""Between two times at which all that lives is left out of collections: what comes meanwhile takes some 5 ms."""
WHOLE_SECONDS: Final = 3600.0
"""Between two collections of everything: up to 0.2 s with many games in memory, at a moment when nobody waits."""


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage meanwhile, such as while libraries are loaded, which leave next to none."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def keep_collections_short(
    idle: Callable[[], bool], freeze_seconds: float = FREEZE_SECONDS, whole_seconds: float = WHOLE_SECONDS
) -> None:
    """Freeze what lives again and again, until cancelled; collect everything once in a while when the bot is idle.

    Most objects die when nothing refers to them any more, frozen or not. Only cycles wait for the whole collection.
    """
    loop = asyncio.get_running_loop()
    collected = loop.time()
    while True:
        await asyncio.sleep(freeze_seconds)
        if loop.time() - collected >= whole_seconds and idle():
            gc.unfreeze()
            gc.collect()
            collected = loop.time()
        gc.freeze()
