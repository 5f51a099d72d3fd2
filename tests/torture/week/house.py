"""The house of the week: its bot lives in simulated time, does nothing by itself, and may be killed."""

import asyncio
from collections.abc import Callable

import pytest

from bot.client import desk
from bot.client.app import Stationmaster
from bot.table import sender
from storage import Database
from tests.bot.house import House


class WeekHouse(House):
    """A house whose bot looks for what is due only when it is told to."""

    clock: Callable[[], str]

    def hired(self, db: Database) -> Stationmaster:
        """A bot with the clock of the week, whose loops wait for us."""
        bot = super().hired(db)
        bot.tables.clock = self.clock
        for loop in (bot.due, bot.expiry, bot.departures):
            loop.watch = _for_ever  # type: ignore[method-assign]
        return bot

    async def look(self) -> None:
        """Let the bot look for what is due, and wait until all it leads to is posted."""
        await self.client.due.look()
        await self.settled()

    async def killed(self) -> None:
        """End the bot with nothing finished that is under way: what was sent may have been taken, or not."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sender, "FINISHING_SECONDS", 0.0)
            patch.setattr(desk, "FINISHING_SECONDS", 0.0)
            await self.stop()


async def _for_ever() -> None:
    await asyncio.Event().wait()
