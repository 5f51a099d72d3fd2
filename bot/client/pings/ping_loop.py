"""The loop of calls: every few seconds whoever is due is called, and what people want to be written is sent."""

import asyncio
from typing import Final

from bot.client.pings.direct_messages import DirectMessages
from bot.client.pings.expired_direct_messages import ExpiredDirectMessages
from bot.client.requests.retry_loop import keep_looking
from bot.table.errors import Refused
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.pings.pinging import Calling
from bot.table.tables import Tables
from storage.posts import pings

SECONDS: Final = 5.0
"""Between two looks."""


class PingLoop:
    """Sends the pings that are due, but none while Discord fails: a player is pinged once when it works again."""

    def __init__(
        self,
        tables: Tables,
        calling: Calling,
        letters: DirectMessages,
        old: ExpiredDirectMessages,
        breaker: CircuitBreaker,
    ) -> None:
        self._tables = tables
        self._calling = calling
        self._letters = letters
        self._old = old
        self._breaker = breaker
        self._lock = asyncio.Lock()

    async def watch(self) -> None:
        """Look every few seconds; a message that takes long keeps nobody else from being called."""
        looks = {
            "pings that are due": self._call,
            "direct messages": self._write,
            "old direct messages": self._clear,
        }
        await asyncio.gather(*(keep_looking(what, look, SECONDS) for what, look in looks.items()))

    async def look(self) -> None:
        """Call everybody of this share who is due, send what is to be sent, and delete what is out of date."""
        await self._call()
        await self._write()
        await self._clear()

    async def _call(self) -> None:
        if not self._breaker.is_open:
            await self._calling.look()

    async def _write(self) -> None:
        if self._breaker.is_open:
            return
        # Whatever was written down and not sent is taken for lost: one at a time.
        async with self._lock:
            await self._letters.send()

    async def _clear(self) -> None:
        if not self._breaker.is_open:
            await self._old.clear()

    async def mute(self, game_id: int, user_id: int) -> str:
        """Call somebody no more in a game until he has acted; what he is told. Raises Refused."""
        if not await pings.mute(self._tables.db, game_id, user_id):
            raise Refused(f"You have no pending pings in game {game_id}.")
        return f"You are not reminded of game {game_id} again until you have acted there."
