"""Time at a table that waits: a clock that stands still until a test moves it on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.client.features.pings import ping_due_users
from bot.sandbox.model import Message
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated

MONDAY = datetime(2026, 1, 5, 12, tzinfo=UTC)
"""A Monday at noon, in winter."""


class Clock:
    """The time of a house."""

    def __init__(self, sandbox: SandboxBot, now: datetime = MONDAY) -> None:
        self._house = sandbox
        self.now = now
        sandbox.clock = lambda: self.now.isoformat(timespec="milliseconds")

    async def on(self, **by: float) -> None:
        """Let time pass, and look who is due then; waits until all it led to is posted."""
        await self.until(self.now + timedelta(**by))

    async def until(self, when: datetime) -> None:
        self.now = when
        await ping_due_users(self._house.client)
        await self._house.settled()

    async def restart(self, **down: float) -> None:
        await self._house.stop()
        await self._come_back(**down)

    @asynccontextmanager
    async def dying_before(self, owner: object, name: str, **down: float) -> AsyncIterator[None]:
        """The process dies when it is about to run a function of a module or class, and comes back after a time."""
        with pytest.MonkeyPatch.context() as replaced:
            replaced.setattr(owner, name, _dead)
            yield
            await self._house.stop()
        await self._come_back(**down)

    async def _come_back(self, **down: float) -> None:
        self.now += timedelta(**down)
        await self._house.start()
        await self.on()


async def handed_over(sandbox: SandboxBot) -> tuple[Clock, Seated]:
    """A game in which Ann has just passed: it is Bob's turn, who is not pinged yet."""
    clock, game = Clock(sandbox), await sandbox.game()
    await game.press("Ann", "Pass")
    return clock, game


async def _dead(*_: Any, **__: Any) -> None:
    raise ConnectionError("the process has died")


def direct_messages(sandbox: SandboxBot, name: str) -> list[Message]:
    return [message for message in sandbox.person(name).direct_messages() if not message.ephemeral]


async def chosen(sandbox: SandboxBot, name: str, **how: str) -> str:
    """Somebody chooses how they are pinged; what they read."""
    return (await sandbox.person(name).slash(TABLE, "pings", **how)).text
