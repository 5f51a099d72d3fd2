"""Requests for a change: what all of them need, how they are done to their end, and what is answered."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, Final, TypeVar

from aiohttp import web

from bot.table.board.links import Visitor
from bot.table.errors import MovedOn, NotYours, Refused
from bot.table.live import LiveGame
from bot.table.rate_limits import Kind
from bot.table.tables import Tables
from bot.web.entry.access import Access, Denied, Elsewhere, json_answer
from bot.web.entry.bodies import Body, body_of
from bot.web.entry.page_limits import Limits
from storage.errors import StorageError
from storage.games import Game

_log = logging.getLogger("stationmaster.web")

T = TypeVar("T")

MOVED_ON: Final = (
    "The game has moved on meanwhile. Nothing was done; look at what is different, and decide again."
)
SPECTATOR: Final = "You look at this board as a spectator: only players move."


class ChangeRequests:
    """What every request for a change asks first, and how it ends."""

    def __init__(
        self,
        tables: Tables,
        access: Access,
        limits: Limits,
        acts: Callable[[int, int], None],
        require_shown: Callable[[Game], None],
    ) -> None:
        """`acts` is run with game and user when somebody acts; `require_shown` raises Refused where no thread could
        show a move.
        """
        self.tables = tables
        self.access = access
        self.limits = limits
        self._acts = acts
        self._require_shown = require_shown

    async def player(self, request: web.Request) -> Visitor:
        """A visitor who is somebody; raises NotYours."""
        visitor = await self.access.visitor(request)
        if visitor.user_id is None:
            raise NotYours(SPECTATOR)
        return visitor

    async def begun(self, request: web.Request, kind: Kind) -> tuple[Visitor, Body]:
        """A player, and what they ask for; raises NotYours, SlowDown before it is read, Denied."""
        visitor = await self.player(request)
        async with self.tables.reading(visitor.game_id) as live:
            self.limits.require(visitor, kind, live.row.guild_id)
        return visitor, await body_of(request, self.limits.patience)

    async def require_here(self, visitor: Visitor) -> None:
        """Raise Elsewhere where this process changes nothing of a game; else the user is seen to act."""
        async with self.tables.reading(visitor.game_id) as live:
            self._require_here(live)
        self._seen(visitor)

    async def require_turn(self, visitor: Visitor, body: Body) -> None:
        """The same, and raise Denied or Refused where no move can be made after the last one that the page knows."""
        async with self.tables.reading(visitor.game_id) as live:
            self._require_here(live)
            self.require_seq(live, body)
            self.tables.require_playable(live)
        self._seen(visitor)

    async def require_shown(self, visitor: Visitor) -> None:
        """Raise Refused where the game's thread could not show a move, as every way to move does."""
        async with self.tables.reading(visitor.game_id) as live:
            self._require_shown(live.row)

    @staticmethod
    def require_seq(live: LiveGame, body: Body) -> None:
        """Raise Denied unless the page knows the last move of the game."""
        if body.seq != live.seq:
            raise Denied(HTTPStatus.CONFLICT, MOVED_ON, seq=live.seq)

    async def made(self, visitor: Visitor, deed: Coroutine[Any, Any, T]) -> T:
        """What is done is done to its end, whether the browser waits for it or not."""
        try:
            return await asyncio.shield(asyncio.ensure_future(deed))
        except MovedOn:
            async with self.tables.reading(visitor.game_id) as live:
                raise Denied(HTTPStatus.CONFLICT, MOVED_ON, seq=live.seq) from None

    async def answer(self, visitor: Visitor, lines: list[str], proposed: bool = False) -> web.Response:
        """What is done, and the last move of the game now; None where it cannot be read at the moment."""
        seq = None
        try:
            async with self.tables.reading(visitor.game_id) as live:
                seq = live.seq
        except (Refused, StorageError) as error:
            # What is done stays done: the page looks for itself.
            _log.info("game %s: a move is made, and cannot be looked at: %s", visitor.game_id, error)
        return json_answer({"seq": seq, "lines": lines, "proposed": proposed})

    def _require_here(self, live: LiveGame) -> None:
        if not self.tables.share.holds(live.row.guild_id):
            raise Elsewhere

    def _seen(self, visitor: Visitor) -> None:
        assert visitor.user_id is not None
        self._acts(visitor.game_id, visitor.user_id)
