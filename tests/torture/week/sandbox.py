"""The sandbox of the week: its bot lives in simulated time, does nothing on its own, and may be killed."""

import asyncio
from collections.abc import Callable
from typing import Final

import pytest

from bot.client import bot_client
from bot.client.app import Stationmaster
from bot.client.features.pings import ping_due_users
from bot.sandbox.guild.world import World
from bot.sandbox.model import EPOCH_MS
from bot.table.outbox import sender
from storage import Database
from tests.bot.support.sandbox_bot import SandboxBot
from tests.torture.week.agenda import Agenda

POSTS: Final = "POST /api/v10/channels"
UNKNOWN: Final = 0.5
"""Seconds after which an answer comes, where the bot is killed meanwhile."""
TAKEN: Final = 0.05
"""Seconds in which what was sent is posted."""


class WeekWorld(World):
    """A Discord whose numbers tell simulated times, as those of the real one tell real ones."""

    def __init__(self, agenda: Agenda) -> None:
        self._agenda = agenda
        super().__init__()

    def new_id(self) -> int:
        """A fresh snowflake, larger than every earlier one."""
        now = (int(self._agenda.now.timestamp() * 1000) - EPOCH_MS) << 22
        self._last_id = max(self._last_id + 1, now)
        return self._last_id


class WeekBot(SandboxBot):
    """A sandbox whose bot looks for what is due only when a test says so."""

    def hired(self, db: Database) -> Stationmaster:
        """A bot whose loops wait for us."""
        bot = super().hired(db)
        bot.periodic_checks = ()
        return bot

    async def look(self) -> None:
        """Let the bot look for what is due, and wait until all it leads to is posted."""
        await self.expire()
        await ping_due_users(self.client)
        await self.settled()

    def slow_down(self) -> None:
        """From now on it is not known whether something was posted, until the bot has died."""
        self.server.faults.answer_late(POSTS, UNKNOWN, times=1_000)

    def pinged(self) -> int:
        return len(self.rung)

    def written(self) -> int:
        return sum(self.world.channel(channel).is_dm for channel, _ in self.rung)

    async def caught(self, deed: asyncio.Task[None], count: Callable[[], int]) -> bool:
        before = count()
        while not deed.done() and count() == before:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.001)
        await asyncio.sleep(TAKEN)
        if deed.done():
            await deed
            return False
        deed.cancel()
        await asyncio.wait({deed})
        return True

    async def die(self) -> None:
        """End the bot with nothing finished, so that it does not know what was posted; then start it again."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sender, "SECONDS_TO_FINISH_POSTS", 0.0)  # time
            patch.setattr(bot_client, "FINISH_REQUESTS_SECONDS", 0.0)  # time
            await self.stop()
        self.server.faults.clear()
        for message in self.world.messages.values():
            message.nonce = None  # Discord knows them for some minutes; it may take longer to come back
        await self.start()
        await self.settled()
