"""The ping loop: every few seconds it pings users who are due, and sends direct messages."""

import asyncio
from typing import Final

from bot.client.pings.direct_messages import DirectMessages
from bot.client.pings.expired_direct_messages import ExpiredDirectMessages
from bot.client.requests.retry_loop import keep_looking
from bot.table.errors import Refused
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.pings import PingPlanner
from bot.table.tables import Tables
from storage import pings

SECONDS: Final = 5.0
"""Between two looks."""


class PingLoop:
    """Sends the pings that are due, but none while Discord fails: a player is pinged once when it works again."""

    def __init__(
        self,
        tables: Tables,
        pinging: PingPlanner,
        direct_messages: DirectMessages,
        old: ExpiredDirectMessages,
        breaker: CircuitBreaker,
    ) -> None:
        self._tables = tables
        self._pinging = pinging
        self._direct_messages = direct_messages
        self._old = old
        self._breaker = breaker
        self._lock = asyncio.Lock()

    async def watch(self) -> None:
        """Look every few seconds; a message that takes long delays no other ping."""
        looks = {
            "pings that are due": self._call,
            "direct messages": self._write,
            "old direct messages": self._clear,
        }
        await asyncio.gather(*(keep_looking(what, look, SECONDS) for what, look in looks.items()))

    async def look(self) -> None:
        """Ping every user of these shards who is due, send what is to be sent, and delete what is stale."""
        await self._call()
        await self._write()
        await self._clear()

    async def _call(self) -> None:
        if not self._breaker.is_open:
            await self._pinging.look()

    async def _write(self) -> None:
        if self._breaker.is_open:
            return
        # Whatever was written down and not sent is taken for lost: one at a time.
        async with self._lock:
            await self._direct_messages.send()

    async def _clear(self) -> None:
        if not self._breaker.is_open:
            await self._old.clear()

    async def mute(self, game_id: int, user_id: int) -> str:
        """Mute a game for a user until they have acted; the answer for them. Raises Refused."""
        if not await pings.mute(self._tables.db, game_id, user_id):
            raise Refused(f"You have no pending pings in game {game_id}.")
        return f"You are not reminded of game {game_id} again until you have acted there."
