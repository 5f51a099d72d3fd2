"""Lobbies that wait for players too long are closed; their message says so before and after."""

import logging

from bot.client.posts.lobby_posts import LobbyPosts
from bot.client.requests.permission_problems import Problem
from bot.client.requests.retry_loop import HOUR, keep_looking
from bot.table.errors import Refused
from bot.table.lobby import Lobbies
from bot.table.seats.lobby_limits import LOBBY_LASTS, expires
from bot.table.tables import Tables
from storage import games
from storage.games import Game
from storage.tables import seats
from storage.timestamps import moment

_log = logging.getLogger("stationmaster.expiry")


class Expiry:
    """Closes lobbies that have expired."""

    def __init__(self, tables: Tables, lobbies: Lobbies, posts: LobbyPosts) -> None:
        self._tables = tables
        self._lobbies = lobbies
        self._posts = posts

    async def watch(self) -> None:
        """Look every hour."""
        await keep_looking("lobbies that have expired", self.look, HOUR)

    async def look(self) -> None:
        """Close every lobby of this share that has expired."""
        now = moment(self._tables.clock())
        for row in await games.games_in(self._tables.db, "lobby", self._tables.share):
            if expires(row.created_at) <= now:
                await self._close(row)

    async def _close(self, row: Game) -> None:
        people = [seat.display_name for seat in await seats.seats(self._tables.db, row.id)]
        async with self._tables.lock(row.id):
            try:
                await self._lobbies.read(row.id)
            except Refused:
                return  # it has started meanwhile
            await self._lobbies.withdraw(row.id)
        try:
            await self._posts.close(
                row, people, f"has expired: it did not start within {LOBBY_LASTS.days} days"
            )
        except Problem as error:
            _log.info("game %s: its lobby message cannot say that it has expired: %r", row.id, error)
