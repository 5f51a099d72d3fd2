"""The minute check of clocks: signs of life, games in which nobody can act, and due turns."""

import asyncio
import logging
from collections.abc import Collection, Sequence
from typing import Final

from bot.client.bot_client import BotClient
from bot.client.requests.retries import Sleep
from bot.table.clocks import clocks_and_stops as clocks
from bot.table.clocks.away import end_absences
from bot.table.clocks.clocks_and_stops import GAP
from bot.table.clocks.deadlines import check_time
from bot.table.errors import Refused
from bot.table.tables import GENTLY
from storage import GameRow, StorageError, parse_timestamp, shards
from storage import clocks as stored

_log = logging.getLogger("stationmaster.deadlines")

WAITS: Final = "waits"
"""Why clocks stand in a game in which nobody can act, whatever the cause."""


class Deadlines:
    """Records each minute that the bot runs, and keeps the clocks of these shards' games."""

    def __init__(self, client: BotClient, sleep: Sleep = asyncio.sleep) -> None:
        self._client, self._tables, self._db = client, client.tables, client.tables.db
        self._sleep = sleep
        self._sound: set[int] = set()
        """Games that this process has read and found fit to be played."""

    async def check_clocks(self) -> None:
        """Handle everything due: ended absences, and expired turns."""
        if not self._connected():
            return  # nobody can act: no sign is given either
        await end_absences(self._tables)
        timed = await clocks.timed_games(self._db, self._tables.share)
        self._sound &= {row.id for row in timed}
        await self._at_work(timed)
        for row in timed:
            try:
                await self._look_at(row)
            except StorageError:
                raise
            except Refused as error:
                _log.info("game %s: clocks skipped: %s", row.id, error)
            except Exception:  # noqa: BLE001 - the clocks of other games continue
                _log.exception("game %s: cannot check its clocks", row.id)
            await self._sleep(GENTLY)

    def _connected(self) -> bool:
        if self._client.breaker.is_open:
            return False
        return self._client.is_ready() and not any(
            shard.is_closed() for shard in self._client.shards.values()
        )

    async def _at_work(self, timed: Sequence[GameRow]) -> None:
        """Record a sign of life for each shard; missed time stops the clocks of all its games."""
        now, count = self._tables.clock(), self._tables.share.shard_count
        for shard in self._tables.share.shards:
            last = await stored.last_run(self._db, shard, count)
            since = last if last is not None and parse_timestamp(now) - parse_timestamp(last) > GAP else None
            out = [row.id for row in timed if shards.shard_of(row.guild_id, count) == shard]
            await stored.record_run(self._db, shard, count, now, out=out, since=since)

    async def _look_at(self, row: GameRow) -> None:
        waiting = [stop for stop in await stored.clock_stops(self._db, row.id) if stop.until is None]
        now = self._tables.clock()
        if await self._keeps_waiting(row, waiting):
            if not waiting:
                await stored.store_stop(self._db, row.id, stored.ClockStop(stored.EVERYBODY, WAITS, now))
            return
        for one in waiting:
            await stored.store_stop(
                self._db, row.id, stored.ClockStop(one.player_id, one.why, one.since, now)
            )
        there = await clocks.game_clocks(self._db, self._tables.share, row, now)
        if there is not None and (there.due_turns or there.needs_update):
            await check_time(self._tables, row.id)

    async def _keeps_waiting(self, row: GameRow, waiting: Collection[stored.ClockStop]) -> bool:
        """True if nobody can act in a game: server or thread unreachable, or moves refused there."""
        server = self._client.get_guild(row.guild_id)
        if server is None or server.unavailable or self._tables.places.is_lost(row.id):
            return True
        if self._client.delivery_problems.problem_of(
            row.id
        ) is not None or not await self._client.showable.can_show(row):
            return True
        # To read every game each minute would keep all of them in memory.
        if waiting or row.id not in self._sound:
            return await self._is_waiting(row)
        return False

    async def _is_waiting(self, row: GameRow) -> bool:
        try:
            async with self._tables.reading(row.id) as live:
                waits = live.hold_reason is not None
        except Refused:
            return True  # it is damaged
        self._sound.add(row.id)
        return waits
