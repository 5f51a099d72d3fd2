"""Each minute: records that the bot runs, stops clocks of games in which nobody can act, and handles expired turns."""

import asyncio
import logging
from collections.abc import Collection, Sequence
from typing import Final

from bot.client.bot_client import BotClient
from bot.client.requests.retries import SleepFunction
from bot.table.clocks import clocks_and_stops as clocks
from bot.table.clocks.away import end_absences
from bot.table.clocks.clocks_and_stops import MIN_DOWNTIME
from bot.table.clocks.deadlines import handle_expired_clocks
from bot.table.errors import Refused
from bot.table.tables import SECONDS_BETWEEN_CHECKS
from storage import GameRow, StorageError, parse_timestamp, shards
from storage import clocks as stored

_log = logging.getLogger("stationmaster.deadlines")

NOBODY_CAN_ACT: Final = "waits"
"""Stored reason for stopping a game's clocks because nobody can act."""


class ClockChecks:
    """Each minute, checks the clocks (time banks) of this process's games, and records that the bot runs."""

    def __init__(self, client: BotClient, sleep: SleepFunction = asyncio.sleep) -> None:
        self._client, self._tables, self._db = client, client.tables, client.tables.db
        self._sleep = sleep
        self._undamaged_games: set[int] = set()
        """Ids of the games that this process has loaded and found playable."""

    async def check_clocks(self) -> None:
        """End absences whose time is over, and check the clocks of all games with time banks."""
        if not self._is_connected():
            return  # nobody can act, so the time must count as an outage
        await end_absences(self._tables)
        timed_games = await clocks.timed_games(self._db, self._tables.shards)
        self._undamaged_games &= {row.id for row in timed_games}
        await self._record_bot_run(timed_games)
        for row in timed_games:
            try:
                await self._check_game(row)
            except StorageError:
                raise
            except Refused as error:
                _log.info("game %s: clocks not checked: %s", row.id, error)
            except Exception:  # noqa: BLE001 - the clocks of other games continue
                _log.exception("game %s: cannot check its clocks", row.id)
            await self._sleep(SECONDS_BETWEEN_CHECKS)

    def _is_connected(self) -> bool:
        if self._client.breaker.is_open:
            return False
        return self._client.is_ready() and not any(
            shard.is_closed() for shard in self._client.shards.values()
        )

    async def _record_bot_run(self, timed_games: Sequence[GameRow]) -> None:
        """Record for each shard that the bot runs now.

        After a gap in these records, the players lose no time for the gap.
        """
        now, shard_count = self._tables.clock(), self._tables.shards.shard_count
        for shard in self._tables.shards.shards:
            last_run_at = await stored.last_bot_run_time(self._db, shard, shard_count)
            down_since = (
                last_run_at
                if last_run_at is not None
                and parse_timestamp(now) - parse_timestamp(last_run_at) > MIN_DOWNTIME
                else None
            )
            shard_game_ids = [
                row.id for row in timed_games if shards.shard_of(row.guild_id, shard_count) == shard
            ]
            await stored.record_bot_run(
                self._db, shard, shard_count, now, games_with_clocks=shard_game_ids, down_since=down_since
            )

    async def _check_game(self, row: GameRow) -> None:
        open_stops = [stop for stop in await stored.clock_stops(self._db, row.id) if stop.until is None]
        now = self._tables.clock()
        if await self._is_blocked(row, open_stops):
            if not open_stops:
                await stored.store_clock_stop(
                    self._db, row.id, stored.ClockStop(stored.EVERYBODY, NOBODY_CAN_ACT, now)
                )
            return
        for open_stop in open_stops:
            await stored.store_clock_stop(
                self._db, row.id, stored.ClockStop(open_stop.player_id, open_stop.why, open_stop.since, now)
            )
        game_clocks = await clocks.game_clocks(self._db, self._tables.shards, row, now)
        if game_clocks is not None and (game_clocks.due_turns or game_clocks.needs_update):
            await handle_expired_clocks(self._tables, row.id)

    async def _is_blocked(self, row: GameRow, open_stops: Collection[stored.ClockStop]) -> bool:
        """True if nobody can act in a game, because its server or thread is unreachable or it is damaged or on hold."""
        server = self._client.get_guild(row.guild_id)
        if server is None or server.unavailable or self._tables.game_threads.has_lost_thread(row.id):
            return True
        if self._client.delivery_problems.problem_of(
            row.id
        ) is not None or not await self._client.thread_visibility.can_show_moves(row):
            return True
        # Loaded only once, since loading every game each minute would keep all of them in memory.
        if open_stops or row.id not in self._undamaged_games:
            return await self._is_on_hold(row)
        return False

    async def _is_on_hold(self, row: GameRow) -> bool:
        try:
            async with self._tables.reading(row.id) as live:
                is_on_hold = live.hold_reason is not None
        except Refused:
            return True  # the game is damaged
        self._undamaged_games.add(row.id)
        return is_on_hold
