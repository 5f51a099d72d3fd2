"""Expirations: proposals that nobody answered, pauses, substitutions, and lobbies that wait for players too long."""

import logging
from collections.abc import Coroutine, Sequence
from typing import Any

from bot.client.posts.lobby_posts import LobbyPosts
from bot.client.posts.proposal_posts import ProposalPosts
from bot.client.requests.permission_problems import Problem
from bot.client.requests.retry_loop import HOUR, MINUTE, keep_looking
from bot.table.clocks.away import Substitutes
from bot.table.errors import Refused
from bot.table.lobby import LOBBY_LASTS, Lobbies, lobby_expires
from bot.table.tables import Tables
from bot.table.votes.pauses import Pauses
from bot.table.votes.proposals import Proposals
from storage import clocks, games, proposals, seats
from storage.contract import parse_timestamp
from storage.errors import StorageError
from storage.games import Game
from storage.proposals import Proposal

_log = logging.getLogger("stationmaster.due")


class Due:
    """Ends what has run out."""

    def __init__(
        self,
        tables: Tables,
        proposals: Proposals,
        posts: ProposalPosts,
        pausing: Pauses,
        standing_in: Substitutes,
    ) -> None:
        self._tables = tables
        self._proposals = proposals
        self._posts = posts
        self._pausing = pausing
        self._standing_in = standing_in

    async def watch(self) -> None:
        """Look every minute."""
        await keep_looking("what has run out", self.look, MINUTE)

    async def look(self) -> None:
        """End everything of this share whose time is over."""
        now, share = self._tables.clock(), self._tables.share
        over = await proposals.run_out(self._tables.db, now, share)
        await self._expire([*over, *await self._proposals.overtaken()])
        for game_id in await clocks.overdue_pauses(self._tables.db, now, share):
            await _unless_damaged(game_id, self._pausing.run_out(game_id))
        for game_id, player in await seats.ended_substitutions(self._tables.db, now, share):
            await _unless_damaged(game_id, self._standing_in.run_out(game_id, player))

    def moved(self, game_id: int) -> Coroutine[Any, Any, None] | None:
        """What removes the buttons of proposals that a move may have overtaken; None where there are none."""
        return self._overtaken(game_id) if self._proposals.may_be_overtaken(game_id) else None

    async def _overtaken(self, game_id: int) -> None:
        try:
            await self._expire(await self._proposals.overtaken(game_id))
        except StorageError as error:
            _log.info("game %s: proposals that the move has outdated stay open for now: %s", game_id, error)

    async def _expire(self, over: Sequence[Proposal]) -> None:
        for proposal in over:
            await self._proposals.expire(proposal)
            await self._posts.settle(proposal)


async def _unless_damaged(game_id: int, end: Coroutine[Any, Any, None]) -> None:
    try:
        await end
    except Refused as error:
        _log.info("game %s is damaged, and what has run out there is not ended: %s", game_id, error)


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
        now = parse_timestamp(self._tables.clock())
        for row in await games.games_in(self._tables.db, "lobby", self._tables.share):
            if lobby_expires(row.created_at) <= now:
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
