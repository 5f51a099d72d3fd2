"""The loop of calls: every few seconds whoever is due is called, and what people want to be written is sent."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bot.client.letters import Letters
from bot.table.calling import Calling
from bot.table.errors import Refused
from bot.table.service import Tables
from storage import calls

_log = logging.getLogger("stationmaster.calls")

SECONDS: Final = 5.0
"""Between two looks."""


class Calls:
    """Calls whoever is due."""

    def __init__(
        self,
        tables: Tables,
        calling: Calling,
        letters: Letters,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._tables = tables
        self._calling = calling
        self._letters = letters
        self._sleep = sleep
        self._lock = asyncio.Lock()

    async def watch(self) -> None:
        """Look every few seconds; a message that takes long keeps nobody else from being called."""
        await asyncio.gather(self._again(self._calling.look), self._again(self._write))

    async def look(self) -> None:
        """Call everybody of this share who is due, and send what is to be sent."""
        await self._calling.look()
        await self._write()

    async def _again(self, look: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await look()
            except Exception:  # noqa: BLE001 - were this to end, nobody would be called until the next start
                _log.exception("calls could not be looked through")
            await self._sleep(SECONDS)

    async def _write(self) -> None:
        # Whatever was written down and not sent is taken for lost: one at a time.
        async with self._lock:
            await self._letters.send()

    async def mute(self, game_id: int, user_id: int) -> str:
        """Call somebody no more in a game until he has acted; what he is told. Raises Refused."""
        if not await calls.mute(self._tables.db, game_id, user_id):
            raise Refused(f"Nobody waits to call you in game {game_id}.")
        return f"You are not reminded of game {game_id} again until you have acted there."
