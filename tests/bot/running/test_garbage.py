"""Garbage collections: short while people wait, whole while nobody does."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.tools.process import keep_collections_short

PATIENCE = 30.0


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


async def test_what_lives_is_left_out_of_collections() -> None:
    before = gc.get_freeze_count()
    async with collecting(idle=False), asyncio.timeout(PATIENCE):
        while gc.get_freeze_count() <= before:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def test_cycles_are_freed_when_nobody_waits() -> None:
    knot = weakref.ref(Knot())
    async with collecting(idle=True), asyncio.timeout(PATIENCE):
        while knot() is not None:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def test_nothing_is_collected_while_somebody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    freezes = 0

    def counted() -> None:
        nonlocal freezes
        freezes += 1

    monkeypatch.setattr(gc, "freeze", counted)
    async with collecting(idle=False), asyncio.timeout(PATIENCE):
        knot = weakref.ref(Knot())
        while freezes < 5:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        assert knot() is not None
