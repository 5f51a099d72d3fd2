"""What comes when its time is over: proposals that nobody answered lapse, pauses end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bot.client.motion_posts import MotionPosts
from bot.table.errors import Refused
from bot.table.pausing import Pausing
from bot.table.proposals import Proposals
from bot.table.service import Tables
from storage import motions, pauses
from storage.errors import StorageError

_log = logging.getLogger("stationmaster.due")

MINUTE: Final = 60.0
"""Seconds between two looks."""


class Due:
    """Ends what has run out."""

    def __init__(
        self,
        tables: Tables,
        proposals: Proposals,
        posts: MotionPosts,
        pausing: Pausing,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._tables = tables
        self._proposals = proposals
        self._posts = posts
        self._pausing = pausing
        self._sleep = sleep

    async def watch(self) -> None:
        """Look every minute."""
        while True:
            try:
                await self.look()
            except StorageError as error:
                _log.warning("what has run out could not be looked through: %s", error)
            await self._sleep(MINUTE)

    async def look(self) -> None:
        """End everything of this share whose time is over."""
        now, share = self._tables.clock(), self._tables.share
        for motion in await motions.run_out(self._tables.db, now, share):
            await self._proposals.lapse(motion)
            await self._posts.settle(motion)
        for game_id in await pauses.run_out(self._tables.db, now, share):
            try:
                await self._pausing.run_out(game_id)
            except Refused as error:
                _log.info("game %s: its pause is over, and it is damaged: %s", game_id, error)
