"""A running sender, to something that stands for Discord."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.outbox.sender import Sender
from bot.table.tables import Tables


def never(error: Exception) -> bool:
    """No error passes."""
    del error
    return False


@asynccontextmanager
async def sending(
    tables: Tables,
    deliver: Any,
    passing: Callable[[Exception], bool] = never,
    breaker: CircuitBreaker | None = None,
    **more: Any,
) -> AsyncIterator[Sender]:
    """Post what is in the outbox of these tables, as long as this lasts."""
    more.setdefault("ask", asyncio.Event().wait)
    sender = Sender(tables.db, deliver, tables.clock, passing, breaker or CircuitBreaker(), **more)
    tables.on_notice = sender.wake
    task = asyncio.create_task(sender.run())
    try:
        yield sender
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
