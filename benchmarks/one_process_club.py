"""A sandbox server with many running games, a bot in this process, and users who press buttons."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from aiohttp.typedefs import Middleware

from bot.client.app import Stationmaster
from bot.sandbox.guild.person import Person
from bot.sandbox.model import Button, Message
from bot.sandbox.redirect import discord_redirected_to
from bot.sandbox.server import LoopbackServer
from bot.table.imports import read_recorded_game, store_recorded_game
from bot.table.rate_limits import RateLimiter
from bot.tools.showcase import SANDBOX_TABLE
from storage import games, open_database, outbox

PATIENCE = 600.0
"""Seconds to wait for anything before giving up."""


@dataclass
class Table:
    """A running game and its thread."""

    game_id: int
    thread_id: int


class Club:
    """A sandbox server, a bot in this process, and running games; the bot can be restarted."""

    def __init__(self, server: LoopbackServer, location: str | Path) -> None:
        self.server = server
        self.tables: list[Table] = []
        self._where = location
        self._opened = AsyncExitStack()
        self._client: Stationmaster | None = None
        self._running: asyncio.Task[None] | None = None

    @classmethod
    @asynccontextmanager
    async def opened(cls, location: str | Path, around: Sequence[Middleware] = ()) -> AsyncIterator["Club"]:
        """A club with a connected bot; `around` are middlewares that wrap all handlers of the server."""
        async with LoopbackServer(middlewares=around) as server:
            with discord_redirected_to(server.url):
                club = cls(server, location)
                await club.start()
                try:
                    yield club
                finally:
                    await club.stop()

    @property
    def client(self) -> Stationmaster:
        """The running bot."""
        assert self._client is not None
        return self._client

    async def start(self) -> float:
        """Start the bot; returns the seconds until it is connected."""
        began = time.perf_counter()
        db = await self._opened.enter_async_context(await open_database(self._where))
        duty = await self._opened.enter_async_context(db.own_shards())
        self._client = Stationmaster(
            duty.db, guild_ready_timeout=0.02, sync_always=True, rate_limiter=RateLimiter(1000)
        )
        await self._client.login(self.server.token)
        self._running = asyncio.create_task(self._client.connect())
        await asyncio.wait_for(self._client.wait_until_ready(), PATIENCE)
        return time.perf_counter() - began

    async def stop(self) -> None:
        """Stop the bot; the sandbox server keeps running."""
        if self._client is not None and self._running is not None:
            await self._client.close()
            await asyncio.wait({self._running})
        await self._opened.aclose()
        self._client = self._running = None

    async def add_tables(self, logs: Sequence[Path], number: int, until: int) -> None:
        """Add `number` running games: the recorded ones, repeated as needed, each after its first `until` actions."""
        for index in range(number):
            recorded = await asyncio.to_thread(read_recorded_game, logs[index % len(logs)], until)
            await store_recorded_game(self.client.tables, recorded, SANDBOX_TABLE)
        await self.wait_until_posted()
        rows = await games.games_with_status(self.client.db, "running")
        self.tables = [Table(row.id, row.thread_id) for row in rows if row.thread_id is not None]

    async def wait_until_posted(self) -> None:
        """Wait until the bot has posted everything."""
        async with asyncio.timeout(PATIENCE):
            while (await outbox.backlog(self.client.db)).row_count:  # noqa: ASYNC110 - the database tells nobody
                await asyncio.sleep(0.02)

    async def move_button(self, table: Table, chance: random.Random) -> tuple[Person, Message, Button] | None:
        """A random move button for the next player, with player and message; None if no button makes a move at once."""
        async with self.client.tables.reading(table.game_id) as live:
            if live.game.is_over:
                return None
            user = live.user_of(live.game.actors()[0])
            turn_id = live.row.turn_message_id
        turn = self.server.world.messages.get(turn_id or 0)
        buttons = [] if turn is None else [b for b in turn.buttons if (b.custom_id or "").startswith("g:")]
        if turn is None or not buttons:
            return None
        return Person(self.server.world, self.server.world.users[user]), turn, chance.choice(buttons)
