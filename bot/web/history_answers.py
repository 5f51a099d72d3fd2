"""The past of a game: what every move did, for the slider, and the numbers of the charts."""

from typing import Final

from aiohttp import web

from bot.table.bounded import BoundedDict
from bot.table.game_cache import Locks
from bot.table.past.asked import PastGame
from bot.table.past.chronicle import Work
from bot.table.past.history import struck
from bot.table.past.timelines import at_present
from bot.table.rate_limits import Kind
from bot.table.tables import Tables
from bot.web.entry.access import Access
from bot.web.entry.page_limits import Limits
from bot.web.packing import Packed, closing, finished
from bot.web.position_answers import own_last, question_of, zipped
from bot.web.position_as_json import history_json

KEPT: Final = 50
"""Histories that are kept, each some 20 KB."""


class History:
    """Answers to who looks back."""

    def __init__(self, tables: Tables, access: Access, limits: Limits) -> None:
        self._tables = tables
        self._access = access
        self._limits = limits
        self._locks = Locks()
        self._kept: BoundedDict[tuple[int, int, object], Packed] = BoundedDict(KEPT)

    async def tell(self, request: web.Request) -> web.Response:
        """Every move that counts, what was undone, and the charts."""
        visitor = await self._access.visitor(request)
        async with self._tables.reading(visitor.game_id) as live:
            player = None if visitor.user_id is None else live.player_of(visitor.user_id)
            past, now, gone = PastGame.of(live), at_present(live.game), struck(live)
            mine, guild_id = own_last(live, player), live.row.guild_id
        self._limits.require(visitor, Kind.COMPLETION)
        key = visitor.game_id, past.last, live.game.players
        async with self._locks.of(hash(key)):
            if key not in self._kept:
                work = Work(self._tables.workers, question_of(visitor, guild_id))
                chapter = await self._tables.chronicle.chapters(past, work)
                self._kept[key] = await work(history_json, past, chapter, now, gone)
        return zipped(request, finished(self._kept[key], closing({"last": past.last, "mine": mine})))
